"""Reads the policies of a catalog: every mistake at once, each with its place."""

from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from ... import rulebook
from ...problems import Finding, Problem, Rule, Severity, near
from ...settings import Project
from ...source import Origin
from .. import validation_errors
from ..documents import Document, Scope, locate, read
from ..files import TEMPLATE
from ..validation_errors import UNKNOWN_RESOURCE
from .compile import POLICY_GROUP, POLICY_PATH, CompileContext, group
from .condition import ConditionGroup
from .document import PolicyFile
from .operators import PatternBudget
from .path import FieldPath
from .policy import CompiledPolicy, Policy, Requirement
from .resolve import NoPath, target
from .subjects import SUBJECTS, PolicySubject
from .wording import cut

POLICY_TAKEN = Rule(
    "policy-taken",
    "The id of a policy is already used by another policy, or by a rule of lmssync.",
    "Give it another id. Ids that end in `-type`, `-range`, `-length` or `-value` are taken.",
)
POLICY_TEMPLATE = Rule(
    "policy-template",
    "A policy file is a template.",
    "Write it without a template: policies are the same for every environment.",
)


def policies(root: Path, files: Sequence[str]) -> tuple[tuple[Policy, ...], list[Problem]]:
    """The policies in some files, and what is wrong with them; one with a mistake is left out.

    They are the same for every environment, so a template is a mistake.
    """
    scope = Scope(root, Project(version=1))
    accepted: dict[str, tuple[Policy, Origin]] = {}
    problems: list[Problem] = []
    patterns = PatternBudget()
    for file in files:
        if file.endswith(TEMPLATE):
            problems.append(_template(file))
            continue
        text = read(scope, file)
        problems += text.problems
        for document in text.documents:
            policy = _policy(document, accepted, patterns)
            if isinstance(policy, Policy):
                accepted[policy.rule.id] = policy, document.origin
            else:
                problems += [finding.at(document.origin, None) for finding in policy]
    return tuple(policy for policy, _ in accepted.values()), locate(scope, problems)


def _template(file: str) -> Problem:
    message = "a policy is the same for every environment, so it cannot be a template"
    hint = "write it out, without `.j2` at the end of the name"
    return POLICY_TEMPLATE.problem(message, Origin(file), hint)


def _policy(
    document: Document, others: Mapping[str, tuple[Policy, Origin]], patterns: PatternBudget
) -> Policy | list[Finding]:
    """A policy, or everything that is wrong with it."""
    mistakes: list[Finding] = []
    try:
        spec = PolicyFile.model_validate(document.data)
    except ValidationError as error:
        mistakes += validation_errors.findings(error, PolicyFile, document.data)
        spec = _sound(document.data, {str(mistake.path[0]) for mistake in mistakes if mistake.path})
    mistakes += _taken(spec.policy, others)
    compiled = {
        subject.resource: _compiled(spec, subject, mistakes, patterns)
        for subject in _subjects(spec, mistakes)
    }
    if mistakes:
        return list(dict.fromkeys(mistakes))
    message, hint = (" ".join(text.split()) for text in (spec.message, spec.hint))
    rule = Rule(spec.policy, message.rstrip(".:"), hint, Severity(spec.severity), fixed=False)
    return Policy(rule, compiled)


def _sound(data: Any, wrong: Set[str]) -> PolicyFile:
    """The valid part of a document with mistakes, so that all of the document is checked."""
    known = set(PolicyFile.model_fields) - wrong
    right = {name: data[name] for name in known if isinstance(data, dict) and name in data}
    if "each" in wrong:
        right["resource"] = []  # nobody knows what its paths begin at
    return PolicyFile.model_construct(set(right), **(_MISSING | right))


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
    yield POLICY_TAKEN.at(("policy",), text, "give this policy another id")


def _subjects(spec: PolicyFile, mistakes: list[Finding]) -> Iterator[PolicySubject]:
    """What a policy is about; a word that is neither a kind nor `plan` is a mistake."""
    known = f"known: {', '.join(SUBJECTS)}"
    if spec.resource == [] and not mistakes:
        text = "`resource` is an empty list: the policy applies to nothing"
        mistakes.append(UNKNOWN_RESOURCE.at(("resource",), text, known))
    for path, word in _listed("resource", spec.resource):
        if word in SUBJECTS:
            yield SUBJECTS[word]
            continue
        text = f"there is no resource kind `{cut(word)}`"
        mistakes.append(UNKNOWN_RESOURCE.at(path, text, near(word, SUBJECTS) or known))


def _compiled(
    spec: PolicyFile, subject: PolicySubject, mistakes: list[Finding], patterns: PatternBudget
) -> CompiledPolicy:
    """The policy for manifests of one kind, or for plans."""
    context = CompileContext(subject, subject.spec, mistakes, patterns, every=False)
    when = _group(spec, "when", context)
    if _given(spec, "where") and not _given(spec, "each"):
        text = "`where` picks items, but there is no `each` that lists them"
        hint = "add `each: PATH`, or write `when`, if you mean the manifest itself"
        mistakes.append(POLICY_GROUP.at(("where",), text, hint))
    parts = []
    for each, model in _each(spec, subject, mistakes):
        context = context._replace(model=model)
        where = _group(spec, "where", context) if each else ConditionGroup(())
        require = _group(spec, "require", context._replace(every=True))
        parts.append(Requirement(each, where, require))
    return CompiledPolicy(when, tuple(parts))


def _group(spec: PolicyFile, name: str, context: CompileContext) -> ConditionGroup:
    return (
        group(context, getattr(spec, name), (name,)) if _given(spec, name) else ConditionGroup(())
    )


def _given(spec: PolicyFile, name: str) -> bool:
    return name in spec.model_fields_set


def _listed(name: str, written: str | list[str]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """What may be one text or several, each with its path."""
    if isinstance(written, str):
        yield (name,), written
    else:
        yield from (((name, position), text) for position, text in enumerate(written))


def _each(
    spec: PolicyFile, subject: PolicySubject, mistakes: list[Finding]
) -> Iterator[tuple[FieldPath | None, type[BaseModel]]]:
    """What `where` and `require` are about: the items of some paths, or the manifest."""
    if not _given(spec, "each"):
        yield None, subject.spec
        return
    if not spec.each:
        text = "`each` is empty: the policy applies to nothing"
        mistakes.append(POLICY_PATH.at(("each",), text, "name a list of the manifest"))
    for path, written in _listed("each", spec.each):
        try:
            field = target(subject, subject.spec, written)
        except NoPath as lost:
            mistakes.append(POLICY_PATH.at(path, lost.message, lost.hint))
            continue
        if field.shape.model is None:
            text = f"`{cut(written)}` is {field.shape.noun}; `each` is for items with fields"
            mistakes.append(POLICY_PATH.at(path, text, "use it in `require`"))
            continue
        *steps, last = field.path.steps
        last = last._replace(each=field.shape.many)
        yield field.path._replace(steps=(*steps, last)), field.shape.model
