"""What no read has needed yet: which ids of a batch are whose is read later, and never guessed."""

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from lmssync.kind import Ids
from lmssync.platform.live import change_marks
from lmssync.resource import Address
from lmssync.state import open_store
from lmssync.vocabulary.routes import ROUTES
from tests.answer_proxy import AnswerProxy, answer_proxy
from tests.kinds.test_course_updates import LICENSE
from tests.platform.client.answering import Asked, Said
from tests.served_catalog import PROJECT, Platform, Workspace, kill_apply

from .conftest import extended, profile_of
from .test_twins import bodies

KEYS = "abcdef"
COURSE = re.compile("/content/course/|/fullContent/courses/")
UNIT = """\
resource: course
key: {key}
kind: microCourse
title: Unit {key}
topics: [{{id: t, title: Hello, type: text, body: "<p>{key}</p>"}}]
"""
TWO = UNIT.replace("}}]", "}}, {{id: u, title: Other, type: text, body: x}}]")

RULE = """\
resource: completionCriterion
key: rule
course: d
type: courseTopicViewed
topic: t
"""


@pytest.fixture(autouse=True)
def _needed(request: pytest.FixtureRequest, work: Workspace, _profile: None) -> None:
    """Six courses, of which nothing is read back that nobody needs."""
    settings = f"{{profile: {profile_of(request)}, verify: needed, license"
    work.write("lmssync.yaml", PROJECT.replace("{license", settings))
    for key in KEYS:
        work.write(f"{key}.yaml", UNIT.format(key=key))


def edit(work: Workspace, *keys: str) -> None:
    for key in keys:
        work.write(f"{key}.yaml", UNIT.format(key=key).replace("<p>", "<p>New "))


def reads(platform: Platform) -> int:
    """How many courses were read so far, one at a time."""
    return sum(
        one["method"] == "GET" and bool(COURSE.search(one["path"])) for one in platform.requests()
    )


def unread(work: Workspace) -> str:
    """The keys of the courses of which no read has shown yet which ids they have."""
    with closing(open_store("sqlite:///.lmssync/state.db", work.root, "sandbox")) as store:
        return "".join(one.address.key for one in store.list_records() if one.unpaired)


def swap_last(_asked: Asked, said: Said) -> Said:
    """The answer of a create with its last two ids in each other's place."""
    for name in ("courseIds", "courseGroupIds"):
        said.body[name][-2:] = reversed(said.body[name][-2:])
    return said


def hand_titles(platform: Platform) -> list[str]:
    """Titles of the topics of the lesson in which somebody has renamed one."""
    topics = platform.dump("topics")
    lesson = next(topic["lessonId"] for topic in topics if topic["title"] == "By hand")
    return [topic["title"] for topic in topics if topic["lessonId"] == lesson]


