"""Commands about learners: events, notifications, attempts, and simulated learners."""

from functools import partial
from typing import Any
from urllib.parse import urlsplit

import orjson

from ...vocabulary.enums import CriterionType, EventKind, FurtherEventKind
from ...vocabulary.iso_dates import format_timestamp
from .. import value_checks
from ..data.object_documents import Level
from ..handlers.criteria_routes import TOPIC_TYPES
from ..http_messages import Answer, Query
from ..people.enrollments import record_attempt, show_attempt
from ..people.event_feed import (
    RECORDED,
    RECORDED_TEXT,
    PushedOnly,
    emit_event,
    keep_recorded,
    wire_of,
)
from ..people.simulated_learners import (
    Parameters,
    choose_clients,
    clients_of,
    fill_with_learners,
    is_open,
    midnight_of,
)
from ..push_notifications import TRIGGERS, may_push
from ..running_sandbox import Sandbox
from ..sandbox_documents import Doc, seconds_of
from ..sandbox_platform import Platform
from ..seeds.demo_company import plant_school
from ..value_checks import (
    InvalidValue,
    Rule,
    body_fields,
    check_each,
    drop_nulls,
    error_path,
    new_fields,
    quote_value,
)

MADE = TOPIC_TYPES[CriterionType.COURSE_ASSESSMENT_PASSED]
"""The topics an attempt can be made at."""

RULES: dict[str, Rule] = {
    "userId": value_checks.check_uuid,
    "courseId": value_checks.check_uuid,
    "assessmentId": value_checks.check_uuid,
    "grade": value_checks.whole_number_between(0),
    "passed": value_checks.check_flag,
}


