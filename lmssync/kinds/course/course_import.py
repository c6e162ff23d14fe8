"""A course of the platform as the manifest that an author would write (O22, O23, O26 to O28)."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from ...kind import Ids, ImportedManifest, Imports, Json, NameOf, ReadRequest, Shown
from ...resource import SHORT_ID
from ...vocabulary.enums import FILLED_TOPICS, CourseKind, CreateStatus, OpenType, SessionStatus
from ..platform_values import as_written_date, drop_unset_fields
from ..sibling_names import part_names
from .course_form import BELOW, MAIN, ONE_TOPIC, REFERENCES, all_lessons, all_topics, part_list
from .course_manifest import (
    DATE_FIELDS,
    GROUP_FIELDS,
    KIND_FIELDS,
    SESSION_FIELDS,
    VIDEO_FIELDS,
    Language,
    Topic,
    Variant,
)
from .course_readings import WITHOUT_IDS, shows_part_ids

_DELETED = "its session has been deleted, and no manifest can describe a course without one"
_READ_AS = {"enrollmentLimit": "seatsLimit", "releaseDate": "releaseAt", "openType": "accessLevel"}
"""Names of fields in a manifest, and in a read (O23)."""
_DEFAULTS: Mapping[str, Json] = {
    "freeWithRegistration": False,
    "purchasable": False,
    "discussionsEnabled": False,
    "availableToPublic": False,
    "forceLinearProgress": False,
    "showProgress": True,
    "assetType": "hosted",
}
_SINCE_CREATION = ("enrollmentStartDate", "courseStartDate")
_STATES = frozenset({SessionStatus.DRAFT, SessionStatus.PENDING, SessionStatus.PUBLISHED})
_CONTENT = tuple(name for name in Topic.model_fields if name not in {"id", "attested"})
_LONG_AGO = "2000-01-01"
_PAGE = 200


def course_manifest(shown: Shown, name_of: NameOf) -> ImportedManifest | str:
    """The manifest of a course group with its first session, and the ids of its parts."""
    group, full = shown["item"], shown["course.full"]
    if full is None or full.get("status") == SessionStatus.DELETED:
        return _DELETED
    if not shows_part_ids(full):
        return WITHOUT_IDS
    if group["kind"] not in set(CourseKind):
        return f"manifests cannot express its kind, {group['kind']}"
    if group["kind"] in ONE_TOPIC and not all_topics(full):
        return f"its only topic has been deleted, and no {group['kind']} can be described without"
    tags = (shown.get("search") or {}).get("tags") or []
    data = {"kind": group["kind"]}
    data |= _plain_fields(group, GROUP_FIELDS) | {"tags": [tag["label"] for tag in tags]}
    data |= _reference_fields(group, GROUP_FIELDS - {"tags"}, name_of) | of_session(full, name_of)
    parts: dict[str, str] = {}
    data |= _read_content(group["kind"], full, parts)
    own = {"course": full["id"], "courseGroup": group["id"]}
    lessons = all_lessons(full)
    if len(lessons) == 1 and "sections" not in data:
        own["lesson"] = lessons[0]["id"]
    notes = list(_status_notes(full))
    if beyond := undescribed_parts(group["kind"], full, parts.get(MAIN)):
        also = "; the topics in it are in the list of all" if "topics" in data else ""
        notes.append(f"a {group['kind']} has no place for {', '.join(beyond)}{also}")
    if (count := group.get("courseCount") or 1) > 1:
        notes.insert(
            0,
            f"it has {count} sessions: the others are under `sessions`, where the instance lists "
            "them (`group.courses`)",
        )
    return ImportedManifest(_worth_writing(data, full), Ids(own, parts), notes)


def session_manifest(full: Json, name_of: NameOf) -> ImportedManifest:
    """What a manifest says of a further session, with the ids of its parts."""
    parts: dict[str, str] = {}
    data = {"title": full["title"]} | of_session(full, name_of)
    data |= _read_content(CourseKind.COURSE_GROUP, full, parts)
    ids = Ids({"course": full["id"]}, parts)
    return ImportedManifest(_worth_writing(data, full), ids, list(_status_notes(full)))


def of_session(full: Json, name_of: NameOf) -> dict[str, Any]:
    """The fields of a session in what the platform shows of a course."""
    fields = _plain_fields(full, SESSION_FIELDS) | _read_status(full)
    return fields | _reference_fields(full, SESSION_FIELDS, name_of)


def _plain_fields(read: Json, wanted: frozenset[str]) -> dict[str, Any]:
    """The plain fields that a read shows, under the names of the manifest."""
    shown = {name: read.get(_READ_AS.get(name, name)) for name in wanted if name not in REFERENCES}
    return {
        k: as_written_date(value) if k in DATE_FIELDS and value else value
        for k, value in shown.items()
    }


def _read_status(full: Json) -> dict[str, Any]:
    """A session that waits for its date is neither draft nor published (spec 3)."""
    state = full.get("status")
    if state == SessionStatus.PUBLISHED:
        return {"status": CreateStatus.PUBLISHED.value, "futurePublishDate": None}
    return {"status": CreateStatus.DRAFT.value if state == SessionStatus.DRAFT else None}


def _reference_fields(read: Json, wanted: Set[str], name_of: NameOf) -> dict[str, Any]:
    """Ids of courses as keys; tags come from the search, since no other read shows them."""
    return {
        field: [name_of(declared.kind, id_) for id_ in read.get(declared.wire) or ()]
        for field, declared in REFERENCES.items()
        if field in wanted
    }


def _worth_writing(data: dict[str, Any], full: Json) -> dict[str, Any]:
    """The fields that say more than the platform would say by itself."""
    made = str(full.get("createdAt") or "")[:16]
    return {
        name: value
        for name, value in drop_unset_fields(data).items()
        if value != _DEFAULTS.get(name)
        and not (name in _SINCE_CREATION and made and str(full.get(name, ""))[:16] == made)
    }


def _read_content(kind: str, full: Json, parts: dict[str, str]) -> dict[str, Any]:
    """What learners meet, and in `parts` the id of each part by its path."""
    if kind in ONE_TOPIC:
        return _main_topic_fields(kind, full, parts)
    if kind == CourseKind.MICRO_COURSE:
        return {"topics": _write_parts("topics", all_topics(full), parts)}
    return {"sections": _write_parts("sections", part_list(full, "sections"), parts)}


def _main_topic_fields(kind: str, full: Json, parts: dict[str, str]) -> dict[str, Any]:
    """The content of the one topic that the platform has made itself."""
    topic = all_topics(full)[0]
    parts[MAIN] = topic["id"]
    # The title of the topic may be that of the course.
    names = [name for name in Variant.model_fields if name != "title"]
    variant = drop_unset_fields({name: topic.get(name) for name in names})
    if kind == CourseKind.ARTICLE:
        return {"articleVariant": variant | _language_fields(topic) or None}
    if kind == CourseKind.VIDEO:
        text = {"body": variant["body"]} if "body" in variant else None
        return drop_unset_fields({name: topic.get(name) for name in VIDEO_FIELDS}) | {
            "articleVariant": text
        }
    shown = {name: topic.get(name) for name in KIND_FIELDS[kind]}
    return drop_unset_fields({name: value for name, value in shown.items() if value is not False})


def undescribed_parts(kind: str, full: Json, main: str | None = None) -> list[str]:
    """The parts of a course that no manifest of its kind describes, in words: topics beside the
    `main` one or the first, and sections and lessons that a list of topics does not show."""
    if kind in ONE_TOPIC:
        topics = all_topics(full)
        first = main or next((topic["id"] for topic in topics), None)
        return [f"topic “{topic['title']}”" for topic in topics if topic["id"] != first]
    if kind != CourseKind.MICRO_COURSE:
        return []
    first_section, *sections = part_list(full, "sections") or [{}]
    lessons = part_list(first_section, "lessons")[1:]
    return [f"lesson “{one['title']}”" for one in lessons] + [
        f"section “{one['title']}”" for one in sections
    ]


def _language_fields(topic: Json) -> dict[str, Any]:
    languages = [
        drop_unset_fields({name: item.get(name) for name in Language.model_fields})
        for item in topic.get("languages") or ()
    ]
    return {"languages": languages} if languages else {}


def _write_parts(
    level: str, items: Sequence[Json], parts: dict[str, str], above: str = ""
) -> list[dict[str, Any]]:
    """The parts of a list, and all below them, with short ids that are made from their titles."""
    names = part_names(({"title": item["title"]} for item in items), SHORT_ID)
    below, written = BELOW[level], []
    for name, item in zip(names, items, strict=True):
        path = f"{above}{name}"
        parts[path] = item["id"]
        inner = _write_parts(below, part_list(item, below), parts, f"{path}/") if below else ()
        written.append(write_part(level, name, item, inner))
    return written


def write_part(level: str, name: str, item: Json, below: Sequence[Json] = ()) -> dict[str, Any]:
    """A part of the list `level` as an author would write it, with the parts in it."""
    if level == "topics":
        fields = drop_unset_fields({field: item.get(field) for field in _CONTENT})
        fields |= _language_fields(item)
        fields = {k: value for k, value in fields.items() if value != _DEFAULTS.get(k)}
        if item["type"] not in FILLED_TOPICS:
            # What is made as an empty page has been filled by people since (spec 2.2): they use it.
            stamp = item.get("updatedAt")
            fields["attested"] = {"by": "import", "on": str(stamp or _LONG_AGO)[:10]}
            if stamp:
                fields["attested"]["updatedAt"] = stamp
        return {"id": name, **fields}
    head = {"id": name, "title": item["title"]}
    if level == "lessons":
        access = item.get("accessLevel") or OpenType.STUDENTS_ONLY.value
        return {**head, "openType": access, "topics": list(below)}
    opens = item.get("releaseAt")
    date = {"releaseDate": as_written_date(opens)} if opens else {}
    return {**head, **date, "lessons": list(below)}


def _status_notes(full: Json) -> Iterator[str]:
    if full.get("status") not in _STATES:
        yield f"manifests cannot express its status, `{full.get('status')}`"


def _request_course(group: Json) -> ReadRequest | str:
    """The read of the session that a group shows, which may have been deleted."""
    id_ = group.get("displayCourseId")
    return ReadRequest("course.full", {"id": id_}) if id_ else _DELETED


_ROUTES = {"item": "group.read", "search": "content.search", "course.full": "course.full"}
"""By name of what was read, the route of the reading that shows the same."""
IMPORTS = Imports(
    listed=ReadRequest("group.list", {}, {"perPage": _PAGE}, "courseGroups"),
    ids=lambda group: [group.get("displayCourseId"), group["id"]],
    name=lambda group: group.get("slug") or group["title"],
    beside={"search": ReadRequest("content.search", {}, {"perPage": _PAGE}, "contentItems")},
    details={"course.full": _request_course},
    manifest=course_manifest,
    answers=lambda shown: {_ROUTES[name]: answer for name, answer in shown.items()},
)
