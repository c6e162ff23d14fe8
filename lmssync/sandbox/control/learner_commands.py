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
from ..people.enrollments import (
    DOABLE,
    Reason,
    Source,
    enroll_learner,
    find_obstacle,
    list_enrollments,
    record_attempt,
    record_visit,
    show_attempt,
)
from ..people.event_feed import (
    RECORDED,
    RECORDED_TEXT,
    PushedOnly,
    emit_event,
    keep_recorded,
    wire_of,
)
from ..people.license_effects import Reach, held_licenses, seats_used
from ..people.simulated_learners import (
    Parameters,
    Simulation,
    choose_clients,
    clients_of,
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
        made = Simulation(sandbox.platform, parameters).run_simulation()
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


_STEPS = ("looks", "views", *DOABLE)


def take_step(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """`{"userId", "does", "id", "percent", "seconds"}`: a learner does one thing, now by the clock.

    `does` is `gets` with the id of a license, `enrolls` or `buys` with that of a course, `follows`
    with that of a purchase path, or what somebody does with a topic: `views`, `passes`, `fails`,
    `completes`, `attends`; `looks` asks whether it is open. Answers why it is refused, if so, and
    which courses are completed.
    """
    rules: dict[str, Rule] = {
        "userId": value_checks.check_uuid,
        "does": value_checks.one_of(("gets", "enrolls", "buys", "follows", *_STEPS)),
        "id": value_checks.check_uuid,
        "percent": value_checks.whole_number_between(1, 100),
        "seconds": value_checks.whole_number_between(0),
    }
    fields = body_fields(body, rules, ("userId", "does", "id"))
    platform = sandbox.platform
    user = platform.objects.get_object("users", fields["userId"])
    if user is None:
        raise InvalidValue(f'"{fields["userId"]}" is not a user of this company', "userId")
    with platform.store.open_change():
        if fields["does"] in _STEPS:
            refused = _visit(platform, user, fields)
        elif fields["does"] == "gets":
            refused = _take_license(platform, user, fields["id"])
        elif fields["does"] == "follows":
            refused = _follow_path(platform, user, fields["id"])
        else:
            refused = _enroll_by_choice(platform, user, fields)
    done = [one["courseId"] for one in platform.objects.list_owned("transcripts", user["id"])]
    return Answer({"refused": refused, "completed": done, "balance": user["balance"]})


def _visit(platform: Platform, user: Doc, fields: Doc) -> str | None:
    part = platform.courses.find_part(fields["id"], Level.TOPIC)
    if part is None:
        raise InvalidValue("it must be the id of a topic", "id")
    act, course, topic = fields["does"], part.course, part.doc
    if act in DOABLE and topic["type"] not in DOABLE[act]:
        return f"nobody {act} a topic of type {topic['type']}"
    obstacle = find_obstacle(platform, user, course, topic)
    rows = list_enrollments(platform, user["id"])
    if obstacle is None and act != "looks" and any(r["courseId"] == course["id"] for r in rows):
        viewed = {"percent": fields.get("percent", 100), "seconds": fields.get("seconds", 0)}
        done = {act: True} if act in DOABLE else {}
        record_visit(platform, user, course, topic, done=viewed | done)
        if topic["type"] in MADE and act in ("passes", "fails"):
            grade = 100 if act == "passes" else 0
            results = {"grade": grade, "passed": act == "passes"}
            record_attempt(platform, user, course=course, assessment=topic, **results)
    return obstacle


def _take_license(platform: Platform, user: Doc, license_id: str) -> str | None:
    """The license is given if it is valid and has a seat left (spec 4)."""
    license_ = platform.objects.get_object("licenses", license_id)
    if license_ is None or license_["clientId"] != user["clientId"]:
        return "the license is not of the client of this learner"
    limit, now = license_.get("seatsLimit"), platform.clock.format_now()
    if (license_.get("expirationDate") or now) < now:
        return "the license has expired"
    holds = license_id in held_licenses(user)
    if limit and not holds and seats_used(platform, user["clientId"])[license_id] >= limit:
        return "all seats are taken"
    if not holds:
        user["allocatedLicenses"] = [*user["allocatedLicenses"], {"licenseId": license_id}]
        platform.objects.save_object("users", user)
    for course_id, reason in Reach(platform).courses(license_id).items():
        if course := platform.courses.find_course_of(course_id):
            _enter_course(platform, user, course, reason)
    return None


def _enroll_by_choice(platform: Platform, user: Doc, fields: Doc) -> str | None:
    """A learner enrolls in a free course, or in one of a license, or buys one."""
    course = platform.courses.find_course_of(fields["id"])
    if course is None:
        raise InvalidValue("it must be the id of a course", "id")
    reach, price = Reach(platform), course.get("priceInCents") or 0
    owed = 0 if course.get("freeWithRegistration") else price
    for license_id in held_licenses(user) if fields["does"] == "enrolls" else ():
        if reason := reach.courses(license_id).get(course["id"]):
            return _enter_course(platform, user, course, reason)
    if fields["does"] == "buys":
        paths = platform.objects.list_owned("purchasePaths", course["id"])
        if not course.get("purchasable") or any(one["hidePrimaryCta"] for one in paths):
            return "the course cannot be bought"
        return _pay_course(platform, user, course)
    if owed:
        return "the course costs something"
    if not is_open(course):
        return "the course is not published"
    return _enter_course(platform, user, course, Reason(Source.DIRECT))


def _follow_path(platform: Platform, user: Doc, path_id: str) -> str | None:
    """An address leads elsewhere, an item is bought (spec 2.6)."""
    path = platform.objects.get_object("purchasePaths", path_id)
    course = platform.courses.find_course_of(path["courseId"]) if path else None
    if path is None or course is None:
        raise InvalidValue("it must be the id of a purchase path", "id")
    if not is_open(course):
        return "the course is not published"
    if path["targetUrl"]:
        return None
    item = platform.courses.find_course_of(path["targetId"])
    return _pay_course(platform, user, item) if item else "the item is no course"


def _pay_course(platform: Platform, user: Doc, course: Doc) -> str | None:
    price = course.get("priceInCents") or 0
    if not price or course.get("freeWithRegistration"):
        return "the course costs nothing"
    if not is_open(course):
        return "the course is not published"
    refused = _enter_course(platform, user, course, Reason(Source.PURCHASE))
    if refused is None:
        bought = {"courseId": course["id"], "status": "active"}
        user["purchasedCourses"] = [*user["purchasedCourses"], bought]
        user["balance"] -= price
        platform.objects.save_object("users", user)
    return refused


def _enter_course(platform: Platform, user: Doc, course: Doc, reason: Reason) -> str | None:
    """Enroll while enrollment is open and there are places (spec 2.2)."""
    now, limit = platform.clock.format_now(), course.get("enrollmentLimit")
    start, end = course.get("enrollmentStartDate") or now, course.get("enrollmentEndDate") or now
    if not start <= now <= end:
        return "enrollment is not open"
    others = {
        one["userId"]
        for one in platform.objects.list_objects("enrollments")
        if one["courseId"] == course["id"]
    }
    if limit and len(others - {user["id"]}) >= limit:
        return "all places are taken"
    enroll_learner(platform, user, course["id"], reason=reason)
    return None


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
