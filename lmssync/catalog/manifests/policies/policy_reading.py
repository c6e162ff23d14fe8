"""Reads the policies of a catalog: every mistake at once, each with its place."""

from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from ....problems import Finding, Problem, Rule, Severity, suggest_near
from ....resource import Origin
from ....support.checked_documents import check_documents
from .. import validation_errors
from ..catalog_files import TEMPLATE
from ..documents import (
    Document,
    Scope,
    find_misplacement,
    locate_problems_in_files,
    read_manifest_file,
)
from ..validation_errors import UNKNOWN_RESOURCE
from .policy_compiler import POLICY_GROUP, POLICY_PATH, CompileContext, compile_group
from .policy_conditions import ConditionGroup, FieldPath
from .policy_documents import OTHER_ID, POLICY_TAKEN, PolicyFile
from .policy_operators import PatternBudget, cut_to_line
from .policy_subjects import SUBJECTS, CompiledPolicy, Policy, PolicySubject, Requirement

POLICY_TEMPLATE = Rule(
    "policy-template",
    "A policy file is a template.",
    "Write it without a template: policies are the same for every environment.",
)


def read_policies(root: Path, files: Sequence[str]) -> tuple[tuple[Policy, ...], list[Problem]]:
    """The policies in some files, and what is wrong with them; one with a mistake is left out.

    They are the same for every environment, so a template is a mistake.
    """
    scope = Scope(root)
    problems = [_template_problem(file) for file in files if file.endswith(TEMPLATE)]
    texts = [read_manifest_file(scope, file) for file in files if not file.endswith(TEMPLATE)]
    problems += [problem for text in texts for problem in text.problems]
    documents = [document for text in texts for document in text.documents]
    specs = check_documents(root, PolicyFile, [document.data for document in documents])
    accepted: dict[str, tuple[Policy, Origin]] = {}
    patterns = PatternBudget()
    for document, spec in zip(documents, specs, strict=True):
        policy = _read_policy(document, spec, accepted, patterns)
        if isinstance(policy, Policy):
            accepted[policy.rule.id] = policy, document.origin
        else:
            problems += [finding.at(document.origin, None) for finding in policy]
    return tuple(policy for policy, _ in accepted.values()), locate_problems_in_files(
        scope, problems
    )


def _template_problem(file: str) -> Problem:
    message = "a policy is the same for every environment, so it cannot be a template"
    hint = "write it out, without `.j2` at the end of the name"
    return POLICY_TEMPLATE.problem(message, Origin(file), hint)


def _read_policy(
    document: Document,
    spec: PolicyFile | ValidationError,
    others: Mapping[str, tuple[Policy, Origin]],
    patterns: PatternBudget,
) -> Policy | list[Finding]:
    """A policy, or everything that is wrong with it."""
    if misplaced := find_misplacement(document):
        return [misplaced]
    mistakes: list[Finding] = []
    if isinstance(spec, ValidationError):
        mistakes += validation_errors.word_validation_error(spec, PolicyFile, document.data)
        spec = _sound_part(
            document.data, {str(mistake.path[0]) for mistake in mistakes if mistake.path}
        )
    if spec.policy in others:
        text = f"the id `{spec.policy}` is taken by a policy of {others[spec.policy][1].file}"
        mistakes.append(POLICY_TAKEN.at(("policy",), text, OTHER_ID))
    compiled = {
        subject.resource: _compile_policy(spec, subject, mistakes, patterns)
        for subject in _read_subjects(spec, mistakes)
    }
    if mistakes:
        return list(dict.fromkeys(mistakes))
    message, hint = (" ".join(text.split()) for text in (spec.message, spec.hint))
    rule = Rule(spec.policy, message.rstrip(".:"), hint, Severity(spec.severity), fixed=False)
    return Policy(rule, compiled)


def _sound_part(data: Any, wrong: Set[str]) -> PolicyFile:
    """The valid part of a document with mistakes, so that all of the document is checked."""
    known = set(PolicyFile.model_fields) - wrong
    right = {name: data[name] for name in known if isinstance(data, dict) and name in data}
    if "each" in wrong:
        right["resource"] = []  # nobody knows what its paths begin at
    return PolicyFile.model_construct(set(right), **(_MISSING | right))


_MISSING: dict[str, Any] = {"policy": "", "resource": [], "message": ""}


def _read_subjects(spec: PolicyFile, mistakes: list[Finding]) -> Iterator[PolicySubject]:
    """The kinds that a policy names, or the plan; another word is a mistake."""
    known = f"known: {', '.join(SUBJECTS)}"
    if spec.resource == [] and not mistakes:
        text = "`resource` is an empty list: the policy applies to nothing"
        mistakes.append(UNKNOWN_RESOURCE.at(("resource",), text, known))
    for path, word in _as_listed("resource", spec.resource):
        if word in SUBJECTS:
            yield SUBJECTS[word]
            continue
        text = f"there is no resource kind `{cut_to_line(word)}`"
        mistakes.append(UNKNOWN_RESOURCE.at(path, text, suggest_near(word, SUBJECTS) or known))


def _compile_policy(
    spec: PolicyFile, subject: PolicySubject, mistakes: list[Finding], patterns: PatternBudget
) -> CompiledPolicy:
    """The policy for manifests of one kind, or for plans."""
    context = CompileContext(subject, subject.spec, mistakes, patterns, every=False)
    when = _compile_named_group(spec, "when", context)
    if _is_given(spec, "where") and not _is_given(spec, "each"):
        text = "`where` picks items, but there is no `each` that lists them"
        hint = "add `each: PATH`, or write `when`, if you mean the manifest itself"
        context.note_mistake(POLICY_GROUP, ("where",), text, hint)
    parts = []
    for each, model in _read_each(spec, context):
        context = context._replace(model=model)
        where = _compile_named_group(spec, "where", context) if each else ConditionGroup(())
        require = _compile_named_group(spec, "require", context._replace(every=True))
        parts.append(Requirement(each, where, require))
    return CompiledPolicy(when, tuple(parts))


def _compile_named_group(spec: PolicyFile, name: str, context: CompileContext) -> ConditionGroup:
    return (
        compile_group(context, getattr(spec, name), (name,))
        if _is_given(spec, name)
        else ConditionGroup(())
    )


def _is_given(spec: PolicyFile, name: str) -> bool:
    return name in spec.model_fields_set


def _as_listed(name: str, written: str | list[str]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The texts of a field that takes one text or several, each with its path."""
    if isinstance(written, str):
        yield (name,), written
    else:
        yield from (((name, position), text) for position, text in enumerate(written))


def _read_each(
    spec: PolicyFile, context: CompileContext
) -> Iterator[tuple[FieldPath | None, type[BaseModel]]]:
    """The lists whose items `where` and `require` judge, each with the model of its items.

    Without `each` it is the manifest itself.
    """
    if not _is_given(spec, "each"):
        yield None, context.model
        return
    if not spec.each:
        text = "`each` is empty: the policy applies to nothing"
        context.note_mistake(POLICY_PATH, ("each",), text, "name a list of the manifest")
    for path, written in _as_listed("each", spec.each):
        field = context.find_field(written, path)
        if field is None:
            continue
        if field.shape.model is None:
            text = (
                f"`{cut_to_line(written)}` is {field.shape.noun}; `each` is for items with fields"
            )
            context.note_mistake(POLICY_PATH, path, text, "use it in `require`")
            continue
        *steps, last = field.path.steps
        last = last._replace(each=field.shape.many)
        yield field.path._replace(steps=(*steps, last)), field.shape.model
