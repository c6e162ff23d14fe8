"""Reads: courses, lesson topics, tags, clients, jobs (spec 4, O22 to O31)."""

import pytest

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def test_course_has_the_shape_of_reads(platform, tree):
    """The keys of O22, with the names of reads (spec 2.1 levels; O22, O23)."""
    read = platform.read(platform.course(sections=tree({"type": "text"}), sku="S"))
    assert [
        ["id", "courseGroupId", "title", "status", "sku", "sections", "completionCriteria"],
        ["id", "title", "releaseAt", "lessons"],
        ["id", "title", "accessLevel", "topics"],
        ["id", "title", "type", "updatedAt"],
    ] == [
        list(read),
        list(read["sections"][0]),
        list(read["sections"][0]["lessons"][0]),
        list(read["sections"][0]["lessons"][0]["topics"][0]),
    ]


def test_group_id_reads_its_course(platform):
    """The id of a course group leads to its first session (O30)."""
    course = platform.course()
    assert course == platform.read(platform.dump("courseGroups")[0]["id"])["id"]


def test_id_of_another_kind_is_200_with_errors(platform, tree):
    """The id of a topic or a learning path is answered with `errors` (O29)."""
    course = platform.read(platform.course(sections=tree({"type": "text"})))
    topic = course["sections"][0]["lessons"][0]["topics"][0]["id"]
    for id_ in (topic, "7d1c0000-0000-4000-8000-000000000101"):
        response = platform.call("course.read", id=id_)
        assert (200, ["errors"]) == (response.status_code, list(response.json()))


@pytest.mark.parametrize("name", ["course.read", "job.read", "topic.list"])
@pytest.mark.parametrize("id_", [UNKNOWN, "nonsense", "%00", "x" * 3000])
def test_unknown_ids_are_404(platform, name, id_):
    """An unknown id is a 404 with envelope A (spec 7 404, A)."""
    response = platform.call(name, id=id_, lessonId=id_)
    assert (404, ["errors"]) == (response.status_code, list(response.json()))


def test_pending_is_published_by_the_clock(platform):
    """A scheduled session is published once its date is reached, and not before.

    (spec 3 pending)
    """
    now = platform.control("clock")["now"]
    course = platform.course(futurePublishDate=f"{int(now[:4]) + 1}-12-31")
    before = platform.read(course)["status"]
    platform.control("clock", {"advanceSeconds": 2 * 366 * 86400})
    assert ("pending", "published") == (before, platform.read(course)["status"])


def test_topics_of_a_lesson_by_cursor(platform, tree):
    """Pages follow each other until hasMore is false (spec 1 reads; spec 4 topics, lists)."""
    topics = [{"type": "text", "title": f"T{n}"} for n in range(5)]
    read = platform.read(platform.course(sections=tree(*topics)))
    lesson, cursor, seen = read["sections"][0]["lessons"][0]["id"], None, []
    for _ in range(3):
        query = {"perPage": 2} | ({"cursor": cursor} if cursor else {})
        page = platform.call("topic.list", query=query, lessonId=lesson).json()
        seen.append([topic["title"] for topic in page["topics"]])
        cursor = page["pageInfo"]["cursor"]
    assert [["T0", "T1"], ["T2", "T3"], ["T4"]] == seen
    assert {"total": 5, "cursor": None, "hasMore": False} == page["pageInfo"]


@pytest.mark.parametrize("gone", [["T1"], ["T2"], ["T0", "T1"], ["T1", "T2", "T3"]])
def test_a_cursor_outlives_the_topics_at_its_border(platform, tree, gone):
    """A person deletes topics between two pages: the walk tells each of the others once (O11)."""
    topics = [{"type": "text", "title": f"T{n}"} for n in range(5)]
    lesson = platform.read(platform.course(sections=tree(*topics)))["sections"][0]["lessons"][0]
    first = platform.call("topic.list", query={"perPage": 2}, lessonId=lesson["id"]).json()
    for topic in lesson["topics"]:
        if topic["title"] in gone:
            platform.control("edit", {"list": "topics", "id": topic["id"], "delete": True})
    query = {"cursor": first["pageInfo"]["cursor"]}
    rest = platform.call("topic.list", query=query, lessonId=lesson["id"]).json()
    left = [title for title in ("T2", "T3", "T4") if title not in gone]
    assert left == [topic["title"] for topic in rest["topics"]]


def test_a_cursor_belongs_to_its_lesson(platform, tree):
    """A cursor of another lesson is a 400 (spec 4 topics)."""
    lessons = [
        platform.read(platform.course(sections=tree({"type": "text"}, {"type": "text"})))
        for _ in range(2)
    ]
    one, other = (read["sections"][0]["lessons"][0]["id"] for read in lessons)
    page = platform.call("topic.list", query={"perPage": 1}, lessonId=one).json()
    query = {"cursor": page["pageInfo"]["cursor"]}
    assert 400 == platform.call("topic.list", query=query, lessonId=other).status_code


