"""Course groups as the extended profile reads them: with a ribbon, never with tags (O26, O46)."""

from functools import partial

from lmssync.vocabulary.enums import CourseKind, RefusedKind, SessionStatus

from ..checks import quote_value
from ..data.document_ids import Level
from ..http_exchange import Answer, bad_request, not_found
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from .course_fields import GROUP_RULES, SESSION_RULES
from .lookup import group_of_path
from .paging import by_page

GROUP_SHOWN = (
    "id", "title", "slug", "kind", *(name for name in GROUP_RULES if name != "tagIds"),
    "createdAt", "updatedAt",
)  # fmt: skip
DERIVED = ("archived", "displayCourseId", "status", "isTemplate", "language", "courseCount")
"""What is shown of a group besides its fields (O26, O46)."""
SEATS = "enrollmentLimit"
"""Read under the name `seatsLimit` (O23)."""
SESSION_SHOWN = (
    "id", "courseGroupId", "title", "kind", *(name for name in SESSION_RULES if name != SEATS),
    "createdAt", "updatedAt",
)  # fmt: skip
KINDS = (*CourseKind, *RefusedKind)


def list_groups(platform: Platform, call: Call) -> Answer:
    """By page or by cursor, oldest first; `kind` and `archived` filter where they are given."""
    kind, archived = call.last_value("kind"), _read_archived(call)
    if kind is not None and kind not in KINDS:
        raise bad_request(
            f"kind: {quote_value(kind)} is not allowed; it must be one of {', '.join(KINDS)}"
        )
    groups = [
        group
        for group in platform.groups.list_documents()
        if not group.get("deleted")
        and kind in (None, group["kind"])
        and archived in (None, _is_archived(sessions_of(platform, group)))
    ]
    show = partial(as_wire, platform)
    return by_page(platform, call, "courseGroups", items=groups, show=show, cursors=True)


def read_group(platform: Platform, call: Call) -> Answer:
    return Answer(as_wire(platform, group_of_path(platform, call)))


def by_slug(platform: Platform, call: Call) -> Answer:
    """A slug is compared exactly."""
    serial = platform.groups.find_value_holder(call.path["slug"])
    group = platform.groups.get_by_serial(serial) if serial is not None else None
    if group is None or group["slug"] != call.path["slug"]:
        raise not_found(Level.GROUP.level_word, call.path["slug"])
    return Answer(as_wire(platform, group))


def list_group_courses(platform: Platform, call: Call) -> Answer:
    """The sessions of a group, by page or by cursor, oldest first."""
    sessions = sessions_of(platform, group_of_path(platform, call))
    show = session_as_wire
    return by_page(platform, call, "courses", items=sessions, show=show, cursors=True)


def display_course(platform: Platform, call: Call) -> Answer:
    """The session that the tile leads to: the first published one, else the first."""
    course = shown_session(sessions_of(platform, group_of_path(platform, call)))
    if course is None:
        raise not_found("course", call.path["id"])
    return Answer(session_as_wire(course))


def sessions_of(platform: Platform, group: Doc) -> list[Doc]:
    return platform.courses.of_group(group["id"])


def shown_session(sessions: list[Doc]) -> Doc | None:
    published = (one for one in sessions if one["status"] == SessionStatus.PUBLISHED)
    return next(published, sessions[0] if sessions else None)


def as_wire(platform: Platform, group: Doc) -> Doc:
    """`status` is that of the displayed session; only a seed can say what is a template."""
    sessions = sessions_of(platform, group)
    displayed = shown_session(sessions)
    return {
        **{name: group.get(name) for name in GROUP_SHOWN},
        "archived": _is_archived(sessions),
        "displayCourseId": displayed["id"] if displayed else None,
        "status": displayed["status"] if displayed else None,
        "isTemplate": bool(group.get("isTemplate")),
        "language": group.get("language"),
        "courseCount": len(sessions),
    }


def session_as_wire(course: Doc) -> Doc:
    return {**{name: course.get(name) for name in SESSION_SHOWN}, "seatsLimit": course.get(SEATS)}


def _is_archived(sessions: list[Doc]) -> bool:
    """True if no session is left that is not archived."""
    return all(one["status"] == SessionStatus.ARCHIVED for one in sessions)


def _read_archived(call: Call) -> bool | None:
    given = call.last_value("archived")
    if given not in (None, "true", "false"):
        raise bad_request(
            f"archived: {quote_value(given)} is not allowed; it must be true or false"
        )
    return None if given is None else given == "true"
