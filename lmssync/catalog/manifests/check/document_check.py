"""A document becomes resources, or problems; or the files that it names are listed."""

from collections.abc import Container, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from pydantic import ValidationError

from ....kind import Kind, Spec
from ....kinds import BODY_FILE, BY_RESOURCE, KINDS
from ....problems import Finding, Problem, grade_problems, only_errors, suggest_near
from ....resource import (
    PROJECT_FILE,
    Address,
    Lifecycle,
    Origin,
    Path,
    RefusedResource,
    Resource,
    canonical_text,
    fingerprint_of,
    pack_text,
)
from ....texts.values import Noticed, judge_texts
from .. import validation_errors
from ..catalog_files import MISTAKES, CatalogFiles
from ..documents import NOT_A_MANIFEST, Document, Scope, read_manifest_file
from ..overlays import address_of, with_defaults, with_patches
from ..validation_errors import MISSING_FIELD, UNKNOWN_RESOURCE
from ..yaml import TOO_DEEP
from .attached_texts import fill_bodies, fill_tables, spell_catalog_path
from .included_parts import Included, include_parts
from .partial_check import distinct_readings, find_gaps, make_readings, outside_of
from .short_forms import expand_short_forms, is_generated, key_of, without_generated


class Result(NamedTuple):
    """The resources and the findings of a document."""

    resources: list[Resource]
    problems: list[Problem]
    refused: list[RefusedResource]
    """Items that must not become resources, for the rules between resources."""

    def add_result(self, other: "Result") -> None:
        self.resources.extend(other.resources)
        self.problems.extend(other.problems)
        self.refused.extend(other.refused)


class Context(NamedTuple):
    """The arguments of checking besides the document."""

    scope: Scope
    files: CatalogFiles
    may_include: bool = True
    """Whether documents may use part files: most files have no such word."""


def check_document(context: Context, document: Document) -> Result:
    """The resources of one document, short forms taken apart, and everything wrong with it."""
    kind = find_document_kind(document)
    if isinstance(kind, Problem):
        return Result([], [kind], [])
    return _check_long_form(context, kind, document.origin, document.data)


def _check_long_form(context: Context, kind: Kind, origin: Origin, data: dict[str, Any]) -> Result:
    """The resources of a document or of a short form, which overlays may change by its address."""
    included = Included(data, origin, [])
    if context.may_include:
        included = include_parts(context.files, kind, origin, data)
    if included.problems:
        address = address_of(kind, data)
        wrong = [problem._replace(address=address) for problem in included.problems]
        return Result([], wrong, [])
    overlaid = with_patches(context.scope, kind, included.origin, included.data)
    result = Result([], overlaid.problems, [])
    if overlaid.data is None:
        return result
    outer = dict(overlaid.data)
    inner = {nested: outer.pop(nested.field, None) for nested in kind.authoring.nested}
    result.add_result(_check_one(context, kind, overlaid.origin, outer))
    owner = key_of(overlaid.origin, outer)
    for nested, written in inner.items():
        items, wrong = expand_short_forms(nested, overlaid.origin, owner, written)
        result.problems.extend(wrong)
        for item in items:
            below = _check_long_form(context, BY_RESOURCE[nested.resource], item.origin, item.data)
            if not item.sound or is_generated(owner):
                # Nothing can be made of what has no name, though no rule says so.
                refused = [
                    *below.refused,
                    *(RefusedResource((resource,)) for resource in below.resources),
                ]
                below = Result([], list(without_generated(below.problems)), refused)
            result.add_result(below)
    return result


