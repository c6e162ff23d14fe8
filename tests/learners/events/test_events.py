"""`lmssync events pull`: what the feeds say, each event once, counted without names."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lmssync.learners.events import LearnerIndex
from tests.answer_proxy import AnswerProxy
from tests.served_catalog import Platform, Workspace, wait_until

INDEX = Path(".lmssync/state.learners.db")
COURSE = "c0ffee00-0000-4000-8000-000000000001"
Learners = Callable[[], LearnerIndex]
_PRIVATE = (
    "id", "email", "firstName", "lastName", "externalCustomerId", "address1", "address2", "city",
    "zipCode", "telephone", "shippingName", "crmContactId", "crmAccountId", "paymentCustomerId",
)  # fmt: skip


@pytest.fixture
def learners(work: Workspace) -> Learners:
    """Opens the index of the catalog."""

    def opened() -> LearnerIndex:
        index = LearnerIndex.open_index(work.root / INDEX)
        assert index
        return index

    return opened


def marks(work: Workspace) -> list[int]:
    """What tells the events in the index apart, one for each of them."""
    with sqlite3.connect(work.root / INDEX) as db:
        return [mark for (mark,) in db.execute("SELECT mark FROM event")]


def pulled(work: Workspace, *more: str) -> Any:
    """The summary of a pull that went well."""
    done = work.run("events", "pull", "--json", *more)
    assert 0 == done.code, done.err
    return done.json["summary"]


def happened(platform: Platform, *events: Any, kind: str = "courseAction") -> None:
    platform.order("events", {"kind": kind, "events": events})


def minute(at: int, **more: Any) -> Any:
    """An event of a day long ago."""
    stamp = f"2026-01-05T{at // 60:02}:{at % 60:02}:00.000Z"
    return {"type": "progress", "courseId": COURSE, "timestamp": stamp, **more}


def test_counts_equal_what_the_platform_holds(
    work: Workspace, platform: Platform, learners: Learners
):
    """Learners enrolled, in progress and finished, of every course and every tested topic."""
    platform.order("school")
    platform.order("learners", {"n": 40})
    pulled(work)
    index = learners()
    courses = held_in_courses(platform)
    assert courses == {id_: index.course_audience(id_)[:3] for id_ in courses}
    topics = held_at_topics(platform)
    assert topics == {id_: index.topic_audience(id_).finished for id_ in topics}
    assert min(len(courses), len(topics)) > 3


def test_learners_of_a_course_are_made_by_its_address(
    work: Workspace, platform: Platform, learners: Learners
):
    """The sandbox of the environment gets them, and each of them learns in that course."""
    work.course("a", "status: published\n")
    work.apply()
    made = work.run("sandbox", "learners", "course.a", "--n", "12", "--json")
    assert (0, 12) == (made.code, made.json["made"]["users"])
    pulled(work)
    (course,) = [one["id"] for one in platform.dump("courses") if one["title"] == "Title of a"]
    assert 12 == sum(learners().course_audience(course)[::2])


def test_learners_are_made_only_where_it_is_said(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
):
    """An address without a record, a draft, and an environment that is no sandbox are named."""
    work.course("a", "status: draft\n")
    work.apply()
    unknown = work.run("sandbox", "learners", "course.b")
    assert (64, True) == (unknown.code, "nothing is recorded for course.b" in unknown.err)
    part = work.run("sandbox", "learners", "course.a/start")
    assert (64, False) == (part.code, "adopt" in part.err)
    draft = work.run("sandbox", "learners", "course.a")
    assert (1, True) == (draft.code, "ids: course.a (" in draft.err)
    monkeypatch.setenv("LMSSYNC_BASE_URL", "https://learn.example.com")
    elsewhere = work.run("sandbox", "learners")
    assert (64, True) == (elsewhere.code, "which is not on this machine" in elsewhere.err)
    assert [] == [
        one for one in platform.dump("users") if str(one["externalCustomerId"])[:2] == "L-"
    ]


def held_in_courses(platform: Platform) -> dict[str, tuple[int, int, int]]:
    active, started, done = (defaultdict[str, set[str]](set) for _ in range(3))
    for row in platform.dump("enrollments"):
        if row["status"] == "active":
            active[row["courseId"]].add(row["userId"])
    for row in platform.dump("progress"):
        (done if row["completedAt"] else started)[row["courseId"]].add(row["userId"])
    return {
        id_: (len(active[id_] - done[id_]), len(active[id_] & started[id_]), len(done[id_]))
        for id_ in active
    }


def held_at_topics(platform: Platform) -> dict[str, int]:
    passed = defaultdict[str, set[str]](set)
    for row in platform.dump("attempts"):
        passed[row["assessmentId"]] |= {row["userId"]} if row["passed"] else set()
    for row in platform.dump("submissions"):
        done = row["status"] == "completed"
        passed[row["assignmentId"]] |= {row["learnerId"]} if done else set()
    return {id_: len(people) for id_, people in passed.items()}


def test_a_second_pull_brings_what_is_new(work: Workspace, platform: Platform):
    """And reads only from an hour before the newest event on."""
    happened(platform, *(minute(at) for at in range(0, 600, 2)))
    first = pulled(work)
    happened(platform, minute(601))
    second = pulled(work)
    assert [(300, 0), (1, 31)] == [(one["new"], one["known"]) for one in (first, second)]


def test_events_that_come_late_are_found(work: Workspace, platform: Platform):
    """An hour late without being asked; more with `--since`."""
    happened(platform, minute(300))
    pulled(work)
    happened(platform, minute(250), minute(10))
    assert [1, 1] == [pulled(work)["new"], pulled(work, "--since", "2026-01-01")["new"]]


def test_a_later_since_leaves_no_gap(work: Workspace, platform: Platform):
    """What came after the last pull is read, whatever `--since` says."""
    happened(platform, minute(0))
    pulled(work)
    happened(platform, minute(400))
    assert 1 == pulled(work, "--since", "2026-01-06")["new"]


def test_a_first_pull_begins_where_since_says(
    work: Workspace, platform: Platform, learners: Learners
):
    """And the index says so."""
    happened(platform, minute(0), minute(600))
    assert 1 == pulled(work, "--since", "2026-01-05T05:00Z")["new"]
    assert "2026-01-05T05:00:00+00:00" == str(
        learners().pulled_since and learners().pulled_since.isoformat()
    )


def test_many_events_of_one_moment_are_all_kept(work: Workspace, platform: Platform):
    """Pages end in the middle of a millisecond."""
    happened(platform, *[minute(0)] * 250)
    assert (250, 250) == (pulled(work)["new"], len(marks(work)))


def test_feeds_without_ids_are_counted_once(work: Workspace, platform: Platform):
    """By natural keys, over pulls and over feeds (O40)."""
    platform.order("school")
    platform.order("switches", {"eventsWithoutId": ["courseEnrollment", "quizAttempt"]})
    first, second = pulled(work), pulled(work, "--since", "2000-01-01")
    assert (len(platform.dump("events")), 0) == (first["new"], second["new"])


def test_an_event_from_the_future_hides_none_of_today(work: Workspace, platform: Platform):
    """The next pull begins by the platform's own clock."""
    happened(platform, minute(0, timestamp="2999-01-01T00:00:00Z"))
    pulled(work)
    happened(platform, {"type": "progress", "courseId": COURSE})
    assert 1 == pulled(work)["new"]


