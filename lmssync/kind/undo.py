"""Whether something that was done to people can be undone, and by whom."""

from enum import StrEnum
from typing import NamedTuple


class Undo(StrEnum):
    """How a change can be undone, the worst first."""

    PERMANENT = "permanent"
    """By nobody: what it takes is gone."""
    BY_HAND = "by hand"
    """By a person, on the platform: no route does it."""
    REVERSIBLE = "reversible"
    """By another apply."""


class Reversal(NamedTuple):
    """How something is undone, in one sentence for the person who wants that."""

    undo: Undo
    recipe: str
    """Empty for what is permanent."""


DELETED_BY_HAND = Reversal(
    Undo.BY_HAND, "a person deletes it in the admin interface: no route deletes it"
)