def test_lesson_topic_item(platform, tree):
    """Blocks and updatedAt, but no body (spec 2.6 topic; O24)."""
    topic = {"type": "text", "body": "x", "preTextBlock": "before"}
    read = platform.read(platform.course(sections=tree(topic)))
    lesson = read["sections"][0]["lessons"][0]["id"]
    (item,) = platform.call("topic.list", lessonId=lesson).json()["topics"]
    assert ["id", "title", "type", "preTextBlock", "postTextBlock", "updatedAt"] == list(item)
    assert ("before", None) == (item["preTextBlock"], item["postTextBlock"])


@pytest.mark.parametrize(
    "query", [{"perPage": "0"}, {"perPage": "x"}, {"perPage": "9999"}, {"cursor": "!"}]
)
def test_bad_page_parameters(platform, tree, query):
    """An impossible page size or cursor is a 400 (spec 4 topics)."""
    read = platform.read(platform.course(sections=tree({"type": "text"})))
    lesson = read["sections"][0]["lessons"][0]["id"]
    assert 400 == platform.call("topic.list", query=query, lessonId=lesson).status_code


def test_tags_by_page(platform):
    """The demo company's twelve tags, with the page style's info.

    (spec 1 reads; spec 2.6 tag; spec 4 tags.pages)
    """
    answer = platform.call("tag.list", query={"perPage": 5, "page": 3}).json()
    assert {"perPage": 5, "currentPage": 3, "total": 12, "hasMore": False} == answer["pageInfo"]
    assert ["Manufacturing", "Wellbeing"] == [tag["label"] for tag in answer["tags"]]
    assert [["id", "label"]] * 2 == [list(tag) for tag in answer["tags"]]


@pytest.mark.parametrize("query", [{"filters": '{"label": "safe"}'}, {"filters[label]": "SAFE"}])
def test_tags_by_label(platform, query):
    """Both encodings of the filters find by label (spec 4 tags.filters)."""
    answer = platform.call("tag.list", query=query).json()
    assert ["Safety"] == [tag["label"] for tag in answer["tags"]]


def test_clients_are_searched_and_sorted(platform):
    """`query` searches, `sort` sorts, the item has the fields of spec 2.6.

    (spec 2.6 client; spec 4 clients.query, clients.sort)
    """
    all_ = platform.call("client.list", query={"sort": "-slug"}).json()["clients"]
    (found,) = platform.call("client.list", query={"query": "ACME"}).json()["clients"]
    assert ["hillside", "golden", "brightwater", "acme"] == [one["slug"] for one in all_]
    assert [
        "id", "name", "slug", "createdAt", "updatedAt", "tags", "sku", "disabled",
    ] == list(found)[:8]  # fmt: skip


def test_clients_by_cursor(platform):
    """More clients than a page holds are all found, once (spec 4 clients.pages, lists)."""
    names = [{"slug": f"c{n:03}", "name": f"Client {n}"} for n in range(120)]
    platform.control("reset", {"seed": {"clients": names}})
    seen, query = [], {"sort": "slug"}
    while query:
        page = platform.call("client.list", query=query).json()
        seen += [client["slug"] for client in page["clients"]]
        cursor = page["pageInfo"]["cursor"]
        query = {"sort": "slug", "cursor": cursor} if cursor else None
    assert [one["slug"] for one in names] == seen


def test_client_scoped_key_sees_its_clients(platform):
    """A key of scope `client` lists its own clients only (spec 5 403)."""
    acme = platform.client("acme")
    platform.key = platform.control("keys", {"scope": "client", "clientIds": [acme]})["key"]
    answer = platform.call("client.list").json()
    assert [acme] == [client["id"] for client in answer["clients"]]


def test_unknown_query_parameters_are_ignored(platform):
    """On v2 routes (O43)."""
    assert 200 == platform.call("tag.list", query={"colour": "red"}).status_code


def test_job_goes_from_queued_to_complete(platform, tree):
    """A job is queued, processing, then complete, by the clock.

    (spec 1 polling; spec 2.6 job; spec 3 job; spec 4 job)
    """
    platform.control("switches", {"jobSeconds": 1000})
    pdf = tree({"type": "pdfViewer", "pdfUrl": "https://x.example/a.pdf"})
    job = platform.create(sections=pdf).json()["backgroundJob"]["id"]
    seen = []
    for seconds in (0, 500, 501):
        platform.control("clock", {"advanceSeconds": seconds})
        seen.append(platform.call("job.read", id=job).json())
    assert ["queued", "processing", "complete"] == [one["status"] for one in seen]
    assert ["id", "description", "errorMessage", "status"] == list(seen[0])


@pytest.mark.parametrize("field", ["asset", "detailAsset"])
def test_broken_address_fails_the_job(platform, field):
    """An address with the word broken makes the job fail with a message (spec 3 job.failed)."""
    address = f"https://x.example/broken-{field}.png"
    job = platform.create(**{field: address}).json()["backgroundJob"]["id"]
    platform.control("clock", {"advanceSeconds": 5})
    answer = platform.call("job.read", id=job).json()
    assert ("failed", True) == (answer["status"], address in answer["errorMessage"])


def test_job_ends_by_itself(platform):
    """Without the virtual clock a job is done about a second later (spec 3 job)."""
    job = platform.create(asset="https://x.example/a.png").json()["backgroundJob"]["id"]
    while (answer := platform.call("job.read", id=job).json())["status"] != "complete":
        assert answer["status"] in ("queued", "processing")
    assert answer["errorMessage"] is None
