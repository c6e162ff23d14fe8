"""A course as the platform reads it (O22): which ids belong to which part, and what it proves."""

from collections.abc import Iterator, Mapping, Sequence, Set

from ...kind import Ambiguity, Ids, Json, ReadRequest, Search
from ...resource import Address, Form
from ...vocabulary.enums import SessionStatus
from ..reference_fields import own_node
from .course_form import Item, list_topics, part_types, rebuild_form, walk_parts
from .course_pairing import pair_parts

READ = "course.read"
_PROVEN = ("title", "type", "lessons", "topics")
"""Fields of a part that a read shows, if the part has them."""
_PAGE = 200
"""Items per page of content search: as many as it was seen to return."""


def course_request(address: Address, _form: Form) -> ReadRequest:
    return ReadRequest(READ, {"id": own_node(address, id="course")})


def match_course(
    form: Form, marker: str | None, live: Json, _taken: Set[str], known: Ids | None = None
) -> Ids | Ambiguity | None:
    """Returns the ids of the course and its parts, if `live` is this course.

    Known ids are tried first, then the marker, then title and structure: order alone proves nothing
    (O16), and a title may have been changed by hand since its id was recorded.
    """
    if known and known.own["course"] != live["id"]:
        return None
    if not known and not is_this(form, marker, live):
        return None
    paired = pair_parts(form, live, known.parts if known else {})
    if paired.ambiguity:
        return Ambiguity(paired.ambiguity)
    if paired.absent:
        return None
    return Ids((known.own if known else {}) | _own_ids(form, live), paired.ids)


def _own_ids(form: Form, live: Json) -> dict[str, str]:
    ids = {"course": live["id"], "courseGroup": live["courseGroupId"]}
    lesson = None if "sections" in form else _only_lesson(live)
    return ids | ({"lesson": lesson["id"]} if lesson else {})


def pair_course(form: Form, own: Ids, live: Json | None) -> Ids | Ambiguity:
    """All ids of a course whose own id is known. A part that people have renamed before it was read
    for the first time is known by its place; one that they have taken away has an empty id."""
    parts = dict.fromkeys(part_types(form), "")
    if live is None:
        return own._replace(parts=parts)
    paired = pair_parts(form, live, {}, by_place=True)
    if paired.ambiguity:
        return Ambiguity(paired.ambiguity)
    return Ids(own.own | _own_ids(form, live), parts | paired.ids)


def is_this(form: Form, marker: str | None, live: Json) -> bool:
    """Whether a course carries the mark; its title decides where no mark is shown."""
    field, _, value = (marker or "").partition("=")
    if live.get(field):
        return bool(live[field] == value)
    return course_appearance(live) == course_appearance(form)


def course_appearance(course: Form) -> str:
    """The title: if a read does not show the mark, no other field is certain to differ."""
    return " ".join(course["title"].split()).casefold()


def _only_lesson(live: Json) -> Json | None:
    lessons = [one for path, _, items in walk_parts(live) if path[-1] == "lessons" for one in items]
    return lessons[0] if len(lessons) == 1 else None


def search_course(_form: Form, marker: str | None) -> Search | None:
    """How to find it by its mark among all courses, if the instance has content search (O27).

    Searching by sku, or for all courses with one word, is not evidenced everywhere (O48), so every
    item is looked at.
    """
    field, _, value = (marker or "").partition("=")
    if not field:
        return None
    request = ReadRequest("content.search", {}, {"perPage": _PAGE}, "contentItems")
    return Search(request, lambda item: item["id"] if item.get(field) == value else None)


def adopt_course(form: Form, ids: Ids, live: Json) -> Form:
    """The form that a read proves and the fields that a course must have; others are sent again."""
    return {"kind": form["kind"]} | (observe_course(form, ids, live) or {})


def observe_course(form: Form, ids: Ids, live: Json) -> Form | None:
    """The form that a read proves, in the manifest's terms: titles, status, sku, types, order.

    None for a session that reads as deleted (O38).
    """
    if live.get("status") == SessionStatus.DELETED:
        return None
    names = {part_id: path for path, part_id in ids.parts.items()}
    proven: Form = {"title": live["title"]}
    proven |= {key: live[key] for key in ("status", "sku") if key in live and key in form}
    lists = {
        "sections": live.get("sections") or [],
        "topics": [t[-1] for _, t in list_topics(live)],
    }
    shown = {level: items for level, items in lists.items() if form.get(level)}
    return proven | rebuild_form(
        shown, lambda _level, items, above: _known_parts(items, names, above)
    )


def _known_parts(items: Sequence[Item], names: Mapping[str, str], above: str) -> Iterator[Item]:
    """Parts that are recorded here, as far as reads prove them; those that others have added or
    moved here are left out."""
    for item in items:
        path = names.get(item["id"], "")
        name = path.rpartition("/")[2]
        if name and path == f"{above}{name}":
            yield {key: item[key] for key in _PROVEN if key in item} | {"id": name}
