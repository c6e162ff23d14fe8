"""What people changed on the platform is written into the manifests, in place."""

from typing import Any

import pytest

from tests.served_catalog import Platform, Workspace

MANIFEST = """\
resource: course
key: desk
kind: microCourse
title: A tidy desk   # short, for the tile
tags: [Wellbeing]
priceInCents: 1900
topics:
  # read this first
  - {id: why, title: Why, type: text, markdown: It saves **an hour**.}
  - id: how
    title: How
    type: text
    bodyFile: how.md
"""
ONE_LINE = (
    '{"resource":"course","key":"other","kind":"microCourse","title":"Other",'
    '"asset":"https://media.example.com/a.png","assetAltText":"A",'
    '"topics":[{"id":"t","title":"T","type":"text","body":"T"}]}'
)

GROUP_AND_SESSION = ("courseGroups", "courses")


@pytest.fixture
def desk(work: Workspace, instance: Platform) -> Workspace:
    """A small course, applied to an instance that shows everything."""
    work.write("desk.yaml", MANIFEST)
    work.write("how.md", "# Begin\n\nWith the *drawer*.\n")
    assert 0 == work.apply().code
    return work


def edit(platform: Platform, kind: str, titled: str = "", /, **fields: Any) -> None:
    """Changes the newest object of a list, or the one with a title, in the admin interface."""
    found = [o for o in platform.dump(kind) if not titled or o["title"] == titled]
    platform.order("edit", {"list": kind, "id": found[-1]["id"], "set": fields})


def manifest(work: Workspace) -> str:
    return (work.root / "desk.yaml").read_text("utf-8")


def test_a_value_changes_in_its_place_and_nothing_else_does(
    desk: Workspace, instance: Platform
) -> None:
    """Comments and order stay, and the change of one line is the whole change."""
    edit(instance, "courses", priceInCents=2500)

    assert 0 == desk.run("pull", "course.desk").code
    assert MANIFEST.replace("1900", "2500") == manifest(desk)


def test_after_a_pull_nothing_differs(desk: Workspace, instance: Platform) -> None:
    """Neither the plan nor a look at the platform finds anything."""
    edit(instance, "courseGroups", title="A tidier desk")
    edit(instance, "courses", title="A tidier desk")
    edit(
        instance, "topics", "Why", title="Why at all", body="<p>It saves <em>two</em> hours.</p>\n"
    )

    desk.run("pull", "course.desk")

    assert "No changes" in desk.run("plan", "--refresh", "all").out
    assert 0 == desk.run("drift").code


def test_a_body_stays_markdown_if_that_gives_the_same_html(
    desk: Workspace, instance: Platform
) -> None:
    """Inline and in a file: the new text is what an author would write."""
    edit(instance, "topics", "Why", body="<p>It saves <strong>two</strong> hours.</p>\n")
    edit(instance, "topics", "How", body="<h1>Begin</h1>\n<p>Anywhere.</p>\n")

    desk.run("pull", "course.desk")

    assert "It saves **two** hours." in manifest(desk)
    assert "# Begin\n\nAnywhere.\n" == (desk.root / "how.md").read_text("utf-8")


EDITED = (
    '<p>It saves <a title="t" href="https://example.com">two&nbsp;hours</a>.</p><ul>'
    "<li>a</li>\r\n  <li>&ldquo;b&rdquo;</li></ul><p>End<br/>of it</p>"
)
"""HTML as an editor of a browser leaves it: no renderer of Markdown writes it so."""


def test_markdown_stays_where_learners_see_the_same(desk: Workspace, instance: Platform) -> None:
    """Blanks, entities and the order of attributes are the editor's; drift is quiet afterwards."""
    edit(instance, "topics", "Why", body=EDITED)
    edit(instance, "topics", "How", body=EDITED)

    desk.run("pull", "course.desk")

    assert "[two&nbsp;hours](https://example.com" in (desk.root / "how.md").read_text("utf-8")
    assert "body: " not in manifest(desk)
    assert "No changes" in desk.run("plan", "--refresh", "all").out
    assert 0 == desk.run("drift").code


def test_html_that_shows_the_same_page_is_no_drift(desk: Workspace, instance: Platform) -> None:
    """Somebody has opened and saved a page in the editor, and changed nothing."""
    edit(instance, "topics", "How", body="<h1>Begin</h1> <p>With the <em>drawer</em>.</p>")

    assert 0 == desk.run("drift").code
    assert "No changes" in desk.run("plan", "--refresh", "all").out


