"""Checks what can be checked in a document in which the model refuses some values.

Nobody knows what the author meant there. So the document is read several times, each time with
another value in place of a refused one, or with none: what is wrong in every reading is certainly
wrong, and everything else may be there only because a value was refused.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from enum import StrEnum
from functools import lru_cache, reduce
from itertools import islice
from operator import getitem
from typing import Any, NamedTuple
from uuid import NAMESPACE_OID, uuid5

import orjson
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ....kind import Kind
from ....problems import Finding
from ....resource import Origin, Path, Resource
from ....support.annotations import item_of, leaf_types
from .. import validation_errors
from ..model_fields import fields_at, fields_of, find_meant_fields, model_at, model_in
from .short_forms import seed_for

NOTHING = object()
"""No value at all: the field is left out."""
_SEVERAL = 2
"""The most values used for a type that has many."""
_WORDS = 8
"""The most words used for an enum that has many, spread over all of it."""


class _Spot(NamedTuple):
    """A field, or an item of the list in it."""

    holder: type[BaseModel]
    name: str
    depth: int = 0


def substitute_values(model: type[BaseModel], path: Path, seed: int) -> Sequence[Any]:
    """Values that a path may have: words of an enum, two of anything else, none where it may.

    With another seed come other texts, so that two gaps are never filled alike.
    """
    if model_at(model, path[:-1]) is None:  # under a key that the author chose
        one, other = f"a{seed}", f"b{seed}"
        return (one, other) if isinstance(path[-1], int) else (NOTHING, one, [other])
    end = next((n for n in range(len(path), 0, -1) if isinstance(path[n - 1], str)), 0)
    holder = model_at(model, path[: end - 1]) if end else None
    declared = fields_of(holder).get(str(path[end - 1])) if holder else None
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
    words, model = _words_of_type(annotation), model_in(annotation)
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
    needed = (name for name, declared in fields_of(model).items() if declared.is_required())
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
    declared = fields_of(spot.holder)[spot.name]
    annotation = declared.annotation if spot.depth else declared.rebuild_annotation()
    for _ in range(spot.depth):
        annotation = item_of(annotation)
    return annotation


@lru_cache(maxsize=512)
def _adapter_of(spot: _Spot) -> TypeAdapter[Any]:
    annotation = _annotation(spot)
    # A model brings its own configuration, and pydantic refuses a second one.
    alone = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    return TypeAdapter(annotation, config=None if alone else ConfigDict(strict=True))


def _accepts_value(spot: _Spot, value: Any) -> bool:
    try:
        _adapter_of(spot).validate_python(value)
    except ValidationError:
        return False
    return True


def _words_of_type(annotation: Any) -> tuple[StrEnum, ...]:
    return next((leaf.allowed_words for leaf in leaf_types(annotation) if leaf.allowed_words), ())


_APART = 7919
"""Between the seeds of the gaps of a document."""


class RefusedValue(NamedTuple):
    """A refused value, and what may be put in its place."""

    path: Path
    values: Sequence[Any]
    """`NOTHING` is among them where the field may be left out."""


def find_gaps(
    model: type[BaseModel], data: Any, error: ValidationError, origin: Origin
) -> list[RefusedValue]:
    """The refused values, outermost only; where a field is not known, those it may stand for."""
    paths: dict[Path, None] = {}
    for path in validation_errors.refused_paths(error, data):
        paths[path] = None
        paths |= dict.fromkeys(_meant_paths(model, data, path))
    outermost = [path for path in paths if not any(path[:n] in paths for n in range(len(path)))]
    return [
        RefusedValue(path, substitute_values(model, path, seed_for(origin) + number * _APART))
        for number, path in enumerate(outermost)
    ]


def _meant_paths(model: type[BaseModel], data: Any, path: Path) -> Iterator[Path]:
    """The fields that an unknown field may mean: a likely one, else any that is not given."""
    known = fields_at(model, path[:-1])
    if not known or not isinstance(path[-1], str) or path[-1] in known:
        return
    given = reduce(getitem, path[:-1], data)
    likely = find_meant_fields(model, path[:-1], path[-1])
    for name in likely or (name for name in known if name not in given):
        yield (*path[:-1], name)


def make_readings(data: Any, refused: Sequence[RefusedValue], key: str) -> Iterator[Any]:
    """The document with its gaps filled, in one way after another; `key` fills a gap in the key.

    Each value of each gap is used at least once. Several gaps are not filled in every combination:
    those that may be empty are all empty once, which is what most rules need.
    """
    # Side by side, not every combination: ten refused fields with eight words each would be a
    # thousand million readings.
    for number in range(max((len(gap.values) for gap in refused), default=1)):
        reading = deepcopy(data)
        for gap in refused:
            value = gap.values[number % len(gap.values)]
            _put_value(reading, gap.path, key if gap.path == ("key",) else value)
        yield _drop_odd_keys(reading)


def _put_value(reading: Any, path: Path, value: Any) -> None:
    *above, last = path
    here = reduce(getitem, above, reading)
    if value is not NOTHING:
        here[last] = deepcopy(value)
    elif isinstance(here, dict):
        here.pop(last, None)


def _drop_odd_keys(value: Any) -> Any:
    """The value without the keys that are no text, which the model refuses and no rule asks for."""
    if isinstance(value, dict):
        return {
            name: _drop_odd_keys(inner) for name, inner in value.items() if isinstance(name, str)
        }
    return [_drop_odd_keys(inner) for inner in value] if isinstance(value, list) else value


def outside_of(findings: Iterator[Finding], refused: Sequence[RefusedValue]) -> Iterator[Finding]:
    """Findings that are not about a refused value or a value in it."""
    paths = {gap.path for gap in refused}
    for finding in findings:
        if not any(finding.path[:n] in paths for n in range(1, len(finding.path) + 1)):
            yield finding


def distinct_readings(kind: Kind, resources: Sequence[Resource]) -> tuple[Resource, ...]:
    """The readings of a resource that rules between resources can tell apart."""
    apart: dict[Any, Resource] = {}
    for resource in resources:
        facts = orjson.dumps([dict(resource.facts), kind.authoring.parts(resource.form)])
        apart.setdefault((facts, resource.references, resource.lifecycle), resource)
    return tuple(apart.values())
