"""What a policy can look at: the manifests of a kind, or a plan."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel

from ....kind import Effect, Spec, Undo
from ....kinds import BY_RESOURCE


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
    """Its word in `resource:`."""
    noun: str
    spec: type[BaseModel]
    short: Mapping[str, str] = {}
    """Fields that hold short forms, and the word of what each of these is."""


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
