"""Who loses a completion by new rules: as many as a sandbox counts that goes by them."""

from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lmssync.kind import Ids
from lmssync.learners.events import CourseLearner
from lmssync.learners.stories import PlanReplay
from lmssync.learners.stories.outcome_replay import (
    ReplayedOutcome,
    ToldActions,
    count_expired,
    count_locked_out,
    replay_completions,
)
from lmssync.learners.stories.story_catalog import StoryCourse
from lmssync.resource import Address, Origin, Resource, canonical_text, pack_text
from lmssync.sandbox.people.enrollments import is_course_complete
from tests.learners.events.feeding import LICENSE, Feeds, event

NOW = datetime(2027, 3, 1, tzinfo=UTC)
ALL_TOLD = ToldActions(tests=True, assignments=True, views=True)
TYPES = {"a": "text", "b": "text", "quiz": "quiz", "exam": "test", "essay": "assignment"}
PASS = "courseAssessmentPassed"
RULES: list[dict[str, Any]] = [
    *({"type": "coursePercentViewed", "percent": percent} for percent in (20, 50, 80, 100)),
    {"type": "courseTopicViewed", "topic": "b"},
    {"type": PASS, "topic": "quiz"},
    {"type": PASS, "topic": "exam"},
    {"type": "courseAssignmentComplete", "topic": "essay"},
]


def resource(kind: str, key: str, form: dict[str, Any]) -> Resource:
    """Something of a catalog."""
    return Resource(Address(kind, key), "", pack_text(canonical_text(form)), (), Origin("x.yaml"))


def course(rules: list[dict[str, Any]], pages: list[str], **more: Any) -> StoryCourse:
    """A course with these pages and rules; a page is called as on the platform."""
    topics = [{"id": name, "type": TYPES[name]} for name in pages]
    own = resource("course", "c", {"status": "published", "topics": topics, **more})
    return StoryCourse(own, [resource("criterion", f"c.{n}", r) for n, r in enumerate(rules)], [])


def platform_course(rules: list[dict[str, Any]], pages: list[str]) -> dict[str, Any]:
    """The same course as the sandbox keeps it."""
    topics = [{"id": name, "type": TYPES[name]} for name in pages]
    wire = [
        {"type": one["type"], one["type"]: one.get("percent", one.get("topic"))} for one in rules
    ]
    lessons = [{"id": "l", "topics": topics}]
    return {"sections": [{"id": "s", "lessons": lessons}], "criteria": wire}


def done_by(random: Random, pages: list[str]) -> dict[str, Any]:
    """What a learner has done, by page, as the sandbox keeps it."""
    act = {"quiz": "passes", "test": "passes", "assignment": "completes"}
    results: dict[str, Any] = {}
    for name in random.sample(pages, random.randint(1, len(pages))):
        results[name] = {"percent": 100, "seconds": 10}
        if TYPES[name] in act and random.random() < 0.7:
            results[name][act[TYPES[name]]] = True
    return results


def learner_of(results: dict[str, Any], told: ToldActions, *, finished: bool) -> CourseLearner:
    """The same learner as the index knows them from the feeds that were pulled."""
    passed = {n for n, r in results.items() if r.get("passes") and told.tests}
    passed |= {n for n, r in results.items() if r.get("completes") and told.assignments}
    viewed = frozenset(results if told.views else ())
    return CourseLearner(NOW, not finished, finished, "", frozenset(passed), viewed)


@pytest.mark.parametrize("seed", range(12))
def test_a_sandbox_with_the_new_rules_counts_the_same(seed: int):
    """Exactly, where all feeds were pulled; else what is not told makes the difference."""
    random = Random(seed)
    pages = random.sample([*TYPES], random.randint(3, 5))
    more = [name for name in TYPES if name not in pages][: random.randint(0, 1)]
    kept = random.sample(pages, len(pages) - random.randint(0, 1))
    later = [*kept, *more]
    rules, new = (
        [r for r in RULES if r.get("topic", pages[0]) in of and random.random() < 0.3]
        for of in (pages, later)
    )
    school = [done_by(random, pages) for _ in range(30)]
    finishers = [one for one in school if is_course_complete(platform_course(rules, pages), one)]
    left = [{name: one[name] for name in one if name in later} for one in finishers]
    lost = sum(not is_course_complete(platform_course(new, later), one) for one in left)
    for flags in product((True, False), repeat=3):
        told = ToldActions(*flags)
        learners = [learner_of(one, told, finished=one in finishers) for one in school]
        topics = {name: name for name in TYPES}
        found = replay_completions(course(rules, pages), course(new, later), learners, topics, told)
        assert found.finished == len(finishers)
        assert found.undone <= lost <= found.undone + found.unclear
        assert found.unclear == 0 or told != ALL_TOLD


