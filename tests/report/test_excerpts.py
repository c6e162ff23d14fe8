"""In long lines, only the words that differ are shown."""

import pytest
from hypothesis import given, strategies as st

from lmssync.report.changes.differences import line_changes
from lmssync.report.excerpts import excerpt

HTML = "<p>" + " ".join(f"word{n} <b>bold</b>" for n in range(60)) + "</p>"


def words(text: str) -> set[str]:
    return set(text.split())


def test_a_word_of_a_long_line_is_shown_with_what_stands_around_it():
    """A changed word of a long line is shown with a few words around it."""
    shown = line_changes(HTML, HTML.replace("word30", "WORD"))
    assert [
        "-…</b> word29 <b>bold</b> word30 <b>bold</b> word31 <b>…",
        "+…</b> word29 <b>bold</b> WORD <b>bold</b> word31 <b>…",
    ] == shown.lines
    assert shown.cut


def test_nothing_is_cut_where_all_of_it_is_wanted():
    """`--full` shows a long line as it is."""
    after = HTML.replace("word30", "WORD")
    shown = line_changes(HTML, after, full=True)
    assert ([f"-{HTML}", f"+{after}"], False) == (shown.lines, shown.cut)


def test_a_line_that_has_become_another_is_shown_whole():
    """A line that differs for the most part is shown whole."""
    before, after = "a " * 100, "b " * 100
    assert excerpt(before, after) is None


def test_a_line_finds_its_like_beside_new_ones():
    """An edited line is recognised beside new lines and shown as an excerpt."""
    shown = line_changes(HTML, HTML.replace("word30", "WORD") + "\nnew")
    assert ["-…</b> word29", "+…</b> word29", "+new"] == [line[:13] for line in shown.lines]


@given(st.sets(st.integers(0, 59), min_size=1, max_size=8))
def test_no_changed_word_is_left_out(places: set[int]):
    """An excerpt has every changed word, however many there are."""
    after = HTML
    for n in places:
        after = after.replace(f"word{n} ", f"NEW{n} ")
    old, new = line_changes(HTML, after).lines
    assert {f"word{n}" for n in places} <= words(old.replace("…", " ").replace("<p>", " "))
    assert {f"NEW{n}" for n in places} <= words(new.replace("…", " ").replace("<p>", " "))


@pytest.mark.parametrize("swap", [("x1", "y1", "y1", "x1")])
def test_excerpts_that_would_look_the_same_are_shown_whole(swap: tuple[str, ...]):
    """If excerpts of two lines would look the same, the lines are shown whole."""
    one, two, three, four = (HTML.replace("word30", word) for word in swap)
    lines = line_changes(f"{one}\na{two}", f"{three}\na{four}").lines
    assert not [line for line in lines if line[0] == "-" and f"+{line[1:]}" in lines]
