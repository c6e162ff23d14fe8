"""What an editor leads to, and what it renames: keys, ids of parts, files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lmssync.catalog.catalog_validation import validate_catalog
from lmssync.problems import only_errors
from tests import making
from tests.served_catalog import Workspace, actions

if TYPE_CHECKING:
    from .author import Author

pytestmark = pytest.mark.xdist_group("editor")  # all ask one server


CRITERION = """\
completionCriteria:
  - {id: pass, type: courseAssessmentPassed, topic: start/one/check}
"""
LICENSE = """\
resource: license
key: staff
client: 7d1c0000-0000-4000-8000-000000000102
name: Staff
courses: [a, b]  # both
learningPaths: []
courseTags: []
"""


def prepare(author: Author) -> None:
    with (author.root / "a.yaml").open("a", encoding="utf-8") as manifest:
        manifest.write(CRITERION)
    (author.root / "license.yaml").write_text(LICENSE, "utf-8")
    author.open("license.yaml")
    assert ["hollow-draft"] == author.open("a.yaml")


def definition(author: Author, name: str, mark: str) -> str:
    """The line that the value behind a mark leads to."""
    params = author.lsp.DefinitionParams(author.about(name), author.place(name, mark))
    found = author.wait(author.client.text_document_definition_async(params))
    target = Path(found.uri.removeprefix("file://"))
    line = target.read_text("utf-8").split("\n")[found.range.start.line]
    return f"{target.name}: {line.strip()}"


def references(author: Author, name: str, mark: str) -> list[str]:
    context = author.lsp.ReferenceContext(include_declaration=False)
    params = author.lsp.ReferenceParams(context, author.about(name), author.place(name, mark))
    found = author.wait(author.client.text_document_references_async(params))
    places = [(Path(one.uri).name, one.range) for one in found]
    return [f"{name}: {author.marked(name, where)}" for name, where in places]


def rename(author: Author, name: str, mark: str, new: str) -> None:
    """Renames, and saves every file that this changes."""
    params = author.lsp.RenameParams(author.about(name), author.place(name, mark), new)
    edit = author.wait(author.client.text_document_rename_async(params))
    for uri, changes in edit.changes.items():
        author.apply_edits(Path(uri).name, changes)


def test_a_key_leads_to_its_manifest_and_a_path_to_its_topic(author: Author):
    prepare(author)
    assert "b.yaml: key: b" == definition(author, "license.yaml", "courses: [a, b")
    topic = "- {id: check, title: Check, type: quiz}"
    assert f"a.yaml: {topic}" == definition(author, "a.yaml", "topic: start/one")


def test_it_leads_there_from_a_text_that_is_no_yaml(author: Author):
    prepare(author)
    author.replace("license.yaml", "name: Staff", "name: [Staff")
    assert "b.yaml: key: b" == definition(author, "license.yaml", "courses: [a, b")


def test_a_file_of_prose_is_found_and_knows_who_names_it(author: Author):
    text = (author.root / "b.yaml").read_text("utf-8")
    text = text.replace("markdown: Good morning", "bodyFile: hello.md")
    (author.root / "b.yaml").write_text(text, "utf-8")
    (author.root / "hello.md").write_text("Hello\n", "utf-8")
    author.open("b.yaml")
    author.open("hello.md")
    assert "hello.md: Hello" == definition(author, "b.yaml", "bodyFile: hel")
    assert ["b.yaml: hello.md"] == references(author, "hello.md", "Hel")


def test_every_place_that_names_a_course_or_a_topic_is_found(author: Author):
    prepare(author)
    assert ["license.yaml: a"] == references(author, "a.yaml", "key: a")
    assert ["a.yaml: start/one/check"] == references(author, "a.yaml", "{id: che")


def test_a_key_is_renamed_in_all_files_and_what_it_was_is_noted(author: Author):
    prepare(author)
    rename(author, "license.yaml", "courses: [a", "safety-101")
    manifest = (author.root / "a.yaml").read_text("utf-8")
    assert "key: safety-101\nmoved: [{from: course.a}]\n" in manifest
    assert "courses: [safety-101, b]  # both" in (author.root / "license.yaml").read_text("utf-8")
    assert [] == only_errors(validate_catalog(author.root).problems)


def test_a_key_that_is_renamed_again_notes_both(author: Author):
    prepare(author)
    rename(author, "a.yaml", "key: a", "one")
    rename(author, "a.yaml", "key: one", "two")
    assert "moved: [{from: course.one}, {from: course.a}]" in author.text("a.yaml")


def test_the_id_of_a_part_is_renamed_in_every_path(author: Author):
    prepare(author)
    rename(author, "a.yaml", "id: one", "first")
    assert "- id: first\n" in author.text("a.yaml")
    assert "topic: start/first/check" in author.text("a.yaml")
    assert [] == only_errors(validate_catalog(author.root).problems)


def test_a_part_with_another_id_is_the_part_that_was_applied(work: Workspace, author: Author):
    """Also when something in it is renamed, and then the part itself again."""
    work.course("a", CRITERION)
    assert 0 == work.apply().code
    author.enter(work.root)
    author.open("a.yaml")
    rename(author, "a.yaml", "id: one", "first")
    rename(author, "a.yaml", "id: check", "test")
    rename(author, "a.yaml", "id: first", "second")
    assert "moved: [{from: start/first, to: start/second}, {from: start/second/check, " in (
        author.text("a.yaml")
    )
    plan = work.plan()
    assert ({"unchanged"}, 0) == ({*actions(plan).values()}, plan["calls"]["total"])


def test_the_ledger_of_translations_follows_the_id_of_a_part(author: Author):
    """Also a part above the page, also where another resource is before it in the ledger."""
    pages = '{"start/one/check": {"de": {"title": ["a b"]}}, "start/one": {"de": {}}}'
    ledger = f'{{\n  "course.0": {pages},\n  "course.a": {pages},\n  "version": 1\n}}\n'
    (author.root / "a.translations.json").write_text(ledger, "utf-8")
    prepare(author)
    rename(author, "a.yaml", "id: one", "first")
    found = json.loads((author.root / "a.translations.json").read_text("utf-8"))
    assert ["start/first/check", "start/first"] == [*found["course.a"]]
    assert ["start/one/check", "start/one"] == [*found["course.0"]]


@pytest.mark.parametrize(
    ("mark", "old", "new"),
    [("id: one", "start/one", "start/new"), ("key: a", "a/start/one", "new/start/one")],
)
def test_the_questions_of_a_topic_follow_it(author: Author, mark: str, old: str, new: str):
    """Their file is called by its path, or by that and the key."""
    making.put(author.root, f"questions/{old}/check.md", "1. Why?\n")
    for file in ("b.yaml",) if mark == "id: one" else ():
        (author.root / file).unlink()
    prepare(author)
    params = author.lsp.RenameParams(author.about("a.yaml"), author.place("a.yaml", mark), "new")
    edit = author.wait(author.client.text_document_rename_async(params))
    moved = edit.document_changes[-1]
    names = [author.uri(f"questions/{path}/check.md") for path in (old, new)]
    assert names == [moved.old_uri, moved.new_uri]


def test_an_overlay_follows_its_course(author: Author):
    overlay = author.root / "overlays" / "sandbox" / "here.yaml"
    overlay.parent.mkdir(parents=True)
    overlay.write_text("resource: course\nkey: a\ntitle: Here\n", "utf-8")
    prepare(author)
    rename(author, "a.yaml", "key: a", "new")
    assert "resource: course\nkey: new\ntitle: Here\n" == overlay.read_text("utf-8")


STORY = """\
story: reader
course: a
starts: 2029-03-01
finished: [b, a]
taken: {license.staff: 3, course.a: 2}
learner:
  - {day: 0, gets: staff}
  - {day: 0, buys: a}
  - {day: 1, views: start/one, course: a}
  - {day: 2, passes: start/one/check}
