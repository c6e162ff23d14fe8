"""The rules and a sandbox, which has rules of its own, come to the same verdict on a story."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from lmssync.catalog.manifests.story_documents import Story, StoryFile
from lmssync.learners.stories import StoryCatalog, judge_story, judge_twice
from lmssync.learners.stories.sandbox_learner import StorySeed
from lmssync.resource import Origin
from lmssync.vocabulary.enums import CriterionType as C
from tests import making
from tests.served_catalog import Platform, serving

from .telling import BY_TYPE, PATH, course_of, steps


@pytest.fixture(scope="module")
def served():
    """A sandbox of the module: each story resets it."""
    with serving() as platform:
        yield platform


def disagreements(served: Platform, story: dict[str, Any], *documents: Any) -> list[str]:
    """What the two do not agree on."""
    plain = {"story": "s", "course": "safety", "starts": "2029-03-01", "expect": []}
    told = Story(StoryFile.model_validate(plain | story), Origin("stories/s.yaml"))
    known = StoryCatalog(making.catalog(*documents))
    by_rules = {failure.path for failure in judge_story(told, known).failures}
    both = judge_twice(told, known, served.order)
    return [one.message for one in both.failures if "happens as the story says" in one.message] or [
        f"{one.path} by one only" for one in both.failures if one.path not in by_rules
    ]


@pytest.mark.parametrize("type_", C)
def test_each_rule_is_met_and_not_met_on_both(served, type_):
    """The step that meets the rule completes the course, and a look at the other page does not."""
    for step, done in ((BY_TYPE[type_][2], True), ({"views": "start/welcome/rest"}, False)):
        story = {"learner": steps(step), "expect": [{"done": done}]}
        assert [] == disagreements(served, story, *course_of(type_))
        told = judge_twice_of(served, story, *course_of(type_))
        assert () == told


def judge_twice_of(served: Platform, story: dict[str, Any], *documents: Any) -> tuple[Any, ...]:
    """What has failed on either."""
    plain = {"story": "s", "course": "safety", "starts": "2029-03-01"}
    told = Story(StoryFile.model_validate(plain | story), Origin("stories/s.yaml"))
    return judge_twice(told, StoryCatalog(making.catalog(*documents)), served.order).failures


DAYS = st.integers(0, 12)
DATES = st.integers(0, 12).map(lambda day: f"2029-03-{day + 1:02}")
TYPES = ("text", "article", "quiz", "test", "assignment", "meetingInfo", "surveyTool", "partner")


@st.composite
def pages(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Two sections of up to three topics; the second may open later."""
    listed = []
    for name in ("start", "later"):
        types = draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=3))
        filled = {"attested": {"by": "Ann", "on": "2027-01-31"}}
        topics = [making.topic(f"t{n}", type_, **filled) for n, type_ in enumerate(types)]
        open_type = draw(st.sampled_from(["studentsOnly", "open"]))
        lesson = making.lesson("welcome", *topics, openType=open_type)
        release = {"releaseDate": draw(DATES)} if name == "later" and draw(st.booleans()) else {}
        listed.append(making.section(name, lesson, **release))
    return listed


def _fields(draw: st.DrawFn, **choices: st.SearchStrategy[Any]) -> dict[str, Any]:
    """Some of the fields, each with a value."""
    return {name: draw(choice) for name, choice in choices.items() if draw(st.booleans())}


