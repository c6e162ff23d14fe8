"""Of long texts, the words that differ are shown, with a few around them."""

import re

import pytest
from hypothesis import given, strategies as st

from lmssync.report.changes.text_differences import Markup, text_changes
from lmssync.report.changes.value_differences import expand_pair
from lmssync.report.terminal_style import TextStyle
from lmssync.report.word_diff import Piece, name_differences, spell_pieces, word_changes

HTML = "<p>" + " ".join(f"word{n} <b>bold</b>" for n in range(60)) + "</p>"
MARKDOWN = """# A clear desk

A clear desk is easier to
start at, and nothing gets
lost there.

- one thing
- two things

```
code  is here
```
"""
LONG = "A title of more characters than a plan shows on one line, for it goes on and on and on"
_TEXT = st.text(st.sampled_from("ab <>/&\n\t\xa0\u0301é-+.\\"), max_size=60)


def shown(before: str, after: str, markup: Markup = Markup.MARKDOWN) -> list[str]:
    return text_changes(before, after, markup).lines


def test_a_word_of_a_long_line_is_shown_with_what_stands_around_it():
    """A changed word of a long line is shown with a few words around it."""
    changes = text_changes(HTML, HTML.replace("word30", "WORD"))
    assert [
        "~… <b>bold</b> word29 <b>bold</b> [-word30-]{+WORD+} <b>bold</b> word31 <b>bold</b> …"
    ] == changes.lines


def test_a_terminal_shows_the_words_in_red_and_green():
    """In colour, what is gone is red and what has come is green, without brackets."""
    colours = text_changes("a b c\n", "a x c\n", style=TextStyle(on=True)).lines
    assert ["\x1b[33m~\x1b[0ma \x1b[31mb\x1b[0m\x1b[32mx\x1b[0m c"] == colours


def test_all_of_it_is_shown_where_all_of_it_is_wanted():
    """`--full` shows both texts whole, with what is the same as well."""
    changes = text_changes(f"first\n{HTML}", f"first\n{HTML}!", full=True)
    assert [" first", f"~{HTML}{{+!+}}"] == changes.lines


def test_a_passage_that_has_become_another_is_shown_whole():
    """A passage that differs for the most part is shown before and after."""
    assert word_changes("a " * 100, "b " * 100) is None
    assert ["-one two", "+three four"] == shown("one two\n", "three four\n")


def test_a_passage_finds_its_like_beside_new_ones():
    """An edited line is recognised beside new lines."""
    changes = shown(HTML, "new\n" + HTML.replace("word30", "WORD"), Markup.PLAIN)
    assert ["+new", "~… <b>"] == [line[:6] for line in changes]


def test_a_paragraph_of_markdown_is_compared_across_its_lines():
    """Where a paragraph is wrapped anew, only its changed words are shown."""
    after = MARKDOWN.replace("to\nstart at, and", "to start\nfrom, and")
    assert "~A clear desk is easier to start [-at-]{+from+}, and nothing gets lost there." in (
        shown(MARKDOWN, after)
    )


def test_markdown_is_compared_item_by_item():
    """An item of a list that is new is told alone, and so is a changed line of code."""
    after = MARKDOWN.replace("- two", "- more\n- two").replace("is here", "is there")
    assert ["+- more", "~code  is [-here-]{+there+}"] == shown(MARKDOWN, after)


def test_other_line_breaks_alone_are_shown_as_such():
    """Markdown that differs only in line breaks shows them."""
    assert [
        r"~A clear desk is easier to[-\n-]{+\x20+}start at, and nothing gets\nlost …",
        "? U+000A LINE FEED → U+0020 SPACE",
    ] == shown(MARKDOWN, MARKDOWN.replace("to\nstart", "to start"))


def test_other_line_breaks_beside_a_change_are_told():
    """If words differ as well, a line says that line breaks do."""
    after = MARKDOWN.replace("to\nstart", "to start").replace("two", "2")
    assert "? apart from that, only blanks and line breaks differ" == shown(MARKDOWN, after)[-1]


@pytest.mark.parametrize(
    ("after", "line"),
    [
        ("<p>A <em>clear</em> desk</p>", "~<p>A [-<b>-]{+<em>+}clear[-</b>-]{+</em>+} desk</p>"),
        ("<p>A <b>tidy</b> desk</p>", "~<p>A <b>[-clear-]{+tidy+}</b> desk</p>"),
        ("<p>A <b>clear</b> desk</p><p>New</p>", "+<p>New</p>"),
    ],
)
def test_html_is_compared_by_its_text_and_tags(after: str, line: str):
    """A tag is a word, and a block is a passage."""
    assert [line] == shown("<p>A <b>clear</b> desk</p>", after, Markup.HTML)


