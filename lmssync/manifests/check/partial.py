"""Checks what can be checked in a document in which the model refuses some values.

Nobody knows what the author meant there. So the document is read several times, each time with
another value in place of a refused one, or with none: what is wrong in every reading is certainly
wrong, and everything else may be there only because a value was refused.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import orjson
from pydantic import BaseModel, ValidationError

from ...kind import Kind
from ...problems import Finding
from ...resource import Resource
from ...source import Origin, Path
from .. import guess, models, validation_errors
from . import substitutes
from .generated_keys import seed_for

_APART = 7919
"""Between the seeds of the gaps of a document."""


class RefusedValue(NamedTuple):
    """A refused value, and what may be put in its place."""

    path: Path
    values: Sequence[Any]
    """`substitutes.NOTHING` among them where the field may be left out."""


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
        RefusedValue(
            path, substitutes.substitute_values(model, path, seed_for(origin) + number * _APART)
        )
        for number, path in enumerate(outermost)
    ]


def _meant_paths(model: type[BaseModel], data: Any, path: Path) -> Iterator[Path]:
    """The fields that an unknown field may stand for: a likely one, else any that is not given."""
    known = models.fields_at(model, path[:-1])
    if not known or not isinstance(path[-1], str) or path[-1] in known:
        return
    given = data
    for step in path[:-1]:
        given = given[step]
    likely = guess.find_meant_fields(model, path[:-1], path[-1])
    for name in likely or (name for name in known if name not in given):
        yield (*path[:-1], name)


def make_readings(data: Any, refused: Sequence[RefusedValue], key: str) -> Iterator[Any]:
    """The document with its gaps filled, in one way after another; `key` fills a gap in the key.

    Each value of each gap is used at least once. Several gaps are not filled in every combination:
    those that may be empty are all empty once, which is what most rules need.
    """
    for number in range(max((len(gap.values) for gap in refused), default=1)):
        reading = deepcopy(data)
        for gap in refused:
            value = gap.values[number % len(gap.values)]
            _put_value(reading, gap.path, key if gap.path == ("key",) else value)
        yield _drop_odd_keys(reading)


def _put_value(reading: Any, path: Path, value: Any) -> None:
    *above, last = path
    here = reading
    for step in above:
        here = here[step]
    if value is not substitutes.NOTHING:
        here[last] = deepcopy(value)
    elif isinstance(here, dict):
        here.pop(last, None)


def _drop_odd_keys(value: Any) -> Any:
    """Without the keys that are no text, which the model refuses and no rule asks for."""
    if isinstance(value, dict):
        return {
            name: _drop_odd_keys(inner) for name, inner in value.items() if isinstance(name, str)
        }
    return [_drop_odd_keys(inner) for inner in value] if isinstance(value, list) else value


def outside_of(findings: Iterator[Finding], refused: Sequence[RefusedValue]) -> Iterator[Finding]:
    """Findings that are not about a refused value or what stands in it."""
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
