"""A list in another order is told by what has moved."""

import re

import pytest
from hypothesis import given, strategies as st

from lmssync.diff import FieldChange
from lmssync.report.changes.differences import Pair
from lmssync.report.changes.reordering import moves

IDS = [f"topic-{n}" for n in range(30)]
LAST_FIRST = [IDS[-1], *IDS[:-1]]


def made(before: list[str], told: list[str]) -> list[str]:
    """The list after the moves have been made one after the other."""
    found = list(before)
    names = [line.partition(" moves")[0] for line in told]
    found = [item for item in found if item not in names]
    for name, line in zip(names, told, strict=True):
        after = re.search(r"after (\S+)$", line)
        found.insert(found.index(after[1]) + 1 if after else 0, name)
    return found


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("abcde", "eabcd", ["e moves from place 5 to place 1, to the start"]),
        ("abcde", "bcdea", ["a moves from place 1 to place 5, after e"]),
        ("abcde", "abcde", []),
        ("abc", "abd", []),
        ("aab", "baa", []),
    ],
)
def test_moves(before: str, after: str, told: list[str]):
    """A new order is described in as few moves as possible, and other changes not at all."""
    assert told == moves(list(before), list(after))


@given(st.permutations(IDS[:8]))
def test_the_moves_lead_from_one_order_to_the_other(after: list[str]):
    """Making the described moves leads to the new order."""
    assert after == made(IDS[:8], moves(IDS[:8], after))


@pytest.mark.parametrize("full", [True, False])
def test_a_long_list_is_not_told_twice(full: bool):
    """If one topic of a long list moves, only that move is shown."""
    pair = Pair(*FieldChange("topics.order", IDS, LAST_FIRST))
    assert ["topic-29 moves from place 30 to place 1, to the start"] == pair.moves(full=full)


def test_a_short_list_is_shown_in_both_orders():
    """A short list is shown in both orders, which is easier to read than moves."""
    assert [] == Pair("tags", ["A", "B"], ["B", "A"]).moves()