def test_bodies_say_how_they_are_written():
    """Bodies in Markdown are compared as such, and texts with tags as HTML."""
    bodies = [{"$markdown": "a\n" * 40}, {"$markdown": "b\n" * 40}]
    (body,) = expand_pair("body", *bodies)
    (html,) = expand_pair("body", HTML, HTML.upper())
    assert (Markup.MARKDOWN, Markup.HTML) == (
        body.prose and body.prose[2],
        html.prose and html.prose[2],
    )


@given(st.sets(st.integers(0, 59), min_size=1, max_size=8))
def test_no_changed_word_is_left_out(places: set[int]):
    """What is shown has every changed word, however many there are."""
    after = HTML
    for n in places:
        after = after.replace(f"word{n} ", f"NEW{n} ")
    line = " ".join(shown(HTML, after, Markup.PLAIN))
    assert {str(n) for n in places} == set(re.findall(r"\bword(\d+)-\]", line))
    assert {str(n) for n in places} == set(re.findall(r"\bNEW(\d+)\+\}", line))


@given(_TEXT, _TEXT)
def test_the_pieces_make_up_both_texts(before: str, after: str):
    """What is the same and what is gone is the old text, what is the same and has come the new."""
    pieces = word_changes(before, after) or [Piece(before, after)]
    assert (before, after) == tuple("".join(texts) for texts in zip(*pieces, strict=True))


@given(_TEXT, _TEXT, st.sampled_from(Markup), st.booleans())
def test_texts_that_differ_show_a_difference(before: str, after: str, markup: Markup, full: bool):
    """Two different texts always show a line that says so."""
    lines = text_changes(before, after, markup, full=full).lines
    assert (before != after) == any(line[:1] in {"~", "-", "+", "?"} for line in lines)


def test_words_that_look_the_same_are_written_out():
    """Characters that nobody sees are written out in what differs."""
    assert r"a[-\x20-]{+\xa0+}b" == spell_pieces(
        [Piece("a", "a"), Piece(" ", "\xa0"), Piece("b", "b")]
    )


@pytest.mark.parametrize("swap", [("x1", "y1", "y1", "x1")])
def test_lines_that_would_look_the_same_are_shown_whole(swap: tuple[str, ...]):
    """No removed line looks like an added one."""
    one, two, three, four = (HTML.replace("word30", word) for word in swap)
    lines = shown(f"{one}\na{two}", f"{three}\na{four}", Markup.PLAIN)
    assert not [line for line in lines if line[0] == "-" and f"+{line[1:]}" in lines]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("a b", "a\xa0b", "U+0020 SPACE → U+00A0 NO-BREAK SPACE"),
        ("ab", "a\u200bb", "U+200B ZERO WIDTH SPACE added"),
        ("a\xadb", "ab", "U+00AD SOFT HYPHEN removed"),
        ("a", "\u0430", "U+0061 LATIN SMALL LETTER A → U+0430 CYRILLIC SMALL LETTER A"),
        ("a-b", "a\u2011b", "U+002D HYPHEN-MINUS → U+2011 NON-BREAKING HYPHEN"),
        ("a\tb", "a b", "U+0009 TAB → U+0020 SPACE"),
        ("Safety", "Safely", ""),
        ("a", "A", ""),
        ("a", "a", ""),
    ],
)
def test_characters_that_look_the_same_are_named(before: str, after: str, told: str):
    """Which characters differ, where people would not see it."""
    assert told == name_differences(before, after)


def test_a_long_title_with_another_blank_in_it():
    """The blank is written out, and the note stands below."""
    shown = text_changes(LONG, LONG.replace("one line", "one\xa0line"))
    assert "? U+0020 SPACE → U+00A0 NO-BREAK SPACE" == shown.lines[-1]
    assert r" on one[-\x20-]{+\xa0+}line, for it" in shown.lines[0]


def test_of_very_many_differences_the_first_are_named():
    """Nobody reads forty names."""
    assert name_differences("abcdefgh", "".join(chr(0x430 + n) for n in range(8))).endswith(
        " and 4 more"
    )
