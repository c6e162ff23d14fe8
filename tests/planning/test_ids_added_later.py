"""Ids that are added to a manifest later are matched with those that the state knows."""

from lmssync.catalog.manifests.yaml import load_yaml
from tests.served_catalog import Platform, Workspace

MANIFEST = """\
resource: course
key: a
kind: courseGroup
title: A
status: published
sections:
  - title: A start with a title of many more words than anybody would ever like to type
    lessons:
      - title: Welcome
        openType: studentsOnly
        topics:
          - {title: Hello, type: text, markdown: Good morning}
          - {title: Hello, type: text, markdown: Good evening}
"""


def applied(work: Workspace) -> None:
    """A course whose parts have no ids."""
    (work.root / "courses").mkdir(exist_ok=True)
    (work.root / "courses/a.yaml").write_text(MANIFEST, "utf-8")
    assert 0 == work.apply().code


def test_nothing_is_planned_for_ids_that_are_written_down(work: Workspace) -> None:
    """Adding the ids that the state has recorded plans no change, so nobody loses progress."""
    applied(work)
    assert 0 == work.run("fmt", "--ids").code
    assert 4 == (work.root / "courses/a.yaml").read_text("utf-8").count("id: ")
    assert 0 == work.run("plan", "--detailed-exitcode").code


def test_after_that_a_title_may_change(work: Workspace) -> None:
    """With an id, a part with a new title is updated; without one, the plan asks what is meant."""
    applied(work)
    work.run("fmt", "--ids")
    file = work.root / "courses/a.yaml"
    file.write_text(file.read_text("utf-8").replace("title: Welcome", "title: Come in"), "utf-8")
    (change,) = work.plan()["changes"]
    assert ("update", ["Come in"]) == (
        change["action"],
        [field["after"] for field in change["fields"]],
    )


CRITERION = """\
resource: completionCriterion
key: read
course: a
type: courseTopicViewed
topic: PATH
"""
LONG = "a-start-with-a-title-of-many-more-words-than-anybody-would-ever-like-to-type"


def named(work: Workspace) -> None:
    """Gives the section an id of the author's, and a topic in it other content."""
    file = work.root / "courses/a.yaml"
    text = file.read_text("utf-8").replace("- title: A start", "- id: start\n    title: A start")
    file.write_text(text.replace("Good evening", "Good night"), "utf-8")


def writes(platform: Platform) -> list[str]:
    """Routes of the calls that have changed something, oldest first."""
    return [ask["route"] for ask in platform.requests() if ask["method"] != "GET"]


def test_other_ids_may_be_written_down(work: Workspace, platform: Platform) -> None:
    """A part that gets another id stays the same part: only its changes are sent."""
    applied(work)
    named(work)
    (change,) = work.plan()["changes"]
    assert "update" == change["action"]
    assert ["sections[start].lessons[welcome].topics[hello-2].body"] == [
        field["path"] for field in change["fields"]
    ]
    assert 0 == work.apply().code
    assert ["Hello", "Hello"] == platform.topics("A")
    assert [] == work.plan()["changes"]


def test_short_ids_may_be_written_down(work: Workspace, platform: Platform) -> None:
    """Shorter ids need no call; an apply records the parts under them."""
    applied(work)
    sent = writes(platform)
    assert 0 == work.run("fmt", "--short-ids").code
    (change,) = work.plan()["changes"]
    assert ["`a-start-with-a-title-of` had no id before: the platform keeps what it has"] == (
        change["reasons"]
    )
    assert 0 == work.apply().code
    assert sent == writes(platform)
    assert [] == work.plan()["changes"]


def test_questions_have_the_names_of_short_ids(work: Workspace) -> None:
    """The file of a topic is found by its path, so it is renamed with that."""
    work.write(
        "a.yaml",
        "resource: course\nkey: a\nkind: courseGroup\ntitle: A\nsections:\n"
        "- title: The first section of this course\n  lessons:\n"
        "  - title: One\n    openType: open\n    topics: [{title: Check, type: quiz}]\n",
    )
    work.write("questions/the-first-section-of-this-course/one/check.md", "## 1. Why\n")

    done = work.run("fmt", "--short-ids")

    (file,) = work.root.glob("questions/**/*.md")
    section = load_yaml((work.root / "a.yaml").read_bytes())[0]["sections"][0]
    assert f"questions/{section['id']}/one/check.md" == str(file.relative_to(work.root))
    assert section["id"] in done.err
    assert "questions-unused" not in work.run("validate").out


def test_a_title_may_change_with_its_short_id(work: Workspace, platform: Platform) -> None:
    """A section that gets a short id and another title in one edit is updated, not made again."""
    applied(work)
    sections = len(platform.dump("sections"))
    work.run("fmt", "--short-ids")
    file = work.root / "courses/a.yaml"
    file.write_text(file.read_text("utf-8").replace("title: A start with", "title: An end of"))
    assert 0 == work.apply().code
    assert sections == len(platform.dump("sections"))
    assert [] == work.plan()["changes"]


def test_what_names_the_part_follows(work: Workspace, platform: Platform) -> None:
    """A criterion that names a part by its new path is unchanged, and nothing is sent."""
    applied(work)
    work.write("c.yaml", CRITERION.replace("PATH", f"{LONG}/welcome/hello-2"))
    assert 0 == work.apply().code
    sent = writes(platform)
    named(work)
    work.write("c.yaml", CRITERION.replace("PATH", "start/welcome/hello-2"))
    assert 0 == work.apply().code
    assert [*sent, "course.update"] == writes(platform)
    assert [] == work.plan()["changes"]


def test_validate_says_how(work: Workspace) -> None:
    """`validate` explains `fmt --ids` for live courses, until their parts have ids."""
    applied(work)
    assert "`lmssync fmt --ids`" in work.run("validate").out
    work.run("fmt", "--ids")
    assert "part-id" not in work.run("validate").out
