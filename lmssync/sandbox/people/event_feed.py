"""The feeds: what happened on the platform, one document an event under the kind `events` (spec 6).

Handlers call `emit_event`; `event_routes` shows the feeds, `push_notifications` pushes what
somebody asked for. An enrollment and a completion of a course are courseActions: the two older
feeds show the courseActions of one type each. The specification names neither the types nor the
payloads; the words of `Happened` and what no observation names (O40, O52) are ours.
"""

import uuid
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import orjson

from lmssync.vocabulary.enums import EventKind, FurtherEventKind
from lmssync.vocabulary.iso_dates import format_timestamp
from lmssync.vocabulary.limits import REFS

from ..sandbox_documents import Doc, drop_fields, pick_fields, seconds_of
from ..sandbox_platform import Platform


class Happened(StrEnum):
    """`type` of a courseAction or a learningPathAction: the things that spec 6 lists."""

    STARTED = "started"
    COMPLETED = "completed"
    PROGRESS = "progress"
    ENROLLED = "enrolled"
    STATUS_CHANGED = "statusChanged"
    CERTIFICATE_GRANTED = "certificateGranted"
    ACCESS_REVOKED = "accessRevoked"


class PushedOnly(StrEnum):
    """Further triggers of pushed notifications, which no feed shows (spec 6)."""

    BUNDLE_PURCHASE = "bundlePurchase"
    SUBSCRIPTION_CANCEL = "subscriptionCancel"
    SUBSCRIPTION_REACTIVATION = "subscriptionReactivation"


OLDER: Mapping[str, Happened] = {
    EventKind.COURSE_ENROLLMENT: Happened.ENROLLED,
    EventKind.COURSE_COMPLETION: Happened.COMPLETED,
}
"""The older feeds, and the type of courseAction that each shows."""

RECORDED = "recorded"
"""The field of a kept event that was recorded elsewhere, with all that is to be shown."""
RECORDED_TEXT = "recordedText"
"""The field of one that was recorded as text, with that text."""

COMPOSED = frozenset(kind for kind in FurtherEventKind if kind.endswith("Purchase"))
"""Feeds whose ids are composed and no uuids (O52): here of an order and the number of an item."""

_SUBJECT_NAMES: Mapping[str, str] = {
    FurtherEventKind.COURSE_VIEW: "courseId",
    **dict.fromkeys(COMPOSED, "purchasableId"),
}
"""What a feed shows in the place of `notifiableId` (O65)."""
_REFS = tuple(f"ref{number}" for number in range(1, REFS + 1))
_HELPERS = ("userId", "courseId", "learningPathId")
_SUBJECT = ("courseSku", "courseTitle", "learningPathSku", "learningPathTitle", "notifiableId")
_NAMES = ("email", "firstName", "lastName", "externalCustomerId")
_HOME = ("address1", "address2", "city", "state", "zipCode", "country")
_ELSEWHERE = ("crmAccountId", "crmContactId", "paymentCustomerId")
_COMPANIES = uuid.UUID("7d1c0000-0000-4000-8000-000000000001")


def emit_event(
    platform: Platform, kind: str, fields: Mapping[str, Any], *, pushed: bool = True
) -> Doc:
    """Record an event, inside a change of the store; the document as it is kept.

    `kind` is an `EventKind` or `PushedOnly`. Of `fields`, `userId`, `courseId` and
    `learningPathId` become what a payload says of them (`userDetail`, `notifiableId`, titles,
    sku) unless that is given; `timestamp` is now unless it is given; everything else is kept as
    it is. A certificate is in its own feed and among the courseActions. History is not
    `pushed` to anybody.
    """
    event = _complete_event(platform, kind, fields)
    kept = platform.objects.add_object("events", event)
    if pushed:
        platform.on_event(kept)
    if kind == EventKind.COURSE_CERTIFICATE:
        granted = drop_fields(fields, "certificateId")
        granted |= {"type": Happened.CERTIFICATE_GRANTED, "timestamp": kept["timestamp"]}
        emit_event(platform, EventKind.COURSE_ACTION, granted, pushed=pushed)
    return kept


def emit_for(platform: Platform, user: Doc, kind: str, **fields: Any) -> None:
    """Record an event about a user."""
    emit_event(platform, kind, {**fields, "userDetail": user_detail(user)})


def wire_of(platform: Platform, event: Doc, *, kind: str) -> Doc:
    """An event as the feed `kind` shows it: some have no `id` (O40, switch `eventsWithoutId`), some
    call their subject otherwise (O65), and all have `user`, an e-mail address (O52). What was
    recorded elsewhere is shown as it was there."""
    if RECORDED in event:
        return dict(event[RECORDED])
    hidden = {"kind", "id"} if kind in platform.switches.eventsWithoutId else {"kind"}
    shown = _completion_fields(platform, event)
    shown |= {
        _SUBJECT_NAMES.get(kind, name) if name == "notifiableId" else name: value
        for name, value in drop_fields(event, *hidden).items()
    }
    if kind in COMPOSED:
        of_path = "learningPathTitle" in event
        shown = {"purchasableType": "learningPath" if of_path else "course", **shown}
        if "id" in shown:
            shown["id"] = f"{event['id']}-1"
    person = event.get("userDetail") or {}
    return {**shown, "user": shown.get("user", person.get("email"))}


