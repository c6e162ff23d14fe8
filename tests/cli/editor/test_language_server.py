"""What an editor shows of a catalog while its author types."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from lmssync.catalog.catalog_validation import validate_catalog
from lmssync.cli.editor.text_outline import TextOutline
from lmssync.cli.exits import Exit
from lmssync.cli.main import main

from ...served_catalog import PROJECT

if TYPE_CHECKING:
    from .author import Author

pytestmark = pytest.mark.xdist_group("editor")  # all ask one server


def test_a_mistake_is_shown_before_it_is_saved_and_goes_when_it_is_corrected(author: Author):
    assert [] == author.open("a.yaml")
    assert ["unknown-field"] == author.replace("a.yaml", "kind:", "kint: x\nkind:")
    assert [] == author.replace("a.yaml", "kint: x\n", "")


def test_a_key_that_is_not_saved_yet_can_be_named_in_another_file(author: Author):
    author.open("a.yaml")
    author.open("b.yaml")
    named = author.replace("a.yaml", "sections:", "relatedCourses: [new]\nsections:")
    author.replace("b.yaml", "key: b", "key: new")
    assert (["unknown-reference"], []) == (named, author.rules_shown("a.yaml"))


def test_the_first_answer_is_about_the_file_alone_and_keeps_what_was_known(author: Author):
    """It comes before the check of the catalog, and names no version."""
    author.open("a.yaml")
    author.replace("a.yaml", "sections:", "relatedCourses: [none]\nsections:")
    author.first_answers.clear()
    author.replace("a.yaml", "kind:", "\nkint: x\nkind:")
    assert [("unknown-field", 4), ("unknown-reference", 7)] == author.first_answers[0]


def test_what_is_not_saved_is_nothing_to_validate(author: Author):
    """The two share a cache, and each sees what is its own."""
    author.open("a.yaml")
    author.replace("a.yaml", "title: Title", "titel: Title")
    assert [] == validate_catalog(author.root).problems


def test_the_text_of_a_page_is_checked_before_it_is_saved(author: Author):
    (author.root / "hello.md").write_text("Good morning\n", "utf-8")
    manifest = author.root / "a.yaml"
    text = manifest.read_text("utf-8")
    manifest.write_text(text.replace("markdown: Good morning", "bodyFile: hello.md"), "utf-8")
    assert [] == author.open("hello.md")
    assert ["html-script"] == author.write("hello.md", "<script>x</script>\n")


def test_a_file_that_is_closed_counts_as_it_was_saved(author: Author):
    author.open("a.yaml")
    author.open("b.yaml")
    author.replace("a.yaml", "title: Title", "titel: Title")
    author.close("a.yaml")
    author.write("b.yaml", author.text("b.yaml"))
    assert [] == author.rules_shown("a.yaml")


def test_a_project_file_with_a_mistake_is_shown_there_and_the_server_goes_on(author: Author):
    author.open("lmssync.yaml")
    assert ["unknown-field"] == author.write("lmssync.yaml", f"{PROJECT}wrong: 1\n")
    assert [] == author.write("lmssync.yaml", PROJECT)


def test_a_file_in_no_catalog_has_no_problems_and_disturbs_nobody(author: Author):
    (author.root.parent / "loose.yaml").write_text("a: [", "utf-8")
    author.open("../loose.yaml", answered=False)
    assert [] == author.open("a.yaml")


def test_of_a_catalog_that_is_gone_nothing_is_shown(author: Author):
    author.open("a.yaml")
    assert ["unknown-field"] == author.replace("a.yaml", "kind:", "kint: x\nkind:")
    shutil.rmtree(author.root)
    assert [] == author.write("a.yaml", author.text("a.yaml"))


def test_dashes_without_end_are_not_followed():
    """As paths of lists in lists they would fill the memory."""
    assert 100 > len(TextOutline("- " * 100_000).nodes)


def test_without_its_packages_it_says_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    for name in [*sys.modules]:
        if name.startswith(("lmssync.cli.editor", "lmssync.cli.language_server")):
            monkeypatch.delitem(sys.modules, name)
    with pytest.raises(SystemExit) as ended:
        main(["language-server"])
    said = capsys.readouterr().err
    assert Exit.USAGE == ended.value.code
    assert "packages that are not installed (lsprotocol)" in said
    assert "editor" in said
