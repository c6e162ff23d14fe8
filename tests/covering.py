"""Tables that are a product of dimensions: which of their rows the slow run needs."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest


def cover_pairs(rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    """All rows as parameters. So few that any two values of two columns still meet in one of them
    are for each run and the slow run, and the others for the exhaustive run."""
    left = {pair for row in rows for pair in _pairs(row)}
    kept = set()
    while left:
        best = max(range(len(rows)), key=lambda number: len(left & set(_pairs(rows[number]))))
        kept.add(best)
        left -= set(_pairs(rows[best]))
    exhaustive = pytest.mark.exhaustive
    return [
        row if number in kept else pytest.param(row, marks=exhaustive)
        for number, row in enumerate(rows)
    ]


def _pairs(row: tuple[Any, ...]) -> Iterator[Any]:
    """What meets in a row: two columns by number, and their values."""
    return combinations(enumerate(map(repr, row)), 2)
