"""The extended profile: groups, search, whole courses, release (O25 to O30, O39, O46 to O50)."""

import base64

import pytest

from lmssync.sandbox import run_sandbox
from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.vocabulary.routes import ROUTES, Capability

from .. import patient_http

EXTENDED = sorted(n for n in HANDLERS if ROUTES[n].capability is Capability.EXTENDED)
PATH = "7d1c0000-0000-4000-8000-000000000101"
UNKNOWN = "00000000-0000-4000-8000-000000000000"
BY_COURSE = ("course.read", "course.structure", "course.full", "criteria.list")
BY_GROUP = ("group.read", "group.courses", "group.displayCourse")


def group_of(platform, course):
    return platform.read(course)["courseGroupId"]


def edit(platform, list_, id_, **fields):
    return platform.control("edit", {"list": list_, "id": id_, "set": fields})


def search(platform, query, **more):
    return platform.call("content.search", query={"query": query, **more}).json()["contentItems"]


@pytest.fixture(scope="module")
def core():
    with (
        run_sandbox(profile="core") as ready,
        patient_http.client(base_url=ready["baseUrl"]) as http,
    ):
        http.headers["Authorization"] = f"Bearer {ready['apiKey']}"
        yield http


def test_every_extended_route_is_served():
    """The extended profile is whole: no route of the table is missing (O25 to O28, O32 to O39)."""
    table = {name for name, route in ROUTES.items() if route.capability is Capability.EXTENDED}
    assert table == set(EXTENDED)


@pytest.mark.parametrize("name", EXTENDED)
def test_core_profile_has_no_extended_route(core, name):
    """Where only the specification is served these routes are 404 or 405 (spec 4, O26)."""
    route = ROUTES[name]
    response = core.request(route.method, route.path.format(id=UNKNOWN, slug="x"))
    assert response.status_code in (404, 405)


def test_criteria_of_a_course(platform):
    """`course` for `courseId`, a sentence, and null for the fields of other types (O25)."""
    course = platform.course()
    entry = {"courseId": course, "type": "coursePercentViewed", "coursePercentViewed": 80}
    platform.call("criteria.update", {"criteria": [entry]})
    answer = platform.call("criteria.list", id=course).json()
    (criterion,) = answer["completionCriteria"]
    assert (course, "View 80% of the course", 80, None) == (
        criterion["course"],
        criterion["description"],
        criterion["coursePercentViewed"],
        criterion["videoTopicId"],
    )


def test_groups_are_listed_by_page(platform):
    """pageInfo in the page style, and the second page goes on (O26)."""
    for number in range(3):
        platform.course(title=f"C{number}")
    first, second = (
        platform.call("group.list", query={"perPage": 2, "page": page}).json() for page in (1, 2)
    )
    cursor = first["pageInfo"].pop("cursor")
    assert cursor
    assert {"perPage": 2, "currentPage": 1, "total": 3, "hasMore": True} == first["pageInfo"]
    assert "cursor" not in second["pageInfo"]
    assert [["C0", "C1"], ["C2"]] == [
        [group["title"] for group in page["courseGroups"]] for page in (first, second)
    ]


def test_groups_are_filtered_by_kind(platform):
    """`kind` picks, an unknown one is refused with the list (O26)."""
    platform.course()
    platform.course(title="A", kind="article")
    found = platform.call("group.list", query={"kind": "article"}).json()["courseGroups"]
    assert ["A"] == [group["title"] for group in found]
    assert 400 == platform.call("group.list", query={"kind": "x"}).status_code


def test_groups_are_filtered_by_archived(platform):
    """A group is archived when all its sessions are (O26, O38)."""
    live, old = platform.course(title="Live"), platform.course(title="Old")
    edit(platform, "courses", old, status="archived")
    seen = [
        [g["title"] for g in platform.call("group.list", query=query).json()["courseGroups"]]
        for query in ({"archived": "true"}, {"archived": "false"}, {})
    ]
    assert [["Old"], ["Live"], ["Live", "Old"]] == seen
    assert False is platform.call("group.read", id=group_of(platform, live)).json()["archived"]


