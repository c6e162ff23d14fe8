"""Problems for an author at a terminal."""

from collections.abc import Sequence

from ...problems import Problem, Severity
from ...support.visible import escape_invisible
from ..ink import PLAIN, Colour, Ink
from .page import Bounds, ProblemPage, page
from .shown import count, file_shown, sentence, the_rest

MOST = 200
"""Problems shown; the rest is counted."""


def problems_text(problems: Sequence[Problem], ink: Ink = PLAIN) -> str:
    """One line a problem that editors can jump to, the remedy below it, the count at the end."""
    return page_text(page(problems, Bounds(MOST)), ink)


def page_text(shown: ProblemPage, ink: Ink = PLAIN) -> str:
    """The same of those that are shown; the others are counted."""
    lines = [line for problem, more in shown.lines() for line in problem_lines(problem, ink, more)]
    return "\n".join([*lines, *the_rest(shown.rest), "", count(shown.problems)]) + "\n"


def problem_lines(problem: Problem, ink: Ink = PLAIN, more: str = "") -> list[str]:
    """A problem, its remedy if it has one, and a word on others that are like it."""
    colour = Colour.RED if problem.severity is Severity.ERROR else Colour.YELLOW
    kind = ink(f"{problem.severity}[{problem.code}]", colour)
    line = f"{file_shown(str(problem.where))}: {kind} {sentence(problem)}"
    below = [escape_invisible(problem.hint), ink(more, Colour.DIM) if more else ""]
    return [line, *(f"    {text}" for text in below if text)]
