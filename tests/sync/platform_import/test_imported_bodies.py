"""Bodies of an import: Markdown or HTML, and what the platform has until one of them is edited."""

import re
from pathlib import Path

import pytest

from lmssync.texts.html_layout import show_same_page
from tests.filling import Instance
from tests.served_catalog import Platform, Workspace, counted

BODY = (
    "<div class='page'>\n<h2>Gloves &amp; hats</h2>\n<!-- from the editor -->"
    "<p>A&nbsp;word  of <b>caution</b><br>\n and more.</p><pre><code>a  b</code></pre>\n"
    "<ul><li>one</li>\n<li><p>two</p></li></ul>\n<p>The end.</p></div>" + "\n<p>And more.</p>" * 9
)
BOTH = pytest.mark.parametrize(("bodies", "ending"), [("markdown", ".md"), ("html", ".html")])


def bring_course(work: Workspace, instance: Platform, bodies: str) -> Path:
    """The file of the body of a course that others have made, imported."""
    topic = {"title": "Hello", "type": "text", "body": BODY}
    lesson = {"title": "One", "openType": "open", "topics": [topic]}
    sections = [{"title": "Start", "lessons": [lesson]}]
    course = {"kind": "courseGroup", "title": "Gloves", "sections": sections}
    Instance(instance.http, instance.key).courses([course])
    done = work.run("import", "--all", "--bodies", bodies)
    assert 0 == done.code, done.err
    return next((work.root / "courses/gloves").glob("hello.*"))


def read_body(instance: Platform) -> str:
    """The body as the platform has it."""
    return next(one["body"] for one in instance.dump("topics") if one["title"] == "Hello")


@BOTH
def test_the_next_plan_is_empty(work: Workspace, instance: Platform, bodies: str, ending: str):
    """Nothing is sent, nothing has drifted, and the platform keeps what it has to the byte."""
    file = bring_course(work, instance, bodies)

    done = work.apply()

    assert (ending, {"unchanged"}) == (file.suffix, counted(work.plan()).keys())
    assert (0, 0) == (done.code, work.run("drift").code)
    assert BODY == read_body(instance)


@BOTH
def test_an_edit_sends_the_body(work: Workspace, instance: Platform, bodies: str, ending: str):
    """The body is the one field that changes, and learners see that edit alone."""
    file = bring_course(work, instance, bodies)
    file.write_bytes(file.read_bytes().replace(b"caution", b"advice"))

    (change,) = work.plan()["changes"]

    assert ["update", 1] == [change["action"], len(change["fields"])]
    assert 0 == work.apply().code
    assert show_same_page(BODY.replace("caution", "advice"), read_body(instance))
    assert 0 == work.run("drift").code


def test_html_is_kept_to_the_byte(work: Workspace, instance: Platform):
    """As HTML the file is what the platform has."""
    assert BODY == bring_course(work, instance, "html").read_bytes().decode()


def test_files_of_a_source_can_be_html(work: Workspace):
    """Markdown of a source is rendered then, and its HTML stays as it is."""
    work.write("pages/index.md", "---\ntitle: Gloves\n---\n")
    work.write("pages/one/hello.md", "# Hello\n\nTake *care*.\n")

    assert 0 == work.run("import", "--format", "markdown", "--bodies", "html", "pages").code

    manifest = (work.root / "courses/gloves/course.yaml").read_text("utf-8")
    assert ["body: <p>Take <em>care</em>.</p>"] == re.findall("body: .*", manifest)
