"""Problems as commands of a GitHub workflow, which shows them beside the lines of a change."""

from ...problems import Problem, Severity, only_errors
from ...resource import Place
from ...support.visible import escape_invisible
from .page import ProblemPage
from .shown import Checked, count, quiet_text, sentence, the_rest, valid_text


def problems_github(shown: ProblemPage, checked: Checked) -> str:
    """One command a problem, errors first; then plain lines with the counts."""
    lines = sorted(shown.lines(), key=lambda line: line[0].severity is not Severity.ERROR)
    commands = [_command(problem, more) for problem, more in lines]
    counted = [count(shown.problems)] if shown.problems else []
    text = "".join(f"{line}\n" for line in [*commands, *the_rest(shown.rest), *counted])
    text += quiet_text(checked)
    return text if only_errors(shown.problems) else text + valid_text(checked)


def _command(problem: Problem, more: str) -> str:
    hints = "".join(f"\n{text}" for text in (escape_invisible(problem.hint), more) if text)
    title = f"lmssync {problem.code}"
    return annotation(problem.severity, problem.where, title, f"{sentence(problem)}{hints}")


def annotation(severity: Severity, place: Place, title: str, message: str) -> str:
    """The command that shows a message beside a line of a change.

    The message repeats the place, because the log shows only the message.
    """
    properties = {
        "file": place.file,
        "line": str(place.line),
        "col": str(place.column),
        "title": title,
    }
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{severity} {given}::{_data(f'{escape_invisible(str(place))}: {message}')}"


def _data(text: str) -> str:
    """What would end the line, written as the runner reads it back."""
    whole = text.encode("utf-8", "backslashreplace").decode()
    return whole.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """The same for a value before the message, which `,` and `::` would end.

    It is the name of a file, exactly, but for what nobody could see in a log.
    """
    return _data(escape_invisible(text, but="\r\n")).replace(":", "%3A").replace(",", "%2C")
