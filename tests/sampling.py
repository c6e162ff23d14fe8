"""Tables that are too long for each run: some rows always, all of them in the slow run."""

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(rows: Iterable[Any], step: int) -> list[Any]:
    """Every `step`th row as it is, the others for the slow run, in their order."""
    return [
        row if position % step == 0 else pytest.param(row, marks=pytest.mark.slow)
        for position, row in enumerate(rows)
    ]