def test_group_shows_its_ribbon_and_never_its_tags(platform):
    """The ribbon comes back, tags do not (O26)."""
    course = platform.course(ribbon="new", tagIds=[platform.tag("Safety")])
    group = platform.call("group.read", id=group_of(platform, course)).json()
    assert ("new", set()) == (group["ribbon"], {"tags", "tagIds"} & set(group))


@pytest.mark.parametrize(
    ("name", "key"), [("group.list", "courseGroups"), ("group.courses", "courses")]
)
def test_lists_of_groups_take_a_cursor(platform, name, key):
    """Unpadded base64 of a number, told while there is more; it goes before `page` (O47)."""
    group = group_of(platform, platform.course(title="A"))
    for title in "BC":
        platform.course(title=title)
        platform.update(courses=[{"courseGroupId": group, "title": title}])
    first = platform.call(name, id=group, query={"perPage": 2}).json()
    cursor = first["pageInfo"]["cursor"]
    assert b"2" == base64.b64decode(cursor + "==")
    last = platform.call(name, id=group, query={"perPage": 2, "page": 1, "cursor": cursor}).json()
    assert ["A", "B", "C"] == [one["title"] for page in (first, last) for one in page[key]]
    assert (False, None) == (last["pageInfo"]["hasMore"], last["pageInfo"].get("cursor"))


@pytest.mark.parametrize("cursor", ["x", "MA", "LTE", "Mi41", "é", "WyIyIl0"])
def test_cursors_of_no_list_of_groups(platform, cursor):
    """A cursor of another list is a 400 (O47)."""
    assert 400 == platform.call("group.list", query={"cursor": cursor}).status_code


def test_a_thousand_groups_a_page(platform):
    """`perPage` may be 1,000; more is a 400 (O47)."""
    statuses = [
        platform.call("group.list", query={"perPage": size}).status_code for size in (1000, 1001)
    ]
    assert [200, 400] == statuses


def test_a_group_tells_of_its_sessions(platform):
    """A group shows its displayed session, status and number of sessions (O46)."""
    course = platform.course()
    group = group_of(platform, course)
    platform.update(courses=[{"courseGroupId": group, "title": "Second", "status": "published"}])
    second = platform.call("group.displayCourse", id=group).json()["id"]
    shown = platform.call("group.read", id=group).json()
    assert (second, "published", False, None, 2) == tuple(
        shown[name]
        for name in ("displayCourseId", "status", "isTemplate", "language", "courseCount")
    )
    assert [second] == [
        one["displayCourseId"] for one in platform.call("group.list").json()["courseGroups"]
    ]


def test_group_by_its_slug(platform):
    """The slug leads to the group; one that nobody has is 404 (O26)."""
    course = platform.course(title="Ladder safety")
    found = platform.call("group.bySlug", slug="ladder-safety").json()
    assert group_of(platform, course) == found["id"]
    assert 404 == platform.call("group.bySlug", slug="ladders").status_code


def test_courses_of_a_group(platform):
    """All its sessions, with `seatsLimit` for `enrollmentLimit` (O23, O26)."""
    course = platform.course(enrollmentLimit=7)
    group = group_of(platform, course)
    platform.update(courses=[{"courseGroupId": group, "title": "Second"}])
    answer = platform.call("group.courses", id=group).json()
    assert [("A course", 7), ("Second", None)] == [
        (one["title"], one["seatsLimit"]) for one in answer["courses"]
    ]


def test_display_course_is_the_published_one(platform):
    """The first published session, else the first (O26)."""
    course = platform.course()
    group = group_of(platform, course)
    before = platform.call("group.displayCourse", id=group).json()["id"]
    platform.update(courses=[{"courseGroupId": group, "title": "Second", "status": "published"}])
    after = platform.call("group.displayCourse", id=group).json()["title"]
    assert (course, "Second") == (before, after)


