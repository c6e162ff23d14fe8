"""What a refused call has done all the same is not done again, and what it has not is not lost."""

from typing import Any

import pytest

from tests.served_catalog import Platform, Workspace

from .test_absence import CRITERION, TOPIC

PARTIAL = 7
BAD = {"errors": [{"message": "A processing error occurred"}]}


def titles(platform: Platform) -> list[str]:
    return [topic["title"] for topic in platform.dump("topics")]


@pytest.mark.parametrize("status", [200, 400])
def test_an_addition_that_a_refusal_made_is_not_made_again(
    work: Workspace, platform: Platform, status: int
) -> None:
    """An addition that was made despite an error answer is not made again (O16, O29)."""
    work.course("a")
    work.course("b")
    work.apply()
    work.course("a", TOPIC)
    work.course("b", TOPIC)
    platform.fault("answer", "course.update", when="after", status=status, body=BAD)

    work.apply()
    assert 0 == work.apply().code
    assert 2 == titles(platform).count("More")
    assert [] == work.plan()["changes"]


def test_a_half_done_call_is_finished_and_not_repeated(work: Workspace, platform: Platform) -> None:
    """A call that failed after its first page only adds the second one later."""
    platform.order("switches", {"batchAtomic": False})
    work.course("a")
    work.apply()
    bad = "          - {id: bad, title: Bad, type: pdfViewer, pdfUrl: 'https://x.example/a.pdf'}\n"
    work.course("a", TOPIC + bad)
    platform.fault("answer", "course.update", when="after", status=400, body=BAD)
    work.apply()

    assert 0 == work.apply().code
    assert (1, 1) == (titles(platform).count("More"), titles(platform).count("Bad"))
    assert [] == work.plan()["changes"]


@pytest.mark.parametrize(
    "errors", [["ribbon was skipped"], {"ribbon": ["unknown"]}, "ribbon was skipped"]
)
def test_a_field_that_a_200_refuses_is_not_recorded(
    work: Workspace, platform: Platform, errors: Any
) -> None:
    """A field that a 200 refuses stays in the plan."""
    work.course("a", "priceInCents: 100\n")
    work.apply()
    work.course("a", "priceInCents: 250\n")
    platform.fault("answer", "course.update", status=200, body={"errors": errors})

    assert PARTIAL == work.apply().code
    assert ["priceInCents"] == [f["path"] for f in work.plan()["changes"][0]["fields"]]
    assert 0 == work.apply().code
    assert 250 == platform.dump("courses")[0]["priceInCents"]


def test_criteria_of_a_refused_call_are_not_made_again(work: Workspace, platform: Platform) -> None:
    """Criteria carry no mark, so they are looked up in their course."""
    rules = "[{id: m, type: coursePercentViewed, percent: 80}, "
    rules += "{id: v, type: courseTopicViewed, topic: start/one/hello}]"
    work.course("a")
    work.apply()
    work.course("a", f"completionCriteria: {rules}\n")
    platform.fault("answer", "criteria.update", when="after", status=400, body=BAD)

    work.apply()
    assert 0 == work.apply().code
    assert 2 == len(platform.dump("completionCriteria"))


def test_a_circle_is_told_as_it_is(work: Workspace, platform: Platform) -> None:
    """If one of two related courses is refused, the other is made and only its link is missing."""
    work.course("a", "relatedCourses: [b]\nribbon: nonsense\n")
    work.course("b", "relatedCourses: [a]\n")

    done = work.apply("--json")

    assert PARTIAL == done.code
    assert ("failed", "created") == (
        done.json["results"]["course.a"],
        done.json["results"]["course.b"],
    )
    told = {one["address"]: one["message"] for one in done.json["failures"]}
    assert "needs course.a" in told["course.b"]


def test_what_needs_a_refused_part_names_the_part(work: Workspace, platform: Platform) -> None:
    """The course was made before: the message does not say that it was not."""
    work.course("a")
    work.apply()
    rule = "[{id: v, type: courseTopicViewed, topic: start/one/more}]"
    work.course("a", f"{TOPIC}completionCriteria: {rule}\n")
    platform.fault("answer", "course.update", status=400, body=BAD)

    done = work.apply()

    assert (PARTIAL, False) == (done.code, "was not made" in done.out)
    assert "needs the id of `start/one/more` of course.a, which is not known" in done.out


def test_an_order_that_the_platform_ignores_is_told(work: Workspace, platform: Platform) -> None:
    """A `position` that the platform ignores is reported (O7)."""
    platform.order("switches", {"positions": "ignored"})
    work.course("a")
    work.apply()
    first = "          - {id: hello, title: Hello, type: text, markdown: Good morning}\n"
    second = "          - {id: check, title: Check, type: quiz}\n"
    work.course("a", edit=(first + second, second + first))

    done = work.apply()

    assert (PARTIAL, True) == (done.code, "left `sections[start].lessons[one].topics`" in done.out)
    (change,) = work.plan()["changes"]
    assert [".order" in field["path"] for field in change["fields"]] == [True]


def test_an_order_that_was_put_right_by_hand_is_recorded(
    work: Workspace, platform: Platform
) -> None:
    """An order that was corrected by hand leaves nothing to do."""
    test_an_order_that_the_platform_ignores_is_told(work, platform)
    platform.order("switches", {"positions": "followed"})

    assert 0 == work.apply().code
    assert ["Check", "Hello"] == platform.topics("Title of a")
    assert [] == work.plan()["changes"]


def test_a_criterion_that_was_refused_is_tried_again(work: Workspace, platform: Platform) -> None:
    """A criterion that the answer reports as failed is tried again."""
    work.course("a")
    work.apply()
    course = platform.dump("courses")[0]["id"]
    work.course("a", "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n")
    failed = {"courseId": course, "type": "coursePercentViewed", "error": "no", "record": "{}"}
    body = {"createdCount": 0, "updatedCount": 0, "errors": [failed], "warnings": []}
    platform.fault("answer", "criteria.update", times=2, body=body)

    assert [PARTIAL, PARTIAL] == [work.apply().code, work.apply().code]
    assert 0 == work.apply().code
    assert 1 == len(platform.dump("completionCriteria"))


def test_a_read_that_lags_does_not_hide_what_a_refused_call_did(
    work: Workspace, platform: Platform
) -> None:
    """A lagging read does not cause a second create."""
    work.course("a")
    work.apply()
    platform.order("switches", {"readLagSeconds": 0.2})
    work.course("a", CRITERION)
    platform.fault("answer", "criteria.update", when="after", status=400, body=BAD)

    assert 0 == work.apply().code
    assert 1 == len(platform.dump("completionCriteria"))
