"""Which fields of one mapping go together, as data: rules and JSON Schemas are made of it.

The texts are what an editor says; the rules have their own words.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from pydantic import BaseModel


class Companion(NamedTuple):
    """A field that belongs to one of two fields, and is refused next to the other."""

    field: str
    of: str
    stray: str
    missing: str = ""
    """Said where the field that it belongs to is there without it; nothing if that may be."""


class Either(NamedTuple):
    """Exactly one of two fields is given."""

    first: str
    second: str
    none: str
    both: str
    companions: Sequence[Companion] = ()

    def given_fields(self, model: Any) -> list[str]:
        """Those of the two that are given."""
        return [name for name in (self.first, self.second) if getattr(model, name) is not None]


class SomeOf(NamedTuple):
    """At least one of some fields is given."""

    fields: Sequence[str]

    def lacks_all(self, model: Any) -> bool:
        """True if none of them is."""
        return all(getattr(model, name) is None for name in self.fields)


class OneAtMost(NamedTuple):
    """At most one of some fields is written, even as null."""

    fields: Sequence[str]
    several: str

    def used_fields(self, model: Any) -> Sequence[str]:
        """Those that are written, where they are more than one."""
        if len(model.model_fields_set.intersection(self.fields)) <= 1:
            return ()
        return [name for name in self.fields if name in model.model_fields_set]


class Without(NamedTuple):
    """Some fields of an inner mapping are not given."""

    holder: str
    fields: Set[str]
    stray: str
    """The message, with `{field}` in it."""


class Word(NamedTuple):
    """The fields that one word of a field allows, among those that not every word allows."""

    allowed: Set[str] = frozenset()
    needed: Set[str] = frozenset()
    further: "Sequence[Combination]" = ()


@dataclass(frozen=True)
class ByWord:
    """The word of one field decides which others belong."""

    field: str
    words: Mapping[Any, Word]
    holder: str
    """What the word describes: `a course of kind`."""

    @cached_property
    def apart(self) -> Set[str]:
        """The fields that not every word allows."""
        return frozenset().union(*(word.allowed for word in self.words.values()))

    @cached_property
    def refused_fields(self) -> Mapping[Any, frozenset[str]]:
        """The fields that do not belong to each word: nearly always, none of them is written."""
        return {word: frozenset(self.apart - says.allowed) for word, says in self.words.items()}

    def stray_fields(self, model: Any) -> list[str]:
        """The fields that are given but do not belong to the current word."""
        refused = self.refused_fields[getattr(model, self.field)]
        names = sorted(refused & model.model_fields_set)
        return [name for name in names if getattr(model, name) is not None]

    def missing_fields(self, model: Any) -> list[str]:
        """The fields that the word needs and that are not given."""
        needed = self.words[getattr(model, self.field)].needed
        return [name for name in sorted(needed) if getattr(model, name) is None]


Combination = Either | SomeOf | OneAtMost | Without | ByWord | Mapping[str, Any]
"""A mapping is JSON Schema, for what cannot be declared with these classes."""
Together = Mapping[type[BaseModel], Sequence[Combination]]
"""The combinations of a kind, by the model that has the fields."""
