"""Colours for a terminal, and none anywhere else."""

from enum import StrEnum
from typing import NamedTuple


class Colour(StrEnum):
    RED = "31"
    GREEN = "32"
    YELLOW = "33"
    BLUE = "34"
    DIM = "2"
    BOLD = "1"


class Ink(NamedTuple):
    """Paints text, or leaves it as it is."""

    on: bool = False

    def __call__(self, text: str, colour: Colour) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self.on else text


PLAIN = Ink()
