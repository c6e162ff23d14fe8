"""What guards and policies say of a plan, for people at a terminal."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..planning.plan import HELD, GuardVerdict
from ..problems import Severity
from ..support.visible import escape_invisible
from .ink import Colour, Ink


class GuardLine(NamedTuple):
    """What one guard says."""

    word: str
    """`blocked`, `warning` or `allowed`."""
    colour: Colour
    text: str
    allow: str
    """The options that let it pass; empty if none do, or if they are given."""


def said(verdicts: Sequence[GuardVerdict]) -> list[GuardLine]:
    """All of them but those that hold a change back, which says so itself."""
    return [
        GuardLine(
            *_word(one),
            escape_invisible(f"[{one.guard}] {one.message}"),
            "" if one.permitted else escape_invisible(one.allow),
        )
        for one in verdicts
        if one.guard not in HELD
    ]


def guard_lines(verdicts: Sequence[GuardVerdict], ink: Ink) -> Iterator[str]:
    """`Guards:` and a line or two each: what it is about, and the options that allow it."""
    lines = said(verdicts)
    if lines:
        yield ink("Guards:", Colour.BOLD)
    for one in lines:
        yield ink(f"  {one.word} {one.text}", one.colour)
        if one.allow:
            yield f"      allowed by: {one.allow}"


def _word(one: GuardVerdict) -> tuple[str, Colour]:
    if one.permitted:
        return "allowed", Colour.DIM
    if one.severity is Severity.ERROR:
        return "blocked", Colour.RED
    return "warning", Colour.YELLOW
