"""Problems as commands of a GitHub workflow, which shows them beside the lines of a change."""

from collections.abc import Sequence

from ..problems import Problem, Severity, errors
from ..visible import visible
from .problems_shown import (
    Checked,
    below,
    chosen,
    count,
    sentence,
    the_rest,
    valid_text,
)

MOST = 200
"""Commands printed; of each step the first ten errors and ten warnings become annotations."""


def problems_github(problems: Sequence[Problem], checked: Checked, prefix: str = "") -> str:
    """One command a problem, errors first; then plain lines with the counts.

    `prefix` leads from the root of the repository to the catalog, as `below` says.
    """
    shown = sorted(chosen(problems, MOST), key=_is_warning)
    commands = [_command(problem) for problem in below(prefix, shown)]
    counted = [count(problems)] if problems else []
    text = "".join(f"{line}\n" for line in [*commands, *the_rest(problems, shown), *counted])
    return text if errors(problems) else text + valid_text(*checked)


def _is_warning(problem: Problem) -> bool:
    return problem.severity is not Severity.ERROR


def _command(problem: Problem) -> str:
    """The place stands in the message too: of a command, the log shows nothing but that."""
    place = problem.where
    properties = {
        "file": place.file,
        "line": str(place.line),
        "col": str(place.column),
        "title": f"lmssync {problem.code}",
    }
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    message = f"{visible(str(place))}: {sentence(problem)}"
    if problem.hint:
        message += f"\n{visible(problem.hint)}"
    return f"::{problem.severity} {given}::{_data(message)}"


def _data(text: str) -> str:
    """What would end the line, written as the runner reads it back."""
    whole = text.encode("utf-8", "backslashreplace").decode()
    return whole.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """The same for a value before the message, which `,` and `::` would end.

    It is the name of a file, exactly, but for what nobody could see in a log.
    """
    return _data(visible(text, but="\r\n")).replace(":", "%3A").replace(",", "%2C")