def feed_item(platform: Platform, event: Doc, *, kind: str) -> Any:
    """An event as the feed `kind` sends it; what was recorded as text is that text, to the byte."""
    text = event.get(RECORDED_TEXT)
    return wire_of(platform, event, kind=kind) if text is None else orjson.Fragment(text)


def keep_recorded(platform: Platform, kind: str, recorded: Doc) -> Doc:
    """Keep an event of another instance, inside a change of the store; it is pushed to nobody and
    belongs to the feed `kind` alone. `recorded` has the event, and its text if there is one."""
    moment = format_timestamp(seconds_of(recorded[RECORDED]["timestamp"]))
    return platform.objects.add_object("events", {"kind": kind, "timestamp": moment, **recorded})


def content_of(event: Doc) -> Doc:
    """The fields of an event by which it is looked for, such as its person and its course."""
    recorded: Doc = event.get(RECORDED, event)
    return recorded


def subject_of(event: Doc, *, kind: str) -> str | None:
    """The id of the course or learning path, by whichever name the feed `kind` has for it."""
    content = content_of(event)
    given = content.get("notifiableId", content.get(_SUBJECT_NAMES.get(kind, "")))
    return given.lower() if isinstance(given, str) else None


def _completion_fields(platform: Platform, event: Doc) -> Doc:
    """What the event of a completed course has besides (O52)."""
    if event["kind"] != EventKind.COURSE_ACTION or event.get("type") != Happened.COMPLETED:
        return {}
    user_id = (event.get("userDetail") or {}).get("id")
    rows = platform.objects.list_owned("enrollments", user_id) if isinstance(user_id, str) else ()
    course_id = event.get("notifiableId")
    licenses = (row.get("licenseId") for row in rows if row.get("courseId") == course_id)
    return {
        "event": EventKind.COURSE_COMPLETION,
        "license": next(filter(None, licenses), None),
        "title": event.get("courseTitle"),
        "updatedAt": event["timestamp"],
    }


def user_detail(user: Doc) -> Doc:
    """Who an event is about, with an address and ids of other systems (O40, O52)."""
    return {
        "id": user["id"],
        "client": user.get("clientId"),
        **pick_fields(user, (*_NAMES, *_REFS, *_HOME, *_ELSEWHERE)),
    }


def course_detail(course: Doc) -> Doc:
    """Which course an event is about (O40)."""
    return {
        "courseSku": course.get("sku"),
        "courseTitle": course["title"],
        "notifiableId": course["id"],
    }


def company_id(platform: Platform) -> str:
    """The company has no id of its own here: one made of its name."""
    return str(uuid.uuid5(_COMPANIES, platform.company_name))


def _complete_event(platform: Platform, kind: str, fields: Mapping[str, Any]) -> Doc:
    """The document of an event, in the order of O40."""
    recorded = EventKind.COURSE_ACTION if kind in OLDER else kind
    more = drop_fields(fields, *_HELPERS)
    if kind in OLDER:
        more["type"] = OLDER[EventKind(kind)]
    timestamp = more.pop("timestamp", None) or platform.clock.format_now()
    person = more.pop("userDetail", None) or _event_person(platform, fields)
    company = more.pop("companyId", None) or company_id(platform)
    event: Doc = {"kind": recorded, "companyId": company, **_event_subject(platform, fields)}
    if recorded == EventKind.COURSE_ACTION:
        event |= {"source": None, "type": None}
    if recorded == EventKind.LEARNING_PATH_ACTION:
        event |= {"milestoneTitle": None}
    return {**event, **more, "timestamp": timestamp, "userDetail": person}


def _event_subject(platform: Platform, fields: Mapping[str, Any]) -> Doc:
    """The course, or else the learning path, that the event is about."""
    if "notifiableId" in fields:
        return {name: fields[name] for name in _SUBJECT if name in fields}
    course_id, path_id = fields.get("courseId"), fields.get("learningPathId")
    if course_id is not None:
        course = platform.courses.find_course_of(course_id)
        return course_detail(course) if course else {"notifiableId": course_id}
    if path_id is not None:
        path = platform.objects.get_object("learningPaths", path_id) or {}
        shown = {"learningPathSku": path.get("sku"), "learningPathTitle": path.get("title")}
        return {**shown, "notifiableId": path_id}
    return {}


def _event_person(platform: Platform, fields: Mapping[str, Any]) -> Doc | None:
    user_id = fields.get("userId")
    user = platform.objects.get_object("users", user_id) if user_id else None
    return user_detail(user) if user else ({"id": user_id} if user_id else None)
