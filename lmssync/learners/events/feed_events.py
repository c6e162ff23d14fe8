"""What one event of a feed says, in our words and without who it names (spec 6, O40, O52)."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from ...vocabulary.enums import AssignmentActivityStatus, EventKind, FurtherEventKind


class Deed(StrEnum):
    """What a learner did, or what was done to one."""

    ENROLLED = "enrolled"
    LEFT = "left"
    STARTED = "started"
    WORKED = "worked"
    COMPLETED = "completed"
    TRIED = "tried"
    PASSED = "passed"
    FORGIVEN = "forgiven"
    """A failed attempt that somebody has turned into a passed one."""
    UNDONE = "undone"
    """An assignment is not handed in any more."""
    BOUGHT = "bought"
    OTHER = "other"


OF_LEARNERS = frozenset(
    {Deed.STARTED, Deed.WORKED, Deed.COMPLETED, Deed.TRIED, Deed.PASSED, Deed.UNDONE}
)
"""Done by learners there and then; the others are done to them."""
OLDER: Mapping[str, str] = {
    EventKind.COURSE_ENROLLMENT: "enrolled",
    EventKind.COURSE_COMPLETION: "completed",
}
"""Feeds that show again what courseAction shows (spec 6), and the type that it has there."""
_BY_KIND: Mapping[str, Deed] = {
    EventKind.COURSE_ENROLLMENT: Deed.ENROLLED,
    EventKind.COURSE_COMPLETION: Deed.COMPLETED,
    EventKind.COURSE_CERTIFICATE: Deed.OTHER,
    EventKind.LEARNING_PATH_ENROLLMENT: Deed.ENROLLED,
    FurtherEventKind.COURSE_VIEW: Deed.WORKED,
    FurtherEventKind.COURSE_PURCHASE: Deed.BOUGHT,
    FurtherEventKind.DISCOUNT_GROUP_PURCHASE: Deed.BOUGHT,
    FurtherEventKind.PRODUCT_PURCHASE: Deed.BOUGHT,
    FurtherEventKind.BUNDLE_PURCHASE: Deed.BOUGHT,
}
_BY_TYPE = (
    ("unenrol", Deed.LEFT),
    ("revo", Deed.LEFT),
    ("enrol", Deed.ENROLLED),
    ("certificate", Deed.OTHER),
    ("complet", Deed.COMPLETED),
    ("progress", Deed.WORKED),
    ("start", Deed.STARTED),
)
"""Parts of the words in `type`, the first that fits: the specification says what is typed, not in
which words (spec 6)."""


def deed_of(kind: str, event: Mapping[str, Any]) -> Deed:
    """What an event of the feed `kind` says."""
    if kind in _BY_KIND:
        return _BY_KIND[kind]
    if kind == EventKind.QUIZ_ATTEMPT:
        forgiven = event.get("forgiven") is True
        passed = Deed.FORGIVEN if forgiven else Deed.PASSED
        return passed if forgiven or event.get("passed") is True else Deed.TRIED
    if kind == EventKind.ASSIGNMENT_SUBMISSION:
        undone = event.get("status") == AssignmentActivityStatus.INCOMPLETE
        return Deed.UNDONE if undone else Deed.PASSED
    type_ = str(event.get("type")).lower()
    return next((deed for part, deed in _BY_TYPE if part in type_), Deed.OTHER)


KINDS = tuple(str(kind) for kind in EventKind)
"""The eight feeds of spec 6."""
FURTHER = tuple(str(kind) for kind in FurtherEventKind)
"""Feeds that some instances have besides (O53)."""
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Ids are uuids or composed (O52). What has another form is not kept: it may be an address."""
_TELLING = ("attemptId", "certificateId", "grade", "passed", "forgiven", "status", "milestoneTitle")
"""What tells events apart that have no id, besides time, person and subject."""


class Happening(NamedTuple):
    """One event. Who it is about stands here as the feed has it, and is written nowhere."""

    at: int
    """Milliseconds since 1970, UTC."""
    feed: str
    """The feed that it belongs to: courseAction for what the two older feeds show."""
    type: str
    source: str
    deed: Deed
    subject: str
    """Id of the course (the session, not its group: O40) or of the learning path."""
    part: str
    """Id of the topic: an assessment or an assignment."""
    license: str
    people: tuple[str, ...]
    """Who it is about: user id and e-mail address, in small letters."""
    client: str
    id: str
    """Empty where the feed shows none (O40)."""
    natural: str
    """What tells it from others where there is no id."""
    attempt: str = ""
    """Id of the attempt at an assessment, where the instance shows it; no index keeps it."""


def parse_happening(kind: str, event: Any) -> Happening | None:
    """One item of the feed `kind`; nothing where it has no time that can be read."""
    if not isinstance(event, Mapping):
        return None
    at = moment_of(event.get("timestamp"))
    if at is None:
        return None
    person = _as_mapping(event.get("userDetail"))
    feed = str(EventKind.COURSE_ACTION) if kind in OLDER else kind
    id_ = event.get("id")
    seen = Happening(
        at=at,
        feed=feed,
        type=OLDER.get(kind) or _text_of(event.get("type")),
        source=_text_of(event.get("source")),
        deed=deed_of(kind, event),
        subject=_normalize_id(event.get("notifiableId")),
        part=_normalize_id(_as_mapping(event.get("assessment")).get("id"))
        or _normalize_id(event.get("assignmentId")),
        license=_normalize_id(event.get("license")),
        people=_find_people(event, person),
        client=_normalize_id(person.get("client")),
        id=f"{feed} {id_}" if id_ and isinstance(id_, (str, int)) else "",
        natural="",
        attempt=_normalize_id(event.get("attemptId")),
    )
    return seen._replace(natural=_natural_key(seen, event))


def _natural_key(seen: Happening, event: Mapping[str, Any]) -> str:
    """Without titles and names: they may have changed when the event is shown again."""
    more = "" if seen.feed == EventKind.COURSE_ACTION else [event.get(name) for name in _TELLING]
    who = seen.people[:1]
    return repr((seen.feed, seen.type, seen.deed.value, who, seen.subject, seen.part, more))


def moment_of(text: Any) -> int | None:
    """ISO 8601 as milliseconds since 1970; nothing for what is no time."""
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return round(moment.timestamp() * 1000)
    except (TypeError, ValueError, OverflowError):
        return None


def _find_people(event: Mapping[str, Any], person: Mapping[str, Any]) -> tuple[str, ...]:
    named = (person.get("id"), person.get("email") or event.get("user"))
    small = (one.strip().lower() for one in named if isinstance(one, str))
    return tuple(one for one in small if one)


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""


def _normalize_id(value: Any) -> str:
    """An id in the one spelling in which ids are compared; empty for anything else."""
    return value.lower() if isinstance(value, str) and _ID.fullmatch(value) else ""


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
