"""A policy that is ready to judge, and what it can look at: the manifests of a kind, or a plan."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import BaseModel

from ....kind import Effect, Spec, Undo
from ....kinds import BY_RESOURCE
from ....problems import Finding, Rule
from .policy_conditions import ConditionGroup, EvalContext, FieldPath, Location, Violation


class Requirement(NamedTuple):
    """A requirement, and the items that it is about."""

    each: FieldPath | None
    """Leads to the items that it is about; the document itself where there is none."""
    where: ConditionGroup
    require: ConditionGroup

    def find_violations(self, document: Mapping[str, Any]) -> Iterator[Violation]:
        """The violations of a policy; their places are looked for only where there is one."""
        items = self.each.values_from(document) if self.each else [document]
        if all(self._is_true(EvalContext(item, document)) for item in items):
            return
        locations = self.each.locations_from(document) if self.each else [Location((), document)]
        for path, item, _ in locations:
            context = EvalContext(item, document, path)
            if not self._is_true(context):
                yield from self.require.find_violations(context)

    def _is_true(self, context: EvalContext) -> bool:
        return (
            context.item is None or not self.where.is_true(context) or self.require.is_true(context)
        )


class CompiledPolicy(NamedTuple):
    """A policy compiled for one kind of manifest: its paths lead to fields of that kind."""

    when: ConditionGroup
    parts: tuple[Requirement, ...]


class Policy(NamedTuple):
    """One document of `policies/*.yaml`."""

    rule: Rule
    compiled: Mapping[str, CompiledPolicy]
    """By word of the resource."""

    def judge_document(self, resource: str, data: Mapping[str, Any]) -> Iterator[Finding]:
        """The violations of a policy in a document that its model has accepted.

        A path leads to the value, or to its nearest parent.
        """
        compiled = self.compiled.get(resource)
        if compiled is None or not compiled.when.is_true(EvalContext(data, data)):
            return
        for part in compiled.parts:
            for violation in part.find_violations(data):
                message = f"{self.rule.means}: {violation.text}"
                yield self.rule.at(violation.path, message, self.rule.remedy)


class ActionWord(StrEnum):
    """What a plan does with a resource."""

    CREATE = "create"
    UPDATE = "update"
    ADOPT = "adopt"
    MOVE = "move"
    FORGET = "forget"
    MANUAL = "manual"
    BLOCKED = "blocked"


class VersionWord(StrEnum):
    """What a change is to the learners of a course."""

    BREAKING = "breaking"
    ADDITIVE = "additive"
    EDITORIAL = "editorial"


class LearnersDocument(Spec):
    """Learners whom a change touches; left out where nobody has counted them."""

    enrolled: int
    """Are inside: enrolled, and neither finished nor gone."""
    inProgress: int
    """Of them, those who have started."""
    finished: int
    """Have completed it."""


class ChangeDocument(Spec):
    """What would become of one resource."""

    address: str
    resource: str
    """The word of its kind, as in `resource:` of its manifest."""
    title: str
    action: ActionWord
    effect: Effect
    fields: list[str]
    """Fields that differ, by the names of the manifest; of something new all that are set."""
    byHand: int
    """Steps that are left to a person."""
    losses: list[str]
    """What is taken away for good, in words."""
    undo: Undo
    """Whether it can be undone."""
    version: VersionWord
    """What it is to the learners of a course; left out for what belongs to none."""
    learners: LearnersDocument
    allowed: bool
    """`--allow` names it."""


class PlanDocument(Spec):
    """A plan."""

    environment: str
    protected: bool
    """Of the environment: only saved plans are applied there."""
    changes: list[ChangeDocument]
    """All but what stays as it is."""
    calls: int
    """The most calls that an apply sends."""


class PolicySubject(NamedTuple):
    """Documents of one sort, and the fields that they have."""

    resource: str
    """The word for it in `resource:`."""
    noun: str
    spec: type[BaseModel]
    short: Mapping[str, str] = {}
    """Fields with short forms, and the kind of each."""


PLAN = "plan"
SUBJECTS: Mapping[str, PolicySubject] = {
    word: PolicySubject(
        word,
        kind.noun,
        kind.spec,
        {nested.field: nested.resource for nested in kind.authoring.nested},
    )
    for word, kind in BY_RESOURCE.items()
} | {PLAN: PolicySubject(PLAN, "plan", PlanDocument)}
"""By the word in the policy."""
