"""Reads the policies of a catalog: every mistake at once, each with its place."""

from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from ... import rulebook
from ...kinds import BY_RESOURCE
from ...kinds.kind import Kind
from ...problems import Finding, Problem, Severity, near
from ...settings import Project
from ...source import Origin
from .. import explain
from ..documents import Document, Scope, locate, read
from ..files import TEMPLATE
from .condition import All
from .document import PolicyFile
from .making import Frame, group
from .paths import NoPath, Target, target
from .policy import Part, Policy, Ruling
from .way import Way
from .wording import cut


def policies(root: Path, files: Sequence[str]) -> tuple[tuple[Policy, ...], list[Problem]]:
    """The policies in some files, and what is wrong with them; one with a mistake is left out.

    They are the same for every environment, so a template is a mistake.
    """
    scope = Scope(root, Project(version=1))
    found: dict[str, tuple[Policy, Origin]] = {}
    problems: list[Problem] = []
    for file in files:
        if file.endswith(TEMPLATE):
            problems.append(_template(file))
            continue
        text = read(scope, file)
        problems += text.problems
        for document in text.documents:
            made = _policy(document, found)
            if isinstance(made, Policy):
                found[made.id] = made, document.origin
            else:
                problems += [finding.at(document.origin, None) for finding in made]
    return tuple(policy for policy, _ in found.values()), locate(scope, problems)


def _template(file: str) -> Problem:
    return Problem(
        "policy-template",
        "a policy is the same for every environment, so it cannot be a template",
        Origin(file),
        "write it out, without `.j2` at the end of the name",
    )


def _policy(
    document: Document, others: Mapping[str, tuple[Policy, Origin]]
) -> Policy | list[Finding]:
    """A policy, or everything that is wrong with it."""
    mistakes: list[Finding] = []
    try:
        said = PolicyFile.model_validate(document.data)
    except ValidationError as error:
        mistakes += explain.findings(error, PolicyFile, document.data)
        said = _sound(document.data, {str(found.path[0]) for found in mistakes if found.path})
    mistakes += _taken(said.policy, others)
    rulings = {kind.resource: _ruling(said, kind, mistakes) for kind in _kinds(said, mistakes)}
    if mistakes:
        return list(dict.fromkeys(mistakes))
    severity = Severity(said.severity)
    message, hint = (" ".join(text.split()) for text in (said.message, said.hint))
    return Policy(said.policy, message.rstrip(".:"), hint, severity, rulings)


def _sound(data: Any, wrong: Set[str]) -> PolicyFile:
    """What is right in a document in which something is wrong, so that all of it is looked at."""
    known = set(PolicyFile.model_fields) - wrong
    told = {name: data[name] for name in known if isinstance(data, dict) and name in data}
    if "each" in wrong:
        told["resource"] = []  # nobody knows what its paths begin at
    return PolicyFile.model_construct(set(told), **(_MISSING | told))


_MISSING: dict[str, Any] = {"policy": "", "resource": [], "message": ""}


def _taken(id_: str, others: Mapping[str, tuple[Policy, Origin]]) -> Iterator[Finding]:
    rule = rulebook.named(id_)
    if id_ in others:
        origin = others[id_][1]
        text = f"the id `{id_}` is taken by a policy of {origin.file}"
    elif rule is not None:
        text = f"`{id_}` is a rule of lmssync: {rule.means}"
    else:
        return
    yield Finding("policy-taken", ("policy",), text, "give this policy another id")


def _kinds(said: PolicyFile, mistakes: list[Finding]) -> Iterator[Kind]:
    """The kinds that a policy is about; a word that is none is a mistake."""
    words = [said.resource] if isinstance(said.resource, str) else said.resource
    if not words and not mistakes:
        text = "`resource` is an empty list: the policy applies to nothing"
        mistakes.append(Finding("unknown-resource", ("resource",), text, _known()))
    for position, word in enumerate(words):
        if word in BY_RESOURCE:
            yield BY_RESOURCE[word]
            continue
        path = ("resource",) if isinstance(said.resource, str) else ("resource", position)
        text = f"there is no resource kind `{cut(word)}`"
        hint = near(word, BY_RESOURCE) or _known()
        mistakes.append(Finding("unknown-resource", path, text, hint))


def _known() -> str:
    return f"known: {', '.join(BY_RESOURCE)}"


class _Items(NamedTuple):
    """What `where` and `require` are about."""

    way: Way | None
    model: type[BaseModel]


def _ruling(said: PolicyFile, kind: Kind, mistakes: list[Finding]) -> Ruling:
    """The policy for manifests of one kind."""
    when = _group(said, "when", Frame(kind, kind.spec, mistakes, every=False))
    if _given(said, "where") and not _given(said, "each"):
        text = "`where` picks items, but there is no `each` that lists them"
        hint = "add `each: PATH`, or write `when`, if you mean the manifest itself"
        mistakes.append(Finding("policy-group", ("where",), text, hint))
    parts = []
    for way, model in _each(said, kind, mistakes):
        frame = Frame(kind, model, mistakes, every=False)
        where = _group(said, "where", frame) if way else All(())
        require = _group(said, "require", frame._replace(every=True))
        parts.append(Part(way, where, require))
    return Ruling(when, tuple(parts))


def _group(said: PolicyFile, name: str, frame: Frame) -> All:
    return group(frame, getattr(said, name), (name,)) if _given(said, name) else All(())


def _given(said: PolicyFile, name: str) -> bool:
    return name in said.model_fields_set


def _each(said: PolicyFile, kind: Kind, mistakes: list[Finding]) -> Iterator[_Items]:
    if not _given(said, "each"):
        yield _Items(None, kind.spec)
        return
    if not said.each:
        text = "`each` is empty: the policy applies to nothing"
        mistakes.append(Finding("policy-path", ("each",), text, "name a list of the manifest"))
    for position, written in enumerate([said.each] if isinstance(said.each, str) else said.each):
        path = ("each",) if isinstance(said.each, str) else ("each", position)
        try:
            found = target(kind, kind.spec, written)
        except NoPath as lost:
            mistakes.append(Finding("policy-path", path, lost.message, lost.hint))
            continue
        if found.shape.model is None:
            text = f"`{cut(written)}` is {found.shape.noun}; `each` is for items with fields"
            mistakes.append(Finding("policy-path", path, text, "use it in `require`"))
            continue
        yield _Items(_through(found), found.shape.model)


def _through(found: Target) -> Way:
    """The way to each item, where what stands at the end is a list."""
    *steps, last = found.way.steps
    last = last._replace(each=found.shape.many)
    return found.way._replace(steps=(*steps, last))
