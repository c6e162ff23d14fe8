"""What changes do to the people behind a resource."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class Effect(StrEnum):
    """What a change of a field does to the people behind it, mildest first."""

    COSMETIC = "cosmetic"
    EDITORIAL = "editorial"
    STRUCTURAL = "structural"
    PROGRESS = "progress"
    ACCESS = "access"
    COMMERCE = "commerce"

    @classmethod
    def strictest(cls, effects: Iterable["Effect"]) -> "Effect":
        order = list(cls)
        return max(effects, key=order.index, default=cls.COSMETIC)


class Loss(NamedTuple):
    """Something that a resource takes away for good, and what that does to people."""

    reason: str
    effect: Effect
