"""Removes secrets from everything that a run prints, on both streams and however it ends."""

import codecs
import io
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TextIO, cast

from .. import secrets


class _Guarded:
    """A stream, or its byte buffer, that removes secrets and otherwise behaves as before."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: Any) -> Any:
        return self._stream.write(_clean(text))

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    @property
    def buffer(self) -> "_Guarded":
        return _Guarded(self._stream.buffer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _clean(text: Any) -> Any:
    return secrets.redact(text) if isinstance(text, str) else secrets.redact_bytes(bytes(text))


@contextmanager
def guarded() -> Iterator[None]:
    """Guards both streams of a run, and the traceback of an unexpected error."""
    before = sys.stdout, sys.stderr
    for stream in before:
        _write_everything(stream)
    secrets.forget()
    sys.excepthook = _trace
    # A stream that was closed before we came is None.
    sys.stdout, sys.stderr = (s and cast("TextIO", _Guarded(s)) for s in before)
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


def _trace(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    text = "".join(traceback.format_exception(kind, error, trace))
    _Guarded(sys.stderr).write(text)