def test_html_that_markdown_cannot_say_becomes_html_to_the_letter(
    desk: Workspace, instance: Platform
) -> None:
    """The file gets another ending, and the one that nothing names any more is gone."""
    body = "<p class='box'>Begin</p>"
    edit(instance, "topics", "How", body=body)

    desk.run("pull", "course.desk")

    assert "bodyFile: how.html\n" in manifest(desk)
    assert body == (desk.root / "how.html").read_text("utf-8")
    assert not (desk.root / "how.md").exists()


def test_tags_are_pulled_by_their_labels(desk: Workspace, instance: Platform) -> None:
    safety = next(tag["id"] for tag in instance.dump("tags") if tag["label"] == "Safety")
    edit(instance, "courseGroups", tagIds=[safety])

    desk.run("pull", "course.desk")

    assert "tags: [Safety]\n" in manifest(desk)


@pytest.mark.parametrize("changed", ["courses", "courseGroups"])
def test_a_title_that_differs_between_session_and_group_waits_for_one_decision(
    desk: Workspace, instance: Platform, changed: str
) -> None:
    """No pull writes either; once git is chosen, nothing is left to pull or to do."""
    edit(instance, changed, title="By hand")

    waiting = [desk.run("pull", "course.desk") for _ in range(2)]

    assert MANIFEST == manifest(desk)
    for text in ("the session has “", "the course group has “", "“By hand”", "“A tidy desk”"):
        assert all(text in done.out for done in waiting), waiting
    assert "`--keep git course.desk:title`" in waiting[0].out
    assert 0 == desk.apply("--keep", "git", "course.desk:title").code
    assert ["A tidy desk"] * 2 == [instance.dump(one)[-1]["title"] for one in GROUP_AND_SESSION]
    assert "Nothing to pull" in desk.run("pull", "course.desk").out
    assert [] == desk.plan()["changes"]


@pytest.mark.parametrize("changed", ["courses", "courseGroups"])
def test_drift_and_plan_name_both_titles_as_a_pull_does(
    desk: Workspace, instance: Platform, changed: str
) -> None:
    """All three say which place has which title, and the two ways to settle it."""
    edit(instance, changed, title="By hand")

    commands = (["pull", "course.desk"], ["drift"], ["plan", "--refresh", "all"])
    shown = [desk.run(*command).out for command in commands]

    for text in (
        "the session has “",
        "the course group has “",
        "a manifest has one title for both",
    ):
        assert all(text in one for one in shown), shown
    assert all("`--keep git course.desk:title`" in one for one in shown)
    assert "--keep git course.desk`" not in shown[2]


@pytest.mark.parametrize("changed", ["courses", "courseGroups"])
def test_a_title_that_only_one_place_has_is_not_there_yet(
    desk: Workspace, instance: Platform, changed: str
) -> None:
    """Git says what one place has by hand: that is no agreement, and `--keep git` sends both."""
    edit(instance, changed, title="By hand")
    desk.write("desk.yaml", MANIFEST.replace("title: A tidy desk", "title: By hand", 1))

    asked = desk.apply()

    assert "the session has “" in asked.out
    assert 7 == asked.code
    assert 0 == desk.apply("--keep", "git", "course.desk:title").code
    assert ["By hand"] * 2 == [instance.dump(one)[-1]["title"] for one in GROUP_AND_SESSION]
    assert [] == desk.plan("--refresh", "all")["changes"]


def test_a_title_that_was_made_the_same_on_the_platform_is_pulled_once(
    desk: Workspace, instance: Platform
) -> None:
    """The other decision: the admin interface has one title in both places."""
    edit(instance, "courseGroups", title="By hand")
    assert 0 != desk.run("pull", "course.desk").code

    edit(instance, "courses", title="By hand")

    assert 0 == desk.run("pull", "course.desk").code
    assert "title: By hand   # short" in manifest(desk)
    assert "Nothing to pull" in desk.run("pull", "course.desk").out
    assert [] == desk.plan()["changes"]


def test_one_field_is_pulled_alone(desk: Workspace, instance: Platform) -> None:
    """The others stay drift."""
    edit(instance, "courses", priceInCents=2500)
    edit(instance, "courseGroups", title="Other")

    desk.run("pull", "course.desk:priceInCents")

    assert MANIFEST.replace("1900", "2500") == manifest(desk)
    assert 2 == desk.run("drift").code


