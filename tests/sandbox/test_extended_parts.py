"""Sections, lessons and topics of a course, listed and one by one (O45)."""

import pytest

UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def course(platform):
    """Two sections; the first has the lessons `Tools` and `Ladders`, the last a topic."""
    topics = [{"title": "Read", "type": "text", "body": "<p>x</p>"}, {"title": "Q", "type": "quiz"}]
    lessons = [
        {"title": "Tools", "openType": "open", "topics": []},
        {"title": "Ladders", "openType": "studentsOnly", "topics": topics},
    ]
    first = {"title": "On site", "releaseDate": "2026-03-01", "lessons": lessons}
    return platform.course(title="C", sections=[first, {"title": "At home", "lessons": []}])


def listed(platform, name, key, id_, **query):
    return platform.call(name, id=id_, query=query).json()[key]


def test_sections_of_a_course(platform, course):
    """Sections come in order, with counts of what they hold (O45)."""
    first, second = listed(platform, "section.list", "sections", course)
    read = platform.read(course)["sections"]
    assert [one["id"] for one in read] == [first["id"], second["id"]]
    assert {
        "title": "On site",
        "slug": "on-site",
        "status": "draft",
        "releaseAt": "2026-03-01T00:00:00.000Z",
        "parentSectionId": None,
        "lessonCount": 2,
    } == {name: first[name] for name in first if name not in ("id", "lessons")}
    assert (0, []) == (second["lessonCount"], second["lessons"])


def test_lessons_of_a_course_and_of_a_section(platform, course):
    """The same lessons, whether asked for by the course, the section or in its list (O45)."""
    section = listed(platform, "section.list", "sections", course)[0]
    lessons = listed(platform, "lesson.list", "lessons", course)
    assert lessons == listed(platform, "section.lessons", "lessons", section["id"])
    assert lessons == section["lessons"]
    assert ["Ladders", "ladders", "studentsOnly", section["id"], "On site", 2] == [
        lessons[1][name]
        for name in ("title", "slug", "accessLevel", "sectionId", "sectionTitle", "topicCount")
    ]


def test_one_section(platform, course):
    """A section is read with its course (O45)."""
    (listed_, _) = listed(platform, "section.list", "sections", course)
    section = platform.call("section.read", id=listed_["id"]).json()
    assert {**listed_, "courseId": course, "courseTitle": "C"} == section


def test_one_lesson(platform, course):
    """A lesson is read with its course and an outline of its topics (O45)."""
    listed_ = listed(platform, "lesson.list", "lessons", course)[1]
    lesson = platform.call("lesson.read", id=listed_["id"]).json()
    assert ["text", "quiz"] == [topic["type"] for topic in lesson.pop("topicOutline")]
    assert {**listed_, "courseId": course, "courseTitle": "C"} == lesson


def test_one_topic(platform, course):
    """As its lesson lists it, with its lesson and its course, and without a body (O24, O45)."""
    lesson = platform.read(course)["sections"][0]["lessons"][1]["id"]
    listed_ = platform.call("topic.list", lessonId=lesson).json()["topics"][0]
    topic = platform.call("topic.read", id=listed_["id"]).json()
    places = {"lessonId": lesson, "lessonTitle": "Ladders", "courseId": course, "courseTitle": "C"}
    assert {**listed_, **places} == topic


@pytest.mark.parametrize("name", ["section.list", "lesson.list"])
def test_the_group_stands_for_its_first_session(platform, course, name):
    """The id of a group reads its first session, as on every read of a course (O30, O45)."""
    group = platform.read(course)["courseGroupId"]
    assert platform.call(name, id=course).json() == platform.call(name, id=group).json()


@pytest.mark.parametrize(
    "name",
    ["section.list", "lesson.list", "section.lessons", "section.read", "lesson.read", "topic.read"],
)
def test_parts_that_nobody_has(platform, name):
    """404 for an unknown id, 200 with `errors` for one of another kind (O29, O45)."""
    tag = platform.tag("Safety")
    assert 404 == platform.call(name, id=UNKNOWN).status_code
    answer = platform.call(name, id=tag)
    assert (200, ["errors"]) == (answer.status_code, list(answer.json()))


def test_parts_of_a_deleted_course_are_gone(platform, course):
    """What a person deleted is not read by the ids of its parts (O38, O45)."""
    section = listed(platform, "section.list", "sections", course)[0]["id"]
    platform.control("edit", {"list": "courses", "id": course, "delete": True})
    assert 404 == platform.call("section.read", id=section).status_code


def test_sections_are_read_whole(platform):
    """No client pages them, so a course with more than fifty is not cut (O66)."""
    course = platform.course(sections=[{"title": str(n), "lessons": []} for n in range(60)])
    assert 60 == len(listed(platform, "section.list", "sections", course))


def test_lessons_are_read_whole(platform):
    """So with those of a course and of a section (O66)."""
    lessons = [{"title": str(n), "openType": "open", "topics": []} for n in range(60)]
    course = platform.course(sections=[{"title": "S", "lessons": lessons}])
    (section,) = platform.read(course)["sections"]
    assert 60 == len(listed(platform, "lesson.list", "lessons", course))
    assert 60 == len(listed(platform, "section.lessons", "lessons", section["id"]))


def test_sections_by_cursor(platform):
    """Lists of parts are walked as lists of groups are (O45, O47)."""
    course = platform.course(sections=[{"title": title, "lessons": []} for title in "ABC"])
    seen, query = [], {"perPage": 2}
    while query:
        answer = platform.call("section.list", id=course, query=query).json()
        seen.append([section["title"] for section in answer["sections"]])
        cursor = answer["pageInfo"].get("cursor")
        query = {"perPage": 2, "cursor": cursor} if cursor else None
    assert [["A", "B"], ["C"]] == seen
