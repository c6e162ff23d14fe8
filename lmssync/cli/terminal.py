"""What the terminal can show: colours and questions."""

import os
import sys
from typing import IO

from ..report import Ink


def ink(stream: IO[str] | None) -> Ink:
    """Colour on a terminal, unless NO_COLOR asks for none."""
    shown = stream is not None and stream.isatty()  # a closed stdout is None
    return Ink(on=shown and "NO_COLOR" not in os.environ)


def can_ask() -> bool:
    """True if there is somebody to ask."""
    return sys.stdin.isatty() and sys.stderr.isatty()
