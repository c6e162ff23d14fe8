"""The control order `edit`: what a person does in the admin interface (O11, O24, O41)."""

import pytest
from hypothesis import given, strategies as st

from lmssync.sandbox.control.content_edits import EDITORS, GROUP_EDITS, SESSION_EDITS

from .test_nonsense import VALUES

UNKNOWN = "00000000-0000-4000-8000-000000000000"
FIELDS = sorted(
    {*GROUP_EDITS, *SESSION_EDITS, "label", "name", "tagIds", "clientId", "courseIds", "email"}
    | {"allocatedLicenses", "featureFlags", "courseId", "type", "lessonId", "position", "roleKey"}
    | {"appearanceBlock", "languages", "priceInCents", "level", "options", "deletedAt", "userId"}
)
READS = ("client.list", "tag.list", "location.list", "asset.list", "group.list", "content.search")


def edit(platform, list_, id_=None, **verb):
    order = {"list": list_, **({"id": id_} if id_ else {}), **verb}
    return platform.control("edit", order)["doc"]


def refused(platform, **order):
    response = platform.http.post("/_sandbox/edit", json=order)
    assert 400 == response.status_code, response.text
    return response.json()["errors"][0]


def lesson_of(course):
    return course["sections"][0]["lessons"][0]


@pytest.fixture
def course(platform, tree):
    """A course of one section, one lesson and the topics quiz and text, as it is read."""
    topics = ({"type": "quiz", "title": "Q"}, {"type": "text", "title": "T", "body": "<p>a</p>"})
    return platform.read(platform.course(sections=tree(*topics)))


def topic_of(platform, course, number):
    return lesson_of(platform.read(course["id"]))["topics"][number]


def test_body_changed_by_hand_is_noticed(platform, course):
    """A body changed by hand only shows in `updatedAt` of the topic (O24)."""
    before = topic_of(platform, course, 1)
    platform.control("clock", {"advanceSeconds": 60})
    edit(platform, "topics", before["id"], set={"body": "<p>b</p>"})
    after = topic_of(platform, course, 1)
    assert {**before, "updatedAt": ""} == {**after, "updatedAt": ""}
    assert before["updatedAt"] < after["updatedAt"]


def test_edit_tells_nobody(platform, course):
    """A change of content emits no event (O41)."""
    before = platform.dump("events")
    edit(platform, "courses", course["id"], set={"title": "By hand"})
    assert before == platform.dump("events")


def test_shell_is_filled(platform, course):
    """A person fills the empty shell of a quiz (spec 2.2 shells)."""
    quiz = lesson_of(course)["topics"][0]["id"]
    assert True is edit(platform, "topics", quiz, set={"filled": True})["filled"]
    (doc,) = [topic for topic in platform.dump("topics") if topic["id"] == quiz]
    assert True is doc["filled"]


@pytest.mark.parametrize(("list_", "left"), [("topics", ["T"]), ("lessons", None)])
def test_deleted_by_hand_and_restored(platform, course, list_, left):
    """A person can delete and restore what no route can delete (O11)."""
    lesson = lesson_of(course)
    id_ = lesson["topics"][0]["id"] if list_ == "topics" else lesson["id"]
    edit(platform, list_, id_, delete=True)
    lessons = platform.read(course["id"])["sections"][0]["lessons"]
    titles = [topic["title"] for topic in lessons[0]["topics"]] if lessons else None
    assert left == titles
    edit(platform, list_, id_, delete="restore")
    assert course == platform.read(course["id"])


def test_deleted_section_goes_with_all_it_holds(platform, course):
    """A topic in a deleted section cannot be updated (O11)."""
    edit(platform, "sections", course["sections"][0]["id"], delete=True)
    topic = lesson_of(course)["topics"][0]["id"]
    assert [] == platform.read(course["id"])["sections"]
    assert "no topic has the id" in platform.errors(platform.update(topics=[{"id": topic}]))[0]


def test_restored_into_what_is_gone_is_refused(platform, course):
    """A topic can only be restored after its deleted lesson (O11)."""
    lesson = lesson_of(course)
    edit(platform, "topics", lesson["topics"][0]["id"], delete=True)
    edit(platform, "lessons", lesson["id"], delete=True)
    order = {"list": "topics", "id": lesson["topics"][0]["id"], "delete": "restore"}
    assert "restore the parent first" in refused(platform, **order)


