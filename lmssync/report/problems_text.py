"""Problems for an author at a terminal."""

from collections.abc import Sequence

from ..problems import Problem, Severity
from ..visible import visible
from .ink import PLAIN, Colour, Ink
from .problems_shown import chosen, count, file_shown, sentence, the_rest

MOST = 200
"""Problems shown; the rest is counted."""


def problems_text(problems: Sequence[Problem], ink: Ink = PLAIN) -> str:
    """One line a problem that editors can jump to, the remedy below it, the count at the end."""
    shown = chosen(problems, MOST)
    lines = [line for problem in shown for line in problem_lines(problem, ink)]
    return "\n".join([*lines, *the_rest(problems, shown), "", count(problems)]) + "\n"


def problem_lines(problem: Problem, ink: Ink = PLAIN) -> list[str]:
    """A problem, and its remedy if it has one."""
    colour = Colour.RED if problem.severity is Severity.ERROR else Colour.YELLOW
    kind = ink(f"{problem.severity}[{problem.code}]", colour)
    line = f"{file_shown(str(problem.where))}: {kind} {sentence(problem)}"
    return [line, f"    {visible(problem.hint)}"] if problem.hint else [line]
