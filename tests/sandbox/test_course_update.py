"""Course update: partial changes, additions, order, refusals (O1 to O14)."""

import pytest

UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def course(platform, tree):
    """A course with two text topics, as read."""
    sections = tree({"type": "text", "title": "One"}, {"type": "text", "title": "Two"})
    return platform.read(platform.course(sections=sections, ribbon="new", description="Old"))


def topics_of(course):
    return course["sections"][0]["lessons"][0]["topics"]


def group_of(platform):
    return platform.dump("courseGroups")[0]


def test_absent_fields_stay(platform, course):
    """An update is partial (O2)."""
    platform.update(courseGroups=[{"id": course["courseGroupId"], "title": "New"}])
    assert (
        "New",
        "Old",
        "new",
    ) == tuple(group_of(platform)[name] for name in ("title", "description", "ribbon"))


def test_null_clears(platform, course):
    """An explicit null takes a value away (O2)."""
    platform.update(courseGroups=[{"id": course["courseGroupId"], "ribbon": None}])
    assert "ribbon" not in group_of(platform)


def test_tags_are_replaced(platform, course):
    """The list of tags is replaced, not joined (O8)."""
    for label in ("Safety", "Sales"):
        entry = {"id": course["courseGroupId"], "tagIds": [platform.tag(label)]}
        platform.update(courseGroups=[entry])
    assert [platform.tag("Sales")] == group_of(platform)["tagIds"]


def test_every_level_is_changed(platform, course):
    """One call can change group, session, section, lesson and topic (spec 4 update; O3, O12)."""
    section = course["sections"][0]
    lesson = section["lessons"][0]
    response = platform.update(
        courseGroups=[{"id": course["courseGroupId"], "slug": "a-slug"}],
        courses=[{"id": course["id"], "title": "T1", "priceInCents": 100}],
        sections=[{"id": section["id"], "title": "T2", "releaseDate": "2030-01-01"}],
        lessons=[{"id": lesson["id"], "title": "T3", "openType": "open"}],
        topics=[{"id": lesson["topics"][0]["id"], "title": "T4", "body": "new"}],
    )
    assert 200 == response.status_code, response.text
    read = platform.read(course["id"])
    section = read["sections"][0]
    lesson = section["lessons"][0]
    assert ["T1", "T2", "T3", "T4"] == [
        read["title"],
        section["title"],
        lesson["title"],
        lesson["topics"][0]["title"],
    ]
    assert ("2030-01-01T00:00:00.000Z", "open") == (section["releaseAt"], lesson["accessLevel"])


def test_children_are_appended_in_request_order(platform, course):
    """New children stand at the end, in the order of the request (O3, O7)."""
    lesson = course["sections"][0]["lessons"][0]["id"]
    new = [{"lessonId": lesson, "title": title, "type": "text"} for title in ("Three", "Four")]
    platform.update(topics=new)
    titles = [topic["title"] for topic in topics_of(platform.read(course["id"]))]
    assert ["One", "Two", "Three", "Four"] == titles


def test_deep_addition_takes_waves(platform, course):
    """Section, then lesson, then topic, each under an id that was read back (O4)."""
    platform.update(sections=[{"courseId": course["id"], "title": "S"}])
    section = platform.read(course["id"])["sections"][1]["id"]
    platform.update(lessons=[{"sectionId": section, "title": "L"}])
    lesson = platform.read(course["id"])["sections"][1]["lessons"][0]
    platform.update(topics=[{"lessonId": lesson["id"], "title": "T", "type": "quiz"}])
    read = platform.read(course["id"])["sections"][1]["lessons"][0]
    assert ("studentsOnly", "quiz") == (lesson["accessLevel"], read["topics"][0]["type"])


def test_new_session_of_a_group(platform, course):
    """A session without an id is added to the group it names (spec 2.1 sessions; O3)."""
    response = platform.update(courses=[{"courseGroupId": course["courseGroupId"], "title": "S2"}])
    assert 200 == response.status_code, response.text
    groups = [session["courseGroupId"] for session in platform.dump("courses")]
    assert [course["courseGroupId"]] * 2 == groups


def test_position_moves_among_siblings(platform, course):
    """`position` counts from 0 and no read returns it (O7)."""
    platform.update(topics=[{"id": topics_of(course)[1]["id"], "position": 0}])
    topics = topics_of(platform.read(course["id"]))
    assert (["Two", "One"], False) == ([t["title"] for t in topics], "position" in topics[0])


def test_topic_change_is_noticed(platform, course):
    """A changed body changes updatedAt (O24)."""
    topic = topics_of(course)[0]
    platform.control("clock", {"advanceSeconds": 60})
    platform.update(topics=[{"id": topic["id"], "body": "changed"}])
    assert topic["updatedAt"] < topics_of(platform.read(course["id"]))[0]["updatedAt"]


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ([], "update takes an object"),
        (None, "must be an object"),
        ({}, "No items provided"),
        ({"topics": []}, "No items provided"),
        ({"pages": []}, "no such list"),
        ({"topics": {}}, "must be a list"),
        ({"topics": [{}] * 60, "lessons": [{}] * 41}, "has 101 entries"),
        ({"courseGroups": [{"title": "x"}]}, "id: is required"),
    ],
)
def test_wrapper_is_checked(platform, attributes, words):
    """An object of five lists with 1 to 100 entries in all (O1, O5, O14)."""
    response = platform.call("course.update", {"courseAttributes": attributes})
    assert words in platform.errors(response)[0]


