"""Texts for search engines are kept without their HTML, by the client's account and by ours."""

import ast

import pytest
from hypothesis import given, strategies as st

from lmssync.sandbox.handlers.course_fields import RAW_MOST, plain_text
from lmssync.vocabulary.normalisers import strip_markup
from tests.architecture.source_tree import in_one_process, modules, nodes

CASES = [
    ("<b>Safe</b> work", "Safe work"),
    ('<a title="a>b" href="https://x.example">Link</a>', "Link"),
    ("<a title='\">' href=x>Link</a>", "Link"),
    ("&lt;script&gt;alert(1)&lt;/script&gt;", "alert(1)"),
    ("<<b>script>alert(1)", "alert(1)"),
    ("&amp;lt;b&amp;gt;Bold", "Bold"),
    ("&#60;b&#x3e;Bold", "Bold"),
    ("1 &lt; 2 &amp; 3", "1 < 2 & 3"),
    ("1 < 2 > 1", "1 < 2 > 1"),
    ("A<!-- > <b> -->B", "AB"),
    ("A<!--x--!>B</>C</ x>D<?x?>E", "ABCDE"),
    ("A<b", "A"),
    ('A<b title="x>B', "A"),
    ("A</", "A</"),
    ("&nbsp; A ", "A"),
]
PIECES = [
    *("<", ">", "/", "=", '"', "'", "!", "-", "--", "?", "&", " ", "\n", "a", "b", "x", "1"),
    *("<b>", "</b>", "<a href=", "<!--", "-->", "&lt;", "&amp;", "lt;", "amp;", "#60;", "script"),
]


@pytest.mark.parametrize(("text", "kept"), CASES)
def test_what_is_kept(platform, text, kept):
    """The text that a reader of the HTML sees, and no markup (spec 2.2)."""
    platform.course(metaTitle=text, metaDescription=text)
    (group,) = platform.dump("courseGroups")
    assert [kept, kept] == [group["metaTitle"], group["metaDescription"]]


@pytest.mark.parametrize(("text", "kept"), CASES)
def test_the_client_says_the_same(text, kept):
    """What an author reads in a warning is what the platform keeps (spec 2.2)."""
    assert kept == strip_markup(text)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_both_agree_on_any_text(text):
    """Two implementations, one result; what is kept is kept for ever (spec 2.2)."""
    kept = plain_text(text)
    assert [kept, kept] == [strip_markup(text), plain_text(kept)]


@in_one_process
def test_neither_uses_the_other():
    """The two implementations do not share code, so that they do not share mistakes."""
    imported = {
        alias.name
        for module in modules()
        if module.room == "sandbox"
        for node in nodes(module)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert "sanitize_label" in imported
    assert "strip_markup" not in imported


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<b>" * RAW_MOST, "has 150000 characters with its markup"),
        ("<div>" * 501, "more than 500 HTML elements inside each other"),
        ("&" + "amp;" * 1000 + "lt;b>", "is markup in markup"),
    ],
)
def test_what_is_not_read_to_its_end(platform, text, said):
    """Markup that would take too long is refused with a message (spec 7)."""
    (error,) = platform.errors(platform.create(metaTitle=text))
    assert said in error
