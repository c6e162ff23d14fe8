"""A list in another order is told by what has moved."""

import re

import pytest
from hypothesis import given, strategies as st

from lmssync.report.changes.value_differences import expand_pair, list_order_moves

IDS = [f"topic-{n}" for n in range(30)]
LAST_FIRST = [IDS[-1], *IDS[:-1]]


def made(before: list[str], told: list[str]) -> list[str]:
    """The list after the moves have been made one after the other."""
    found = list(before)
    names = [line.split("`")[1] for line in told]
    found = [item for item in found if item not in names]
    for name, line in zip(names, told, strict=True):
        after = re.search(r"after `(\S+)`", line)
        found.insert(found.index(after[1]) + 1 if after else 0, name)
    return found


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("abcde", "eabcd", ["moved `e` to the start"]),
        ("abcde", "bcdea", ["moved `a` after `e`"]),
        ("abcde", "abcde", []),
        ("abc", "abd", []),
        ("aab", "baa", []),
    ],
)
def test_moves(before: str, after: str, told: list[str]):
    """A new order is described in as few moves as possible, and other changes not at all."""
    assert told == list_order_moves(list(before), list(after))


@given(st.permutations(IDS[:8]))
def test_the_moves_lead_from_one_order_to_the_other(after: list[str]):
    """Making the described moves leads to the new order."""
    assert after == made(IDS[:8], list_order_moves(IDS[:8], after))


def test_a_long_list_says_where_the_places_are():
    """If one topic of a long list moves, only that move is shown, with its place."""
    (pair,) = expand_pair("topics.order", IDS, LAST_FIRST)
    assert ("topics", "moved `topic-29` to the start (place 30 → 1)") == (pair.path, pair.text())


def test_many_moves_have_lines_of_their_own():
    """Moves that do not fit on a line are shown below each other."""
    (pair,) = expand_pair("topics.order", IDS[:8], IDS[7::-1])
    assert 7 == len(pair.moves())
