"""The eight feeds of events: paths, payloads, cursors, filters (spec 6, O40, O42, O52, O53)."""

import json
import uuid

import pytest

from lmssync.sandbox import run_sandbox
from lmssync.vocabulary.enums import EventKind, FurtherEventKind

from .. import patient_http

UNKNOWN = "00000000-0000-4000-8000-000000000000"
MARCH = "2026-03-01T00:00:00.000Z"
MARCH_MS = 1772323200000


def report(platform, kind, *events):
    return platform.control("events", {"kind": kind, "events": list(events)})["events"]


def poll(platform, kind, **query):
    return platform.answer("event.list", query=query, kind=kind)


def walk(platform, kind, **query):
    """The answers from the first to the one that has no more."""
    answers = [poll(platform, kind, **query)]
    while answers[-1]["pageInfo"]["hasMore"]:
        cursor = answers[-1]["pageInfo"]["cursor"]
        answers.append(poll(platform, kind, **query, cursor=cursor))
    return answers


def at(number):
    """A moment of March 2026, `number` milliseconds in."""
    return f"2026-03-01T00:00:{number // 1000:02}.{number % 1000:03}Z"


@pytest.mark.parametrize("kind", list(EventKind))
def test_every_kind_has_a_path(platform, kind):
    """Each of the eight kinds is its own path, empty where nothing happened yet
    (spec 4 events; spec 6 kinds)."""
    platform.control("reset", {"seed": {}})
    assert {"pageInfo": {"hasMore": False}, "events": []} == poll(platform, kind)


@pytest.mark.parametrize("kind", ["subscriptionCancel", "courseaction", "x"])
def test_other_kinds_have_no_path(platform, kind):
    """404 with envelope A; the triggers that are only pushed are no feeds
    (spec 6 kinds, push.kinds)."""
    response = platform.call("event.list", kind=kind)
    assert (404, ["errors"]) == (response.status_code, list(response.json()))


def test_course_action_payload(platform):
    """The fields of a courseAction, with who and which course looked up (spec 6 action; O40)."""
    course = platform.course(title="Safety", sku="S-1")
    user = platform.dump("users")[0]
    happening = {"userId": user["id"], "courseId": course, "type": "started", "source": "license"}
    report(platform, "courseAction", happening)
    event = poll(platform, "courseAction")["events"][0]
    assert [
        "id", "companyId", "courseSku", "courseTitle", "notifiableId", "source", "type",
        "timestamp", "userDetail", "user",
    ] == list(event)  # fmt: skip
    assert ("S-1", "Safety", course, "license", "started") == tuple(
        event[name] for name in ("courseSku", "courseTitle", "notifiableId", "source", "type")
    )


def test_user_detail(platform):
    """Who an event is about: id, client, externalCustomerId, ref1 to ref10 (O40)."""
    user = next(user for user in platform.dump("users") if user["clientId"])
    report(platform, "courseAction", {"userId": user["id"], "type": "started"})
    detail = poll(platform, "courseAction")["events"][0]["userDetail"]
    assert (user["id"], user["clientId"], user["email"]) == (
        detail["id"],
        detail["client"],
        detail["email"],
    )
    assert {"externalCustomerId", *(f"ref{number}" for number in range(1, 11))} < set(detail)


def test_every_event_names_a_user(platform):
    """`user` is an e-mail address; `userDetail` has a home and ids of other systems (O52)."""
    user = next(user for user in platform.dump("users") if user["crmAccountId"])
    for kind in EventKind:
        report(platform, kind, {"userId": user["id"]})
        event = poll(platform, kind)["events"][0]
        assert user["email"] == event["user"]
        names = ("city", "zipCode", "crmAccountId", "crmContactId", "paymentCustomerId")
        assert [user[name] for name in names] == [event["userDetail"][name] for name in names]


def test_event_of_nobody(platform):
    """An event without a user has null for the user's fields (O52)."""
    report(platform, "courseAction", {"type": "started"})
    assert None is poll(platform, "courseAction")["events"][0]["user"]


def test_course_completion_payload(platform):
    """The event's name, the license that led there, the title and when (O52)."""
    platform.control("school", {})
    row = next(row for row in platform.dump("enrollments") if row["licenseId"])
    course = next(one for one in platform.dump("courses") if one["id"] == row["courseId"])
    report(platform, "courseCompletion", {"userId": row["userId"], "courseId": course["id"]})
    event = poll(platform, "courseCompletion")["events"][0]
    assert ("courseCompletion", row["licenseId"], course["title"], event["timestamp"]) == tuple(
        event[name] for name in ("event", "license", "title", "updatedAt")
    )


