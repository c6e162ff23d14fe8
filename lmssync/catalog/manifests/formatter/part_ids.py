"""Writes the ids of parts into the text of a manifest, and says which of them have changed."""

from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from operator import getitem
from typing import Any, NamedTuple

from pydantic import BaseModel

from ....kinds import BY_RESOURCE, part_names
from ....resource import KEY_MOST, Path as ValuePath
from ..model_fields import fields_of, model_at
from ..yaml import load_yaml, map_values, write_yaml_document
from .canonical_form import Unproven, same_values
from .line_ends import unify_line_ends

_OF_A_PART = {"id", "title"}


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
    # By the number of the document and the path in it.
    missing = {
        (number, *part.place): part.names[-1]
        for number, data in enumerate(documents)
        for part in _walk_parts(data, longest)
        if "id" not in part.item and isinstance(part.item.get("title"), str)
    }
    if not missing:
        return raw
    text = unify_line_ends(raw)
    found = enumerate(map_values(text.encode(), _mapping_start))
    starts = {(number, *path): start for number, one in found for path, start in one.items()}
    if not missing.keys() <= starts.keys():
        raise Unproven
    # From the end to the beginning, so that places which are still to come stay where they are.
    for place in sorted(missing, key=lambda place: starts[place].at, reverse=True):
        start, name = starts[place], write_yaml_document(missing[place]).strip()
        if start.is_flow:
            text = f"{text[: start.at + 1]}id: {name}, {text[start.at + 1 :].lstrip(' ')}"
        else:
            text = f"{text[: start.at]}id: {name}\n{' ' * start.column}{text[start.at :]}"
    result = text.encode()
    wanted: Any = deepcopy(documents)
    for place, id_ in missing.items():
        reduce(getitem, place, wanted)["id"] = id_
    if not same_values(wanted, load_yaml(result)):
        raise Unproven
    return result


class _Part(NamedTuple):
    """A section, a lesson or a topic of a document."""

    place: ValuePath
    item: dict[Any, Any]
    names: tuple[str, ...]
    """Its id and those above it, as written or as they follow from the titles."""


def _walk_parts(data: Any, longest: int) -> Iterator[_Part]:
    word = data.get("resource") if isinstance(data, dict) else None
    kind = BY_RESOURCE.get(word) if isinstance(word, str) else None
    return _walk_inside(kind.spec, (), data, (), longest) if kind else iter(())


def _walk_inside(
    spec: type[BaseModel],
    path: ValuePath,
    holder: dict[Any, Any],
    above: tuple[str, ...],
    longest: int,
) -> Iterator[_Part]:
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
            yield _Part(here, item, (*above, name))
            yield from _walk_inside(spec, here, item, (*above, name), longest)


def list_renamed_parts(before: bytes, after: bytes) -> Iterator[tuple[str, str, str]]:
    """The key of a document, and the old and the new path of each part whose path has changed."""
    for old, new in zip(load_yaml(before), load_yaml(after), strict=True):
        found = {part.place: part.names for part in _walk_parts(new, KEY_MOST)}
        for part in _walk_parts(old, KEY_MOST):
            if part.names != (names := found[part.place]):
                yield str(old.get("key")), "/".join(part.names), "/".join(names)


def _mapping_start(_mark: Any, event: Any) -> _Start | None:
    mark = event.start_mark
    is_mapping = type(event).__name__ == "MappingStartEvent"
    return _Start(mark.index, mark.column, bool(event.flow_style)) if is_mapping else None
