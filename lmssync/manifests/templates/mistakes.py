"""Puts into words what went wrong with a rendering: an expression's errors are the author's."""

from typing import NoReturn, TypedDict

from jinja2 import TemplateError, TemplateSyntaxError, UndefinedError

_SHOWN = 300
"""Letters of a message: an expression can make one of any length."""


class Mistake(TypedDict):
    """A problem of the template, without its file."""

    code: str
    message: str
    line: int


class TooLong(Exception):
    """The time for one template has passed."""


def time_is_up(seconds: int, _number: int, _frame: object) -> NoReturn:
    """What a signal brings about."""
    raise TooLong(f"it takes longer than {seconds} seconds")


def of_source(error: Exception) -> Mistake:
    """What is wrong with a template that could not be compiled."""
    if isinstance(error, TemplateSyntaxError):
        said = f"not a valid Jinja2 template: {error.message}"
        return {"code": "template-syntax", "message": _shown(said), "line": error.lineno}
    if isinstance(error, RecursionError):
        return _unrendered("it is nested too deeply", error)
    if isinstance(error, SyntaxError):  # of the Python that Jinja2 makes of it
        return _unrendered(error.msg, error)
    return of_rendering(error)


def of_rendering(error: Exception) -> Mistake:
    """What a template did wrong when it was rendered."""
    if isinstance(error, UndefinedError):
        said = f"the template uses what does not exist: {error.message}"
        return {"code": "template-variable", "message": _shown(said), "line": _line(error)}
    if isinstance(error, RecursionError):
        return _unrendered("its macros or its values are nested endlessly", error)
    if isinstance(error, MemoryError):
        return _unrendered("it needs too much memory", error)
    if isinstance(error, UnicodeEncodeError):
        half = "it produces half a character (a code between \\ud800 and \\udfff)"
        return _unrendered(half, error)
    said = (error.message if isinstance(error, TemplateError) else None) or str(error)
    return _unrendered(said or type(error).__name__, error)


def _unrendered(reason: str, error: Exception) -> Mistake:
    said = f"the template cannot be rendered: {reason}"
    return {"code": "template-render", "message": _shown(said), "line": _line(error)}


def _shown(message: str) -> str:
    """In one line that can be printed, and no longer than a reader will read."""
    cut = message if len(message) <= _SHOWN else f"{message[:_SHOWN]}…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in cut)


def _line(error: BaseException) -> int:
    """The line of the template that was at work: Jinja2 writes it into the traceback."""
    found = 1
    step = error.__traceback__
    while step:
        if step.tb_frame.f_code.co_filename == "<template>":
            found = step.tb_lineno
        step = step.tb_next
    return found