def test_learning_path_action_payload(platform):
    """The sku of the path, and a milestone where one is told (O52)."""
    platform.control("reset", {"seed": {"learningPaths": [{"title": "P", "sku": "P-1"}]}})
    path = platform.dump("learningPaths")[0]["id"]
    report(
        platform,
        "learningPathAction",
        {"learningPathId": path, "timestamp": at(1)},
        {"learningPathId": path, "milestoneTitle": "M", "timestamp": at(2)},
    )
    events = poll(platform, "learningPathAction")["events"]
    assert [("P-1", "P", "M"), ("P-1", "P", None)] == [
        tuple(event[name] for name in ("learningPathSku", "learningPathTitle", "milestoneTitle"))
        for event in events
    ]


@pytest.mark.parametrize("kind", list(FurtherEventKind))
def test_further_feeds(platform, kind):
    """Feeds of other instances; what is reported to one stands in it alone (O53, O57)."""
    platform.control("reset", {"seed": {}})
    report(platform, kind, {"courseId": UNKNOWN, "amountInCents": 500})
    filled = {name: len(poll(platform, name)["events"]) for name in (*EventKind, *FurtherEventKind)}
    assert {kind: 1} == {name: count for name, count in filled.items() if count}


@pytest.mark.parametrize("kind", list(FurtherEventKind))
def test_the_specification_has_no_further_feeds(kind):
    """They belong to the extended profile (spec 6 kinds; O53)."""
    with run_sandbox(profile="core") as ready:
        headers = {"Authorization": f"Bearer {ready['apiKey']}"}
        url = f"{ready['baseUrl']}/incoming/v2/events/{kind}"
        assert 404 == patient_http.get(url, headers=headers).status_code


def test_views_of_courses_have_no_id(platform):
    """Of the further feeds only views of courses have no id (O53)."""
    without = set()
    for kind in FurtherEventKind:
        (event,) = report(platform, kind, {"courseId": UNKNOWN})
        without |= {kind} - ({kind} if "id" in event else set())
    assert {"courseView"} == without


@pytest.mark.parametrize(
    ("kind", "name"), [("courseView", "courseId"), ("coursePurchase", "purchasableId")]
)
def test_views_and_purchases_have_names_of_their_own(platform, kind, name):
    """Neither feed has `notifiableId`, and both can be asked for a course all the same (O65)."""
    course = platform.course(title="Safety")
    report(platform, kind, {"courseId": course}, {"courseId": UNKNOWN})
    (event,) = poll(platform, kind, notifiableId=course)["events"]
    assert course == event[name]
    assert "notifiableId" not in event


def test_recorded_events_are_shown_again_as_they_were(platform):
    """Nothing is added, left out or put in another order, and other feeds do not have them."""
    first = {"timestamp": "2026-03-01T01:00:00+01:00", "z": None, "a": {"b": [1.5, "ü"]}, "id": "7"}
    older = {"courseId": UNKNOWN, "timestamp": "2026-02-28T12:00:00Z"}
    body = {"kind": "courseCompletion", "recorded": [older, first]}
    assert [older, first] == platform.control("events", body)["events"]
    response = platform.call("event.list", kind="courseCompletion")
    assert json.dumps([first, older]) == json.dumps(response.json()["events"][:2])
    assert [] == [one for one in poll(platform, "courseAction")["events"] if "z" in one]


def test_a_recorded_person_is_an_object(platform):
    """The feed asks it for its client and its id (O40)."""
    event = {"timestamp": MARCH, "userDetail": "somebody"}
    body = {"kind": "login", "recorded": [event]}
    answer = platform.http.post("/_sandbox/events", json=body)
    assert "recorded[0].userDetail: " in answer.json()["errors"][0]
    assert 200 == platform.call("event.list", kind="login").status_code


TEXT = r'{ "title": "\u003cb\u003e", "n": 1e3,"timestamp":"2026-03-01T00:00:00.0Z"}'


def test_a_text_that_was_recorded_is_sent_to_the_byte(platform):
    """Escapes, blanks and the spelling of numbers are kept; what is no JSON is refused (O40)."""
    platform.control("events", {"kind": "login", "recorded": [TEXT]})
    assert TEXT.encode() in platform.call("event.list", kind="login").content
    for wrong in ("{", "[]", '{"timestamp": 7}'):
        body = {"kind": "login", "recorded": [wrong]}
        assert 400 == platform.http.post("/_sandbox/events", json=body).status_code


