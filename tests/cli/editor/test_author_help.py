"""What an editor offers to write, and what it says of a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lmssync.support.remembered_files import remember_names

if TYPE_CHECKING:
    from .author import Author

pytestmark = pytest.mark.xdist_group("editor")  # all ask one server


def offered(author: Author, name: str, mark: str) -> dict[str, str]:
    """What is offered behind a mark, by the text that would be written."""
    params = author.lsp.CompletionParams(author.about(name), author.place(name, mark))
    found = author.wait(author.client.text_document_completion_async(params))
    return {item.text_edit.new_text: item.detail or "" for item in found}


def said(author: Author, name: str, mark: str) -> str:
    params = author.lsp.HoverParams(author.about(name), author.place(name, mark))
    found = author.wait(author.client.text_document_hover_async(params))
    return found.contents.value


def test_the_fields_of_a_kind_are_offered_without_those_that_are_there(author: Author):
    author.open("a.yaml")
    author.replace("a.yaml", "sections:", "pri\nsections:")
    fields = offered(author, "a.yaml", "\npri")
    assert ("priceInCents: " in fields, "title: " in fields) == (True, False)


def test_the_fields_of_a_part_are_offered_in_a_blank_line_and_in_brackets(author: Author):
    author.open("a.yaml")
    author.replace("a.yaml", "    title: Start", "    title: Start\n    ")
    author.replace("a.yaml", "type: quiz}", "type: quiz, }")
    assert "releaseDate: " in offered(author, "a.yaml", "title: Start\n    ")
    topic = offered(author, "a.yaml", "type: quiz, ")
    assert ("attested:" in topic, "pdfUrl: " in topic) == (True, False)


def test_the_fields_of_a_story_are_offered_and_none_of_a_manifest(author: Author):
    (author.root / "stories").mkdir()
    (author.root / "stories" / "reader.yaml").write_text("re\n", "utf-8")
    assert [] == author.open("stories/reader.yaml")
    fields = offered(author, "stories/reader.yaml", "re")
    assert ("learner:" in fields, "resource: " in fields) == (True, False)


def test_the_words_of_a_field_are_offered(author: Author):
    author.open("a.yaml")
    author.replace("a.yaml", "openType: open", "openType: ")
    assert {"studentsOnly", "open", "emailCaptureOpen"} == {
        *offered(author, "a.yaml", "openType: ")
    }


def test_keys_are_offered_with_their_title_once_somebody_looks(author: Author):
    author.open("a.yaml")
    author.replace("a.yaml", "sections:", "relatedCourses: []\nsections:")
    where = author.place("a.yaml", "relatedCourses: [")
    params = author.lsp.CompletionParams(author.about("a.yaml"), where)
    found = author.wait(author.client.text_document_completion_async(params))
    items = sorted(found, key=lambda item: item.label)
    assert ["a", "b"] == [item.label for item in items]
    item = author.wait(author.client.completion_item_resolve_async(items[1]))
    assert "**Title of b**" in item.documentation.value


def test_paths_of_topics_are_offered_in_a_text_that_is_no_yaml(author: Author):
    author.open("a.yaml")
    text = author.text("a.yaml")
    author.write("a.yaml", f"{text}completionCriteria:\n  - id: [x\n    topic: \n")
    paths = offered(author, "a.yaml", "topic: ")
    assert {"start/one/hello": "text", "start/one/check": "quiz"} == paths


def test_tags_are_those_of_the_catalog_and_those_that_get_has_seen(author: Author):
    text = (author.root / "b.yaml").read_text("utf-8")
    (author.root / "b.yaml").write_text(f"{text}tags: [Safety]\n", "utf-8")
    remember_names(author.root, "tag", ["Fire", "Safety"])
    author.open("a.yaml")
    author.replace("a.yaml", "sections:", "tags: []\nsections:")
    assert {"Safety": "in this catalog", "Fire": "on the platform"} == offered(
        author, "a.yaml", "tags: ["
    )


def test_files_of_prose_are_offered_by_the_way_from_the_manifest(author: Author):
    (author.root / "pages").mkdir()
    (author.root / "pages" / "hello.md").write_text("Hello\n", "utf-8")
    author.open("a.yaml")
    author.replace("a.yaml", "markdown: Good morning", "bodyFile: p")
    assert {"pages/hello.md"} == {*offered(author, "a.yaml", "bodyFile: p")}


def test_a_field_is_explained_as_explain_does_it(author: Author):
    author.open("a.yaml")
    shown = said(author, "a.yaml", "openTy")
    assert "course.sections.lessons.openType" in shown
    assert "For enrolled learners." in shown


def test_a_key_says_title_and_status_of_what_it_names(author: Author):
    text = (author.root / "b.yaml").read_text("utf-8")
    (author.root / "b.yaml").write_text(f"{text}status: draft\n", "utf-8")
    author.open("a.yaml")
    author.replace("a.yaml", "sections:", "relatedCourses: [b]\nsections:")
    shown = said(author, "a.yaml", "relatedCourses: [")
    assert "**Title of b**\n\n`course.b` · courseGroup · draft\n\nb.yaml" == shown


def test_of_a_word_its_meaning_is_said_first(author: Author):
    author.open("a.yaml")
    assert said(author, "a.yaml", "openType: op").startswith("`open`: For everybody.")