def test_lesson_moves_to_another_section(platform, course):
    """A person can move a lesson to another section; no route can (O11)."""
    platform.update(sections=[{"courseId": course["id"], "title": "Second"}])
    second = platform.read(course["id"])["sections"][1]["id"]
    edit(platform, "lessons", lesson_of(course)["id"], set={"sectionId": second})
    after = platform.read(course["id"])["sections"]
    assert [[], [lesson_of(course)["id"]]] == [
        [lesson["id"] for lesson in section["lessons"]] for section in after
    ]


def test_topics_change_places(platform, course):
    """A moved topic has a new place in the array (O7)."""
    edit(platform, "topics", lesson_of(course)["topics"][1]["id"], set={"position": 0})
    assert ["T", "Q"] == [t["title"] for t in lesson_of(platform.read(course["id"]))["topics"]]


@pytest.mark.parametrize("status", ["archived", "published", "authoring", "loginRestriction"])
def test_session_of_any_status(platform, course, status):
    """A person can archive, publish and restrict a session (O38)."""
    edit(platform, "courses", course["id"], set={"status": status})
    assert status == platform.read(course["id"])["status"]


def test_deleted_session_reads_as_deleted(platform, course):
    """A deleted session is read by its id only, without its purchase paths (O38; spec 4)."""
    edit(platform, "courses", course["id"], delete=True)
    assert "deleted" == platform.read(course["id"])["status"]
    assert 404 == platform.call("path.list", contentId=course["id"]).status_code
    edit(platform, "courses", course["id"], delete="restore")
    assert "draft" == platform.read(course["id"])["status"]


def test_deleted_group_takes_its_sessions_along(platform, course):
    """Deleting and restoring a group includes its sessions (O38)."""
    group = course["courseGroupId"]
    edit(platform, "courseGroups", group, delete=True)
    statuses = [platform.read(course["id"])["status"]]
    assert 404 == platform.call("group.read", id=group).status_code
    edit(platform, "courseGroups", group, delete="restore")
    statuses.append(platform.read(course["id"])["status"])
    assert ["deleted", "draft"] == statuses


def test_group_is_changed(platform, course):
    """Tags, ribbon and slug by hand, with the company's own rules (spec 2.2)."""
    changed = {"ribbon": "new", "slug": "by-hand", "tagIds": [platform.tag("Safety")]}
    edit(platform, "courseGroups", course["courseGroupId"], set=changed)
    assert "new" == platform.call("group.bySlug", slug="by-hand").json()["ribbon"]
    order = {"list": "courseGroups", "id": course["courseGroupId"], "set": {"ribbon": "x"}}
    assert "Invalid ribbon slug" in refused(platform, **order)


def test_criterion_by_hand(platform, course):
    """A person can add, change and delete a criterion (O11; spec 2.3)."""
    fields = {"courseId": course["id"], "type": "coursePercentViewed", "coursePercentViewed": 80}
    criterion = edit(platform, "completionCriteria", add=fields)["id"]
    edit(platform, "completionCriteria", criterion, set={"coursePercentViewed": 90})
    (read,) = platform.read(course["id"])["completionCriteria"]
    assert (criterion, 90) == (read["id"], read["coursePercentViewed"])
    edit(platform, "completionCriteria", criterion, delete=True)
    assert [] == platform.read(course["id"])["completionCriteria"]


def test_topic_added_by_hand(platform, course):
    """A person can add a topic that no manifest has (O24)."""
    fields = {"lessonId": lesson_of(course)["id"], "title": "New", "type": "text"}
    added = edit(platform, "topics", add=fields)
    assert ("New", added["id"]) == (
        topic_of(platform, course, 2)["title"],
        topic_of(platform, course, 2)["id"],
    )


def test_license_by_hand(platform):
    """A person can change, delete and restore a license (spec 2.5)."""
    license_ = platform.dump("licenses")[0]
    edit(platform, "licenses", license_["id"], set={"name": "By hand", "seatsLimit": 3})
    edit(platform, "licenses", license_["id"], delete=True)
    gone = license_["id"] not in {one["id"] for one in platform.dump("licenses")}
    restored = edit(platform, "licenses", license_["id"], delete="restore")
    assert (True, "By hand", 3) == (gone, restored["name"], restored["seatsLimit"])