@pytest.mark.parametrize("query", ["slug:ladder-safety", "sku:LAD-1", "ladder", "LAD-1"])
def test_search_finds(platform, query):
    """By slug, by sku and by text, with sku, ribbon and tags (O27)."""
    safety = platform.tag("Safety")
    course = platform.course(title="Ladder safety", sku="LAD-1", ribbon="new", tagIds=[safety])
    platform.course(title="Else")
    (item,) = search(platform, query)
    assert (course, "LAD-1", {"slug": "new"}, [{"id": safety, "label": "Safety"}]) == (
        item["id"],
        item["sku"],
        item["ribbon"],
        item["tags"],
    )


@pytest.mark.parametrize(
    ("types", "titles"),
    [
        (["courses"], ["C", "V"]),
        (["videos"], ["V"]),
        (["courseGroup"], ["C"]),
        (["learningPaths"], ["New starter path", "First line manager path"]),
        (["videos", "subscriptions"], ["All access subscription", "V"]),
    ],
)
def test_search_by_plural_types(platform, types, titles):
    """Plural words, of which `courses` is every course, and the kinds themselves (O48)."""
    platform.course(title="C")
    platform.course(title="V", kind="video", videoUrl="https://x.example/v.mp4")
    assert titles == [item["title"] for item in search(platform, "", **{"types[]": types})]


def test_search_by_ids(platform):
    """`_id:a OR _id:b` in parentheses finds these sessions (O48)."""
    ids = [platform.course(title=title) for title in "ABC"]
    wanted = f"(_id:{ids[0]} OR _id:{ids[2].upper()})"
    assert ["A", "C"] == [item["title"] for item in search(platform, wanted)]
    assert ["B"] == [item["title"] for item in search(platform, f"_id:{ids[1]}")]
    assert [] == search(platform, f"(_id:{UNKNOWN})")


def test_search_by_slugs(platform):
    """Several exact terms, one of which must fit (O48)."""
    for title in ("Ladders", "Ropes", "Ladders and ropes"):
        platform.course(title=title)
    found = search(platform, "(slug:ladders OR slug:ropes)")
    assert ["Ladders", "Ropes"] == [item["title"] for item in found]


def test_search_by_several_skus(platform):
    """Of different fields too (O48)."""
    ids = [platform.course(title=f"C{sku}", sku=sku) for sku in ("A-1", "B-2", "C-3")]
    found = search(platform, f"(sku:A-1 OR _id:{ids[2]})")
    assert ["CA-1", "CC-3"] == [item["title"] for item in found]
    assert 2 == len(search(platform, "sku:A-1 OR sku:B-2"))


@pytest.mark.parametrize("word", ["slug", "sku", "_id", "this OR that"])
def test_words_that_name_no_value_are_text(platform, word):
    """A field is asked for with a colon; everything else is looked for in texts (O27, O48)."""
    platform.course(title="Else")
    course = platform.course(description=f"About {word} here")
    assert [course] == [item["id"] for item in search(platform, word)]


def test_search_by_sku_can_be_switched_off(platform):
    """A match on `sku:` is not evidenced: then it is a text that nothing holds (O48)."""
    platform.course(sku="LAD-1")
    platform.control("switches", {"searchBySku": False})
    assert ([], 1) == (search(platform, "sku:LAD-1"), len(search(platform, "LAD-1")))


def test_what_search_shows_of_a_course(platform):
    """What clients read, from the group and from the session (O48)."""
    course = platform.course(
        title="Ladders",
        authors=["Ida"],
        customFields={"owner": "A"},
        enrollmentLimit=7,
        courseEndDate="2030-01-01",
        metaTitle="M",
        source="S",
    )
    (item,) = search(platform, "slug:ladders")
    assert {
        "kind": "courseGroup",
        "status": "draft",
        "language": None,
        "authorsAndInstructors": ["Ida"],
        "contentTypeLabel": "Course",
        "courseEndDate": "2030-01-01T00:00:00.000Z",
        "customFields": {"owner": "A"},
        "enrollmentCount": 0,
        "freeWithRegistration": False,
        "metaTitle": "M",
        "seatsLimit": 7,
        "source": "S",
        "url": f"/catalog/{course}",
        "ribbon": None,
    }.items() <= item.items()
    assert 200 == platform.http.get(item["url"]).status_code


