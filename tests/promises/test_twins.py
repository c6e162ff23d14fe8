"""What a read cannot tell apart never shares a call, so that no id is guessed."""

from contextlib import closing

from lmssync.state import open_store
from tests.served_catalog import Platform, Workspace

TWINS = """\
resource: course
key: {key}
kind: microCourse
title: Welcome
topics: [{{id: t, title: Hello, type: text, body: <p>{key}</p>}}]
"""
SIBLINGS = """\
resource: course
key: a
kind: microCourse
title: A
topics:
  - {id: one, title: Quiz, type: text, body: <p>one</p>}
  - {id: two, title: Quiz, type: text, body: <p>two</p>}
  - {id: end, title: End, type: text}
"""


def twins(work: Workspace) -> None:
    for key in ("a", "b", "c"):
        work.write(f"{key}.yaml", TWINS.format(key=key))


def bodies(work: Workspace, platform: Platform) -> dict[str, str]:
    """By key of the course and path, the body of the topic that is recorded for it."""
    topics = {topic["id"]: topic.get("body") for topic in platform.dump("topics")}
    with closing(open_store("sqlite:///.lmssync/state.db", work.root, "sandbox")) as store:
        return {
            f"{record.address.key}/{path}": topics[id_]
            for record in store.list_records()
            for path, id_ in record.ids.parts.items()
        }


def test_courses_of_one_title_keep_their_ids(work: Workspace, platform: Platform) -> None:
    """Courses with one title get their own ids, in any order of the answer."""
    platform.order("switches", {"skuOnRead": False})
    twins(work)

    assert 0 == work.apply().code
    assert {f"{key}/t": f"<p>{key}</p>" for key in "abc"} == bodies(work, platform)


def test_pages_of_one_title_keep_their_ids(work: Workspace, platform: Platform) -> None:
    """A second page of one title is created after the first has its id, and in its place."""
    work.write("a.yaml", SIBLINGS)
    assert 0 == work.apply().code

    recorded = bodies(work, platform)
    assert ("<p>one</p>", "<p>two</p>") == (recorded["a/one"], recorded["a/two"])
    assert ["Quiz", "Quiz", "End"] == platform.topics("A")
    assert [] == work.plan()["changes"]


def test_pages_of_one_title_are_added_one_by_one(work: Workspace, platform: Platform) -> None:
    """Pages of one title are added one by one beside existing ones."""
    work.write(
        "a.yaml", SIBLINGS.partition("  - {id: one")[0] + "  - {id: x, title: X, type: text}\n"
    )
    work.apply()
    work.write("a.yaml", SIBLINGS + "  - {id: x, title: X, type: text}\n")
    assert 0 == work.apply().code

    recorded = bodies(work, platform)
    assert ("<p>one</p>", "<p>two</p>") == (recorded["a/one"], recorded["a/two"])
    assert ["Quiz", "Quiz", "End", "X"] == platform.topics("A")


def test_a_page_that_a_person_added_is_not_taken_for_ours(
    work: Workspace, platform: Platform
) -> None:
    """A page added by hand after the plan stops the apply and is in the next plan."""
    work.course("a")
    work.apply()
    work.course("a", "          - {id: more, title: More, type: text, body: <p>ours</p>}\n")
    work.run("plan", "--out", "p.json")
    lesson = platform.dump("lessons")[0]["id"]
    platform.change({"topics": [{"lessonId": lesson, "title": "More", "type": "text"}]})

    done = work.run("apply", "p.json")
    assert (7, True) == (done.code, "appeared on the platform" in done.out)
    assert "taken over" in str(work.plan()["changes"][0]["reasons"])
    assert 0 == work.apply().code
    assert ["Hello", "Check", "More"] == platform.topics("Title of a")
    assert "<p>ours</p>" in [topic.get("body") for topic in platform.dump("topics")]
