"""A plan as policies see it: what would change, and what that means for people."""

from enum import StrEnum

from ...kind import Effect, Spec, Undo


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