def test_tag_added_renamed_deleted(platform):
    """The list of tags shows a tag added, renamed and deleted by hand (spec 4)."""
    tag = edit(platform, "tags", add={"label": "Hygiene"})["id"]
    edit(platform, "tags", tag, set={"label": "Food hygiene"})
    query = {"filters[label]": "hygiene"}
    found = platform.call("tag.list", query=query).json()["tags"]
    edit(platform, "tags", tag, delete=True)
    after = platform.call("tag.list", query=query).json()["tags"]
    assert ([{"id": tag, "label": "Food hygiene"}], []) == (found, after)


def test_purchase_path_added_by_hand(platform):
    """A path added by hand has the defaults of the route (spec 2.6)."""
    course = platform.course()
    fields = {"courseId": course, "label": "By hand", "targetType": "external_url"}
    added = edit(platform, "purchasePaths", add=fields)
    (read,) = platform.call("path.list", contentId=course).json()["data"]
    assert (added["id"], 0, False) == (read["id"], read["displayOrder"], read["hidePrimaryCta"])


@pytest.mark.parametrize(
    "order",
    [
        {"list": "pages", "id": UNKNOWN, "set": {}},
        {"list": "tags", "id": UNKNOWN, "set": {}},
        {"list": "tags", "id": UNKNOWN, "delete": "restore"},
        {"list": "tags", "set": {}},
        {"list": "tags", "id": UNKNOWN},
        {"list": "tags", "add": {}},
        {"list": "jobs", "id": UNKNOWN, "set": {}},
        {"list": "courses", "id": UNKNOWN, "delete": True},
        {"list": "courses", "add": {"title": "x"}},
        {"list": "topics", "id": UNKNOWN, "delete": False},
        {"list": "topics", "add": {"title": "x"}},
        {"list": "enrollments", "add": {"userId": UNKNOWN}},
        {"list": "progress", "add": {"userId": UNKNOWN}},
        {"list": "locations", "add": {"name": "x", "colour": "red"}},
        {"list": "collections", "add": {"title": "x", "priceInCents": "dear"}},
        {"list": "tags", "id": UNKNOWN, "set": {}, "delete": True},
    ],
)
def test_edits_that_make_no_sense_are_refused(platform, order):
    """Meaningless edits are refused with a message and change nothing (spec 7)."""
    before = platform.control("dump")
    assert refused(platform, **order)
    assert before == platform.control("dump")


@pytest.mark.parametrize(
    ("list_", "fields"),
    [
        ("tags", {"label": 5}),
        ("tags", {"label": None}),
        ("tags", {"id": UNKNOWN}),
        ("users", {"disabled": "yes"}),
        ("users", {"allocatedLicenses": "x"}),
        ("licenses", {"courseIds": [UNKNOWN]}),
        ("assets", {"updatedAt": "x"}),
    ],
)
def test_values_nobody_could_go_on_with_are_refused(platform, list_, fields):
    """An edit cannot change an id or the type of a field (spec 2)."""
    id_ = platform.dump(list_)[0]["id"]
    assert refused(platform, list=list_, id=id_, set=fields)


@given(
    list_=st.sampled_from(sorted(EDITORS)),
    verb=st.sampled_from(["set", "add", "delete"]),
    fields=st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=3),
    number=st.integers(0, 20),
)
def test_any_edit_gets_an_answer(served, list_, verb, fields, number):
    """No edit makes the sandbox fail, neither at once nor when what was edited is read (spec 7)."""
    docs = served.dump(list_) or [{"id": UNKNOWN}]
    order = {"list": list_, "id": docs[number % len(docs)]["id"], verb: fields}
    if verb == "delete":
        order["delete"] = fields.get("title", True)
    response = served.http.post("/_sandbox/edit", json=order)
    reads = [served.call(name) for name in READS]
    reads.append(served.http.get("/"))
    assert [] == [one for one in (response, *reads) if one.status_code >= 500]