@st.composite
def documents(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A course of two sections with up to three rules of completion, and a license for it."""
    sections = draw(pages())
    fields = _fields(
        draw,
        courseStartDate=DATES,
        courseEndDate=DATES,
        enrollmentEndDate=DATES,
        forceLinearProgress=st.booleans(),
        enrollmentLimit=st.integers(1, 2),
    ) | draw(
        st.sampled_from(
            [{}, {"priceInCents": 1900, "purchasable": True}, {"freeWithRegistration": True}]
        )
    )
    limits = _fields(
        draw, accessDays=st.integers(1, 8), expirationDate=DATES, seatsLimit=st.integers(1, 2)
    )
    rules = []
    for number in range(draw(st.integers(0, 3))):
        rule = draw(criterion(sections))
        rules.append(making.criterion(f"safety.c{number}", **rule))
    status = draw(st.sampled_from([{"status": "published"}, {"futurePublishDate": "2029-03-03"}]))
    course = making.course(sections=sections, **fields, **status)
    return [course, *rules, making.license_(**limits)]


@st.composite
def criterion(draw: st.DrawFn, sections: list[dict[str, Any]]) -> dict[str, Any]:
    """A rule that some topic of the course can meet."""
    topics = {
        f"{section['id']}/welcome/{topic['id']}": topic["type"]
        for section in sections
        for topic in section["lessons"][0]["topics"]
    }
    path = draw(st.sampled_from(sorted(topics)))
    by_topic = [type_ for type_, (topic, _, _) in BY_TYPE.items() if topic == topics[path]]
    type_ = draw(st.sampled_from([C.COURSE_PERCENT_VIEWED, C.COURSE_TOPIC_VIEWED, *by_topic]))
    if type_ in (C.COURSE_PERCENT_VIEWED, C.ARTICLE_PERCENT_VIEWED):
        return {"type": type_.value, "percent": draw(st.integers(1, 100))}
    if type_ is C.ARTICLE_TIME_VIEWED_IN_SECONDS:
        return {"type": type_.value, "percent": None, "seconds": draw(st.integers(1, 100))}
    return {"type": type_.value, "percent": None, "topic": path}


PLACES = st.sampled_from(["all", "start", "later", "start/welcome/t0", "later/welcome/t0"])
STEPS = st.one_of(
    st.just({"gets": "staff"}),
    st.just({"enrolls": "safety"}),
    st.just({"buys": "safety"}),
    st.builds(lambda path, share: {"views": path, "percent": share}, PLACES, st.integers(1, 100)),
    st.builds(lambda path, time: {"views": path, "seconds": time}, PLACES, st.integers(1, 100)),
    *(
        st.builds(lambda path, verb=verb: {verb: path}, PLACES)
        for verb in ("passes", "fails", "completes", "attends")
    ),
)
EXPECTED = st.one_of(
    st.just({"done": True}),
    st.builds(lambda path: {"open": path}, PLACES),
    st.just({"charged": 0}),
)


@st.composite
def stories(draw: st.DrawFn) -> dict[str, Any]:
    """Somebody who gets in at once, and does this and that on several days."""
    first = {"day": 0} | draw(st.sampled_from([{"gets": "staff"}, {"enrolls": "safety"}]))
    more = draw(st.lists(st.tuples(DAYS, STEPS), max_size=8))
    expected = draw(st.lists(st.tuples(DAYS, EXPECTED), max_size=3))
    taken = draw(st.sampled_from([{}, {"license.staff": 1}, {"course.safety": 1}]))
    return {
        "learner": [first, *({"day": day, **step} for day, step in more)],
        "expect": [{"day": day, **one} for day, one in expected],
        "taken": taken,
    }


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(documents(), stories())
def test_both_agree_on_any_story(served, made, story):
    """Completion, dates, seats, places, access days, order and prices, in any mixture."""
    # A catalog that no validation lets through is not judged: its dates contradict each other.
    assume(len(making.catalog(*made)) == len(made))
    assert [] == disagreements(served, story, *made)


WAYS = {
    "text": "views",
    "quiz": "passes",
    "assignment": "completes",
    "shareableContentObject": "completes",
    "inPersonEvent": "attends",
    "surveyTool": "completes",
    "partner": "completes",
    "test": "completes",
}
"""What puts a page behind a learner, by its type."""


def test_both_take_pages_in_order(served):
    """Each page opens once the one before it is not only viewed, but done; on both."""
    filled = {"attested": {"by": "Ann", "on": "2027-01-31"}}
    topics = [making.topic(f"t{n}", type_, **filled) for n, type_ in enumerate([*WAYS, "text"])]
    lesson = making.lesson("welcome", *topics, openType="studentsOnly")
    fields = {"sections": [making.section("start", lesson)], "forceLinearProgress": True}
    made = [making.course(status="published", **fields), making.license_()]
    learner: list[dict[str, Any]] = [{"day": 0, "gets": "staff"}]
    for number, (type_, way) in enumerate(WAYS.items()):
        here, after = (f"start/welcome/t{n}" for n in (number, number + 1))
        waits = [{"day": 1, "views": here}, {"day": 1, "views": after, "refused": True}]
        learner += [*(waits if type_ != "text" else ()), {"day": 1, way: here}]
    story = {"learner": learner, "expect": [{"open": "all"}, {"done": False}]}
    assert () == judge_twice_of(served, story, *made)


def test_both_wait_for_prerequisites(served):
    """A course that must be completed first is, on the way or before; on both."""
    made = course_of(C.COURSE_TOPIC_VIEWED, prerequisiteCourses=["first-aid"])
    first = making.course("first-aid", status="published", freeWithRegistration=True)
    waits = [{"day": 0, "gets": "staff"}, {"day": 0, "views": PATH, "refused": True}]
    on_the_way = [
        {"day": 1, "enrolls": "first-aid"},
        {"day": 1, "course": "first-aid", "views": "all"},
        {"day": 2, "views": PATH},
    ]
    done = {"expect": [{"done": True}]}
    assert () == judge_twice_of(served, done | {"learner": [*waits, *on_the_way]}, *made, first)
    before = {"learner": [waits[0], {"day": 0, "views": PATH}], "finished": ["first-aid"]}
    assert () == judge_twice_of(served, done | before, *made, first)


def test_both_count_what_was_finished_as_completed(served):
    """Before the first step, and after it."""
    made = course_of(C.COURSE_TOPIC_VIEWED)
    story = {"finished": ["safety"], "expect": [{"done": True}]}
    for learner in ([], steps({"views": "start/welcome/rest"})):
        assert () == judge_twice_of(served, story | {"learner": learner}, *made)


def test_everything_of_a_day_happens_at_noon(served):
    """However many pages are looked at: the clock moves by whole days alone."""
    told = Story(
        StoryFile.model_validate(
            {"story": "s", "course": "safety", "starts": "2029-03-01"}
            | {"learner": steps({"views": "all"}, {"views": "all"})}
            | {"expect": [{"day": 3, "open": "all"}] * 3}
        ),
        Origin("stories/s.yaml"),
    )
    waits = []

    def send_order(name: str, body: Any) -> Any:
        waits.extend(body.values() if name == "clock" else ())
        return served.order(name, body)

    known = StoryCatalog(making.catalog(*course_of(C.COURSE_TOPIC_VIEWED)))
    assert () == judge_twice(told, known, send_order).failures
    assert [60, 86_400, 2 * 86_400] == waits


@pytest.mark.parametrize(
    ("course", "license_"),
    [
        ({"courseStartDate": "2029-03-01T12:00:00Z"}, {}),
        ({"courseEndDate": "2029-03-01T12:00:00Z"}, {}),
        ({"enrollmentEndDate": "2029-03-01T12:00:00Z"}, {}),
        ({}, {"expirationDate": "2029-03-01T12:00:00Z"}),
    ],
)
def test_both_begin_and_end_exactly_at_noon(served, course, license_):
    """The clock of the sandbox does not move while the learner does what belongs to noon."""
    *made, staff = course_of(C.COURSE_TOPIC_VIEWED, **course)
    story = {"learner": steps({"views": "all"}), "expect": [{"done": True}, {"open": "all"}]}
    assert () == judge_twice_of(served, story, *made, staff | license_)


def test_a_story_with_many_others_begins_at_once():
    """A seed of 20,000 seats is made in a second or so."""
    story = {"story": "s", "course": "safety", "starts": "2029-03-01", "learner": [], "expect": []}
    told = StoryFile.model_validate(story | {"taken": {"license.staff": 20_000}})
    seed = StorySeed(told, StoryCatalog(making.catalog(*course_of(C.COURSE_TOPIC_VIEWED))))
    began = time.process_time()
    assert 20_001 == len(seed.make_seed(datetime(2029, 3, 1, tzinfo=UTC))["users"])
    assert 5 > time.process_time() - began


def test_both_follow_purchase_paths(served):
    """To another shop, and to a course that is bought; a hidden button is no way; on both."""
    bundle = making.course("bundle", status="published", priceInCents=4900)
    paths = [
        making.path("safety.shop", hidePrimaryCta=True),
        making.path("safety.bundle", target={"item": "bundle"}),
    ]
    learner = [
        {"day": 0, "buys": "safety", "refused": True},
        {"day": 0, "follows": "shop"},
        {"day": 0, "follows": "bundle"},
        {"day": 0, "course": "bundle", "views": "all"},
    ]
    sold = course_of(C.COURSE_TOPIC_VIEWED, priceInCents=2900, purchasable=True)
    story = {"learner": learner, "expect": [{"charged": 4900}, {"course": "bundle", "done": True}]}
    assert () == judge_twice_of(served, story, *sold, bundle, *paths)


def test_a_disagreement_is_a_failure(served):
    """Where a sandbox has another opinion, the story fails and says of whom."""
    story = {"learner": steps({"views": PATH}), "expect": [{"done": True}]}

    def send_order(name: str, body: Any) -> Any:
        answer = served.order(name, body)
        return answer | {"completed": []} if name == "steps" else answer

    plain = {"story": "s", "course": "safety", "starts": "2029-03-01"}
    told = Story(StoryFile.model_validate(plain | story), Origin("stories/s.yaml"))
    known = StoryCatalog(making.catalog(*course_of(C.COURSE_TOPIC_VIEWED)))
    (failure,) = judge_twice(told, known, send_order).failures
    assert "by the rules, not on the sandbox" in failure.message