@pytest.mark.slow
def test_a_killed_pull_goes_on(work: Workspace, platform: Platform):
    """Nothing is missing and nothing is there twice, and pages that are kept are not read again."""
    happened(platform, *(minute(at, n=at) for at in range(1400)))
    for _ in range(3):
        killed(work, platform, at_page=4)
    happened(platform, minute(1439))
    pulled(work, "--kind", "courseAction")
    assert 1401 == len(marks(work)) == len(set(marks(work)))
    assert 14 + 3 + 1 == len(asked(platform))


def killed(work: Workspace, platform: Platform, *, at_page: int) -> None:
    """A pull that is killed while it waits for a page."""
    before = len(asked(platform))
    platform.hold("event.list", nth=at_page)
    with work.start("events", "pull", "--kind", "courseAction") as run:
        wait_until(lambda: len(asked(platform)) == before + at_page, "that page")
        platform.kill(run)


def asked(platform: Platform) -> list[Any]:
    return platform.requests(route="event.list")


def test_a_cursor_that_is_refused_begins_the_feed_again(work: Workspace, platform: Platform):
    """The platform may forget its cursors."""
    happened(platform, *(minute(at) for at in range(250)))
    pulled(work)
    with sqlite3.connect(work.root / INDEX) as db:
        db.execute("UPDATE feed SET walk_cursor = 'gone' WHERE kind = 'courseAction'")
    happened(platform, minute(250))
    assert 1 == pulled(work)["new"]


def test_two_pulls_at_once_are_refused(work: Workspace, platform: Platform):
    """The second one ends with 6."""
    platform.hold("event.list")
    with work.start("events", "pull") as run:
        wait_until(lambda: bool(asked(platform)), "the first call")
        done = work.run("events", "pull")
        platform.kill(run)
    assert (6, True) == (done.code, "another run pulls events" in done.err)


def test_no_person_is_named_in_any_file(work: Workspace, platform: Platform):
    """Nor an id, an address or a number of theirs."""
    platform.order("school")
    platform.order("learners", {"n": 40})
    pulled(work)
    people = {str(user[name]) for user in platform.dump("users") for name in _PRIVATE if user[name]}
    with sqlite3.connect(work.root / INDEX) as db:
        words = "\n".join(db.iterdump())
    assert [] == [one for one in people if len(one) > 2 and one in words]
    files = b"".join(file.read_bytes() for file in work.root.rglob("*") if file.is_file())
    assert [] == [one for one in people if len(one) > 5 and one.lower().encode() in files.lower()]


