"""What changes do to the people behind a resource."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ...resource import Form
from .authoring import nothing


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


@dataclass(frozen=True, kw_only=True)
class Impact:
    """What the changes of a kind do to people."""

    effects: Mapping[str, Effect]
    """By top-level field, and `*.field` inside parts; what is not named is editorial."""
    creation: Effect = Effect.STRUCTURAL
    losses: Callable[[Form, Form], Iterable[Loss]] = nothing
    """Form before (empty for what is new) and after to what that takes away and can never be
    brought back."""
