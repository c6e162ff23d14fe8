"""What the index says after events, in any order, once or many times."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from lmssync.learners.events import Audience, LearnerIndex
from lmssync.learners.events.feed_events import parse_learner_event
from lmssync.learners.events.index_file import open_to_write

from .feeding import COURSE, LICENSE, TOPIC, Feeds, event


@pytest.fixture
def feeds(tmp_path: Path) -> Feeds:
    return Feeds(tmp_path / "state.learners.db")


def test_learners_are_counted_by_how_far_they_are(feeds: Feeds):
    """Enrolled and in progress are inside; finished are not any more."""
    feeds.show(*(event("enrolled", who) for who in ("ann", "ben", "cem")))
    feeds.show(event("started", "ben", 2), event("started", "cem", 3), event("completed", "cem", 4))
    last = datetime(2026, 3, 2, 10, 4, tzinfo=UTC)
    assert Audience(2, 1, 1, last) == feeds.index.course_audience(COURSE)


def test_the_order_of_events_makes_no_difference(feeds: Feeds):
    """Feeds are newest first, and events may come late (O40)."""
    feeds.show(event("enrolled", at=3), event("accessRevoked", at=2), event("enrolled", at=1))
    assert 1 == feeds.index.course_audience(COURSE).enrolled


def test_who_has_lost_access_is_not_inside(feeds: Feeds):
    """But stays finished, as the platform keeps completions."""
    feeds.show(event("enrolled"), event("enrolled", "ben"), event("completed", "ben", 2))
    feeds.show(event("accessRevoked", "ann", 3), event("accessRevoked", "ben", 3))
    assert (0, 1) == feeds.index.course_audience(COURSE)[0:3:2]


def test_an_event_is_counted_once(feeds: Feeds):
    """By its id, however often feeds show it."""
    shown = event("progress")
    assert (1, 0) == (feeds.show(shown), feeds.show(shown, shown))


def test_events_of_one_moment_are_told_apart_by_id(feeds: Feeds):
    """Two visits in the same millisecond are two."""
    assert 2 == feeds.show(event("progress"), event("progress"))


def test_an_event_without_id_has_a_natural_key(feeds: Feeds):
    """A title that has changed since makes no new event of it (O40)."""
    shown = {**event("", attemptId="a1", assessment={"id": TOPIC}, courseTitle="Old")}
    del shown["id"]
    again = {**shown, "courseTitle": "New"}
    assert (1, 0) == (feeds.show(shown, kind="quizAttempt"), feeds.show(again, kind="quizAttempt"))


@pytest.mark.parametrize("without_id", ["courseEnrollment", "courseAction"])
def test_two_feeds_that_show_one_event_count_it_once(feeds: Feeds, without_id: str):
    """Whichever comes first, and even where only one of them has ids (spec 6, O40)."""
    shown = event("enrolled")
    forms = {"courseEnrollment": shown, "courseAction": shown}
    forms[without_id] = {name: value for name, value in shown.items() if name != "id"}
    assert 1 == sum(feeds.show(one, kind=kind) for kind, one in forms.items())


def test_a_topic_is_finished_by_who_passed_it(feeds: Feeds):
    """The others are inside of its course; those who have tried it are in progress."""
    feeds.show(*(event("enrolled", who) for who in ("ann", "ben", "cem")))
    about = {"assessment": {"id": TOPIC}}
    feeds.show(
        event("", "ben", 2, passed=False, **about),
        event("", "cem", 3, passed=False, **about),
        event("", "cem", 4, passed=True, **about),
        kind="quizAttempt",
    )
    assert (2, 1, 1) == feeds.index.topic_audience(TOPIC)[:3]


def test_an_assignment_can_be_open_again(feeds: Feeds):
    """The latest submission says whether it is handed in."""
    feeds.show(
        event("", at=1, assignmentId=TOPIC, status="completed"),
        event("", at=2, assignmentId=TOPIC, status="incomplete"),
        kind="assignmentSubmission",
    )
    assert 0 == feeds.index.topic_audience(TOPIC).finished


def test_a_license_is_unknown_where_enrollments_do_not_name_it(feeds: Feeds):
    """Completions alone do not say who is inside by it (O52)."""
    feeds.show(event("enrolled"), event("completed", license=LICENSE))
    assert feeds.index.license_audience(LICENSE) is None


def test_a_license_counts_each_learner_once(feeds: Feeds):
    """Where enrollments name it."""
    feeds.show(event("enrolled", license=LICENSE))
    feeds.show(event("enrolled", license=LICENSE, notifiableId="another"))
    assert Audience(1, 0, 0, None) == feeds.index.license_audience(LICENSE)


def test_a_license_that_only_one_feed_names_is_kept(feeds: Feeds):
    """courseAction has shown the event before courseCompletion says which license it was (O52)."""
    shown = event("completed")
    feeds.show(event("enrolled", "ben", license=LICENSE), shown)
    feeds.show({**shown, "license": LICENSE}, kind="courseCompletion")
    assert (1, 0, 1) == feeds.index.license_audience(LICENSE)[:3]


def test_purchases_are_counted_by_days(feeds: Feeds):
    """An enrollment whose source is a purchase is one."""
    feeds.show(event("enrolled", source="purchase"))
    feeds.show(event("enrolled", "ben", source="purchase", timestamp="2026-02-01T00:00:00Z"))
    assert (1, 2) == tuple(feeds.index.count_purchases(COURSE, days=days) for days in (7, 60))


def test_hours_count_what_learners_do(feeds: Feeds):
    """Not what is done to them."""
    feeds.show(event("progress"), event("enrolled"), event("completed", timestamp="2026-03-01T23"))
    hours = feeds.index.activity_by_hour()
    assert ({10: 1, 23: 1}, 24) == ({h: n for h, n in enumerate(hours) if n}, len(hours))


def test_one_person_is_one_by_id_or_address(feeds: Feeds):
    """Some events name only the address (O52)."""
    feeds.show(event("enrolled"))
    feeds.show({**event("started", at=2), "userDetail": None})
    assert (1, 1, 0) == feeds.index.course_audience(COURSE)[:3]


def test_nothing_is_known_before_the_first_pull(tmp_path: Path):
    """There is no index, rather than one of zeros."""
    open_to_write(tmp_path / "x.db", None, "prod", "https://one.example:443").close()
    assert (None, None) == tuple(
        LearnerIndex.open_index(tmp_path / name) for name in ("x.db", "no.db")
    )


@pytest.mark.parametrize("odd", [None, 7, {}, {"timestamp": "soon"}, {"timestamp": 12}])
def test_what_has_no_time_is_no_event(odd: Any):
    """It cannot stand anywhere in the index."""
    assert parse_learner_event("courseAction", odd) is None


def test_a_learner_belongs_to_the_client_of_the_newest_event(feeds: Feeds):
    """Somebody may have moved to another client, and older events may come later."""
    at = {name: {"userDetail": {"id": "id-of-ann", "client": name}} for name in ("old", "new")}
    feeds.show(event("started", at=2, **at["new"]), event("enrolled", **at["old"]))
    assert ["new", "new"] == [row.client for row in feeds.index.list_events()]


def test_views_that_differ_in_their_topic_are_two(feeds: Feeds):
    """A view has no id; two topics can be looked at within one second (O65)."""
    view = event("", id=None, courseId=COURSE, notifiableId=None)
    assert 2 == feeds.show(
        {**view, "topicId": "t-1"}, {**view, "topicId": "t-2"}, kind="courseView"
    )
    renamed = {**view, "topicId": "t-1", "topicTitle": "New", "courseSku": "N"}
    assert 0 == feeds.show(renamed, kind="courseView")


@pytest.mark.parametrize("name", ["notifiableId", "courseId", "purchasableId"])
def test_each_feed_has_its_own_name_for_the_course(name: str):
    """Views and purchases have no `notifiableId` (O65)."""
    shown = {"timestamp": "2026-03-02T10:00:00Z", name: COURSE.upper(), "topicId": TOPIC}
    seen = parse_learner_event("courseView", shown)
    assert seen
    assert (COURSE, TOPIC) == (seen.subject, seen.part)


def test_a_topic_that_was_looked_at_is_no_result(feeds: Feeds):
    """Results are those of quizzes, tests and assignments."""
    view = event("", id=None, courseId=COURSE, notifiableId=None, topicId=TOPIC)
    feeds.show(view, kind="courseView")
    assert [] == list(feeds.index._db.execute("SELECT * FROM result"))


def test_learners_of_a_course_are_told_apart_by_what_they_did(feeds: Feeds):
    """Who has finished, who is inside, and what each has passed; nobody by name."""
    feeds.show(event("enrolled"), event("enrolled", "ben"), event("completed", "ben", 4))
    attempt = {"assessment": {"id": TOPIC}, "passed": True}
    feeds.show(event("", "ben", 3, **attempt), kind="quizAttempt")
    found = {one.has_finished: one for one in feeds.index.list_course_learners(COURSE)}
    assert (True, frozenset()) == (found[False].is_inside, found[False].passed)
    assert (False, {TOPIC}) == (found[True].is_inside, found[True].passed)


def test_a_feed_that_was_pulled_in_part_proves_nothing(feeds: Feeds):
    """What happened before its beginning, it does not show."""
    feeds._db.execute("INSERT INTO feed (kind, pulled, since) VALUES ('quizAttempt', 1, 5)")
    pulled = [
        feeds.index.has_pulled(kind) for kind in ("courseAction", "quizAttempt", "courseView")
    ]
    assert [True, False, False] == pulled