def test_search_counts_learners(platform):
    """`enrollmentCount` is that of learners who are enrolled now (O48)."""
    platform.control("school", {})
    rows = [row for row in platform.dump("enrollments") if row["status"] == "active"]
    items = search(platform, "", **{"types[]": "courses"})
    assert len(rows) == sum(item["enrollmentCount"] for item in items)
    assert len(rows) > 0


@pytest.mark.parametrize("form", ["flat", "nested"])
def test_a_whole_learning_path(platform, form):
    """One milestone with the courses of the path, in the form of the switch (O50)."""
    platform.control("school", {})
    platform.control("switches", {"fullContent": form})
    answer = platform.call("learningPath.full", id=PATH).json()
    ids = next(one for one in platform.dump("learningPaths") if one["id"] == PATH)["courseIds"]
    if form == "nested":
        (milestone,) = answer["milestones"]
        seen = (milestone["name"], [one["id"] for one in milestone["milestoneCourses"]])
    else:
        keys = [f"milestone.0.milestoneCourses.{n}.id" for n in range(len(ids))]
        seen = (answer["milestone.0.name"], [answer[key] for key in keys])
    assert ("New starter path", ids) == seen


def test_a_whole_learning_path_of_another_kind(platform):
    """200 with `errors` for the id of a course, 404 for an unknown one (O29, O50)."""
    answer = platform.call("learningPath.full", id=platform.course())
    assert (200, ["errors"]) == (answer.status_code, list(answer.json()))
    assert 404 == platform.call("learningPath.full", id=UNKNOWN).status_code


def test_search_finds_every_session_of_a_group(platform):
    """Each session is an item of its own, so that each sku can be found (O27)."""
    group = group_of(platform, platform.course(sku="S-1"))
    platform.update(courses=[{"courseGroupId": group, "title": "Second", "sku": "S-2"}])
    assert ["Second"] == [item["title"] for item in search(platform, "sku:S-2")]


def test_search_by_types(platform):
    """`types[]` repeats; learning paths are found too, unknown types are refused (O27)."""
    platform.course(title="A", kind="article")
    platform.course(title="B")
    query = {"types[]": ["article", "learningPath"]}
    found = platform.call("content.search", query=query).json()["contentItems"]
    assert {"article", "learningPath"} == {item["type"] for item in found}
    assert 400 == platform.call("content.search", query={"types[]": "x"}).status_code


def test_search_by_cursor(platform):
    """Following the cursor shows every item once (O27, O42)."""
    made = {platform.course(title=f"C{number}") for number in range(5)}
    seen, query = [], {"types[]": "courseGroup", "perPage": 2}
    while query:
        page = platform.call("content.search", query=query).json()
        seen += [item["id"] for item in page["contentItems"]]
        cursor = page["pageInfo"]["cursor"]
        query = {**query, "cursor": cursor} if cursor else None
    assert (5, made) == (len(seen), set(seen))


def test_search_is_an_index_that_lags(platform):
    """A write shows up after the lag, while the read by id has it at once (O27)."""
    platform.control("switches", {"searchLagSeconds": 60})
    course = platform.course(sku="LAG-1")
    assert ([], 200) == (
        search(platform, "sku:LAG-1"),
        platform.call("course.read", id=course).status_code,
    )
    platform.control("clock", {"advanceSeconds": 61})
    assert [course] == [item["id"] for item in search(platform, "sku:LAG-1")]


def test_search_lag_keeps_the_old_state(platform):
    """Until the index has the change it finds what was (O27)."""
    course = platform.course(sku="OLD-1")
    platform.control("switches", {"searchLagSeconds": 60})
    platform.update(courses=[{"id": course, "sku": "NEW-1"}])
    assert [1, 0] == [len(search(platform, f"sku:{sku}")) for sku in ("OLD-1", "NEW-1")]


def test_full_content_in_dotted_keys(platform, tree):
    """The one read with bodies, flat (O28)."""
    course = platform.course(sections=tree({"type": "text", "body": "<p>Hello</p>"}))
    answer = platform.call("course.full", id=course).json()
    assert ("<p>Hello</p>", "Lesson", "studentsOnly") == (
        answer["section.0.lesson.0.topic.0.body"],
        answer["section.0.lesson.0.title"],
        answer["section.0.lesson.0.accessLevel"],
    )


