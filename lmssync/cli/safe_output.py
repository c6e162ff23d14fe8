"""Removes secrets, and orders to build servers, from everything that a run prints, on both streams
and however it ends."""

import codecs
import io
import re
import shlex
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Any, TextIO, cast

import click

from ..support import redaction
from ..support.invisible_characters import escape_invisible

_WHERE: ContextVar[str] = ContextVar("_WHERE", default="")
"""The options of this run that say which catalog and environment it is about."""
_ANYWHERE = "completion|demo|explain|init|sandbox|schema"
"""Commands that are about no catalog."""
_COMMAND = re.compile(rf"`lmssync\s(?=[a-z])(?!(?:{_ANYWHERE})\b)(?=(?P<rest>[^`]*))")


def where_options(args: Sequence[str]) -> str:
    """The options that say where a command runs, as they were given: `-C content -e production `.

    A value that would lead a terminal or a build server is left out with its option.
    """
    words = list(args)
    found = []
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in _LONG and equals:
            found += [_LONG[name], value]
        elif word in {*_LONG, *_LONG.values()} and number + 1 < len(words):
            found += [_LONG.get(word, word), words[number + 1]]
    pairs = zip(found[::2], found[1::2], strict=True)
    safe = [word for pair in pairs if escape_invisible(pair[1]) == pair[1] for word in pair]
    return f"{shlex.join(safe)} " if safe else ""


def name_run_environment(environment: str) -> None:
    """Lets the commands that this run prints from now on name this environment."""
    words = shlex.split(_WHERE.get())
    catalog = [
        one for pair in zip(words[::2], words[1::2], strict=True) if pair[0] != "-e" for one in pair
    ]
    _WHERE.set(where_options([*catalog, "-e", environment]))


_SLICE = "--slice"
_LONG = {"--catalog": "-C", "--environment": "-e", _SLICE: _SLICE}


def with_run_options(text: str) -> str:
    """The text with the options of this run in every command that it names, so that a copy of the
    command is about the same catalog and environment."""
    return _COMMAND.sub(lambda found: found[0] + _options_before(found["rest"]), text)


def _options_before(rest: str) -> str:
    """The options of this run for a command; its slice is not among them if it names another."""
    given = _WHERE.get()
    if _SLICE not in given or _SLICE not in rest.split():
        return given
    words = shlex.split(given)
    at = words.index(_SLICE)
    return where_options([*words[:at], *words[at + 2 :]])


def print_line(text: str, *, err: bool = False) -> None:
    """Prints a line for people, in which what cannot be seen is written out."""
    click.echo(escape_invisible(text), err=err)


@contextmanager
def exact_output() -> Iterator[None]:
    """What is printed within this block is a document whose every byte counts, or an order to a
    build server of our own: a line of it may begin with `::`."""
    token = _EXACT.set(True)
    try:
        yield
    finally:
        _EXACT.reset(token)


_EXACT: ContextVar[bool] = ContextVar("_EXACT", default=False)
_ORDER = re.compile(r"((?:^|[\r\n])[^\S\r\n]*):(?=:)")


class _LineStart:
    """Whether nothing but blanks was printed on the last line so far, by a stream or its buffer."""

    def __init__(self) -> None:
        self._is_blank = True

    def disarm_orders(self, text: str) -> str:
        """The text without lines that a build server takes for an order: `::set-output ...`, behind
        blanks or not."""
        begun = "" if self._is_blank else "."
        # A build server reads lines, and one line may come in several writes.
        last = text[max(text.rfind("\n"), text.rfind("\r")) + 1 :]
        self._is_blank = not last.strip() and (last != text or self._is_blank)
        return _ORDER.sub(r"\1\\x3a", begun + text)[len(begun) :] if "::" in text else text


class _Guarded:
    """A stream, or its byte buffer, that removes secrets and orders and otherwise behaves as
    before.

    What is `for_people` alone names commands that can be copied.
    """

    def __init__(
        self, stream: Any, *, for_people: bool = False, line_start: _LineStart | None = None
    ) -> None:
        self._stream, self._for_people = stream, for_people
        self._line_start = line_start or _LineStart()

    def write(self, text: Any) -> Any:
        if self._for_people and isinstance(text, str):
            text = with_run_options(text)
        return self._stream.write(self._disarm(_redact_output(text)))

    def _disarm(self, text: Any) -> Any:
        if _EXACT.get():
            return text
        if isinstance(text, str):
            return self._line_start.disarm_orders(text)
        # Surrogates carry bytes that are no UTF-8 through unchanged.
        disarmed = self._line_start.disarm_orders(text.decode("utf-8", "surrogateescape"))
        return disarmed.encode("utf-8", "surrogateescape")

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    @property
    def buffer(self) -> "_Guarded":
        return _Guarded(self._stream.buffer, line_start=self._line_start)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _redact_output(text: Any) -> Any:
    return (
        redaction.redact_secrets(text)
        if isinstance(text, str)
        else redaction.redact_bytes(bytes(text))
    )


@contextmanager
def guard_streams(args: Sequence[str] = ()) -> Iterator[None]:
    """Guards both streams of a run with these arguments, and the trace of an unexpected error."""
    _WHERE.set(where_options(args))
    before = sys.stdout, sys.stderr
    for stream in before:
        _write_everything(stream)
    # Of an earlier run in this process, as in a notebook or a test.
    redaction.forget_secrets()
    sys.excepthook = _print_trace
    # A stream that was closed before we came is None.
    out, err = before
    sys.stdout = out and cast("TextIO", _Guarded(out))
    sys.stderr = err and cast("TextIO", _Guarded(err, for_people=True))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _write_everything(stream: TextIO | None) -> None:
    """Lets a stream accept every character, which an old encoding such as cp1252 would not.

    Files and pipes get UTF-8 and the same bytes on every system. A terminal gets what it can show.
    """
    if not isinstance(stream, io.TextIOWrapper) or codecs.lookup(stream.encoding).name == "utf-8":
        return
    if stream.isatty():
        stream.reconfigure(errors="backslashreplace")
    else:
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _print_trace(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    text = "".join(traceback.format_exception(kind, error, trace))
    _Guarded(sys.stderr).write(text)
