"""The tree of a course, walked in one way: sections, their lessons, their topics.

It is the same for the document, the form, the models and what the platform reads.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any

from ...resource import Form, Path

Item = Mapping[str, Any]
Row = tuple[Any, ...]
"""A part, with the parts that contain it, outermost first."""
PartList = tuple[Path, Row, Sequence[Any]]
"""A list of parts: its path, the parts that contain it, its items."""
Change = Callable[[str, Sequence[Item], str], Iterable[Item]]
"""Name of a list, its items and the prefix of their names (`start/welcome/`), to other items."""

ROOTS = ("topics", "sections")
BELOW = {"sections": "lessons", "lessons": "topics", "topics": ""}
"""For the name of a list, the name of the lists below its items."""


def walk_parts(holder: Any) -> list[PartList]:
    """Every list of parts, even if empty."""
    get: Callable[..., Any] = dict.get if isinstance(holder, dict) else getattr
    sections = get(holder, "sections", None) or ()
    lists: list[PartList] = [
        (("topics",), (), get(holder, "topics", None) or ()),
        (("sections",), (), sections),
    ]
    for here, section in enumerate(sections):
        lessons = get(section, "lessons", None) or ()
        lists.append((("sections", here, "lessons"), (section,), lessons))
        for position, lesson in enumerate(lessons):
            path = ("sections", here, "lessons", position, "topics")
            lists.append((path, (section, lesson), get(lesson, "topics", None) or ()))
    return lists


def list_sibling_lists(holder: Any) -> list[Sequence[Any]]:
    """The lists of `walk_parts` alone, level by level, which takes a third of the time."""
    sections = part_list(holder, "sections")
    lessons = [part_list(section, "lessons") for section in sections]
    topics = [part_list(lesson, "topics") for some in lessons for lesson in some]
    return [part_list(holder, "topics"), sections, *lessons, *topics]


def part_list(holder: Any, level: str) -> Sequence[Any]:
    """A list of a mapping or a model; empty if it is not given."""
    items = holder.get(level) if isinstance(holder, dict) else getattr(holder, level, None)
    return items or ()


def all_topics(holder: Mapping[str, Any]) -> list[Any]:
    """The topics of a document or a form without their paths: `list_topics` takes far longer."""
    sections = holder.get("sections") or ()
    lessons = [lesson for section in sections for lesson in section.get("lessons") or ()]
    return [topic for part in (holder, *lessons) for topic in part.get("topics") or ()]


def list_topics(holder: Any) -> list[tuple[Path, Row]]:
    """Every topic with its path, in the order of learning."""
    return [
        ((*path, position), (*row, item))
        for path, row, items in walk_parts(holder)
        if path[-1] == "topics"
        for position, item in enumerate(items)
    ]


def list_pages(lists: Iterable[PartList]) -> list[tuple[Path, Any]]:
    """The topics in the lists of `walk_parts`, each with its path."""
    return [
        ((*path, position), item)
        for path, _, items in lists
        if path[-1] == "topics"
        for position, item in enumerate(items)
    ]


def name_of_row(*row: Mapping[str, Any]) -> str:
    """How a form names a part: the ids of its row, as `start/welcome/hello`."""
    return "/".join([part["id"] for part in row])


def rebuild_form(form: Form, change: Change) -> dict[str, Any]:
    """The form with `change` applied to each list of parts, from the outside in."""
    lists = {level: form[level] for level in ROOTS if form.get(level) is not None}
    return {**form, **{level: _rebuild_level(level, lists[level], "", change) for level in lists}}


def _rebuild_level(level: str, items: Sequence[Item], above: str, change: Change) -> list[Item]:
    below = BELOW[level]
    return [
        {**item, below: _rebuild_level(below, item[below], f"{above}{item['id']}/", change)}
        if below in item
        else item
        for item in change(level, items, above)
    ]


def prune_parts(form: Form, missing: Container[str]) -> dict[str, Any]:
    """The form without the parts that have these names."""
    return rebuild_form(
        form, lambda _level, items, above: (i for i in items if f"{above}{i['id']}" not in missing)
    )


def drop_part_ids(value: Any) -> Any:
    """`value` without the ids of parts, which the author chose and which mean nothing elsewhere."""
    if type(value) is list:
        return [drop_part_ids(item) for item in value]
    if type(value) is not dict or "$markdown" in value:
        return value
    made = {**value}
    made.pop("id", None)
    for key, item in value.items():
        if type(item) is str or key not in made:  # most values are texts
            continue
        if item is None:
            del made[key]
        else:
            made[key] = drop_part_ids(item)
    return made
