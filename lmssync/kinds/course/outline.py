"""Finds which parts of a changed course are kept, added, moved or gone."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...kind import Json
from ..references import own_node
from . import languages
from .draft import Draft
from .tree import drop_part_ids

Item = dict[str, Any]


class Level(NamedTuple):
    """One level of the outline, in the terms of the platform and of people."""

    name: str
    """Its list in an update."""
    children: str | None
    """The field that holds the level below."""
    parent: str
    """The field by which a new one names its parent (O3)."""
    fixed: Mapping[str, str]
    """Fields that no route changes, with what to do instead."""


TOPIC = Level(
    "topics",
    None,
    "lessonId",
    {
        "type": "a topic cannot change its type: give the new topic another id",
        "languages": languages.STEP,
    },
)
LESSON = Level("lessons", "topics", "sectionId", {})
SECTION = Level("sections", "lessons", "courseId", {})
BELOW = {"sections": LESSON, "lessons": TOPIC}


def merge_siblings(
    draft: Draft,
    level: Level,
    parent: Json,
    lists: tuple[Sequence[Item], Sequence[Item]],
    path: str = "",
) -> list[Item]:
    """Adds to `draft` what turns one list of siblings into the other; returns the resulting list.

    `lists` are the lists before and after. What left the manifest stays in the result, where it
    stands on the platform: nothing can be deleted here, so it is a manual step until somebody
    confirms it.
    """
    before = {item["id"]: item for item in lists[0]}
    after = {item["id"]: item for item in lists[1]}
    order = _merged_order(list(before), list(after))
    moved = order != [*before, *(name for name in after if name not in before)]
    result: list[Item] = []
    for position, name in enumerate(order):
        where = {"position": position} if moved else {}
        below = f"{path}{name}"
        if name not in after:
            result.append(_leave_to_person(draft, level, below, before[name]))
        elif name in before:
            result.append(_change_part(draft, level, below, (before[name], after[name]), where))
        else:
            result.append(_add_part(draft, level, below, parent, after[name], where))
    return result


def _merged_order(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The names after, and each that left behind the one that it stood behind before."""
    order = list(after)
    for place, name in enumerate(before):
        if name not in after:
            order.insert(order.index(before[place - 1]) + 1 if place else 0, name)
    return order


def _leave_to_person(draft: Draft, level: Level, path: str, item: Item) -> Item:
    part = f"{level.name.removesuffix('s')} “{item['title']}”"
    text = f"delete the {part} in the authoring interface; no route deletes one"
    draft.ask_person(f"{level.name}[{path}]", text)
    return item


def _change_part(
    draft: Draft, level: Level, path: str, pair: tuple[Item, Item], where: Mapping[str, int]
) -> Item:
    before, after = pair
    if before == after and not where:
        return after
    merged, changed = draft.settle_fields(before, after, level.fixed, f"{level.name}[{path}].")
    if level.children:
        changed.pop(level.children, None)
        merged[level.children] = merge_siblings(
            draft,
            BELOW[level.name],
            own_node(draft.address, part=path),
            (before[level.children], after[level.children]),
            f"{path}/",
        )
    if changed or where:
        draft.set_fields_of(level.name, own_node(draft.address, part=path), changed | dict(where))
    return merged


def _add_part(
    draft: Draft,
    level: Level,
    path: str,
    parent: Json,
    item: Item,
    where: Mapping[str, int],
    *,
    depth: int = 0,
) -> Item:
    """A child of something new is sent one call after it (O4)."""
    result = {key: value for key, value in item.items() if key != "languages"}
    if "languages" in item:
        step = languages.language_step(None, item["languages"])
        draft.ask_person(f"{level.name}[{path}].languages", step)
    fields = {key: value for key, value in drop_part_ids(result).items() if key != level.children}
    draft.add_part_entry(level.name, path, {level.parent: parent, **fields, **where}, depth=depth)
    if level.children:
        below, here = BELOW[level.name], own_node(draft.address, part=path)
        result[level.children] = [
            _add_part(draft, below, f"{path}/{child['id']}", here, child, {}, depth=depth + 1)
            for child in item[level.children]
        ]
    return result