def test_what_git_wants_otherwise_stays_to_be_applied(desk: Workspace, instance: Platform) -> None:
    """A pull of one field does not record another that has not been applied yet."""
    desk.write("desk.yaml", MANIFEST.replace("title: How", "title: How to begin"))
    edit(instance, "courses", priceInCents=2500)

    desk.run("pull", "course.desk")

    (change,) = desk.plan()["changes"]
    assert ["topics[how].title"] == [field["path"] for field in change["fields"]]


def test_a_pull_only_reads(desk: Workspace, instance: Platform) -> None:
    edit(instance, "courses", priceInCents=2500)
    before = len(instance.requests())

    desk.run("pull", "course.desk")

    assert {"GET"} == {request["method"] for request in instance.requests()[before:]}


def test_a_dry_run_writes_nothing(desk: Workspace, instance: Platform) -> None:
    edit(instance, "courses", priceInCents=2500)

    done = desk.run("pull", "course.desk", "--dry-run")

    assert "Would pull 1 field." in done.out
    assert MANIFEST == manifest(desk)
    assert 2 == desk.run("drift").code


def test_a_manifest_from_a_template_is_left_to_people(desk: Workspace, instance: Platform) -> None:
    """The field is named with the reason, and the exit code says that something is left."""
    (desk.root / "desk.yaml").rename(desk.root / "desk.yaml.j2")
    edit(instance, "courses", priceInCents=2500)

    done = desk.run("pull", "course.desk")

    assert 7 == done.code
    assert "price: not pulled: its manifest is made by a template, desk.yaml.j2" in done.out


def test_what_is_not_valid_in_a_manifest_changes_nothing(
    desk: Workspace, instance: Platform
) -> None:
    """Files and state are as before, and the message says how to pull the rest."""
    for one in GROUP_AND_SESSION:
        edit(instance, one, title="A\x07")

    done = desk.run("pull", "course.desk")

    assert 1 == done.code
    assert "nothing was changed" in done.err
    assert MANIFEST == manifest(desk)
    assert 2 == desk.run("drift").code


def test_what_is_valid_is_pulled_beside_what_is_not(desk: Workspace, instance: Platform) -> None:
    """A status that no manifest may name is left to people, and does not hold up the rest."""
    desk.course("other", "status: draft\n")
    desk.apply()
    edit(instance, "courses", "Title of other", status="archived")
    edit(instance, "courses", "A tidy desk", priceInCents=2500)

    done = desk.run("pull", "course.desk", "course.other")

    assert (7, MANIFEST.replace("1900", "2500")) == (done.code, manifest(desk))
    assert "(course.other) status: not pulled: not valid in a manifest: `status`" in done.out


def test_a_file_that_cannot_be_changed_in_place_is_left_to_people(
    desk: Workspace, instance: Platform
) -> None:
    """JSON without a space is YAML, but a value of it may not be replaced by a plain one."""
    desk.write("other.yaml", ONE_LINE)
    desk.apply()
    edit(instance, "courseGroups", "Other", asset="https://media.example.com/b.png")
    edit(instance, "courses", "A tidy desk", priceInCents=2500)

    done = desk.run("pull", "course.desk", "course.other")

    assert (7, MANIFEST.replace("1900", "2500")) == (done.code, manifest(desk))
    assert "(course.other) asset: not pulled: other.yaml is written in a way" in done.out


def test_a_commit_message_names_what_was_pulled(desk: Workspace, instance: Platform) -> None:
    edit(instance, "courses", priceInCents=2500)

    desk.run("pull", "course.desk", "--message", "message.txt")

    text = (desk.root / "message.txt").read_text("utf-8")
    assert "Pull course.desk from the platform\n\n- course.desk: priceInCents\n" == text


def test_a_message_that_cannot_be_written(desk: Workspace, instance: Platform) -> None:
    """What was pulled is printed all the same."""
    edit(instance, "courses", priceInCents=2500)

    done = desk.run("pull", "course.desk", "--message", "none/message.txt")

    assert (64, True) == (done.code, "price: 19.00 → 25.00" in done.out)
    assert "none/message.txt cannot be written: No such file or directory" in done.err


def test_what_is_not_recorded_cannot_be_pulled(desk: Workspace) -> None:
    desk.write("other.yaml", MANIFEST.replace("key: desk", "key: other"))

    done = desk.run("pull", "course.other")

    assert 64 == done.code
    assert "nothing is recorded for course.other" in done.err


def test_there_is_nothing_to_pull_where_nobody_changed_anything(desk: Workspace) -> None:
    assert "Nothing to pull" in desk.run("pull", "course.desk").out
