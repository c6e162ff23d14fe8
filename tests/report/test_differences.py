"""Differences between two values are always seen."""

from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given, strategies as st

from lmssync.report.changes.text_differences import text_changes
from lmssync.report.changes.value_differences import expand_pair

MARKDOWN = "$markdown"


def told(before: Any, after: Any, *, full: bool = False) -> list[str]:
    """What is shown of two values, one line each."""
    found: list[str] = []
    for pair in expand_pair("f", before, after, full=full):
        if pair.prose:
            found += text_changes(*pair.prose, full=full).lines
        else:
            found.append(f"{pair.path}: {pair.text(full=full)}")
    return found


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("a\nb\nc", "a\nx\nc", ["-b", "+x"]),
        ("a\n- - x\nb", "a\nb", ["-- - x"]),
        ("a\n--flag", "a\n++flag", ["~[----]{++++}flag"]),
        ("a\n-- x", "a\n--- a\n+++ b\n@@ c", ["--- x", "+--- a", "++++ b", "+@@ c"]),
        ("a\nb", "a\nb\n", ["+"]),
        ("a\r\nb", "a\nb", [r"~a[-\r-]", "? U+000D CARRIAGE RETURN removed"]),
        ("a \nb", "a\nb", [r"~a[-\x20-]", "? U+0020 SPACE removed"]),
        (
            "a\nb\u2028c",
            "a\nb c",
            [r"~b[-\u2028-]{+\x20+}c", "? U+2028 LINE SEPARATOR → U+0020 SPACE"],
        ),
    ],
)
def test_text_changes(before: str, after: str, shown: list[str]):
    """Only what differs is shown: the words of a line, or whole lines."""
    assert shown == text_changes(before, after).lines


def test_many_line_changes_are_cut_and_counted():
    """Of many changed lines a dozen are shown, half removed and half added, unless `full`."""
    before, after = ("\n".join(f"{word} {n}" for n in range(10)) for word in ("old", "new"))
    short, full = text_changes(before, after), text_changes(before, after, full=True)
    assert ("------++++++", 8) == ("".join(line[0] for line in short.lines), short.hidden)
    assert (20, 0) == (len(full.lines), full.hidden)


@pytest.mark.parametrize(("gone", "come"), [(0, 30), (30, 0), (2, 30), (30, 2), (14, 15)])
def test_a_dozen_lines_are_shown_whatever_they_are(gone: int, come: int):
    """A dozen lines are shown even if few were removed or few added."""
    before, after = ("\n".join(f"{n} {word}" for n in range(word)) for word in (gone, come))
    assert 12 == len(text_changes(before or "-", after or "-").lines)


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("x", "y", ["f: “x” → “y”"]),
        (None, "y", ["f: (not set) → “y”"]),
        ("x", "x ", [r"f: “x” → “x\x20” (U+0020 SPACE added)"]),
        ("a b", "a  b", ["f: “a b” → “a  b” (U+0020 SPACE added)"]),
        (
            "a b",
            "a\xa0b",
            [r"f: “a b” → “a\xa0b” (U+0020 SPACE → U+00A0 NO-BREAK SPACE)"],
        ),
        ("x", "x\u200b", [r"f: “x” → “x\u200b” (U+200B ZERO WIDTH SPACE added)"]),
        (
            "e\u0301",
            "é",
            [
                (
                    r"f: “e\u0301” → “é” (U+0065 LATIN SMALL LETTER E + "
                    r"U+0301 COMBINING ACUTE ACCENT → U+00E9 LATIN SMALL LETTER E WITH ACUTE)"
                ),
            ],
        ),
        ("x" * 80 + "a", "x" * 80 + "b", ["-" + "x" * 80 + "a", "+" + "x" * 80 + "b"]),
        ({MARKDOWN: "x"}, "x", [f'f: {{"{MARKDOWN}":"x"}} → “x”']),
        (
            [{"id": "t", "title": "A", "n": 1}],
            [{"id": "t", "title": "A", "n": 2}],
            ["f[t].n: 1 → 2"],
        ),
        (
            list(range(20)),
            list(range(21)),
            ["f: + 20"],
        ),
        (list(range(20)), [*range(19), 99], ["f: + 99, \N{MINUS SIGN} 19"]),
    ],
)
def test_values(before: Any, after: Any, shown: list[str]):
    """Values are shown in their usual form, or exactly where that would look the same."""
    assert shown == told(before, after)


_TEXT = st.text(st.sampled_from("ab \n\t\xa0\u200b\u0301é-+@\\"), max_size=90)
_VALUES = st.recursive(
    st.none() | st.integers(0, 9) | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=5,
)


@given(_VALUES, _VALUES, st.booleans())
def test_two_values_that_differ_never_look_the_same(before: Any, after: Any, full: bool):
    """Two different values are never shown with the same text."""
    if before == after:
        return
    lines = [normalize("NFC", line) for line in told(before, after, full=full)]
    changes = [line.partition(": ")[2].split(" → ") for line in lines if line[0] == "f"]
    assert lines
    assert not [line for line in lines if line[0] == "-" and f"+{line[1:]}" in lines]
    assert not [change for change in changes if change[0] == change[-1] and change[1:]]
