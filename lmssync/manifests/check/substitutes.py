"""Values that a field accepts, to use where the author's value is refused."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple
from uuid import NAMESPACE_OID, uuid5

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ...annotations import item_of, leaves
from ...source import Path
from .. import models

NOTHING = object()
"""No value at all: the field is left out."""
_SEVERAL = 2
"""The most values used for a type that has many."""
_WORDS = 8
"""The most words used for an enum that has many, spread over all of it."""


class _Spot(NamedTuple):
    """A field, or an item of the list that it holds."""

    holder: type[BaseModel]
    name: str
    depth: int = 0


def substitute_values(model: type[BaseModel], path: Path, seed: int) -> Sequence[Any]:
    """What may stand at a path: words of an enum, two of anything else, none where it may.

    With another seed come other texts, so that two gaps are never filled alike.
    """
    if models.model_at(model, path[:-1]) is None:  # under a key that the author chose
        one, other = f"a{seed}", f"b{seed}"
        return (one, other) if isinstance(path[-1], int) else (NOTHING, one, [other])
    end = next((n for n in range(len(path), 0, -1) if isinstance(path[n - 1], str)), 0)
    holder = models.model_at(model, path[: end - 1]) if end else None
    declared = models.fields_of(holder).get(str(path[end - 1])) if holder else None
    if holder is None or declared is None:
        return (NOTHING,)
    spot = _Spot(holder, str(path[end - 1]), len(path) - end)
    fitting = list(_fitting_values(spot, seed))
    optional = not spot.depth and not declared.is_required()
    return [NOTHING, *fitting] if optional or not fitting else fitting


def _fitting_values(spot: _Spot, seed: int) -> Iterator[Any]:
    """Values that the model takes there, marks and all."""
    annotation = _annotation(spot)
    words = _words_of_type(annotation)
    fits = (value for value in _candidates(spot, annotation, seed) if _accepts_value(spot, value))
    return islice(fits, len(words) or _SEVERAL)


def _candidates(spot: _Spot, annotation: Any, seed: int) -> Iterator[Any]:
    words, model = _words_of_type(annotation), models.model_in(annotation)
    if item_of(annotation) is not None:
        yield []
        yield list(islice(_fitting_values(spot._replace(depth=spot.depth + 1), seed), 1))
    elif words:
        step = -(-len(words) // _WORDS)
        start = seed % step
        yield from map(str, words[start::step])
    elif model:
        yield from (_least(model, seed + number) for number in range(_SEVERAL))
    else:
        yield from _plain(seed)


def _least(model: type[BaseModel], seed: int) -> dict[str, Any]:
    """What a model needs and no more."""
    needed = (name for name, declared in models.fields_of(model).items() if declared.is_required())
    return {name: next(_fitting_values(_Spot(model, name), seed), None) for name in needed}


def _plain(seed: int) -> Iterator[Any]:
    """Texts of every form that a field may require, numbers, and the rest."""
    yield from (True, False, 1 + seed % 89, 90 + seed % 11)
    for text in (f"a{seed}", f"b{seed}"):
        yield from (text, str(uuid5(NAMESPACE_OID, text)), f"https://{text}.example.com/a")
        yield f"{text}@example.com"
    yield from ("1971-01-01", "2098-12-31", "en", "de", {})


@lru_cache(maxsize=512)
def _annotation(spot: _Spot) -> Any:
    declared = models.fields_of(spot.holder)[spot.name]
    annotation = declared.annotation if spot.depth else declared.rebuild_annotation()
    for _ in range(spot.depth):
        annotation = item_of(annotation)
    return annotation


@lru_cache(maxsize=512)
def _adapter_of(spot: _Spot) -> TypeAdapter[Any]:
    annotation = _annotation(spot)
    alone = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    return TypeAdapter(annotation, config=None if alone else ConfigDict(strict=True))


def _accepts_value(spot: _Spot, value: Any) -> bool:
    try:
        _adapter_of(spot).validate_python(value)
    except ValidationError:
        return False
    return True


def _words_of_type(annotation: Any) -> tuple[StrEnum, ...]:
    """The words of a type that consists of some."""
    return next((leaf.words for leaf in leaves(annotation) if leaf.words), ())