def test_recorded_events_outlive_a_dump(platform):
    """A dump with them is a seed, and the feed is the same afterwards."""
    recorded = [{"timestamp": MARCH, "courseId": UNKNOWN}, TEXT]
    platform.control("events", {"kind": "courseView", "recorded": recorded})
    before = platform.call("event.list", kind="courseView").content
    platform.control("reset", {"seed": {"events": platform.dump("events")}})
    assert before == platform.call("event.list", kind="courseView").content


def test_ids_of_purchases_are_composed(platform):
    """An order and an item, no uuid; each its own, and the same with every poll (O52)."""
    report(platform, "coursePurchase", {"courseId": UNKNOWN}, {"courseId": UNKNOWN})
    ids = [event["id"] for event in poll(platform, "coursePurchase")["events"]]
    assert 2 == len(set(ids))
    assert ids == [event["id"] for event in poll(platform, "coursePurchase")["events"]]
    with pytest.raises(ValueError, match="badly formed"):
        uuid.UUID(ids[0])


def test_older_routes_show_the_same_events(platform):
    """courseEnrollment and courseCompletion are courseActions of their type
    (spec 6 older; spec 9 events)."""
    platform.control("reset", {"seed": {}})
    report(platform, "courseEnrollment", {"courseId": UNKNOWN})
    report(platform, "courseAction", {"courseId": UNKNOWN, "type": "completed"})
    actions, enrollments, completions = (
        poll(platform, kind)["events"]
        for kind in ("courseAction", "courseEnrollment", "courseCompletion")
    )
    assert (actions[1:], actions[:1]) == (enrollments, completions)


def test_a_certificate_is_also_a_course_action(platform):
    """courseAction tells certificate grants too (spec 6 action)."""
    platform.control("reset", {"seed": {}})
    (granted,) = report(platform, "courseCertificate", {"courseId": UNKNOWN, "timestamp": MARCH})
    (action,) = poll(platform, "courseAction")["events"]
    assert ("certificateGranted", MARCH) == (action["type"], action["timestamp"])
    assert [granted] == poll(platform, "courseCertificate")["events"]


def test_newest_first_a_hundred_an_answer(platform):
    """Every event has an ISO 8601 timestamp; they fall, 100 an answer (O40; spec 6 answer)."""
    platform.control("reset", {"seed": {}})
    report(platform, "quizAttempt", *({"timestamp": at(n)} for n in range(150)))
    answers = walk(platform, "quizAttempt")
    assert [100, 50] == [len(answer["events"]) for answer in answers]
    stamps = [event["timestamp"] for answer in answers for event in answer["events"]]
    assert [at(n) for n in reversed(range(150))] == stamps


def test_cursor_only_while_there_is_more(platform):
    """The last answer has hasMore false and no cursor (O42; spec 4 lists; spec 6 answer)."""
    platform.control("reset", {"seed": {}})
    report(platform, "quizAttempt", *({"timestamp": at(n)} for n in range(101)))
    first, last = walk(platform, "quizAttempt")
    assert [["cursor", "hasMore"], ["hasMore"]] == [list(a["pageInfo"]) for a in (first, last)]


def test_cursor_is_in_milliseconds(platform):
    """Cursors use Unix milliseconds (spec 4 millis)."""
    platform.control("reset", {"seed": {}})
    report(platform, "quizAttempt", *({"timestamp": at(n)} for n in range(101)))
    assert str(MARCH_MS) == poll(platform, "quizAttempt")["pageInfo"]["cursor"]


def test_events_of_one_moment_are_all_told_once(platform):
    """A walk loses and repeats nothing where many events share a millisecond
    (spec 6 answer; spec 4 lists)."""
    platform.control("reset", {"seed": {}})
    told = report(platform, "quizAttempt", *({"timestamp": MARCH} for _ in range(350)))
    walked = [event["id"] for answer in walk(platform, "quizAttempt") for event in answer["events"]]
    assert [event["id"] for event in reversed(told)] == walked


def test_new_events_do_not_disturb_a_walk(platform):
    """What happens during a walk stands before its beginning: the rest is neither moved nor lost
    (spec 6 answer)."""
    platform.control("reset", {"seed": {}})
    report(platform, "quizAttempt", *({"timestamp": at(n)} for n in range(101)))
    cursor = poll(platform, "quizAttempt")["pageInfo"]["cursor"]
    report(platform, "quizAttempt", {})
    rest = poll(platform, "quizAttempt", cursor=cursor)["events"]
    assert [at(0)] == [event["timestamp"] for event in rest]


