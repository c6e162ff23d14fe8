"""Puts into words what went wrong with a rendering: an expression's errors are the author's."""

import struct
from typing import BinaryIO, NoReturn, TypedDict

OUTPUT_LIMIT = 16 * 1024 * 1024
"""Bytes that a template may become: as many as a manifest may have."""
READY = b"ready\n"
TEXT, LINES, MISTAKE, SPENT = range(4)
"""What is wanted or given: the text; four bytes for each of its lines; a mistake as JSON, with
`code`, `message` and `line`; a mistake that has left the process unfit for another template."""
REQUEST = struct.Struct(">BII")
"""What is wanted, and the lengths of the template and of the variables that follow."""
ANSWER = struct.Struct(">BI")
"""What it is, and the length of what follows."""


def read_exactly(stream: BinaryIO, size: int) -> bytes:
    """Exactly this many bytes; raises EOFError if the other side has gone."""
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


_SHOWN = 300
"""Letters of a message: an expression can make one of any length."""


class TemplateMistake(TypedDict):
    """A problem of the template, without its file."""

    code: str
    message: str
    line: int


class RenderTimeout(Exception):
    """The time for one template has passed."""


def time_is_up(seconds: int, _number: int, _frame: object) -> NoReturn:
    """Raises the error for a template that has run out of time; a handler of signals."""
    raise RenderTimeout(f"it takes longer than {seconds} seconds")


def of_source(error: Exception) -> TemplateMistake:
    from jinja2 import TemplateSyntaxError  # most catalogs have no template

    if isinstance(error, TemplateSyntaxError):
        text = f"not a valid Jinja2 template: {error.message}"
        return _make_mistake("template-syntax", text, error.lineno)
    if isinstance(error, RecursionError):
        return _render_mistake("it is nested too deeply", error)
    if isinstance(error, SyntaxError):  # of the Python that Jinja2 makes of it
        return _render_mistake(error.msg, error)
    return of_rendering(error)


def of_rendering(error: Exception) -> TemplateMistake:
    from jinja2 import TemplateError, UndefinedError

    if isinstance(error, UndefinedError):
        text = f"the template uses what does not exist: {error.message}"
        return _make_mistake("template-variable", text, _error_line(error))
    if isinstance(error, RecursionError):
        return _render_mistake("its macros or its values are nested endlessly", error)
    if isinstance(error, MemoryError):
        return _render_mistake("it needs too much memory", error)
    if isinstance(error, UnicodeEncodeError):
        half = "it produces half a character (a code between \\ud800 and \\udfff)"
        return _render_mistake(half, error)
    reason = (error.message if isinstance(error, TemplateError) else None) or str(error)
    return _render_mistake(reason or type(error).__name__, error)


def _render_mistake(reason: str, error: Exception) -> TemplateMistake:
    return _make_mistake(
        "template-render", f"the template cannot be rendered: {reason}", _error_line(error)
    )


def _make_mistake(code: str, message: str, line: int) -> TemplateMistake:
    """A mistake whose message is one line that can be printed, and no longer than a reader will
    read."""
    cut = message if len(message) <= _SHOWN else f"{message[:_SHOWN]}…"
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in cut)
    return {"code": code, "message": text, "line": line}


def _error_line(error: BaseException) -> int:
    """The line of the template that was at work: Jinja2 writes it into the traceback."""
    line = 1
    step = error.__traceback__
    while step:
        if step.tb_frame.f_code.co_filename == "<template>":
            line = step.tb_lineno
        step = step.tb_next
    return line