def test_full_content_nested(platform, tree):
    """A switch nests the full content instead of flat keys (O28)."""
    platform.control("switches", {"fullContent": "nested"})
    course = platform.course(sections=tree({"type": "text", "body": "<p>Hello</p>"}))
    answer = platform.call("course.full", id=course).json()
    assert "<p>Hello</p>" == answer["sections"][0]["lessons"][0]["topics"][0]["body"]


def test_full_content_of_other_languages(platform):
    """The variants of an article are numbered too (O20, O28)."""
    variant = {"body": "<p>Hi</p>", "languages": [{"language": "de", "body": "<p>Hallo</p>"}]}
    course = platform.course(kind="article", articleVariant=variant)
    answer = platform.call("course.full", id=course).json()
    assert "<p>Hallo</p>" == answer["section.0.lesson.0.topic.0.language.0.body"]


def test_structure_is_what_the_read_answers(platform, tree):
    """Both routes give the same shape (O22)."""
    course = platform.course(sections=tree({"type": "quiz"}))
    assert platform.read(course) == platform.call("course.structure", id=course).json()


def test_release_publishes_a_draft(platform):
    """And unrelease takes it back; saying it twice does no harm (O39)."""
    course, seen = platform.course(), []
    for release in ("release", "release", "unrelease"):
        answer = platform.call("content.release", {"releaseType": release}, id=course)
        seen.append((answer.json()["status"], platform.read(course)["status"]))
    assert [("published",) * 2, ("published",) * 2, ("draft",) * 2] == seen


def test_release_of_a_scheduled_session(platform):
    """A pending session is published now and no longer waits for its date (O39)."""
    course = platform.course(futurePublishDate="2099-01-01")
    platform.call("content.release", {"releaseType": "release"}, id=course)
    (doc,) = platform.dump("courses")
    assert ("published", None) == (doc["status"], doc.get("futurePublishDate"))


@pytest.mark.parametrize("body", [{}, {"releaseType": "publish"}, {"releaseType": 1}])
def test_release_of_another_type_is_refused(platform, body):
    """The message says what is allowed (O39)."""
    (error,) = platform.errors(platform.call("content.release", body, id=platform.course()))
    assert "release, unrelease" in error


def test_archived_session_is_not_released(platform):
    """Releasing an archived session is a conflict (spec 7 409)."""
    course = platform.course()
    edit(platform, "courses", course, status="archived")
    answer = platform.call("content.release", {"releaseType": "release"}, id=course)
    assert 409 == answer.status_code


@pytest.mark.parametrize("name", BY_COURSE)
def test_group_id_leads_to_its_first_session(platform, name):
    """Either id will do where it can be told (O30)."""
    course = platform.course()
    both = [platform.call(name, id=id_).json() for id_ in (course, group_of(platform, course))]
    assert both[0] == both[1]


@pytest.mark.parametrize("name", BY_COURSE)
def test_wrong_kind_of_id_is_200_with_errors(platform, name):
    """A learning path is no course, and the status hides it (O29)."""
    answer = platform.call(name, id=PATH)
    message = f"{PATH} is the id of a learning path, not of a course"
    assert (200, {"errors": [message]}) == (answer.status_code, answer.json())


@pytest.mark.parametrize("name", BY_GROUP)
def test_course_id_for_a_group_is_200_with_errors(platform, name):
    """A course's id is told apart from its group's (O29, O30)."""
    course = platform.course()
    answer = platform.call(name, id=course)
    message = f"{course} is the id of a course, not of a course group"
    assert (200, {"errors": [message]}) == (answer.status_code, answer.json())


def test_wrong_kind_of_id_is_404_in_the_core_profile(core):
    """Without the extended profile a resource that does not exist is 404 (spec 7)."""
    assert 404 == core.get(ROUTES["course.read"].path.format(id=PATH)).status_code


@pytest.mark.parametrize("name", [*BY_COURSE, *BY_GROUP])
def test_unknown_id_is_404(platform, name):
    """An unknown id is a 404 (spec 7 404)."""
    assert 404 == platform.call(name, id=UNKNOWN).status_code
