"""How a resource is made and changed: calls, and steps for a person."""

from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

from ...address import Address
from ...resource import Form
from .authoring import Json
from .impact import Effect


class Piece(NamedTuple):
    """One resource's share of a call; pieces of one route travel together up to its limit."""

    route: str
    body: Json
    """The whole body of a call with this piece alone, `$ref` and `$markdown` nodes within."""
    after: Form
    """What holds for the resource once this piece is done."""
    params: Mapping[str, Json] = MappingProxyType({})
    adds: bool = False
    """Makes something new: unless it is `repeatable`, sending it twice would make it twice."""
    repeatable: bool = True
    """Sending it again does no harm."""
    wave: int = 0
    """Pieces of one resource go in this order, with a read-back between."""


class Manual(NamedTuple):
    """Something no route can do: worded for the person who will do it."""

    field: str
    text: str


class Departure(NamedTuple):
    """What is still true of something that has left the catalog, since the platform keeps it."""

    effect: Effect
    stays: str
    """What it goes on doing to people, as half a sentence: `learners still have to meet it`."""
    manual: Sequence[Manual] = ()
    """What a person has to do about it: it stays in every plan until they say that it is done."""
    whole: Address | None = None
    """What it is a part of: nobody is asked about a part once the whole has left as well."""


class Described(NamedTuple):
    """How a change is made: pieces for the platform, steps for a person."""

    pieces: Sequence[Piece] = ()
    manual: Sequence[Manual] = ()
    reasons: Sequence[str] = ()
    """What a reviewer should know of it, beside the fields."""
    effect: Effect | None = None
    """What it does to people, where the fields alone do not say it."""
    stop: str = ""
    """What the author must decide first; until then nothing is done."""
    clears: Set[str] = frozenset()
    """Fields that left the manifest and that the platform clears with this change."""


class Settled(NamedTuple):
    """What a call has come to, by its answer."""

    form: Form
    """What holds now."""
    left: str = ""
    """What was meant and not done, and why."""
    note: str = ""
    """What else is worth a word."""


class Change(NamedTuple):
    """What a kind is given when one of its resources differs."""

    address: Address
    before: Form
    after: Form


def _no_failures(_answer: Json, _bodies: Sequence[Json]) -> dict[int, str]:
    return {}


def as_meant(_before: Form, after: Form, _answer: Json) -> Settled:
    """The default of `settled`: what was sent has been done."""
    return Settled(after)