@pytest.fixture
def swapped(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A platform that answers in another order from the fifth course on."""
    platform.order("switches", {"idOrder": "request"})
    with answer_proxy(platform.base_url) as way:
        way.bend("course.create", swap_last)
        monkeypatch.setenv("LMSSYNC_BASE_URL", way.base_url)
        yield


def test_an_apply_reads_one_course_of_many(work: Workspace, platform: Platform) -> None:
    """One read shows that marks are shown and in which order; the report says what is not read."""
    platform.order("switches", {"idOrder": "request"})
    done = work.apply()

    assert (0, 1, "bcdef") == (done.code, reads(platform), unread(work))
    assert (
        "6 created; 1 verified. The remaining 5 are verified at first use, or by `lmssync drift`."
        in done.out
    )
    assert [] == work.plan()["changes"]


def test_batches_side_by_side_wait_for_the_first_read(work: Workspace, platform: Platform) -> None:
    """Of batches that are sent together, only one is read to see whether marks are shown."""
    platform.order("switches", {"idOrder": "request"})
    work.write("more.yaml", "---\n".join(UNIT.format(key=f"more-{n}") for n in range(400)))

    assert (0, 1) == (work.apply().code, reads(platform))


def test_what_no_read_has_shown_is_counted_apart(work: Workspace, platform: Platform) -> None:
    """Of a license, only the answer that made it shows the id: it was not read back."""
    platform.order("switches", {"idOrder": "request"})
    work.write("staff.yaml", LICENSE)
    done = work.apply()

    assert "7 created; 1 verified; 1 cannot be read back. The remaining 5 are verified" in done.out


def test_what_was_changed_after_its_read_is_not_called_verified(
    work: Workspace, platform: Platform
) -> None:
    """A course that is created and then linked to others: the receipt counts as `status` does."""
    work.write("a.yaml", UNIT.format(key="a") + "relatedCourses: [b]\n")
    done, status = work.apply(), work.run("status")
    # Nothing is said of it where all of them are.
    verified = next(iter(re.findall(r"created; (\d+) verified", done.out)), len(KEYS))
    assert f"compared    {verified} resource" in status.out


def test_a_change_reads_what_it_changes(work: Workspace, platform: Platform) -> None:
    """The ids are read when the plan looks at the course, which it does in any case."""
    platform.order("switches", {"idOrder": "request"})
    work.apply()
    edit(work, "c")
    before = reads(platform)

    assert 0 == work.apply().code
    assert (before + 1, "bdef") == (reads(platform), unread(work))
    work.run("drift")
    assert "<p>New c</p>" == bodies(work, platform)["c/t"]


@pytest.mark.usefixtures("swapped")
def test_ids_in_another_order_are_found_by_their_marks(work: Workspace, platform: Platform) -> None:
    """The expected id shows another mark, so the rest of the batch is read."""
    work.apply()
    assert "bcdef" == unread(work)
    edit(work, "e")

    assert 0 == work.apply().code
    work.run("drift")
    wanted = {f"{key}/t": f"<p>{key}</p>" for key in KEYS} | {"e/t": "<p>New e</p>"}
    assert ("", wanted) == (unread(work), bodies(work, platform))


@pytest.mark.usefixtures("swapped")
@pytest.mark.parametrize("budget", ["3", "5", "60"])
def test_drift_finds_whose_the_ids_are(work: Workspace, platform: Platform, budget: str) -> None:
    """Looks with few calls come to the end of a batch in another order as well."""
    work.apply()
    for _ in range(6):
        work.run("drift", "--budget", budget)

    assert ("", {f"{key}/t": f"<p>{key}</p>" for key in KEYS}) == (
        unread(work),
        bodies(work, platform),
    )


def test_what_refers_to_a_course_gets_its_id(work: Workspace, platform: Platform) -> None:
    """A rule and a prerequisite in the same apply: their courses are read, and no others."""
    platform.order("switches", {"idOrder": "request"})
    work.write("rule.yaml", RULE)
    work.write("g.yaml", UNIT.format(key="g") + "prerequisiteCourses: [c]\n")

    assert 0 == work.apply().code
    (topic,) = [one["id"] for one in platform.dump("topics") if one.get("body") == "<p>d</p>"]
    assert any(topic in one.values() for one in platform.dump("completionCriteria"))
    assert not {"c", "d"} & {*unread(work)}


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_killed_run_is_read_back_as_a_whole(
    work: Workspace, platform: Platform, when: str
) -> None:
    """Nobody knows what a lost answer said: everything is looked for, as without this setting."""
    kill_apply(work, platform, "course.read", when=when)

    assert 0 == work.apply().code
    assert ("", {f"{key}/t": f"<p>{key}</p>" for key in KEYS}) == (
        unread(work),
        bodies(work, platform),
    )


@pytest.mark.parametrize("switch", [{"skuOnRead": False}, {"idOrder": "reversed"}])
def test_what_is_uncertain_is_read_at_once(
    work: Workspace, platform: Platform, switch: dict[str, Any]
) -> None:
    """Reads that show no mark, or an answer in another order."""
    platform.order("switches", switch)

    assert 0 == work.apply().code
    assert ("", {f"{key}/t": f"<p>{key}</p>" for key in KEYS}) == (
        unread(work),
        bodies(work, platform),
    )


def test_a_mark_that_somebody_has_changed_is_not_guessed(
    work: Workspace, platform: Platform
) -> None:
    """The plan stops and says what to do; `adopt` says which course it is."""
    platform.order("switches", {"idOrder": "request"})
    work.apply()
    (course,) = [one for one in platform.dump("courses") if one["title"] == "Unit c"]
    platform.order("edit", {"list": "courses", "id": course["id"], "set": {"sku": "OTHER"}})
    edit(work, "c")

    done = work.run("plan")
    assert 1 == done.code
    assert "course.c" in done.err
    assert course["id"] in done.err
    work.write("c.yaml", UNIT.format(key="c") + "sku: OTHER\n")
    assert 0 == work.run("adopt", f"course.c={course['id']}").code
    assert "c" not in unread(work)


def test_a_page_that_was_renamed_before_it_was_read_is_known(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest
) -> None:
    """All pages are in their places: it is shown as renamed. Its body waits for a decision where no
    route shows that nobody has changed it."""
    platform.order("switches", {"idOrder": "request"})
    work.write("c.yaml", TWO.format(key="c"))
    work.apply()
    platform.order("clock", {"advanceSeconds": 60})
    topic = topic_of(platform, "c")["id"]
    platform.order("edit", {"list": "topics", "id": topic, "set": {"title": "By hand"}})
    work.write("c.yaml", TWO.format(key="c").replace("<p>c</p>", "<p>New c</p>"))

    assert (0 if extended(request) else 7) == work.apply().code
    assert "title of page “Hello”: “Hello” → “By hand”" in work.run("drift").out
    assert 0 == work.apply("--keep", "git", "course.c").code
    assert {"c/t": "<p>New c</p>"}.items() <= bodies(work, platform).items()
    assert 7 == len(platform.dump("topics"))


def test_a_page_that_somebody_has_put_in_the_place_of_ours_is_not_overwritten(
    work: Workspace, platform: Platform
) -> None:
    """A read cannot tell it from a renamed one: what git changes waits, and nothing is made."""
    platform.order("switches", {"idOrder": "request"})
    work.apply()
    platform.order("clock", {"advanceSeconds": 60})
    lesson = topic_of(platform, "c")["lessonId"]
    platform.delete("topics", body="<p>c</p>")
    theirs = {"lessonId": lesson, "title": "By hand", "type": "text", "body": "<p>theirs</p>"}
    platform.change({"topics": [theirs]})
    edit(work, "c")

    assert 7 == work.apply().code
    assert ["<p>theirs</p>"] == [
        one["body"] for one in platform.dump("topics") if one["lessonId"] == lesson
    ]


def test_a_page_whose_place_says_nothing_is_not_made_again(
    work: Workspace, platform: Platform
) -> None:
    """One page was renamed and another deleted: it is told as gone, and nothing is made."""
    platform.order("switches", {"idOrder": "request"})
    work.write("c.yaml", TWO.format(key="c"))
    work.apply()
    topic = topic_of(platform, "c")["id"]
    platform.order("edit", {"list": "topics", "id": topic, "set": {"title": "By hand"}})
    platform.delete("topics", title="Other")
    work.write("c.yaml", TWO.format(key="c").replace("<p>c</p>", "<p>New c</p>"))

    work.apply()
    assert "page “Hello”: was deleted" in work.run("drift").out
    assert ["By hand"] == hand_titles(platform)


def test_an_exported_state_keeps_what_is_not_read(work: Workspace, platform: Platform) -> None:
    """The ids of a batch are exported as what they are, and read later from the import."""
    platform.order("switches", {"idOrder": "request"})
    work.apply()
    work.run("state", "export", "kept.json")
    work.run("drift")

    assert 0 == work.run("state", "import", "kept.json", "--force").code
    assert "bcdef" == unread(work)
    assert 0 == work.run("drift").code
    assert {f"{key}/t": f"<p>{key}</p>" for key in KEYS} == bodies(work, platform)


def test_ids_that_are_not_read_cannot_be_dropped(work: Workspace, platform: Platform) -> None:
    """They would be lost: the message says how to read them."""
    platform.order("switches", {"idOrder": "request"})
    work.apply()
    done = work.run("state", "forget", "--drop-ids", "course.c")

    assert 1 == done.code
    assert "lmssync drift course.c" in done.err
    assert 0 == work.run("drift", "course.c").code
    assert 0 == work.run("state", "forget", "--drop-ids", "course.c").code


def delete_wholly(platform: Platform, way: AnswerProxy, *keys: str) -> None:
    """Somebody has deleted courses, of which no read shows anything any more."""
    courses = {one["title"]: one["id"] for one in platform.dump("courses")}
    gone = {courses[f"Unit {key}"] for key in keys}
    for key in keys:
        platform.delete("courses", title=f"Unit {key}")

    def hide(asked: Asked) -> Said:
        read = asked.method == "GET" and asked.path.rpartition("/")[2] in gone
        return Said({"message": "no"}, 404) if read else way.pass_on(asked)

    way.answer_by(hide)


def test_courses_that_are_gone_before_they_were_read(
    work: Workspace, platform: Platform, way: AnswerProxy
) -> None:
    """No id of theirs is on the platform: their ids are dropped, and one is made again, once."""
    platform.order("switches", {"idOrder": "request"})
    work.apply()
    assert 1 == work.run("state", "forget", "--drop-ids", "course.c").code
    work.write("d.yaml", UNIT.format(key="d") + "sku: ANOTHER\n")
    delete_wholly(platform, way, "c", "d")
    assert 2 == work.run("drift", "--json").json["summary"]["missing"]
    assert 0 == work.run("state", "forget", "--drop-ids", "course.c").code
    (work.root / "c.yaml").unlink()
    assert 0 == work.apply("--recreate", "course.d").code
    assert [] == work.plan()["changes"]
    assert 2 == [one["title"] for one in platform.dump("courses")].count("Unit d")


def test_of_one_that_is_gone_and_one_without_a_mark_no_id_is_dropped(
    work: Workspace, platform: Platform, way: AnswerProxy
) -> None:
    """The id that is left may be of either."""
    platform.order("switches", {"idOrder": "request"})
    work.apply()
    (id_,) = [one["id"] for one in platform.dump("courses") if one["title"] == "Unit d"]
    platform.order("edit", {"list": "courses", "id": id_, "set": {"sku": "HR-d"}})
    delete_wholly(platform, way, "c")
    assert ["course.c", "course.d"] == work.run("drift", "--json").json["unclear"]
    assert 1 == work.run("state", "forget", "--drop-ids", "course.c").code


def rules_of(platform: Platform, key: str) -> int:
    """How many rules the page of a course has."""
    return sum(topic_of(platform, key)["id"] in one.values() for one in rules(platform))


def rules(platform: Platform) -> list[dict[str, Any]]:
    return platform.dump("completionCriteria")


def topic_of(platform: Platform, key: str) -> dict[str, Any]:
    """The page of a course."""
    (topic,) = [one for one in platform.dump("topics") if one.get("body") == f"<p>{key}</p>"]
    return topic


def add_rule(platform: Platform, key: str) -> None:
    """Somebody makes the rule of a course by hand."""
    (course,) = [one["id"] for one in platform.dump("courses") if one["title"] == f"Unit {key}"]
    rule = {"courseId": course, "type": "courseTopicViewed"}
    rule["courseTopicViewed"] = topic_of(platform, key)["id"]
    answer = platform.http.post(
        ROUTES["criteria.update"].path,
        json={"criteria": [rule]},
        headers={"Authorization": f"Bearer {platform.key}"},
    )
    answer.raise_for_status()


def test_an_answer_of_an_earlier_look_is_not_believed(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look at one course reads the other one; while the first is updated, somebody makes the
    rule of the other: it is not made twice."""
    platform.order("switches", {"idOrder": "request"})
    project = (work.root / "lmssync.yaml").read_text()
    work.write("lmssync.yaml", project.replace("verify: needed", "verify: needed, connections: 1"))

    def edit_meanwhile(_asked: Asked, said: Said) -> Said:
        add_rule(platform, "f")
        return said

    with answer_proxy(platform.base_url) as way:
        way.bend("course.create", swap_last)
        monkeypatch.setenv("LMSSYNC_BASE_URL", way.base_url)
        work.apply()
        edit(work, "e")
        work.write("rule.yaml", RULE.replace("course: d", "course: f"))
        work.run("plan", "--out", "p.json")
        way.bend("course.update", edit_meanwhile)
        assert 0 == work.run("apply", "p.json").code
    assert 1 == rules_of(platform, "f")


def test_a_read_that_is_behind_breaks_no_record(work: Workspace, platform: Platform) -> None:
    """What needs the course is left; the next run reads it again and makes the rest."""
    platform.order("switches", {"idOrder": "request", "readLagSeconds": 1.0})
    work.write("g.yaml", UNIT.format(key="g") + "prerequisiteCourses: [c]\n")
    work.write("rule.yaml", RULE.replace("course: d", "course: g"))

    assert 7 == work.apply().code
    assert "g" in unread(work)
    platform.order("switches", {"readLagSeconds": 0.0})
    assert 0 == work.apply().code
    assert (1, "bdef") == (rules_of(platform, "g"), unread(work))


def test_a_read_that_is_behind_stops_only_what_needs_it(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No read shows any course but the first: the rule is left, and said is why."""
    monkeypatch.setattr(change_marks, "BEHIND", 0.5)
    platform.order("switches", {"idOrder": "request"})
    work.write("rule.yaml", RULE)
    shown: list[str] = []

    with answer_proxy(platform.base_url) as way:

        def hide(asked: Asked) -> Said:
            said, id_ = way.pass_on(asked), asked.path.rpartition("/")[2]
            if asked.method != "GET" or not COURSE.search(asked.path) or id_ in shown[:1]:
                return said
            shown.append(id_)
            return said if shown == [id_] else said._replace(status=404, body={"message": "no"})

        way.answer_by(hide)
        monkeypatch.setenv("LMSSYNC_BASE_URL", way.base_url)
        done = work.apply()
        assert (7, "bcdef") == (done.code, unread(work))
        assert "no read shows the mark of course.b" in done.out
        way.straighten()
        assert 0 == work.apply().code
    assert (1, "bcef") == (rules_of(platform, "d"), unread(work))


@pytest.mark.usefixtures("swapped")
def test_courses_that_are_renamed_during_a_look_keep_their_ids(
    work: Workspace, platform: Platform
) -> None:
    """What a look has read of c is recorded for the course that was c, whatever is c by now."""
    work.apply()
    with closing(open_store("sqlite:///.lmssync/state.db", work.root, "sandbox")) as store:
        record = store.find_record(Address.parse("course.c"))
        assert record
        assert record.unpaired
        read = {record.unpaired.key: Ids({"course": record.unpaired.expected}, {"t": "its page"})}
        work.run("state", "mv", "course.c", "course.x")
        work.run("state", "mv", "course.b", "course.c")
    with closing(open_store("sqlite:///.lmssync/state.db", work.root, "sandbox")) as store:
        with store.hold_state():
            store.keep_pairs(read)
        found = {key: store.find_record(Address.parse(f"course.{key}")) for key in "cx"}
    assert {"c": {}, "x": {"t": "its page"}} == {
        key: one and one.known_ids.parts for key, one in found.items()
    }


def test_learners_are_counted_by_address(work: Workspace, platform: Platform) -> None:
    """A pull reads the courses that have learners; of the others it is said that they are not."""
    platform.order("switches", {"idOrder": "request"})
    for key in KEYS:
        work.write(f"{key}.yaml", UNIT.format(key=key) + "status: published\n")
    work.apply()
    (course,) = [one["id"] for one in platform.dump("courses") if one["title"] == "Unit c"]
    event = {"type": "enrolled", "courseId": course, "timestamp": "2026-01-05T10:00:00.000Z"}
    event["userDetail"] = {"id": platform.dump("users")[0]["id"]}
    platform.order("events", {"kind": "courseAction", "events": [event]})

    work.run("events", "pull")
    shown = work.run("events", "show", "course.c", "course.d", "--json")
    assert "bdef" == unread(work)
    assert ["course.c"] == [one["name"] for one in shown.json["learners"]]
    assert "no read has shown their ids yet: course.d;" in shown.err


LONG = "A rather long title of a page that nobody would ever type as an id"


def test_a_page_can_be_given_an_id_before_it_is_read(work: Workspace, platform: Platform) -> None:
    """Nothing is read for a name alone where nobody can ask, and the page is changed, not made."""
    platform.order("switches", {"idOrder": "request"})
    named = UNIT.replace("title: Hello", f"title: {LONG}")
    for key in KEYS:
        work.write(f"{key}.yaml", named.format(key=key).replace("id: t, ", ""))
    work.apply()
    work.write("c.yaml", named.format(key="c"))
    before = reads(platform)

    assert [0, 0] == [work.run("plan", "--offline").code, work.run("show", "course.c").code]
    assert before == reads(platform)
    work.write("c.yaml", named.format(key="c").replace("<p>", "<p>New "))
    assert 0 == work.apply().code
    work.run("drift")
    assert "<p>New c</p>" == bodies(work, platform)["c/t"]


def test_a_plan_without_the_platform_reads_nothing(work: Workspace, platform: Platform) -> None:
    """Of a course that is not read yet, what was sent of it is compared."""
    platform.order("switches", {"idOrder": "request"})
    work.apply()
    edit(work, "c", "d")
    work.write("rule.yaml", RULE)
    (work.root / "e.yaml").unlink()

    assert 0 == work.run("plan", "--offline").code
    assert 0 == work.run("plan", "--offline", "--target", "criterion.rule").code
    assert "bcdef" == unread(work)


def test_what_a_person_has_done_is_confirmed_before_it_is_read(
    work: Workspace, platform: Platform
) -> None:
    """A page was taken out of the manifest, and a person has deleted it."""
    platform.order("switches", {"idOrder": "request"})
    work.write("c.yaml", TWO.format(key="c"))
    work.apply()
    work.write("c.yaml", UNIT.format(key="c"))
    platform.delete("topics", title="Other")

    assert 0 == work.run("resolve", "course.c", "--done").code
    assert [] == work.plan()["changes"]


def test_two_pages_that_look_alike_are_not_told_apart_by_chance(
    work: Workspace, platform: Platform
) -> None:
    """Somebody adds a page of the same title: nothing is sent, and the other courses go on."""
    platform.order("switches", {"idOrder": "request"})
    work.apply()
    lesson = topic_of(platform, "c")["lessonId"]
    twin = {"lessonId": lesson, "title": "Hello", "type": "text", "body": "<p>theirs</p>"}
    platform.change({"topics": [twin]})
    edit(work, "c")

    done = work.run("plan")
    assert (1, True) == (done.code, "course.c: the platform has 2 topics “Hello”" in done.err)
    work.run("drift")
    assert "c" == unread(work)


def test_a_page_that_gets_its_title_back_is_one_page(work: Workspace, platform: Platform) -> None:
    """It was renamed by hand before it was read for the first time."""
    platform.order("switches", {"idOrder": "request"})
    work.write("c.yaml", TWO.format(key="c"))
    work.apply()
    topic = topic_of(platform, "c")["id"]
    platform.order("edit", {"list": "topics", "id": topic, "set": {"title": "By hand"}})
    work.run("drift")
    platform.order("edit", {"list": "topics", "id": topic, "set": {"title": "Hello"}})
    work.write("c.yaml", TWO.format(key="c").replace("body: x", "body: y"))

    body = {"message": "refused"}
    platform.fault("answer", "course.update", when="before", status=400, body=body)
    work.apply()
    with closing(open_store("sqlite:///.lmssync/state.db", work.root, "sandbox")) as store:
        record = store.find_record(Address.parse("course.c"))
    assert record
    assert ["t", "u"] == sorted(one["id"] for one in record.form["topics"])


def test_a_page_that_is_back_in_its_place_is_compared_wholly(
    work: Workspace, platform: Platform
) -> None:
    """It was not found at the first read: the look that finds it records its id."""
    platform.order("switches", {"idOrder": "request"})
    work.write("c.yaml", TWO.format(key="c"))
    work.apply()
    platform.order("clock", {"advanceSeconds": 60})
    topic = topic_of(platform, "c")["id"]
    platform.order("edit", {"list": "topics", "id": topic, "set": {"title": "By hand"}})
    platform.delete("topics", title="Other")
    work.run("drift")
    platform.order("edit", {"list": "topics", "id": topic, "set": {"title": "Hello"}})
    work.run("drift")

    with closing(open_store("sqlite:///.lmssync/state.db", work.root, "sandbox")) as store:
        record = store.find_record(Address.parse("course.c"))
    assert record
    assert {"t": topic, "u": ""} == record.known_ids.parts


def test_marks_changed_by_hand_stop_nothing_else(work: Workspace, platform: Platform) -> None:
    """Nobody can tell two courses apart: the others are compared and changed all the same."""
    platform.order("switches", {"idOrder": "request"})
    work.apply()
    for key in "cd":
        (id_,) = [one["id"] for one in platform.dump("courses") if one["title"] == f"Unit {key}"]
        platform.order("edit", {"list": "courses", "id": id_, "set": {"sku": f"HR-{key}"}})

    look = work.run("drift", "--json").json
    assert {"looked": 4, "unseen": 0, "unclear": 2}.items() <= look["summary"].items()
    assert (["course.c", "course.d"], "cd") == (look["unclear"], unread(work))
    assert (
        "no read shows which id belongs to which resource: course.c, course.d"
        in work.run("drift").out
    )
    edit(work, "b")
    assert 0 == work.apply().code
