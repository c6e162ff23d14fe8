"""A course is completed once all its rules are met, and a report says which one is not."""

import pytest

from lmssync.vocabulary.enums import CriterionType as C
from tests import making

from .telling import BY_TYPE, PATH, course_of, failures_of, steps

DONE = [{"done": True}]


@pytest.mark.parametrize("type_", C)
def test_a_rule_is_met_by_what_it_asks_for(type_):
    """The learner has completed the course by the step that meets the rule (spec 2.3)."""
    story = {"learner": steps(BY_TYPE[type_][2]), "expect": DONE}
    assert [] == failures_of(story, *course_of(type_))


@pytest.mark.parametrize("type_", C)
def test_a_rule_is_not_met_by_something_else(type_):
    """Who looks at the other page alone has not completed it, and the rule is named."""
    story = {"learner": steps({"views": "start/welcome/rest"}), "expect": DONE}
    ((place, message, decider),) = failures_of(story, *course_of(type_))
    assert ("expect.0.done", True) == (place, "criterion.safety.most" in message)
    assert decider[-1] in {"percent", "seconds", "topic"}


@pytest.mark.parametrize(
    ("type_", "step"),
    [
        (C.ARTICLE_PERCENT_VIEWED, {"views": PATH, "percent": 79}),
        (C.VIDEO_PERCENT_VIEWED, {"views": PATH, "percent": 79}),
        (C.ARTICLE_TIME_VIEWED_IN_SECONDS, {"views": PATH, "seconds": 59}),
        (C.COURSE_ASSESSMENT_PASSED, {"fails": PATH}),
        (C.PROCTORED_TOPIC_COMPLETE, {"passes": PATH}),
        (C.COURSE_MEETING_ATTENDED, {"views": PATH}),
        (C.SCORM_COMPLETE, {"views": PATH}),
    ],
)
def test_almost_is_not_enough(type_, step):
    """One percent, one second or the right ending is lacking."""
    story = {"learner": steps(step), "expect": [{"done": False}]}
    assert [] == failures_of(story, *course_of(type_))


def test_time_adds_up_and_shares_do_not():
    """Seconds of several visits are added; of shares the largest counts."""
    visits = [{"views": PATH, "seconds": 30, "percent": 50}] * 2
    story = {"learner": steps(*visits), "expect": DONE}
    assert [] == failures_of(story, *course_of(C.ARTICLE_TIME_VIEWED_IN_SECONDS))
    assert 1 == len(failures_of(story, *course_of(C.ARTICLE_PERCENT_VIEWED)))


def test_all_rules_must_be_met():
    """With two rules, the one that is lacking is named."""
    second = making.criterion("safety.pass", type="courseTopicViewed", percent=None, topic=PATH)
    course = course_of(C.COURSE_PERCENT_VIEWED)
    story = {"learner": steps({"views": "start/welcome/rest"}), "expect": DONE}
    assert ["percent"] == [path[-1] for _, _, path in failures_of(story, *course, second)]


def test_a_course_without_rules_is_completed_by_viewing_it():
    """Every page must have been viewed."""
    course, _, license_ = course_of(C.COURSE_TOPIC_VIEWED)
    half = {"learner": steps({"views": PATH}), "expect": [{"done": False}]}
    whole = {"learner": steps({"views": "all"}), "expect": DONE}
    assert [] == [*failures_of(half, course, license_), *failures_of(whole, course, license_)]


def test_what_nobody_can_do_with_a_page_is_refused():
    """A text cannot be passed."""
    story = {"learner": steps({"passes": "start/welcome/rest"})}
    ((_, message, decider),) = failures_of(story, *course_of(C.COURSE_TOPIC_VIEWED))
    assert "nobody passes a page of type text: `start/welcome/rest`; it goes with quiz" in message
    assert ("sections", 0, "lessons", 0, "topics", 1) == decider


def test_access_days_beyond_the_last_date_never_end():
    """Access for 10,000 years is access."""
    *course, license_ = course_of(C.COURSE_TOPIC_VIEWED)
    story = {"learner": steps({"views": PATH}), "expect": DONE}
    assert [] == failures_of(story, *course, license_ | {"accessDays": 3_650_000})
