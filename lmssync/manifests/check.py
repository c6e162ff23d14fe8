"""A document becomes resources, or problems."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from pydantic import ValidationError

from ..address import Address
from ..kinds import BY_RESOURCE
from ..kinds.kind import Kind
from ..problems import Finding, Problem, errors, graded, near
from ..resource import Care, Resource, canonical, fingerprint, pack
from ..settings import PROJECT_FILE
from ..source import Origin
from . import bodies, explain, short_forms, tables
from .files import Files
from .layers.lay import address_of, with_defaults, with_patches
from .read import Document
from .scope import Scope

Found = tuple[list[Resource], list[Problem]]


class Desk(NamedTuple):
    """What checking needs beside the document."""

    scope: Scope
    files: Files


def check(desk: Desk, document: Document) -> Found:
    """The resources of one document, short forms taken apart, and everything wrong with it."""
    kind = _kind(document)
    if isinstance(kind, Problem):
        return [], [kind]
    layered = with_patches(desk.scope, kind, document.origin, document.data)
    problems = layered.problems
    if layered.data is None:
        return [], problems
    outer = dict(layered.data)
    inner = {nested: outer.pop(nested.field, None) for nested in kind.nested}
    resources, wrong = _one(desk, kind, layered.origin, outer)
    problems += wrong
    for nested, written in inner.items():
        items, wrong = short_forms.long(nested, layered.origin, outer.get("key"), written)
        problems += wrong
        for origin, data in items:
            found, wrong = _inner(desk, BY_RESOURCE[nested.resource], origin, data)
            resources += found
            problems += wrong
    return resources, problems


def addresses(document: Document) -> list[Address]:
    """Every address that a document gives, its short forms' too, whether it is right or not."""
    kind = _kind(document)
    if isinstance(kind, Problem):
        return []
    found = [address_of(kind, document.data)]
    for nested in kind.nested:
        written = document.data.get(nested.field)
        key = document.data.get("key")
        items, _ = short_forms.long(nested, document.origin, key, written)
        found += [address_of(BY_RESOURCE[nested.resource], data) for _, data in items]
    return [address for address in found if address]


def _kind(document: Document) -> Kind | Problem:
    """What kind of resource a document says it is."""
    data, origin = document.data, document.origin
    if not isinstance(data, dict):
        return Problem(
            "not-a-manifest",
            f"the document is {explain.sort_of(data)}; a manifest is a mapping",
            origin,
            "start it with `resource:` and `key:`",
        )
    word = data.get("resource")
    if isinstance(word, str) and word in BY_RESOURCE:
        return BY_RESOURCE[word]
    known = ", ".join(BY_RESOURCE)
    if word is None:
        return Problem(
            "missing-field",
            "`resource` is missing: nothing says what kind of resource this is",
            origin,
            f"add `resource:` with one of {known}",
        )
    return Problem(
        "unknown-resource",
        f"`resource` is {explain.kind_of(word)}, which is no kind of resource",
        origin.at(("resource",)),
        near(str(word), BY_RESOURCE) or f"known: {known}",
    )


def _inner(desk: Desk, kind: Kind, origin: Origin, data: dict[str, Any]) -> Found:
    """A resource in short form: an overlay may change it by its own address."""
    layered = with_patches(desk.scope, kind, origin, data)
    if layered.data is None:
        return [], layered.problems
    resources, problems = _one(desk, kind, layered.origin, layered.data)
    return resources, layered.problems + problems


def _one(desk: Desk, kind: Kind, origin: Origin, data: dict[str, Any]) -> Found:
    """One resource: the model first, then what the model cannot say."""
    data, origin = with_defaults(desk.scope, kind, origin, data)
    address = address_of(kind, data)
    try:
        spec = kind.spec.model_validate(data)
    except ValidationError as error:
        found = explain.findings(error, kind.spec, data)
        return [], [_told(finding, origin, address) for finding in found]
    except RecursionError:
        text = "the document holds itself"
        return [], [Problem("too-deep", text, origin.at(()), address=address)]
    findings = chain(
        chain.from_iterable(rule(spec) for rule in kind.rules),
        bodies.fill(desk.files, origin, kind.slots(data)),
        tables.fill(desk.files, origin, kind.tables(data)),
        chain.from_iterable(p.judge(kind.resource, data) for p in desk.scope.policies),
    )
    problems = [_told(finding, origin, address) for finding in findings]
    problems = graded(problems, desk.scope.project.rules)
    if errors(problems) or address is None:
        return [], problems
    return [_resource(kind, address, origin, data)], problems


def _told(finding: Finding, origin: Origin, address: Address | None) -> Problem:
    """A mistake in a default is the project file's, not that of each resource which takes it."""
    problem = finding.at(origin, address)
    ours = problem.origin.file != PROJECT_FILE
    return problem if ours else replace(problem, address=None)


def _resource(kind: Kind, address: Address, origin: Origin, data: dict[str, Any]) -> Resource:
    form = kind.normalise(address.key, data)
    spelling = canonical(form)
    return Resource(
        address,
        fingerprint(spelling),
        pack(spelling),
        tuple(kind.references(data)),
        origin,
        kind.facts(data, form),
        _care(data),
    )


def _care(data: Mapping[str, Any]) -> Care:
    """What the manifest says about itself."""
    if "moved" not in data and "lifecycle" not in data:
        return Care()
    lifecycle = data.get("lifecycle") or {}
    moved = tuple(move["from"] for move in data.get("moved") or ())
    return Care(moved, bool(lifecycle.get("protect")), tuple(lifecycle.get("ignore") or ()))
