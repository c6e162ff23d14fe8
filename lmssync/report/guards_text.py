"""What guards and policies say of a plan, for people at a terminal."""

from collections.abc import Iterator, Sequence

from ..plan import HELD, GuardVerdict
from ..problems import Severity
from ..visible import visible
from .ink import Colour, Ink


def guard_lines(verdicts: Sequence[GuardVerdict], ink: Ink) -> Iterator[str]:
    """`Guards:` and a line or two each: what it is about, and the options that allow it.

    A change that is left out of the plan says so itself.
    """
    shown = [one for one in verdicts if one.guard not in HELD]
    if shown:
        yield ink("Guards:", Colour.BOLD)
    for one in shown:
        word, colour = _word(one)
        yield ink(visible(f"  {word} [{one.guard}] {one.message}"), colour)
        if one.allow and not one.permitted:
            yield visible(f"      allowed by: {one.allow}")


def _word(one: GuardVerdict) -> tuple[str, Colour]:
    if one.permitted:
        return "allowed", Colour.DIM
    if one.severity is Severity.ERROR:
        return "blocked", Colour.RED
    return "warning", Colour.YELLOW