def document_addresses(document: Document) -> list[Address]:
    """Every address that a document gives, including its short forms, whether it is right or not.

    A document that does not say its kind gives one address for each kind.
    """
    kind = find_document_kind(document)
    if isinstance(kind, Problem):
        data = document.data if isinstance(document.data, dict) else {}
        every = [address_of(one, data) for one in KINDS.values()]
        return [address for address in every if address]
    given = [address_of(kind, document.data)]
    for nested in kind.authoring.nested:
        written = document.data.get(nested.field)
        key = document.data.get("key")
        items, _ = expand_short_forms(nested, document.origin, key, written)
        given += [address_of(BY_RESOURCE[nested.resource], item.data) for item in items]
    return [address for address in given if address]


def find_document_kind(document: Document) -> Kind | Problem:
    data, origin = document.data, document.origin
    if not isinstance(data, dict):
        return NOT_A_MANIFEST.problem(
            f"the document is {validation_errors.sort_of(data)}; a manifest is a mapping", origin
        )
    word = data.get("resource")
    if isinstance(word, str) and word in BY_RESOURCE:
        return BY_RESOURCE[word]
    known = ", ".join(BY_RESOURCE)
    if word is None:
        message = "`resource` is missing: lmssync cannot know what kind of resource this is"
        if capital := next((key for key in data if str(key).lower() == "resource"), None):
            hint = f"write `resource:` in small letters, not `{capital}:`"
            return MISSING_FIELD.problem(message, origin.at((capital,)), hint)
        return MISSING_FIELD.problem(message, origin, f"add `resource:` with one of {known}")
    message = f"`resource` is {validation_errors.kind_of(word)}, which is not a resource kind"
    hint = suggest_near(str(word), BY_RESOURCE) or f"known: {known}"
    return UNKNOWN_RESOURCE.problem(message, origin.at(("resource",)), hint)


def _check_one(context: Context, kind: Kind, origin: Origin, data: dict[str, Any]) -> Result:
    """One resource: the model first, then what the model cannot say."""
    data, origin = with_defaults(context.scope, kind, origin, data)
    address = Address(kind.name, key_of(origin, data))
    noticed = Noticed()
    try:
        spec = kind.spec.model_validate(data, context=noticed)
    except ValidationError as error:
        return _check_partly(context, kind, origin, data, error)
    except RecursionError:
        text = "the document contains itself"
        wrong = TOO_DEEP.problem(text, origin.at(()), "", address_of(kind, data))
        return Result([], [wrong], [])
    findings = _find_mistakes(context, kind, origin, data, spec, noticed)
    found = [_make_problem(finding, origin, address) for finding in findings]
    problems = grade_problems(found, context.scope.project.rules)
    resource = _make_resource(kind, address, origin, data)
    if only_errors(problems):
        return Result([], problems, [RefusedResource((resource,))])
    return Result([resource], problems, [])


def _check_partly(
    context: Context, kind: Kind, origin: Origin, data: dict[str, Any], error: ValidationError
) -> Result:
    """A resource in which the model refuses something: the rest is checked all the same."""
    shown = address_of(kind, data)
    findings = validation_errors.word_validation_error(error, kind.spec, data)
    problems = [_make_problem(finding, origin, shown) for finding in findings]
    if error.error_count() > MISTAKES:  # not all of them are reported: more would help nobody
        return Result([], problems, [])
    key = key_of(origin, data)
    gaps = find_gaps(kind.spec, data, error, origin)
    try:
        read = [(d, kind.spec.model_validate(d)) for d in make_readings(data, gaps, key)]
    except (ValidationError, RecursionError):  # too much is wrong to say more
        return Result([], problems, [])
    common: dict[Finding, None] | None = None
    resources: list[Resource] = []
    for reading, spec in read:
        if common is None or common:
            findings = _find_mistakes(context, kind, origin, reading, spec)
            here = dict.fromkeys(outside_of(findings, gaps))
            common = {finding: None for finding in (common or here) if finding in here}
        resources.append(_make_resource(kind, Address(kind.name, key), origin, reading))
    sure = [_make_problem(finding, origin, shown) for finding in common or ()]
    problems += grade_problems(sure, context.scope.project.rules)
    return Result([], problems, [RefusedResource(distinct_readings(kind, resources))])


