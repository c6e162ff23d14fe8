"""The switches: each answer to what the specification does not show."""

import pytest


def named(platform, *names):
    entries = [{"title": name, "kind": "courseGroup"} for name in names]
    return platform.call("course.create", {"courseAttributes": entries})


def test_ids_in_reversed_order(platform):
    """idOrder reversed: ids come in reversed order (O16)."""
    platform.control("switches", {"idOrder": "reversed"})
    ids = named(platform, "A", "B", "C").json()["courseIds"]
    assert ["C", "B", "A"] == [platform.read(id_)["title"] for id_ in ids]


def test_shuffled_ids_stay_in_pairs(platform):
    """idOrder: shuffled; courses and groups are shuffled alike (O16)."""
    platform.control("switches", {"idOrder": "shuffled"})
    answer = named(platform, *"ABCDEFGH").json()
    groups = [platform.read(id_)["courseGroupId"] for id_ in answer["courseIds"]]
    titles = [platform.read(id_)["title"] for id_ in answer["courseIds"]]
    assert answer["courseGroupIds"] == groups
    assert list("ABCDEFGH") != titles
    assert list("ABCDEFGH") == sorted(titles)


def test_batches_that_are_not_atomic(platform):
    """batchAtomic off: what came before the first bad entry stays (O16)."""
    platform.control("switches", {"batchAtomic": False})
    response = named(platform, "A", "", "C")
    assert 1 == len(platform.errors(response))
    assert ["A"] == [course["title"] for course in platform.dump("courses")]


def test_positions_that_are_ignored(platform):
    """positions: ignored; a moved section stays where it is (O7)."""
    platform.control("switches", {"positions": "ignored"})
    course = platform.course(sections=[{"title": name, "lessons": []} for name in "AB"])
    last = platform.read(course)["sections"][1]["id"]
    platform.update(sections=[{"id": last, "position": 0}])
    assert ["A", "B"] == [section["title"] for section in platform.read(course)["sections"]]


def test_reads_without_the_sku(platform):
    """skuOnRead off: a course is read without its sku (O22)."""
    platform.control("switches", {"skuOnRead": False})
    assert "sku" not in platform.read(platform.course(sku="SAF-1"))


def test_reads_lag(platform):
    """readLagSeconds: a new course is not there yet, an old one is as it was (O31)."""
    old = platform.course(title="Old")
    platform.control("switches", {"readLagSeconds": 100})
    new = platform.course()
    platform.update(courses=[{"id": old, "title": "New"}])
    before = (platform.call("course.read", id=new).status_code, platform.read(old)["title"])
    platform.control("clock", {"advanceSeconds": 101})
    after = (platform.call("course.read", id=new).status_code, platform.read(old)["title"])
    assert ((404, "Old"), (200, "New")) == (before, after)


def test_lists_lag_and_jobs_do_not(platform):
    """A new purchase path is not listed yet, a new job is found."""
    course = platform.course()
    platform.control("switches", {"readLagSeconds": 100})
    path = {
        "label": "x",
        "targetType": "external_url",
        "targetUrl": "https://x.example",
        "targetUrlTitle": "x",
    }
    platform.call("path.create", path, contentId=course)
    job = platform.create(asset="https://x.example/a.png").json()["backgroundJob"]["id"]
    assert [] == platform.call("path.list", contentId=course).json()["data"]
    assert 200 == platform.call("job.read", id=job).status_code


def test_source_can_be_refused(platform):
    """sourceRefused: a create with `source` is refused (O21)."""
    assert 200 == platform.create(source="S").status_code
    platform.control("switches", {"sourceRefused": True})
    assert ["courseAttributes[0].source: is not accepted"] == platform.errors(
        platform.create(source="S")
    )


@pytest.mark.parametrize("status", [200, 201])
def test_status_of_creates(platform, status):
    """createStatus: success of a create (spec 7: which of the two is not shown)."""
    platform.control("switches", {"createStatus": str(status)})
    lists = {name: [] for name in ("courseIds", "learningPathIds", "courseTagIds")}
    license_ = {"clientId": platform.client("acme"), "name": "All", **lists}
    answers = [platform.create(), platform.call("license.create", license_)]
    assert [status, status] == [answer.status_code for answer in answers]


def test_custom_fields_can_be_merged(platform):
    """customFields: replaced at first, merged where switched (O13)."""
    seen = []
    for mode in ("replace", "merge"):
        platform.control("reset", {})
        platform.control("switches", {"customFields": mode})
        platform.course(customFields={"owner": "A"})
        group = platform.dump("courseGroups")[0]["id"]
        platform.update(courseGroups=[{"id": group, "customFields": {"review-cycle": "none"}}])
        seen.append(sorted(platform.dump("courseGroups")[0]["customFields"]))
    assert [["review-cycle"], ["owner", "review-cycle"]] == seen


