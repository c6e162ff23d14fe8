"""A learner does one thing after the other by the order `steps`; the platform keeps the results."""

import pytest

USER = "7d1c0000-0000-4000-8000-000000000a01"
GROUP, COURSE, QUIZ = (f"7d1c0000-0000-4000-8000-000000000a0{n}" for n in (2, 3, 4))
SECTION, LESSON = (f"7d1c0000-0000-4000-8000-000000000a0{n}" for n in (5, 6))
RULE = "7d1c0000-0000-4000-8000-000000000a07"
SEED = {
    "users": [{"id": USER, "email": "a@b.example"}],
    "courseGroups": [{"id": GROUP, "title": "Safety", "kind": "courseGroup"}],
    "courses": [{"id": COURSE, "courseGroupId": GROUP, "title": "Safety", "status": "published"}],
    "sections": [
        {"id": SECTION, "courseId": COURSE, "title": "S", "releaseDate": "2029-03-08T00:00:00Z"}
    ],
    "lessons": [{"id": LESSON, "sectionId": SECTION, "title": "L", "openType": "studentsOnly"}],
    "topics": [{"id": QUIZ, "lessonId": LESSON, "title": "Q", "type": "quiz"}],
    "completionCriteria": [
        {
            "id": RULE,
            "courseId": COURSE,
            "type": "courseAssessmentPassed",
            "courseAssessmentPassed": QUIZ,
        }
    ],
}


@pytest.fixture
def school(platform):
    """A course of one quiz in a section that opens in a week, and somebody who is enrolled."""
    platform.control("reset", {"seed": SEED, "now": "2029-03-01T12:00:00Z"})
    assert platform.control("steps", step("enrolls", COURSE))["refused"] is None
    return platform


def step(does, id_, **more):
    return {"userId": USER, "does": does, "id": id_, **more}


def test_the_clock_is_stopped_where_a_reset_says(school):
    """Also in the past of other sandboxes: a new platform has no past of its own."""
    assert "2029-03-01T12:00:00.000Z" == school.control("clock")["now"]
    school.control("reset", {"now": "2001-01-01"})
    assert "2001-01-01T00:00:00.000Z" == school.control("clock")["now"]
    assert "2001-01-01T00:00:05.000Z" == school.control("clock", {"advanceSeconds": 5})["now"]


def test_a_section_opens_by_the_clock(school):
    """Before its date the page is refused, and nothing is kept of the try (spec 2.2)."""
    refused = school.control("steps", step("passes", QUIZ))["refused"]
    assert "the section is not released" == refused
    school.control("clock", {"advanceSeconds": 7 * 86_400})
    assert school.control("steps", step("looks", QUIZ))["refused"] is None
    assert [] == school.control("dump", only="progress")["progress"]


def test_a_course_is_completed_by_its_rule(school):
    """A failed attempt completes nothing, a passed one does; there are events (spec 2.3)."""
    school.control("clock", {"advanceSeconds": 7 * 86_400})
    assert [] == school.control("steps", step("fails", QUIZ))["completed"]
    assert [COURSE] == school.control("steps", step("passes", QUIZ))["completed"]
    kept = school.control("dump", only="attempts,transcripts,events")
    assert [False, True] == [attempt["passed"] for attempt in kept["attempts"]]
    assert [COURSE] == [one["courseId"] for one in kept["transcripts"]]
    kinds = [event["type"] for event in kept["events"] if event["kind"] == "courseAction"]
    assert ["enrolled", "started", "completed"] == kinds


def test_what_was_done_is_in_a_dump(school):
    """A sandbox that begins with the dump goes on where this one was."""
    school.control("clock", {"advanceSeconds": 7 * 86_400})
    school.control("steps", step("passes", QUIZ))
    dump = school.control("dump")
    school.control("reset", {"seed": dump, "now": "2029-03-09"})
    assert [COURSE] == school.control("steps", step("looks", QUIZ))["completed"]
