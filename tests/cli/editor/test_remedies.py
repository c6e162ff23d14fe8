"""What an editor does at a click: the remedies of `validate`, the order of `fmt`, the outline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .author import Author

pytestmark = pytest.mark.xdist_group("editor")  # all ask one server


def actions(author: Author, name: str) -> list[Any]:
    """The quick fixes for all problems of a file."""
    known = author.shown[author.uri(name)]
    where = author.lsp.Range(author.lsp.Position(0, 0), author.lsp.Position(0, 0))
    context = author.lsp.CodeActionContext(known, only=[author.lsp.CodeActionKind.QuickFix])
    params = author.lsp.CodeActionParams(author.about(name), where, context)
    return list(author.wait(author.client.text_document_code_action_async(params)))


def do_first(author: Author, name: str, title: str) -> list[str]:
    """Does what the first action of that title proposes; the problems afterwards."""
    found = next(one for one in actions(author, name) if one.title.startswith(title))
    author.apply_edits(name, found.edit.changes[author.uri(name)])
    return author.problems(name)


def test_the_name_that_was_meant_is_written(author: Author):
    author.open("a.yaml")
    author.replace("a.yaml", "kind:", "titel: x\nkind:")
    author.replace("a.yaml", "title: Title of a\n", "")
    assert "unknown-field" in author.rules_shown("a.yaml")
    assert [] == do_first(author, "a.yaml", "Write `title`")


def test_the_word_and_the_key_that_were_meant_are_written(author: Author):
    text = (author.root / "b.yaml").read_text("utf-8").replace("key: b", "key: first-aid")
    (author.root / "b.yaml").write_text(text, "utf-8")
    author.open("a.yaml")
    author.replace("a.yaml", "openType: open", "openType: opn")
    assert [] == do_first(author, "a.yaml", "Write `open`")
    author.replace("a.yaml", "sections:", "relatedCourses: [first-ade]\nsections:")
    assert ["unknown-reference"] == author.rules_shown("a.yaml")
    assert [] == do_first(author, "a.yaml", "Write `first-aid`")


def test_a_part_gets_the_id_that_its_title_gives(author: Author):
    author.open("a.yaml")
    author.replace("a.yaml", "sections:", "status: published\nsections:")
    author.replace("a.yaml", "{id: hello, ", "{")
    assert "part-id" in author.rules_shown("a.yaml")
    do_first(author, "a.yaml", "Add `id: hello`")
    assert "{id: hello, title: Hello" in author.text("a.yaml")


def test_a_file_that_is_missing_is_created_with_the_title(author: Author):
    author.open("a.yaml")
    author.replace("a.yaml", "markdown: Good morning", "bodyFile: pages/hello.md")
    (found,) = actions(author, "a.yaml")
    created, written = found.edit.document_changes
    assert ("Create pages/hello.md", author.uri("pages/hello.md")) == (found.title, created.uri)
    assert ["Hello\n"] == [edit.new_text for edit in written.edits]


def test_what_is_needless_is_deleted(author: Author):
    author.open("a.yaml")
    author.replace("a.yaml", "sections:", "tags: [Safety, Safety]\nsections:")
    assert ["named-twice"] == author.rules_shown("a.yaml")
    assert [] == do_first(author, "a.yaml", "Delete it")
    author.replace("a.yaml", "sections:", "position: 3\nsections:")
    assert [] == do_first(author, "a.yaml", "Delete it")
    author.replace("a.yaml", "sections:", "zzz: 3\nsections:")
    assert [] == do_first(author, "a.yaml", "Delete it")


def test_a_date_that_does_not_exist_is_left_to_its_author(author: Author):
    """The dates of the hint are examples."""
    author.open("a.yaml")
    author.replace("a.yaml", "sections:", "courseStartDate: 2027-13-01\nsections:")
    assert ["date"] == author.rules_shown("a.yaml")
    assert [] == actions(author, "a.yaml")


def test_a_file_is_put_in_order_as_fmt_does_it(author: Author):
    author.open("a.yaml")
    ordered = author.text("a.yaml")
    author.write(
        "a.yaml", ordered.replace("resource: course\nkey: a\n", "key: a\nresource: course\n")
    )
    options = author.lsp.FormattingOptions(2, insert_spaces=True)
    params = author.lsp.DocumentFormattingParams(author.about("a.yaml"), options)
    edits = author.wait(author.client.text_document_formatting_async(params))
    assert "resource: course\nkey: a\n" == edits[0].new_text[: len("resource: course\nkey: a\n")]


def _names(symbols: Sequence[Any], depth: int = 0) -> list[str]:
    return [
        name
        for one in symbols
        for name in (f"{depth} {one.name}", *_names(one.children or (), depth + 1))
    ]


def test_the_outline_has_the_parts_and_folds_them(author: Author):
    author.open("a.yaml")
    author.write("a.yaml", author.text("a.yaml") + "description: [not yaml\n")
    params = author.lsp.DocumentSymbolParams(author.about("a.yaml"))
    symbols = author.wait(author.client.text_document_document_symbol_async(params))
    assert {"Start", "One", "Hello", "Check"} <= {line.split()[-1] for line in _names(symbols)}
    asked = author.lsp.FoldingRangeParams(author.about("a.yaml"))
    folds = author.wait(author.client.text_document_folding_range_async(asked))
    assert (4, 13) in {(one.start_line, one.end_line) for one in folds}