def test_start_and_end_date(platform):
    """Unix milliseconds; both ends belong to the span (spec 4 millis; spec 6 answer; O40)."""
    platform.control("reset", {"seed": {}})
    report(platform, "quizAttempt", *({"timestamp": at(n)} for n in (0, 1, 2, 3)))
    span = {"startDate": MARCH_MS + 1, "endDate": MARCH_MS + 2}
    events = poll(platform, "quizAttempt", **span)["events"]
    assert [at(2), at(1)] == [event["timestamp"] for event in events]


def test_a_poll_from_a_checkpoint_repeats(platform):
    """The last event seen comes again where its moment is the checkpoint (spec 6 handlers)."""
    platform.control("reset", {"seed": {}})
    (seen,) = report(platform, "quizAttempt", {"timestamp": MARCH})
    assert [seen] == poll(platform, "quizAttempt", startDate=MARCH_MS)["events"]


@pytest.mark.parametrize("name", ["notifiableId", "userId"])
def test_filters(platform, name):
    """A feed can be filtered by course and by user (O40)."""
    users = [user["id"] for user in platform.dump("users")[:2]]
    courses = [platform.course(), platform.course()]
    pairs = [{"userId": user, "courseId": course} for user in users for course in courses]
    report(platform, "quizAttempt", *pairs)
    wanted = {"notifiableId": courses, "userId": users}[name][0]
    found = poll(platform, "quizAttempt", **{name: wanted.upper()})["events"]
    assert 2 == len(found)
    assert {wanted} == {
        {"notifiableId": event["notifiableId"], "userId": event["userDetail"]["id"]}[name]
        for event in found
    }


@pytest.mark.parametrize(
    "query",
    [{"startDate": "2026-01-01"}, {"endDate": "-1"}, {"cursor": "x"}, {"cursor": "1.x"}],
)
def test_bad_parameters(platform, query):
    """What is no moment and no cursor is a 400 with the name of the parameter (spec 7)."""
    response = platform.call("event.list", query=query, kind="courseAction")
    assert next(iter(query)) in platform.errors(response)[0]


def test_unknown_parameters_are_ignored(platform):
    """Unknown parameters of a feed are ignored (O43)."""
    assert "events" in poll(platform, "courseAction", colour="red")


def test_some_kinds_have_no_id(platform):
    """At first the two that the switch names; with an empty list every event has one (O40)."""
    (without,) = report(platform, "assignmentSubmission", {"courseId": UNKNOWN})
    platform.control("switches", {"eventsWithoutId": []})
    assert "id" not in without
    assert "id" in poll(platform, "assignmentSubmission")["events"][0]


def test_content_changes_emit_nothing(platform):
    """Creating and changing a course emits no event (O41)."""
    platform.control("reset", {"seed": {}})
    course = platform.course()
    platform.update(courses=[{"id": course, "title": "New"}])
    assert [] == platform.dump("events")


def test_client_scoped_key_gets_its_learners_only(platform):
    """A key of scope `client` polls the events of its clients' learners (spec 5; not shown)."""
    platform.control("reset", {})
    users = [user for user in platform.dump("users") if user["clientId"]]
    mine = users[0]["clientId"]
    report(platform, "quizAttempt", *({"userId": user["id"]} for user in users))
    platform.key = platform.control("keys", {"scope": "client", "clientIds": [mine]})["key"]
    found = [event["userDetail"]["client"] for event in poll(platform, "quizAttempt")["events"]]
    assert {mine} == set(found)


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "nothing", "events": []},
        {"kind": "quizAttempt"},
        {"kind": "quizAttempt", "events": {}},
        {"kind": "quizAttempt", "events": ["x"]},
        {"kind": "quizAttempt", "events": [{"id": UNKNOWN}]},
        {"kind": "quizAttempt", "events": [{"timestamp": "soon"}]},
        {"kind": "quizAttempt", "events": [{"userId": "x"}]},
        {"kind": "quizAttempt", "events": [{"userDetail": "x"}]},
    ],
)
def test_bad_happenings_are_refused(platform, body):
    """Bad events are refused with a message, and none is added (spec 6)."""
    platform.control("reset", {"seed": {}})
    response = platform.http.post("/_sandbox/events", json=body)
    assert (400, []) == (response.status_code, platform.dump("events"))