expect:
  - {closed: start}
---
assert: sold
every: client
has: license
opens: a
---
assert: short
every: license
where: {courses: a}
field: accessDays
max: 99
"""


def tell(author: Author, text: str) -> Path:
    """Writes a story file."""
    story = author.root / "stories" / "reader.yaml"
    story.parent.mkdir()
    story.write_text(text, "utf-8")
    prepare(author)
    return story


def test_stories_follow_a_key(author: Author):
    """Also where they name it in an address, and an assertion in a condition."""
    story = tell(author, STORY)
    rename(author, "a.yaml", "key: a", "new")
    rename(author, "license.yaml", "key: staff", "crew")
    wanted = STORY.replace(" a\n", " new\n").replace(" a}", " new}").replace(" a]", " new]")
    wanted = wanted.replace("course.a:", "course.new:").replace("staff", "crew")
    assert wanted == story.read_text("utf-8")


def test_a_release_follows_a_key(author: Author):
    """It names addresses."""
    release = author.root / "releases" / "autumn.yaml"
    release.parent.mkdir()
    release.write_text("release: autumn\nabout: A\nowner: B\naddresses: [course.a]\n", "utf-8")
    prepare(author)
    rename(author, "a.yaml", "key: a", "new")
    assert "addresses: [course.new]" in release.read_text("utf-8")


def test_stories_follow_the_id_of_a_part(author: Author):
    story = tell(author, STORY)
    author.open("stories/reader.yaml")
    rename(author, "stories/reader.yaml", "views: start/o", "first")
    assert STORY.replace("start/one", "start/first") == story.read_text("utf-8")
    assert "- id: first\n" in author.text("a.yaml")


def test_a_story_that_cannot_follow_refuses_the_name(author: Author):
    """A name on a line of its own is not found: `lmssync test` would look for it in vain."""
    tell(author, STORY.replace("course: a\n", "course: >-\n  a\n"))
    with pytest.raises(author.refusal, match="there is no course `a` in the catalog"):
        rename(author, "a.yaml", "key: a", "new")


def test_an_open_story_has_no_problems_of_manifests(author: Author):
    """It has those of `lmssync test` alone, and its names lead to manifests."""
    tell(author, STORY.replace("buys: a", "buys: nothing"))
    assert [] == author.open("stories/reader.yaml")
    assert "a.yaml: key: a" == definition(author, "stories/reader.yaml", "course: a")


@pytest.mark.parametrize(("new", "why"), [("b", "is taken by"), ("a b", "cannot be a key")])
def test_a_name_that_would_break_the_catalog_is_refused(author: Author, new: str, why: str):
    prepare(author)
    with pytest.raises(author.refusal, match=why):
        rename(author, "a.yaml", "key: a", new)


def test_a_rename_keeps_the_ends_of_lines_of_a_file(author: Author):
    text = (author.root / "a.yaml").read_text("utf-8").replace("\n", "\r\n")
    (author.root / "a.yaml").write_bytes(text.encode())
    author.open("a.yaml")
    author.write("a.yaml", text)
    rename(author, "a.yaml", "key: a", "new")
    wanted = text.replace("key: a\r\n", "key: new\r\nmoved: [{from: course.a}]\r\n")
    assert wanted == author.text("a.yaml")


def test_a_rename_reaches_what_nobody_has_announced(author: Author):
    """A file that was written beside the editor, since the last check."""
    author.open("a.yaml")
    (author.root / "license.yaml").write_text(LICENSE, "utf-8")
    rename(author, "a.yaml", "key: a", "new")
    assert "courses: [new, b]" in (author.root / "license.yaml").read_text("utf-8")
