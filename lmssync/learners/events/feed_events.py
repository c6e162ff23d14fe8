"""What one event of a feed says, in our words and without who it names (spec 6, O40, O52)."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from ...vocabulary.enums import AssignmentActivityStatus, EventKind, FurtherEventKind
from ...vocabulary.iso_dates import parse_milliseconds


class LearnerAction(StrEnum):
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
    {
        LearnerAction.STARTED, LearnerAction.WORKED, LearnerAction.COMPLETED, LearnerAction.TRIED,
        LearnerAction.PASSED, LearnerAction.UNDONE,
    }
)  # fmt: skip
"""Done by learners there and then; the others are done to them."""
OLDER: Mapping[str, str] = {
    EventKind.COURSE_ENROLLMENT: "enrolled",
    EventKind.COURSE_COMPLETION: "completed",
}
"""Feeds that show again what courseAction shows (spec 6), and the type that it has there."""
_BY_KIND: Mapping[str, LearnerAction] = {
    EventKind.COURSE_ENROLLMENT: LearnerAction.ENROLLED,
    EventKind.COURSE_COMPLETION: LearnerAction.COMPLETED,
    EventKind.COURSE_CERTIFICATE: LearnerAction.OTHER,
    EventKind.LEARNING_PATH_ENROLLMENT: LearnerAction.ENROLLED,
    FurtherEventKind.COURSE_VIEW: LearnerAction.WORKED,
    FurtherEventKind.COURSE_PURCHASE: LearnerAction.BOUGHT,
    FurtherEventKind.DISCOUNT_GROUP_PURCHASE: LearnerAction.BOUGHT,
    FurtherEventKind.PRODUCT_PURCHASE: LearnerAction.BOUGHT,
    FurtherEventKind.BUNDLE_PURCHASE: LearnerAction.BOUGHT,
}
_BY_TYPE = (
    ("unenrol", LearnerAction.LEFT),
    ("revo", LearnerAction.LEFT),
    ("enrol", LearnerAction.ENROLLED),
    ("certificate", LearnerAction.OTHER),
    ("complet", LearnerAction.COMPLETED),
    ("progress", LearnerAction.WORKED),
    ("start", LearnerAction.STARTED),
)
"""Parts of the words in `type`, the first that fits: the specification says what is typed, not in
which words (spec 6)."""


def learner_action_of(kind: str, event: Mapping[str, Any]) -> LearnerAction:
    if kind in _BY_KIND:
        return _BY_KIND[kind]
    if kind == EventKind.QUIZ_ATTEMPT:
        forgiven = event.get("forgiven") is True
        passed = LearnerAction.FORGIVEN if forgiven else LearnerAction.PASSED
        return passed if forgiven or event.get("passed") is True else LearnerAction.TRIED
    if kind == EventKind.ASSIGNMENT_SUBMISSION:
        undone = event.get("status") == AssignmentActivityStatus.INCOMPLETE
        return LearnerAction.UNDONE if undone else LearnerAction.PASSED
    type_ = str(event.get("type")).lower()
    return next((action for part, action in _BY_TYPE if part in type_), LearnerAction.OTHER)


KINDS = tuple(str(kind) for kind in EventKind)
"""The eight feeds of spec 6."""
FURTHER = tuple(str(kind) for kind in FurtherEventKind)
"""Feeds that some instances have besides (O53)."""
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Ids are uuids or composed (O52). What has another form is not kept: it may be an address."""
_SUBJECTS = ("notifiableId", "courseId", "purchasableId", "learningPathId")
"""What the feeds call the course or learning path that an event is about (O40, O65)."""
_CHANGING = ("title", "name", "sku", "user", "userdetail", "license", "updatedat")
"""Ends, in small letters, of the names of fields that may differ when an event is shown again."""


class LearnerEvent(NamedTuple):
    """One event. Its people are named here as the feed names them, and are written nowhere."""

    at: int
    """Milliseconds since 1970, UTC."""
    feed: str
    """The feed that it belongs to: courseAction for what the two older feeds show."""
    type: str
    source: str
    action: LearnerAction
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


def parse_learner_event(kind: str, event: Any) -> LearnerEvent | None:
    """One item of the feed `kind`; nothing where it has no time that can be read."""
    if not isinstance(event, Mapping):
        return None
    at = parse_milliseconds(event.get("timestamp"))
    if at is None:
        return None
    person, assessment = _as_mapping(event.get("userDetail")), _as_mapping(event.get("assessment"))
    feed = str(EventKind.COURSE_ACTION) if kind in OLDER else kind
    id_ = event.get("id")
    seen = LearnerEvent(
        at=at,
        feed=feed,
        type=OLDER.get(kind) or _text_of(event.get("type")),
        source=_text_of(event.get("source")),
        action=learner_action_of(kind, event),
        subject=_first_id(*map(event.get, _SUBJECTS)),
        part=_first_id(assessment.get("id"), event.get("assignmentId"), event.get("topicId")),
        license=_normalize_id(event.get("license")),
        people=_find_people(event, person),
        client=_normalize_id(person.get("client")),
        id=f"{feed} {id_}" if id_ and isinstance(id_, (str, int)) else "",
        natural="",
        attempt=_normalize_id(event.get("attemptId")),
    )
    return seen._replace(natural=_natural_key(seen, event))


def _natural_key(seen: LearnerEvent, event: Mapping[str, Any]) -> str:
    """All of an event but what may have changed when it is shown again."""
    # Other feeds show a courseAction again, with other fields: so it is known by less.
    more = "" if seen.feed == EventKind.COURSE_ACTION else _lasting_fields(event)
    who = seen.people[:1]
    return repr((seen.feed, seen.type, seen.action.value, who, seen.subject, seen.part, more))


def _lasting_fields(event: Mapping[str, Any]) -> list[tuple[str, str]]:
    """In the order of their names; of an object, such as an assessment, its id alone."""
    return [
        (name, repr(value.get("id") if isinstance(value, Mapping) else value))
        for name, value in sorted(event.items())
        if name == "milestoneTitle" or not name.lower().endswith(_CHANGING)
    ]


def _find_people(event: Mapping[str, Any], person: Mapping[str, Any]) -> tuple[str, ...]:
    named = (person.get("id"), person.get("email") or event.get("user"))
    small = (one.strip().lower() for one in named if isinstance(one, str))
    return tuple(one for one in small if one)


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""


def _normalize_id(value: Any) -> str:
    """An id in the one spelling in which ids are compared; empty for anything else."""
    return value.lower() if isinstance(value, str) and _ID.fullmatch(value) else ""


def _first_id(*values: Any) -> str:
    return next(filter(None, map(_normalize_id, values)), "")


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
