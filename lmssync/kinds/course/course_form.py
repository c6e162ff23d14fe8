"""The form of a course: ids written out, bodies and references as nodes, parts as a tree.

The tree is walked in one way: sections, their lessons, their topics. It is alike in the document,
the form, the models and what the platform reads.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...kind import BodyField, Data
from ...resource import Form, Path
from ..reference_fields import ReferenceField
from ..shared_fields import BODY_FILE, as_node, with_nodes
from ..sibling_names import part_names

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
    """Yields every list of parts in a course, even if it is empty."""
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
    parts = (holder, *all_lessons(holder))
    return [topic for part in parts for topic in part.get("topics") or ()]


def all_lessons(holder: Mapping[str, Any]) -> list[Any]:
    """The lessons of all sections of a document or a form."""
    sections = holder.get("sections") or ()
    return [lesson for section in sections for lesson in section.get("lessons") or ()]


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


_SPELLINGS = tuple(
    ".".join(f"{level}[%s]" for level in [*BELOW][:depth]) for depth in range(len(BELOW) + 1)
)


def spell_path(form: Form, name: str) -> str:
    """The name of a part, `start/welcome/hello`, as `FieldChange.path` spells it."""
    steps = name.split("/")
    return _SPELLINGS[len(steps)] % (*steps,) if "sections" in form else f"topics[{steps[0]}]"


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


REFERENCES = {
    "tags": ReferenceField("tag", "tagIds"),
    "relatedCourses": ReferenceField(
        "course", "relatedCourseGroupIds", id="courseGroup", deferrable=True
    ),
    "prerequisiteCourses": ReferenceField("course", "prerequisiteCourseIds", id="course"),
    "prerequisiteLearningPaths": ReferenceField("learningPath", "prerequisiteLearningPathIds"),
}

ONE_TOPIC = {
    "article": "article",
    "video": "video",
    "shareableContentObject": "shareableContentObject",
}
"""Kinds with one topic that the platform makes itself, and the type of it (spec 2.2)."""
MAIN = "main"
"""How criteria name that topic."""


def body_fields(data: Data) -> Iterator[BodyField]:
    """Every mapping of a course in which a body may be written."""
    holders = list_pages(walk_parts(data))
    if variant := data.get("articleVariant"):
        holders.insert(0, (("articleVariant",), variant))
    for path, holder in holders:
        yield BodyField(path, holder)
        for position, language in enumerate(holder.get("languages") or ()):
            yield BodyField((*path, "languages", position), language)


def body_files(data: Data) -> Iterable[BodyField]:
    """The fields for bodies that name a file: in most courses none does, which is quick to see."""
    written = set[str]().union(*all_topics(data))
    if written.isdisjoint({BODY_FILE, "languages"}) and not data.get("articleVariant"):
        return ()
    return (slot for slot in body_fields(data) if slot.holder.get(BODY_FILE) is not None)


def normalise_course(_key: str, data: Data) -> Form:
    """The form of a course whose document the model has accepted."""
    return make_regular(with_nodes(REFERENCES, data))


def make_regular(form: Form) -> Form:
    """The form with the ids of its parts written out, and bodies as nodes."""
    if form.get("articleVariant"):
        form["articleVariant"] = _content_fields(form["articleVariant"])
    return form | {level: _with_ids(level, form[level]) for level in ROOTS if form.get(level)}


def _with_ids(level: str, items: Sequence[Item]) -> list[Item]:
    """The parts of a list, and all below them, with their ids written out."""
    below = BELOW[level]
    parts: list[Item] = []
    for item, id_ in zip(items, part_names(items), strict=True):
        part = {**item} if below else _content_fields(item)
        part["id"] = id_
        if below in part:
            part[below] = _with_ids(below, part[below])
        parts.append(part)
    return parts


def _content_fields(holder: Item) -> dict[str, Any]:
    form = as_node(holder)
    form.pop("attested", None)
    if form.get("languages"):
        form["languages"] = [as_node(language) for language in form["languages"]]
    return form


def part_types(form: Form) -> dict[str, str]:
    """Maps the path of each part of a course to `section`, `lesson`, or the topic's type."""
    if kind := ONE_TOPIC.get(form.get("kind", "")):
        return {MAIN: kind}
    types: dict[str, str] = {}
    for path, row, items in walk_parts(form):
        above, noun = name_of_row(*row, {"id": ""}), str(path[-1]).removesuffix("s")
        types |= {f"{above}{item['id']}": item.get("type") or noun for item in items}
    return types