def test_a_lower_percentage_takes_nothing():
    """Whoever has seen 80 percent has seen 50, though no event says which pages."""
    rules = [[{"type": "coursePercentViewed", "percent": percent}] for percent in (80, 50)]
    learners = [CourseLearner(None, False, True, "", frozenset(), frozenset())]
    before, after = (course(one, [*TYPES]) for one in rules)
    found = replay_completions(before, after, learners, {}, ToldActions())
    assert not found.takes_something


INSIDE = CourseLearner(NOW.replace(day=1, month=1), True, False, "l", frozenset(), frozenset())


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        ({"expirationDate": "2027-12-31"}, {"expirationDate": "2027-02-01"}, 1),
        ({"accessDays": 365}, {"accessDays": 30}, 1),
        ({"accessDays": 30}, {"accessDays": 20}, 0),
        ({"expirationDate": "2027-02-01"}, {}, 0),
    ],
)
def test_a_license_that_ends_earlier_locks_out(before: Any, after: Any, lost: int):
    """Those who could open a course until now; for others it was over before."""
    old, new = (resource("license", "l", form) for form in (before, after))
    gone = INSIDE._replace(is_inside=False)
    assert ReplayedOutcome(inside=1, locked_out=lost) == count_expired(
        old, new, [INSIDE, gone], NOW
    )


def test_a_license_locks_out_all_whose_enrollments_name_it(tmp_path: Path):
    """The index knows them by the id of the license; who is in by another one stays in."""
    feeds = Feeds(tmp_path / "state.learners.db")
    feeds.show(*(event("enrolled", who, license=LICENSE) for who in ("ann", "ben")))
    feeds.show(event("enrolled", "cat", license="another"))
    new = resource("license", "l", {"expirationDate": "2027-02-01"})
    before = {new.address: resource("license", "l", {})}
    replay = PlanReplay(
        before, {new.address: new}, feeds.index, lambda _: Ids({"license": LICENSE})
    )
    lost = ReplayedOutcome(inside=2, locked_out=2)
    assert [(new.address, lost)] == [*replay.replay_changes([new.address], NOW)]


@pytest.mark.parametrize(
    ("more", "lost"), [({"courseEndDate": "2027-02-01"}, 2), ({"status": "draft"}, 2), ({}, 0)]
)
def test_a_course_that_has_ended_locks_out_all(more: dict[str, Any], lost: int):
    """Its dates and its status are the same for everybody."""
    before, after = course([], ["a"]), course([], ["a"], **more)
    found = count_locked_out(before, after, [INSIDE, INSIDE], NOW, lambda *_: None)
    assert (2, lost) == (found.inside, found.locked_out)


@pytest.mark.parametrize(
    ("old", "new", "lost", "unclear"),
    [
        ([], ["done"], 0, 0),
        ([], ["done", "open"], 1, 0),
        ([], ["unknown"], 0, 1),
        (["open"], ["open", "unknown"], 0, 0),
        (["unknown"], ["unknown"], 0, 0),
        (["done"], ["open"], 1, 0),
    ],
)
def test_what_must_be_completed_first(old: list[str], new: list[str], lost: int, unclear: int):
    """Whoever was kept out before loses nothing, and what was asked before is not counted again."""
    known = {"done": True, "open": False, "unknown": None}
    before, after = (course([], ["a"], prerequisiteLearningPaths=one) for one in (old, new))
    found = count_locked_out(before, after, [INSIDE], NOW, lambda _, name: known[str(name)])
    assert (lost, unclear) == (found.locked_out, found.unclear_inside)
