"""Finds which parts of a changed course are kept, added, moved or gone, and what an update sends.

The languages of an article can be filled at creation (spec 2.2, O20). No read or write was seen to
take them in an update (O9), where what exists is changed and pages are added; the routes for
translations have no shape. So a person edits the languages of an article that exists.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...kind import Json, ManualStep, word_change
from ...resource import Address, Form
from ...vocabulary.limits import ENTRIES_PER_UPDATE
from ..reference_fields import own_node
from .course_form import drop_part_ids

LANGUAGE_STEP = "edit the languages in the authoring interface; no route changes them"
Languages = Sequence[Mapping[str, Any]] | None


def language_step(before: Languages, after: Languages) -> str:
    """The step for a person, with what to do language by language."""
    was, now = ({one["language"]: one for one in languages or ()} for languages in (before, after))
    done = [
        *(f"add `{tag}`" for tag in now if tag not in was),
        *(
            f"in `{tag}` change {_join_languages(fields)}"
            for tag, fields in _changed_languages(was, now)
        ),
        *(f"take `{tag}` away" for tag in was if tag not in now),
    ]
    if not done and list(was) == list(now):
        return LANGUAGE_STEP
    if not done:
        done = [f"put them into this order, {', '.join(f'`{tag}`' for tag in now)}"]
    return f"{LANGUAGE_STEP}: {_join_languages(done)}"


def _changed_languages(
    was: Mapping[str, Mapping[str, Any]], now: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[str, list[str]]]:
    """Languages that stay, with the fields that differ."""
    for tag in (tag for tag in now if tag in was):
        names = sorted({*was[tag], *now[tag]})
        if fields := [f"`{name}`" for name in names if was[tag].get(name) != now[tag].get(name)]:
            yield tag, fields


def _join_languages(items: Sequence[str]) -> str:
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last


class UpdateEntry(NamedTuple):
    """One entry of an update; `adds` is the path of the part that it makes, if it makes one."""

    level: str
    value: dict[str, Json]
    adds: str | None = None
    depth: int = 0
    """How many new parents stand above it: each costs a call (O4)."""


def describe_field_step(name: str, text: str, before: Form, after: Form) -> str:
    """What a person does about a field, with the old and the new value."""
    if name != "languages":
        return word_change(text, before.get(name), after.get(name))
    return language_step(before.get(name), after.get(name))


@dataclass
class Draft:
    """Entries and manual steps of one course."""

    address: Address
    entries: list[UpdateEntry] = field(default_factory=list)
    manual: list[ManualStep] = field(default_factory=list)

    def settle_fields(
        self, before: Form, after: Form, fixed: Mapping[str, str], path: str = ""
    ) -> tuple[Form, dict[str, Json]]:
        """The form as it will be, and the fields to send; `fixed` ones are left to a person."""
        merged = dict(after)
        changed = {k: v for k, v in after.items() if k not in before or before[k] != v}
        for name in (name for name in fixed if name in changed):
            # What only a person can change stays in the form as it was, until they have confirmed
            # it.
            text = describe_field_step(name, fixed[name], before, after)
            of_part = f"page “{before['title']}”: " if path else ""
            self.ask_person(f"{path}{name}", f"{of_part}{text}")
            del merged[name], changed[name]
            merged |= {name: before[name]} if name in before else {}
        return merged, changed

    def set_fields_of(self, level: str, id_node: Json, fields: Mapping[str, Any]) -> None:
        """Change fields of something that exists."""
        self.entries.append(UpdateEntry(level, {"id": id_node, **fields}))

    def ask_person(self, field: str, text: str) -> None:
        self.manual.append(ManualStep(field, text))

    def list_calls(self) -> Iterator[list[UpdateEntry]]:
        """The entries of each call: changes first, then additions, depth by depth (O4, O5)."""
        # A new part names its parent by id, and an answer gives no ids of children (O15): so each
        # depth of something new waits for the call before it and for a read.
        depths = sorted({entry.depth for entry in self.entries})
        for depth in depths:
            level = [entry for entry in self.entries if entry.depth == depth]
            # A call that makes nothing may be repeated: so additions share as few calls as can be.
            level.sort(key=lambda entry: entry.adds is not None)
            for start in range(0, len(level), ENTRIES_PER_UPDATE):
                yield level[start : start + ENTRIES_PER_UPDATE]


Item = dict[str, Any]


class Level(NamedTuple):
    """One level of the outline, in the terms of the platform and of people."""

    name: str
    """Its list in an update."""
    noun: str
    children: str | None
    """The field with the parts of the level below."""
    parent: str
    """The field by which a new one names its parent (O3)."""
    fixed: Mapping[str, str]
    """Fields that no route changes, with what to do instead."""


TOPIC = Level(
    "topics",
    "page",
    None,
    "lessonId",
    {
        "type": "a page cannot change its type: give the new page another id",
        "languages": LANGUAGE_STEP,
    },
)
LESSON = Level("lessons", "lesson", "topics", "sectionId", {})
SECTION = Level("sections", "section", "lessons", "courseId", {})
BELOW = {"sections": LESSON, "lessons": TOPIC}


def merge_siblings(
    draft: Draft,
    level: Level,
    parent: Json,
    lists: tuple[Sequence[Item], Sequence[Item]],
    path: str = "",
    inside: str = "",
) -> list[Item]:
    """Adds to `draft` what turns one list of siblings into the other; returns the resulting list.

    `lists` are the lists before and after, `inside` is the title of their parent. What left the
    manifest stays in the result, where it is on the platform: nothing can be deleted here, so it
    is a manual step until somebody confirms it.
    """
    before = {item["id"]: item for item in lists[0]}
    after = {item["id"]: item for item in lists[1]}
    order = _merged_order(list(before), list(after))
    # Additions go to the end by themselves (O7), which needs no position.
    moved = order != [*before, *(name for name in after if name not in before)]
    result: list[Item] = []
    for position, name in enumerate(order):
        # A position is sent only where the order changes: an instance may ignore it (O7), and then
        # every update would seem to fail.
        where = {"position": position} if moved else {}
        below = f"{path}{name}"
        if name not in after:
            part = f"{level.noun} “{before[name]['title']}”"
            where_it_is = f" of “{inside}”" if inside else ""
            text = (
                f"delete the {part}{where_it_is} in the authoring interface; no route deletes one"
            )
            draft.ask_person(f"{level.name}[{below}]", text)
            result.append(before[name])
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
            # The part in front of it is in the result already: it stayed, or was put back in the
            # turn before.
            order.insert(order.index(before[place - 1]) + 1 if place else 0, name)
    return order


def _change_part(
    draft: Draft, level: Level, path: str, pair: tuple[Item, Item], where: Mapping[str, int]
) -> Item:
    before, after = pair
    if before == after and not where:
        return after
    merged, changed = draft.settle_fields(before, after, level.fixed, f"{level.name}[{path}].")
    if level.children:
        # Children have entries of their own, one level down.
        changed.pop(level.children, None)
        merged[level.children] = merge_siblings(
            draft,
            BELOW[level.name],
            own_node(draft.address, part=path),
            (before[level.children], after[level.children]),
            f"{path}/",
            before["title"],
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
    # No entry takes them; they are in the form once a person has confirmed the step.
    result = {key: value for key, value in item.items() if key != "languages"}
    if "languages" in item:
        step = f"page “{item['title']}”: {language_step(None, item['languages'])}"
        draft.ask_person(f"{level.name}[{path}].languages", step)
    fields = {key: value for key, value in drop_part_ids(result).items() if key != level.children}
    value = {level.parent: parent, **fields, **where}
    draft.entries.append(UpdateEntry(level.name, value, path, depth))
    if level.children:
        below, here = BELOW[level.name], own_node(draft.address, part=path)
        result[level.children] = [
            _add_part(draft, below, f"{path}/{child['id']}", here, child, {}, depth=depth + 1)
            for child in item[level.children]
        ]
    return result