def make_attempts(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """`{"attempts": [{"userId", "assessmentId", "grade", "passed", "courseId"}, ...]}` or one of
    them; `courseId` may be left out. Adds all or none."""
    entries = [body]
    if "attempts" in body:
        entries = body_fields(body, {"attempts": value_checks.check_list}).get("attempts", [])
    with sandbox.platform.store.open_change(), error_path("attempts"):
        made = check_each(entries, partial(_make_attempt, sandbox.platform))
    return Answer({"attempts": [show_attempt(attempt) for attempt in made]})


def _make_attempt(platform: Platform, value: Any) -> Doc:
    needed = ("userId", "assessmentId", "grade", "passed")
    fields = new_fields(value_checks.json_object(value), RULES, needed)
    user = platform.objects.get_object("users", fields["userId"])
    if user is None:
        raise InvalidValue(f'"{fields["userId"]}" is not a user of this company', "userId")
    part = platform.courses.find_part(fields["assessmentId"], Level.TOPIC)
    if part is None or part.doc["type"] not in MADE:
        allowed = ", ".join(sorted(MADE))
        raise InvalidValue(f"it must be the id of a topic of type {allowed}", "assessmentId")
    if fields.get("courseId") not in (None, part.course["id"]):
        raise InvalidValue(f"the assessment belongs to the course {part.course['id']}", "courseId")
    result = {"grade": fields["grade"], "passed": fields["passed"]}
    return record_attempt(platform, user, course=part.course, assessment=part.doc, **result)


NEWEST = 100
"""Deliveries shown."""
LEARNERS_MOST = 10_000
EARLIEST = 365 * 86_400.0
"""Unix seconds; history does not begin before this."""
_IDS: dict[str, Rule] = dict.fromkeys(
    ("userId", "courseId", "learningPathId", "notifiableId"), value_checks.check_uuid
)


def report_events(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """`{"kind", "events": [...]}`: adds events, now or at their `timestamp`; returns them as kept.
    `{"kind", "recorded": [...]}` adds what a real feed has shown, which is shown again unchanged;
    an item that is text, the JSON of an event, to the byte.

    An event may name `userId`, `courseId` and `learningPathId`, which are looked up, and any
    other field, which is shown unchanged.
    """
    platform, kinds = sandbox.platform, (*EventKind, *FurtherEventKind, *PushedOnly)
    needed = RECORDED if RECORDED in body else "events"
    rules = {"kind": value_checks.one_of(kinds), needed: value_checks.check_list}
    fields = body_fields(body, rules, rules)
    kind, is_recorded = fields["kind"], needed == RECORDED
    with error_path("body", needed):
        events = check_each(fields[needed], _check_recorded if is_recorded else _check_event)
    keep = keep_recorded if is_recorded else emit_event
    with platform.store.open_change():
        kept = [keep(platform, kind, event) for event in events]
    return Answer({"kind": kind, "events": [wire_of(platform, one, kind=kind) for one in kept]})


def _check_event(value: Any) -> Doc:
    """The fields of one event; those that the feed itself reads are checked."""
    event = drop_nulls(value_checks.json_object(value))
    named = {name: event[name] for name in (*_IDS, "timestamp") if name in event}
    if "id" in event or "kind" in event:
        raise InvalidValue(
            "leave out id and kind; the sandbox makes the id, and the body names the kind"
        )
    if not isinstance(event.get("userDetail", {}), dict):
        raise InvalidValue("it must be an object", "userDetail")
    return {**event, **new_fields(named, {**_IDS, "timestamp": value_checks.check_date})}


def _check_recorded(value: Any) -> Doc:
    """An event of a feed, with whatever it has, or its text, as they are kept; its time gives it
    its place in the feed."""
    text = {RECORDED_TEXT: value_checks.check_json_text(value)} if isinstance(value, str) else {}
    event = orjson.loads(value) if text else value_checks.json_object(value)
    with error_path("timestamp"):
        value_checks.check_date(event.get("timestamp"))
    with error_path("userDetail"):  # the feed reads it
        value_checks.json_object(event.get("userDetail") or {})
    return {RECORDED: event, **text}


def make_learners(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """`{"n", "seed", "days", "until", "ids"}`, all optional: makes learners, of the courses,
    licenses and clients in `ids`; returns how many of what.

    `until` is the end of the `days`. It defaults to the beginning of today, so that the same
    order gives the same learners all day. Each learner learns in all courses of `ids`, holds its
    licenses and belongs to one of its clients.
    """
    rules = {
        "n": value_checks.whole_number_between(0, LEARNERS_MOST),
        "seed": value_checks.whole_number_between(0, 2**53),
        "days": value_checks.whole_number_between(1, 3650),
        "until": value_checks.check_date,
        "ids": value_checks.check_uuids,
    }
    fields = body_fields(body, rules)
    now = sandbox.platform.clock.read_time()
    until = seconds_of(fields["until"]) if "until" in fields else midnight_of(now)
    number, seed, days = fields.get("n", 100), fields.get("seed", 0), fields.get("days", 90)
    parameters = Parameters(number, seed, days, until, frozenset(fields.get("ids", ())))
    if not parameters.first_day >= EARLIEST or until > now:
        raise InvalidValue("it must not be later than now or before 1971", "body", "until")
    _refuse_unfit(sandbox.platform, parameters)
    with sandbox.platform.store.open_change():
        made = fill_with_learners(sandbox.platform, parameters)
    return Answer({"seed": parameters.seed, "until": format_timestamp(until), "made": dict(made)})


def _refuse_unfit(platform: Platform, parameters: Parameters) -> None:
    """Nobody can learn in a draft, hold a license that has expired, or take a seat too many."""
    clients = clients_of(platform, moment=format_timestamp(parameters.until))
    of_clients = set().union(*(one.ids for one in clients))
    for id_ in sorted(parameters.ids - of_clients):
        course = platform.courses.find_course_of(id_) if platform.courses.has_id(id_) else None
        if course is None or not is_open(course):
            what = "is no published course, no license that is valid and no client that is active"
            raise InvalidValue(f"{quote_value(id_)} {what}", "body", "ids")
    seats = sum(one.count_seats(parameters.ids) for one in choose_clients(clients, parameters.ids))
    if clients and parameters.n > seats:
        raise InvalidValue(
            f"the licenses that `ids` names have {seats:.0f} seats left", "body", "n"
        )


def open_school(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """`{}`: adds six courses and what license holders did in them; returns how many of each."""
    body_fields(body, {})
    with sandbox.platform.store.open_change():
        return Answer(plant_school(sandbox.platform))


def show_notifications(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """The registrations, and the newest deliveries, oldest first."""
    objects = sandbox.platform.objects
    newest = objects.list_objects("deliveries")[-NEWEST:]
    return Answer({"notifications": objects.list_objects("notifications"), "deliveries": newest})


def register_notification(sandbox: Sandbox, body: Doc, query: Query) -> Answer:
    """`{"url", "kinds": [...]}`: registers an address; without `kinds`, for all."""
    platform = sandbox.platform
    rules: dict[str, Rule] = {"url": partial(_check_receiver, platform), "kinds": _check_kinds}
    fields = {"kinds": [str(kind) for kind in TRIGGERS], **body_fields(body, rules, ("url",))}
    with platform.store.open_change():
        platform.objects.add_object("notifications", fields)
    return show_notifications(sandbox, body, query)


def forget_notifications(sandbox: Sandbox, body: Doc, query: Query) -> Answer:
    """Removes all registrations and all waiting deliveries."""
    with sandbox.platform.store.open_change():
        for kind in ("notifications", "deliveries"):
            for doc in sandbox.platform.objects.list_objects(kind):
                sandbox.platform.objects.remove_object(kind, doc["id"])
    return show_notifications(sandbox, body, query)


def _check_kinds(value: Any) -> list[str]:
    known = value_checks.one_of(TRIGGERS)
    return list(dict.fromkeys(known(kind) for kind in value_checks.check_list(value)))


def _check_receiver(platform: Platform, value: Any) -> str:
    """An address that can be posted to, on this machine unless the switch allows others."""
    url = str(value_checks.check_url(value))
    parts = urlsplit(url)
    try:
        _port = parts.port
    except ValueError:
        raise InvalidValue(f"{quote_value(url)} has a port that is not valid") from None
    if not url.isascii():
        raise InvalidValue(
            f"{quote_value(url)} has characters that an address cannot have; write them escaped"
        )
    if not may_push(platform, url):
        raise InvalidValue(
            f"{quote_value(url)} is not on this machine; notifications go to loopback addresses"
            " only, such as http://127.0.0.1:9000/, unless the switch pushBeyondLoopback is on"
        )
    return url
