"""A course as the platform reads it (O22): which ids belong to which part, and what it proves."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from ...address import Address
from ...resource import Form
from ..kind import Ids, Json, Reading
from ..refers import own
from .form import MAIN, ONE_TOPIC
from .wire import READ

Item = dict[str, Any]


def reading(address: Address, _form: Form) -> Reading:
    return Reading(READ, {"id": own(address, id="course")})


def created(answer: Json) -> list[str]:
    """The course ids of a create, in no promised order (O15, O16)."""
    ids: list[str] = answer["courseIds"]
    return ids


def match(
    form: Form, marker: str | None, live: Json, _taken: Set[str], known: Ids | None = None
) -> Ids | None:
    """The ids of the course and its parts, if `live` is this course.

    Ids that are known first, then marker, then title and structure: order alone proves nothing
    (O16), and a title may have been changed by hand since its id was recorded.
    """
    if known and known.own["course"] != live["id"]:
        return None
    if not known and not _is_this(form, marker, live):
        return None
    parts = _parts(form, live.get("sections") or [], known.parts if known else {})
    if parts is None:
        return None
    own_ids = {"course": live["id"], "courseGroup": live["courseGroupId"]}
    lesson = _only_lesson(live)
    if lesson and "sections" not in form:
        own_ids["lesson"] = lesson["id"]
    return Ids((known.own if known else {}) | own_ids, parts)


def _is_this(form: Form, marker: str | None, live: Json) -> bool:
    field, _, value = (marker or "").partition("=")
    if live.get(field):
        return bool(live[field] == value)
    return bool(live["title"] == form["title"])


def _only_lesson(live: Json) -> Item | None:
    lessons = [lesson for section in live.get("sections") or [] for lesson in section["lessons"]]
    return lessons[0] if len(lessons) == 1 else None


def _parts(form: Form, sections: Sequence[Item], known: Mapping[str, str]) -> dict[str, str] | None:
    """Path of each part to its id; nothing if a part of the form is not there."""
    if "sections" in form:
        return _pair(form["sections"] or [], sections, ("lessons", "topics"), known)
    topics = [t for section in sections for lesson in section["lessons"] for t in lesson["topics"]]
    if form["kind"] in ONE_TOPIC:
        ours = [t for t in topics if t["id"] == known.get(MAIN)] or topics
        return {MAIN: ours[0]["id"]} if ours else None
    return _pair(form.get("topics") or [], topics, (), known)


def _pair(
    wanted: Sequence[Item],
    there: Sequence[Item],
    below: tuple[str, ...],
    known: Mapping[str, str],
    path: str = "",
) -> dict[str, str] | None:
    """Pairs siblings by the ids that are known, the others by title and type.

    The nth of a title goes with the nth: titles repeat (O18). A part that somebody has deleted
    keeps its id: it says nothing against those that were added beside it.
    """
    by_id = {other["id"]: other for other in there}
    waiting = [other for other in there if other["id"] not in known.values()]
    found: dict[str, str] = {}
    for item in wanted:
        name = f"{path}{item['id']}"
        alike = (other for other in waiting if _alike(item, other))
        mate = by_id.get(known[name], {"id": known[name]}) if name in known else next(alike, None)
        if mate is None:
            return None
        if mate in waiting:
            waiting.remove(mate)
        found[name] = mate["id"]
        if below:
            deeper = _pair(item[below[0]], mate.get(below[0]) or [], below[1:], known, f"{name}/")
            if deeper is None:
                return None
            found |= deeper
    return found


def _alike(item: Item, other: Item) -> bool:
    return bool(
        item["title"] == other["title"] and ("type" not in item or item["type"] == other["type"])
    )


def seen(form: Form, ids: Ids, live: Json) -> Form:
    """What the read proves, in the words of the manifest: titles, status, sku, types, order."""
    names = {part_id: path for path, part_id in ids.parts.items()}
    proven: Form = {"title": live["title"]}
    proven |= {key: live[key] for key in ("status", "sku") if key in live and key in form}
    if form.get("sections"):
        proven["sections"] = list(_seen(live.get("sections") or [], names))
    return proven


def _seen(items: Sequence[Item], names: dict[str, str]) -> Iterator[Item]:
    """Parts that we know by id; what others added is theirs."""
    for item in items:
        if item["id"] not in names:
            continue
        found = {"id": names[item["id"]].rpartition("/")[2], "title": item["title"]}
        for key in ("lessons", "topics"):
            if key in item:
                found[key] = list(_seen(item[key], names))
        yield found | ({"type": item["type"]} if "type" in item else {})