def test_list_envelopes(platform):
    """listEnvelope: under the key, bare, or under data (O44)."""
    seen = []
    for form in ("key", "bare", "data"):
        platform.control("switches", {"listEnvelope": form})
        answer = platform.call("tag.list").json()
        seen.append("list" if isinstance(answer, list) else sorted(answer))
    assert [["pageInfo", "tags"], "list", ["data", "pageInfo"]] == seen


def nested(level, count):
    """An entry whose course, first section or first lesson holds that many children."""
    topics = [{"type": "text"}] * (count if level == "topics" else 1)
    lesson = {"title": "L", "openType": "open", "topics": topics}
    section = {"title": "S", "lessons": [lesson] * (count if level == "lessons" else 1)}
    return [section] * (count if level == "sections" else 1)


@pytest.mark.parametrize("level", ["sections", "lessons", "topics"])
def test_children_can_be_limited_at_creation(platform, level):
    """childrenLimit: 25 of a parent are taken, 26 are refused with the place."""
    assert 200 == platform.create(sections=nested(level, 26)).status_code
    platform.control("switches", {"childrenLimit": "25"})
    assert 200 == platform.create(sections=nested(level, 25)).status_code
    (error,) = platform.errors(platform.create(sections=nested(level, 26)))
    assert error.endswith(f"{level}: it would hold 26 items; the most is 25")


def test_children_can_be_limited_in_updates(platform):
    """childrenLimit: an update fills a parent and adds no child to a full one."""
    platform.control("switches", {"childrenLimit": "25"})
    course = platform.course(sections=nested("sections", 24))
    added = {"courseId": course, "title": "One more"}
    assert 200 == platform.update(sections=[added]).status_code
    (error,) = platform.errors(platform.update(sections=[added]))
    place = "courseAttributes.sections[0].courseId"
    assert f"{place}: it would hold 26 items; the most is 25" == error
    assert 25 == len(platform.read(course)["sections"])


def test_unknown_fields_can_be_ignored(platform):
    """unknownFields ignore: unknown fields of an entry are ignored."""
    platform.control("switches", {"unknownFields": "ignore"})
    assert 200 == platform.create(unheardOf=1, videoUrl="https://x.example/v").status_code


def test_status_can_be_updated_by_switch(platform):
    """statusOnUpdate: an update can set the status (O39)."""
    platform.control("switches", {"statusOnUpdate": True})
    course = platform.course()
    platform.update(courses=[{"id": course, "status": "published"}])
    assert "published" == platform.read(course)["status"]


@pytest.mark.parametrize(
    "name",
    ["group.list", "client.list", "user.list", "content.search", "event.list", "asset.list"],
)
def test_careless_cursors(platform, name):
    """carelessClients: a cursor that JavaScript made of nothing is a first page (O56)."""
    query = {"cursor": "undefined"}
    strict = platform.call(name, query=query, kind="login").status_code
    platform.control("switches", {"carelessClients": "taken"})
    careless = platform.call(name, query=query, kind="login")
    assert (400, 200) == (strict, careless.status_code)
    first = platform.call(name, kind="login").json()
    assert first == careless.json()


def test_careless_topics(platform, tree):
    """carelessClients: an empty body on a quiz, and a topic without a type (O56)."""
    sections = tree({"type": "quiz", "body": ""}, {"body": "<p>x</p>"})
    assert 400 == platform.create(sections=sections).status_code
    platform.control("switches", {"carelessClients": "taken"})
    course = platform.course(sections=sections)
    lesson = platform.read(course)["sections"][0]["lessons"][0]
    assert ["quiz", "text"] == [topic["type"] for topic in lesson["topics"]]
    added = {"lessonId": lesson["id"], "title": "Last", "type": "test", "body": ""}
    changed = {"id": lesson["topics"][0]["id"], "title": "Again", "body": ""}
    assert 200 == platform.update(topics=[added, changed]).status_code
    bodies = [topic.get("body") for topic in platform.dump("topics")]
    assert [None, "<p>x</p>", None] == bodies


def test_careless_is_not_wrong(platform, tree):
    """carelessClients: a body that says something is refused where there is none (O56)."""
    platform.control("switches", {"carelessClients": "taken"})
    assert 400 == platform.create(sections=tree({"type": "quiz", "body": "x"})).status_code
    course = platform.course(sections=tree({"type": "quiz"}))
    topic = platform.read(course)["sections"][0]["lessons"][0]["topics"][0]["id"]
    assert 400 == platform.update(topics=[{"id": topic, "type": "text"}]).status_code