def _find_mistakes(
    context: Context,
    kind: Kind,
    origin: Origin,
    data: dict[str, Any],
    spec: Spec,
    noticed: Noticed | None = None,
) -> Iterator[Finding]:
    """What the rules of the kind and the policies find; files that are named are read in.

    `noticed`: the texts that may be odd, if that is known.
    """
    return chain(
        chain.from_iterable(rule(spec) for rule in kind.authoring.rules),
        judge_texts(spec, noticed),
        fill_bodies(context.files, origin, kind.authoring.body_files(data)),
        fill_tables(context.files, origin, kind.authoring.tables(data)),
        chain.from_iterable(p.judge_document(kind.resource, data) for p in context.scope.policies),
    )


def _make_problem(finding: Finding, origin: Origin, address: Address | None) -> Problem:
    """A mistake in a default belongs to the project file, not to each resource that uses it."""
    problem = finding.at(origin, address)
    ours = problem.origin.file != PROJECT_FILE
    return problem if ours else problem._replace(address=None)


def _make_resource(kind: Kind, address: Address, origin: Origin, data: dict[str, Any]) -> Resource:
    form = kind.authoring.normalise(address.key, data)
    spelling = canonical_text(form)
    return Resource(
        address,
        fingerprint_of(spelling),
        pack_text(spelling),
        tuple(kind.relations.references(data)),
        origin,
        kind.relations.facts(data, form),
        _read_lifecycle(data),
    )


def _read_lifecycle(data: Mapping[str, Any]) -> Lifecycle:
    if "moved" not in data and "lifecycle" not in data:
        return Lifecycle()
    lifecycle = data.get("lifecycle") or {}
    moves = tuple((move["from"], move.get("to") or "") for move in data.get("moved") or ())
    return Lifecycle(moves, bool(lifecycle.get("protect")), tuple(lifecycle.get("ignore") or ()))


class NamedFile(NamedTuple):
    """A file that a resource names, at a path of its document."""

    address: Address
    path: Path
    file: str


def list_named_files(
    scope: Scope, manifest: str, resources: Container[Address]
) -> Iterator[NamedFile]:
    """The files that those resources of a manifest name; the manifest is read again."""
    for document in read_manifest_file(scope, manifest).documents:
        kind = find_document_kind(document)
        if isinstance(kind, Kind):
            yield from _list_of_document(scope, kind, document.origin, document.data, resources)


def _list_of_document(
    scope: Scope,
    kind: Kind,
    origin: Origin,
    data: Mapping[str, Any],
    resources: Container[Address],
) -> Iterator[NamedFile]:
    included = include_parts(CatalogFiles(scope.root), kind, origin, dict(data))
    if included.problems:
        return
    overlaid = with_patches(scope, kind, included.origin, included.data)
    if overlaid.data is None:
        return
    outer, origin = with_defaults(scope, kind, overlaid.origin, overlaid.data)
    authoring, address = kind.authoring, Address(kind.name, key_of(origin, outer))
    if address in resources:  # else it has mistakes, and may be of any shape
        names = [((*s.path, BODY_FILE), s.holder[BODY_FILE]) for s in authoring.body_files(outer)]
        names += [((*t.path, t.field), t.holder.get(t.field)) for t in authoring.tables(outer)]
        for path, home in included.origin.elsewhere:
            if home.path == ("content",):
                yield NamedFile(address, (*path[len(origin.path) :], "include"), home.file)
        for path, name in names:
            if name is not None:
                yield NamedFile(address, path, spell_catalog_path(origin.at(path).file, name))
    for nested in authoring.nested:
        items, _ = expand_short_forms(nested, origin, address.key, outer.get(nested.field))
        for item in items:
            inner = BY_RESOURCE[nested.resource]
            yield from _list_of_document(scope, inner, item.origin, item.data, resources)
