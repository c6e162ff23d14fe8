"""Whether what a catalog refers to is there and fits."""

from typing import Any

import pytest

from lmssync.catalog.graph import FEW, Guess, judge_catalog
from lmssync.problems import Problem
from tests.making import (
    UUID,
    catalog,
    course,
    criterion,
    lesson,
    license_,
    micro,
    path,
    section,
    topic,
)

ATTESTED = {"by": "Ana", "on": "2027-01-31"}
QUIZ = topic("q", "quiz", attested=ATTESTED)
SAFETY = course(
    status="published",
    priceInCents=1900,
    purchasable=True,
    sections=[section("s", lesson("l", topic("t", "text"), QUIZ))],
)


def judged(*documents: dict[str, Any]) -> list[Problem]:
    return list(judge_catalog(catalog(SAFETY, *documents), frozenset()))


def about(name: str, type_: str = "courseTopicViewed") -> dict[str, Any]:
    """A criterion about a topic of the course."""
    return criterion("safety.c", type=type_, percent=None, topic=name)


@pytest.mark.parametrize(
    "document",
    [
        criterion(),
        criterion(course=UUID),
        license_(),
        license_(courses=[UUID]),
        path(course=UUID, target={"item": "safety"}),
        course("b", relatedCourses=["b", "safety"]),
        about("s/l/t"),
        about("s/l/q", "courseAssessmentPassed"),
    ],
)
def test_references_that_lead_somewhere(document: dict[str, Any]):
    """A key of the catalog or a uuid is fine."""
    assert [] == judged(document)


@pytest.mark.parametrize(
    ("document", "path_", "message"),
    [
        (criterion(course="safty"), "course", "there is no course `safty` in the catalog"),
        (license_(courses=["safty"]), "courses[0]", "there is no course `safty` in the catalog"),
        (
            path(target={"item": "safty"}),
            "target.item",
            "there is no course `safty` in the catalog",
        ),
        (
            course("b", relatedCourses=["safety", "safty"]),
            "relatedCourses[1]",
            "there is no course `safty` in the catalog",
        ),
    ],
)
def test_references_that_lead_nowhere(document: dict[str, Any], path_: str, message: str):
    """Each stands at its own value, with a near miss."""
    (problem,) = judged(document)
    assert ("unknown-reference", path_, message, "did you mean `safety`?") == (
        problem.code,
        problem.path,
        problem.message,
        problem.hint,
    )


def test_without_a_near_miss_the_hint_says_what_is_possible():
    """Who is far off learns what a reference may be."""
    (problem,) = judged(criterion(course="zzz"))
    assert "name a key of the catalog, or the uuid of one that is not in it" == problem.hint


def test_a_license_above_is_a_license():
    """The kind of what is missing is called by its noun."""
    (problem,) = judged(license_(parentLicense="top"))
    assert "there is no license `top` in the catalog" == problem.message


@pytest.mark.parametrize("document", [course("b", tags=["Nowhere"]), license_(client="nobody")])
def test_names_that_only_the_platform_knows_are_not_judged(document: dict[str, Any]):
    """Tags and clients are looked up when a plan is made."""
    assert [] == judged(document)


def test_a_topic_that_is_not_there():
    """The near miss is a topic, never a section or lesson."""
    (problem,) = judged(about("s/l/tt"))
    assert ("unknown-topic", "topic", "`safety` has no topic `s/l/tt`") == (
        problem.code,
        problem.path,
        problem.message,
    )
    assert "did you mean `s/l/t` or `s/l/q`?" == problem.hint


def test_a_topic_of_a_course_without_topics():
    """That is said as well."""
    empty = course("empty", sections=[])
    (problem,) = judged(empty, about("x") | {"course": "empty"})
    assert "it has: no topics" == problem.hint


@pytest.mark.parametrize("name", ["s", "s/l"])
def test_a_section_is_no_topic(name: str):
    """A rule about one could never be met."""
    assert ["topic-fit"] == [problem.code for problem in judged(about(name))]


def test_a_topic_of_a_type_that_can_never_meet_the_rule():
    """The message says which types can."""
    (problem,) = judged(about("s/l/t", "courseAssessmentPassed"))
    assert ("topic-fit", "it takes a topic of type quiz or test") == (problem.code, problem.hint)


def test_main_is_the_topic_that_the_platform_makes():
    """Of an article, a video, a package."""
    video = course("v", kind="video", sections=None, videoUrl="https://x")
    watched = criterion("v.c", course="v", type="videoPercentViewed", topic="main")
    assert [] == judged(video, watched)


def test_a_topic_of_a_micro_course_needs_no_path():
    """Its topics stand at the top."""
    small = micro("m", topic("t"))
    assert [] == judged(small, about("t") | {"course": "m"})


MANY = [f"course-{number:05}" for number in range(5_000)] + ["first-aid", "fire-safety"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("first-adi", "first-aid"),
        ("frist-aid", "first-aid"),
        ("irst-aid", "first-aid"),
        ("fire-safty", "fire-safety"),
        ("Course-00017", "course-00017"),
    ],
)
def test_a_typo_among_many(word: str, meant: str):
    """Wherever in the word it is, the name that was meant is among those that are named."""
    assert len(MANY) > FEW
    assert f"`{meant}`" in Guess(MANY).guess_near(word)


def test_all_of_a_few_are_compared():
    """Even one that neither begins nor ends alike."""
    few = [f"x{number}" for number in range(FEW - 1)]
    assert "did you mean `first-aid`?" == Guess([*few, "first-aid"]).guess_near("Xirst-aiX")


@pytest.mark.parametrize("known", [[], MANY])
def test_nothing_is_near(known: list[str]):
    """Then nothing is said."""
    assert "" == Guess(known).guess_near("qqqqqqqq")
