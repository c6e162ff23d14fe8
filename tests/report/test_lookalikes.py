"""Texts that look the same are told apart by the names of their characters."""

import pytest

from lmssync.report.changes.text_differences import text_changes
from lmssync.report.lookalikes import name_differences

LONG = "A title of more characters than a plan shows on one line, for it goes on and on and on"


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
def test_note(before: str, after: str, told: str):
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
