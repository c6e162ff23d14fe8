"""Writes down the ids that parts of courses have by their titles, whole or shortened.

The whole id is the one by which the part is known already. A plan follows a shorter one. From
then on the title may change.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from pydantic import BaseModel

from ...address import KEY_MOST
from ...kinds import BY_RESOURCE, part_names
from ...source import Path
from ..models import fields_of, model_at
from ..yaml import load_yaml, map_values, write
from . import line_ends
from .canonical import Unproven, same_values

_OF_A_PART = {"id", "title"}


class _Missing(NamedTuple):
    """A part without an id."""

    document: int
    path: Path
    id: str


class _Start(NamedTuple):
    """Where a mapping begins, in characters."""

    at: int
    column: int
    is_flow: bool


def with_ids(raw: bytes, longest: int = KEY_MOST) -> bytes:
    """A file in which every part has its id; raises `YamlMistake`, and `Unproven`.

    New ids have at most `longest` characters, and a number where a title repeats.
    Unproven is what cannot be shown to say the same but for the ids: a part that is an alias.
    """
    documents = load_yaml(raw)
    missing = [one for n, data in enumerate(documents) for one in _find_missing(n, data, longest)]
    if not missing:
        return raw
    text = line_ends.unify_line_ends(raw)
    starts = map_values(text.encode(), _mapping_start)
    for one in sorted(missing, key=lambda m: _start_of(m, starts).at, reverse=True):
        start, name = _start_of(one, starts), write.write_yaml_document(one.id).strip()
        if start.is_flow:
            text = f"{text[: start.at + 1]}id: {name}, {text[start.at + 1 :].lstrip(' ')}"
        else:
            text = f"{text[: start.at]}id: {name}\n{' ' * start.column}{text[start.at :]}"
    result = text.encode()
    if not same_values(_expected_documents(documents, missing), load_yaml(result)):
        raise Unproven
    return result


def _find_missing(number: int, data: Any, longest: int) -> Iterator[_Missing]:
    word = data.get("resource") if isinstance(data, dict) else None
    kind = BY_RESOURCE.get(word) if isinstance(word, str) else None
    if kind:
        for path, name in _find_inside(kind.spec, (), data, longest):
            yield _Missing(number, path, name)


def _find_inside(
    spec: type[BaseModel], path: Path, holder: dict[Any, Any], longest: int
) -> Iterator[tuple[Path, str]]:
    """Parts in the lists of a mapping; anything else needs no id."""
    for field, items in holder.items():
        model = model_at(spec, (*path, field)) if isinstance(field, str) else None
        are_parts = model and fields_of(model).keys() >= _OF_A_PART
        if not are_parts or not isinstance(items, list):
            continue
        if not all(isinstance(item, dict) for item in items):
            continue
        for place, (item, name) in enumerate(zip(items, part_names(items, longest), strict=True)):
            here = (*path, field, place)
            if "id" not in item and isinstance(item.get("title"), str):
                yield here, name
            yield from _find_inside(spec, here, item, longest)


def _expected_documents(documents: list[Any], missing: list[_Missing]) -> list[Any]:
    wanted = deepcopy(documents)
    for number, path, name in missing:
        here = wanted[number]
        for step in path:
            here = here[step]
        here["id"] = name
    return wanted


def _start_of(one: _Missing, starts: list[dict[Path, _Start]]) -> _Start:
    start = starts[one.document].get(one.path) if one.document < len(starts) else None
    if start is None:
        raise Unproven
    return start


def _mapping_start(_mark: Any, event: Any) -> _Start | None:
    """Where a mapping begins, according to an event."""
    mark = event.start_mark
    is_mapping = type(event).__name__ == "MappingStartEvent"
    return _Start(mark.index, mark.column, bool(event.flow_style)) if is_mapping else None
