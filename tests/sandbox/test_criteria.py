"""Completion criteria: thirteen types, created and changed (spec 2.3, 4)."""

import pytest

from lmssync.vocabulary.enums import TOPIC_CRITERIA, CriterionType

UNKNOWN = "00000000-0000-4000-8000-000000000000"
TOPIC_OF = {
    "courseTopicViewed": "text",
    "courseAssessmentPassed": "quiz",
    "courseAssignmentComplete": "assignment",
    "courseMeetingAttended": "meetingInfo",
    "scormComplete": "shareableContentObject",
    "xApiComplete": "xApiObject",
    "surveyToolComplete": "surveyTool",
    "partnerAssignmentCompleted": "partner",
    "proctoredTopicComplete": "test",
    "videoPercentViewed": "video",
}

ANY_TOPIC = {"courseTopicViewed", "proctoredTopicComplete", "videoPercentViewed"}
"""Types that take any topic, or hold it in another field."""


@pytest.fixture
def course(platform, tree):
    """A course with a topic for each criterion, as read; `topics` by type."""
    kinds = dict.fromkeys(TOPIC_OF.values())
    read = platform.read(platform.course(sections=tree(*({"type": kind} for kind in kinds))))
    topics = read["sections"][0]["lessons"][0]["topics"]
    return {"id": read["id"], "topics": {topic["type"]: topic["id"] for topic in topics}}


def entry_of(course, kind):
    """A right entry of a type."""
    topic = course["topics"].get(TOPIC_OF.get(kind, ""))
    value = topic if kind in TOPIC_CRITERIA else 80
    entry = {"courseId": course["id"], "type": kind, kind: value}
    return entry | ({"videoTopicId": topic} if kind == "videoPercentViewed" else {})


def send(platform, *entries):
    return platform.call("criteria.update", {"criteria": list(entries)}).json()


def criteria_of(platform, course):
    return platform.read(course["id"])["completionCriteria"]


@pytest.mark.parametrize("kind", CriterionType)
def test_every_type_is_created_and_read(platform, course, kind):
    """The value stands in its field, every other field is null.

    (spec 1 courses; spec 2.3 types, percent, video, time, topics; spec 4 criteria.1,
    criteria.3; O25)
    """
    entry = entry_of(course, kind)
    answer = send(platform, entry)
    assert {"createdCount": 1, "updatedCount": 0, "errors": [], "warnings": []} == answer
    (read,) = criteria_of(platform, course)
    held = {name: read.pop(name) for name in ("id", "course", "type", "description")}
    assert (course["id"], kind) == (held["course"], held["type"])
    values = {name: value for name, value in entry.items() if name not in ("courseId", "type")}
    assert values == {name: value for name, value in read.items() if value is not None}
    assert {*CriterionType, "videoTopicId"} == set(read)


@pytest.mark.parametrize("kind", CriterionType)
def test_every_type_needs_its_value(platform, course, kind):
    """The field named after the type is required when creating (spec 2.3 types)."""
    (error,) = send(platform, {"courseId": course["id"], "type": kind})["errors"]
    assert f"criteria[0].{kind}: is required" == error["error"]


def test_percentage_of_a_video_needs_its_topic(platform, course):
    """A video percentage needs a topic, which must be a video (spec 2.3 video)."""
    right = entry_of(course, "videoPercentViewed")
    entries = ({**right, "videoTopicId": id_} for id_ in (None, course["topics"]["text"]))
    (missing, other) = send(platform, *entries)["errors"]
    assert "criteria[0].videoTopicId: is required" == missing["error"]
    assert other["error"].startswith("criteria[1].videoTopicId: the topic is of type text")


def test_error_of_a_known_criterion_names_its_course_and_type(platform, course):
    """Where the entry names the criterion alone (spec 4 criteria.3.errors)."""
    send(platform, entry_of(course, "coursePercentViewed"))
    (criterion,) = criteria_of(platform, course)
    (error,) = send(platform, {"id": criterion["id"], "coursePercentViewed": 101})["errors"]
    assert (course["id"], "coursePercentViewed") == (error["courseId"], error["type"])


def test_change_of_type_clears_the_old_fields(platform, course):
    """When the type changes, the fields of the old type are gone (spec 4 criteria.2)."""
    send(platform, entry_of(course, "videoPercentViewed"))
    (before,) = criteria_of(platform, course)
    answer = send(
        platform, {"id": before["id"], "type": "coursePercentViewed", "coursePercentViewed": 50}
    )
    (after,) = criteria_of(platform, course)
    assert (1, before["id"], 50) == (
        answer["updatedCount"],
        after["id"],
        after["coursePercentViewed"],
    )
    assert (None, None) == (after["videoPercentViewed"], after["videoTopicId"])


def test_update_keeps_what_it_does_not_name(platform, course):
    """An update of one field of a type keeps the other (spec 4 criteria.1)."""
    send(platform, entry_of(course, "videoPercentViewed"))
    (before,) = criteria_of(platform, course)
    send(platform, {"id": before["id"], "videoPercentViewed": 10})
    (after,) = criteria_of(platform, course)
    assert (10, before["videoTopicId"]) == (after["videoPercentViewed"], after["videoTopicId"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"coursePercentViewed": 0}, "must be from 1 to 100"),
        ({"coursePercentViewed": 101}, "must be from 1 to 100"),
        ({"coursePercentViewed": "80"}, "must be a whole number"),
        ({"type": "other"}, "is not accepted"),
        ({"type": None}, "type: is required"),
        ({"courseId": None}, "courseId: is required"),
        ({"courseId": UNKNOWN}, "is not a course"),
        ({"courseId": "x"}, "must be a uuid"),
        ({"id": UNKNOWN}, "is not a completion criterion"),
        (
            {"type": "courseTopicViewed", "courseTopicViewed": UNKNOWN},
            "is not a topic of the course",
        ),
    ],
)
def test_bad_entries_are_told_one_by_one(platform, course, change, words):
    """A bad entry is told in errors, the good one beside it is done.

    (spec 2.3 percent, topics; spec 4 criteria.1, criteria.3.errors; spec 8 fields.percent)
    """
    good = entry_of(course, "coursePercentViewed")
    answer = send(platform, {**good, **change}, good)
    (error,) = answer["errors"]
    assert (1, True) == (answer["createdCount"], words in error["error"])
    assert ["courseId", "type", "error", "record"] == list(error)


@pytest.mark.parametrize("kind", sorted(set(TOPIC_OF) - ANY_TOPIC))
def test_topic_must_be_of_a_fitting_type(platform, course, kind):
    """An assessment cannot be passed in a text (spec 2.3 topics)."""
    (error,) = send(platform, {**entry_of(course, kind), kind: course["topics"]["text"]})["errors"]
    assert "the topic is of type text" in error["error"]


def test_fields_of_other_types_are_skipped_with_a_warning(platform, course):
    """Skipped fields are told in warnings (spec 4 criteria.3.warnings)."""
    entry = {**entry_of(course, "coursePercentViewed"), "articlePercentViewed": 5, "colour": 1}
    answer = send(platform, entry)
    assert (1, 2) == (answer["createdCount"], len(answer["warnings"]))


@pytest.mark.parametrize("body", [{}, {"criteria": {}}, {"criteria": None}])
def test_criteria_must_be_a_list(platform, body):
    """Without a list there is nothing to answer entry by entry: 400 (spec 4 criteria)."""
    assert "must be a list" in platform.errors(platform.call("criteria.update", body))[0]