@pytest.mark.parametrize(
    "fields",
    [
        {"tagIds": [UNKNOWN]},
        {"customFields": {"nobody": "x"}},
        {"customFields": {"review-cycle": "weekly"}},
    ],
)
def test_some_errors_name_nothing(platform, course, fields):
    """Unknown tags, custom fields and options get the general words (O14)."""
    response = platform.update(courseGroups=[{"id": course["courseGroupId"], **fields}])
    assert ["A processing error occurred"] == platform.errors(response)


def test_bad_ribbon_lists_the_slugs(platform, course):
    """The error lists the slugs of ribbons; no other answer does (O14)."""
    response = platform.update(courseGroups=[{"id": course["courseGroupId"], "ribbon": "x"}])
    expected = "Invalid ribbon slug `x`. Available ribbons: new, popular, mandatory, updated"
    assert [expected] == platform.errors(response)


@pytest.mark.parametrize(
    ("name", "entry", "words"),
    [
        ("courseGroups", {"source": "x"}, "cannot be changed after creation"),
        ("courseGroups", {"articleVariant": {"body": "x"}}, "at creation only"),
        ("courseGroups", {"title": None}, "cannot be cleared"),
        ("courses", {"status": "published"}, "cannot be set by an update"),
        ("courses", {"kind": "video"}, "not a field here"),
        ("sections", {"lessons": []}, "not a field here"),
        ("sections", {"courseId": UNKNOWN}, "not a field here"),
        ("topics", {"type": "quiz"}, "not a field here"),
        ("topics", {"lessonId": UNKNOWN}, "not a field here"),
        ("topics", {"scormUrl": "https://x.example"}, "not a field here"),
        ("topics", {"position": -1}, "must be from 0"),
    ],
)
def test_what_cannot_be_written(platform, course, name, entry, words):
    """Some things are fixed at creation or cannot move (O8, O11)."""
    section = course["sections"][0]
    ids = {
        "courseGroups": course["courseGroupId"],
        "courses": course["id"],
        "sections": section["id"],
        "topics": topics_of(course)[0]["id"],
    }
    assert words in platform.errors(platform.update(**{name: [{"id": ids[name], **entry}]}))[0]


@pytest.mark.parametrize("name", ["courseGroups", "courses", "sections", "lessons", "topics"])
def test_unknown_ids_are_refused(platform, name):
    """An id that nothing has is a 400 with its place (spec 7 A)."""
    response = platform.update(**{name: [{"id": UNKNOWN, "title": "x"}]})
    assert platform.errors(response)[0].startswith(f"courseAttributes.{name}[0].id: no ")


def test_ids_of_the_wrong_level_are_told_apart(platform, course):
    """Group and course ids are confused by everyone: the answer says which was given (O30)."""
    response = platform.update(courses=[{"id": course["courseGroupId"], "title": "x"}])
    assert "is the id of a course group; this must be a course" in platform.errors(response)[0]


def test_all_or_nothing(platform, course):
    """A bad entry also undoes the good entries before it (O16)."""
    response = platform.update(
        courses=[{"id": course["id"], "title": "New"}], topics=[{"id": UNKNOWN, "title": "x"}]
    )
    assert (400, "A course") == (response.status_code, platform.read(course["id"])["title"])


def test_taken_sku_is_refused(platform, course):
    """A sku of another course is refused, its own is not (O18)."""
    platform.course(sku="S-1")
    platform.update(courses=[{"id": course["id"], "sku": "S-2"}])
    statuses = [
        platform.update(courses=[{"id": course["id"], "sku": sku}]).status_code
        for sku in ("S-1", "S-2")
    ]
    assert [400, 200] == statuses


def test_date_makes_a_draft_pending_and_back(platform, course):
    """futurePublishDate schedules a draft; null takes the schedule back (spec 3 pending)."""
    seen = []
    for date in ("2999-01-01", None):
        platform.update(courses=[{"id": course["id"], "futurePublishDate": date}])
        seen.append(platform.read(course["id"])["status"])
    assert ["pending", "draft"] == seen


def test_new_package_queues_a_job(platform, tree):
    """A scormUrl on an existing topic is fetched by a job; restartProgress is an order.

    (O6, O10)
    """
    course = platform.read(platform.course(sections=tree({"type": "shareableContentObject"})))
    entry = {"id": topics_of(course)[0]["id"], "scormUrl": "https://x.example/p.zip"}
    answer = platform.update(topics=[{**entry, "restartProgress": True}]).json()
    assert "queued" == answer["backgroundJob"]["status"]
    assert "restartProgress" not in platform.dump("topics")[0]


def test_new_video_replaces_the_old(platform, tree):
    """videoUrl takes the place of a videoAsset, so that one source is stored.

    (spec 2.2 videoSources)
    """
    video = {"type": "video", "videoAsset": "7d1c0000-0000-4000-8000-000000000301"}
    course = platform.read(platform.course(sections=tree(video)))
    entry = {"id": topics_of(course)[0]["id"], "videoUrl": "https://x.example/v"}
    assert 200 == platform.update(topics=[entry]).status_code
    topic = platform.dump("topics")[0]
    assert ("https://x.example/v", False) == (topic["videoUrl"], "videoAsset" in topic)