def test_the_index_is_for_its_owner_alone_and_not_for_git(work: Workspace, platform: Platform):
    """Codes are no names, but with the index one can check who is in it."""
    pulled(work)
    assert 0o600 == (work.root / INDEX).stat().st_mode & 0o777
    assert "*\n" == (work.root / INDEX).with_name(".gitignore").read_text()


def test_the_index_of_another_instance_is_refused(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
):
    """Ids of one platform mean nothing on another."""
    pulled(work)
    monkeypatch.setenv("LMSSYNC_BASE_URL", "http://127.0.0.1:1")
    done = work.run("events", "pull")
    assert (1, True) == (done.code, "has the learners of the instance at" in done.err)


def test_a_damaged_index_says_what_to_do(work: Workspace):
    """All of it comes from the platform."""
    work.write(str(INDEX), "not a database, but long enough to be read as one" * 20)
    done = work.run("events", "pull")
    assert (1, True) == (done.code, "delete the file and run `lmssync events pull`" in done.err)


def test_a_feed_that_is_not_there_stops_no_other(work: Workspace, platform: Platform):
    """It is named, and the run ends with 7 (O53)."""
    happened(platform, minute(0))
    done = work.run("events", "pull", "--kind", "coursePurchase", "--kind", "courseAction")
    assert (7, True) == (done.code, "coursePurchase  0 new, broken off" in done.out)
    assert 1 == len(marks(work))


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--since", "yesterday"), "write a date (2026-03-01)"),
        (("--since", "1800-01-01"), "write a date (2026-03-01)"),
        (("--kind", "courseActions"), "courseAction"),
    ],
)
def test_what_cannot_be_meant_is_explained(work: Workspace, option: tuple[str, str], message: str):
    """With what is allowed, and exit 64."""
    done = work.run("events", "pull", *option)
    assert (64, True) == (done.code, message in done.err)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ({"events": {}}, "it has no list of events"),
        ({"events": [], "pageInfo": {"hasMore": True}}, "but names no cursor"),
        ({"events": [], "pageInfo": {"hasMore": True, "cursor": "1"}}, "is not further on"),
    ],
)
def test_a_feed_that_leads_nowhere_is_left(
    work: Workspace, way: AnswerProxy, answer: Any, wrong: str
):
    """It is not followed without end."""
    way.bend("event.list", answer)
    done = work.run("events", "pull")
    assert (1, True) == (done.code, wrong in done.err)


def test_items_that_are_no_events_are_left_out(work: Workspace, way: AnswerProxy):
    """And counted: the others are kept, one with odd values too."""
    odd = {"id": 7, "timestamp": "2026-01-05", "type": ["x"], "notifiableId": 5, "userDetail": "x"}
    way.bend("event.list", {"events": [None, {"timestamp": "soon"}, odd, {**odd, "user": "a@b"}]})
    summary = pulled(work, "--kind", "courseAction")
    assert (1, 1, 2) == (summary["new"], summary["known"], summary["unreadable"])


def test_nothing_but_words_and_ids_is_kept(work: Workspace, way: AnswerProxy):
    """A field that holds something else may hold a person."""
    names = ("type", "source", "notifiableId", "license", "id", "assignmentId")
    event = dict.fromkeys(names, "Ann Lee <ann@school.example>")
    way.bend("event.list", {"events": [{**event, "timestamp": "2026-01-05T10:00:00Z"}]})
    assert 1 == pulled(work, "--kind", "courseAction")["new"]
    assert b"ann@school" not in (work.root / INDEX).read_bytes().lower()


def test_feeds_of_another_instance_are_counted(
    work: Workspace, instance: Platform, learners: Learners
):
    """Views and purchases name their course otherwise than actions do (O65)."""
    view = {"timestamp": "2026-01-05T10:00:00Z", "user": "ann@x.example", "courseId": COURSE}
    views = [{**view, "topicId": f"{COURSE[:-1]}{number}"} for number in (2, 3)]
    order = {"id": "o-1", "purchasableId": COURSE, "purchasableType": "course"}
    bought = {"timestamp": view["timestamp"], "user": "ben@x.example", **order}
    for kind, events in (("courseView", views), ("coursePurchase", [bought])):
        instance.order("events", {"kind": kind, "recorded": events})
    pulled(work)
    found = pulled(work, "--kind", "courseView", "--kind", "coursePurchase")
    assert 3 == found["new"]
    assert (1, 1) == learners().course_audience(COURSE)[:2]
    assert 1 == learners().count_purchases(COURSE, days=36_500)
