"""The line of a file that a problem is about, with a mark below the mistake.

A line is read when it is shown. No line shows who the people of a list are, or a secret.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ...problems import Problem
from ...resource import PROJECT_FILE, Place
from ...support import safe_files
from ...support.invisible_characters import escape_invisible
from ...support.persons import hide_addresses, hide_values, lists_people
from ..terminal_style import PLAIN, Colour, TextStyle
from ..text_tables import count_columns, cut_end

MARGIN = "    "
"""What stands below the first line of a problem is this much further in."""
_COLUMNS = 100
"""Of a line in a file or a pipe; a terminal says how wide it is."""
_ROOM_LEAST = 20
_TAB = " " * 4
_BYTES = 8 * 1024 * 1024
"""No line of a larger file is shown: to find it would keep the author waiting."""
_PROSE = (".md", ".markdown", ".html", ".htm")
_TABLE = ".csv"
_SECRET_LEAST = 8
"""Characters of the shortest word of the project file that may be a key of the platform."""


class SourceLines:
    """The lines of the files of a catalog, and of files that go by other names: `homes` has the
    folder and the path of each."""

    def __init__(self, root: Path, homes: Mapping[str, tuple[Path, str]] | None = None) -> None:
        self._root, self._homes = root, homes or {}
        self._file = ""
        self._lines: list[bytes] = []
        self._names_people = False

    def find_line(self, place: Place, message: str = "") -> str | None:
        """The line without its end; None if there is none, or if it must not be shown.

        What the message quotes is not hidden: no message quotes a secret or a person.
        """
        if place.file != self._file:  # problems are sorted by file
            self._file = place.file
            data = self._read_file(place.file)
            self._lines, self._names_people = data.splitlines(), lists_people(data)
        if not 0 < place.line <= len(self._lines):
            return None
        line = self._lines[place.line - 1]
        if b"\0" in line:
            return None
        quoted = {word for text in _NAMED.findall(message) for word in text.split()}
        return self._hide(line.decode("utf-8", "backslashreplace"), quoted)

    def _read_file(self, name: str) -> bytes:
        if name.lower().endswith(_TABLE):  # each line of a table names somebody
            return b""
        try:
            return safe_files.read_inside(*self._homes.get(name, (self._root, name)), _BYTES)
        except OSError:
            return b""

    def _hide(self, line: str, quoted: set[str]) -> str:
        if self._file.rpartition("/")[2] == PROJECT_FILE:
            return hide_values(line, _SECRET_LEAST, quoted)
        if self._file.lower().endswith(_PROSE):
            return line
        return hide_values(line, 1, quoted) if self._names_people else hide_addresses(line)


class Display(NamedTuple):
    """How problems are shown to a person."""

    style: TextStyle = PLAIN
    columns: int | None = None
    """Of the terminal; None for a file or a pipe."""
    lines: SourceLines | None = None
    """Where the lines of files come from; without it none is shown."""


class MarkedPart(NamedTuple):
    """The part of a line that is marked, in characters from its beginning."""

    start: int
    end: int


_ABOUT_OTHER_FILES = frozenset({"not-a-manifest", "document-type"})
"""Rules about a file that was never meant to be read: it may hold anything, even a key."""


def draw_excerpt(problem: Problem, display: Display, colour: Colour) -> list[str]:
    """The line that a problem is about and the mark below it; nothing if there is no such line."""
    hidden = problem.code in _ABOUT_OTHER_FILES
    line = (
        display.lines.find_line(problem.where, problem.message)
        if display.lines and not hidden
        else None
    )
    if not line or not line.strip():
        return []
    number = str(problem.where.line)
    room = (display.columns or _COLUMNS) - len(f"{MARGIN}{number} | ")
    before, marked, after = _cut_line(line, find_mark(line, problem), max(room, _ROOM_LEAST))
    style, blank = display.style, " " * count_columns(before)
    left = style(f"{MARGIN}{number} |", Colour.DIM)
    below = style(f"{MARGIN}{'':>{len(number)}} |", Colour.DIM)
    mark = style("^" * (count_columns(marked) or 1), colour)
    return [f"{left} {before}{marked}{after}".rstrip(), f"{below} {blank}{mark}"]


_QUOTED = r"""(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*')"""
_FIELD = re.compile(rf"(?P<key>{_QUOTED}|[^\s\"'{{}}\[\],#:][^{{}}\[\],#:]*?)\s*:(?:\s+|$)")
_PLAIN_VALUE = re.compile(r"(?:[^#]|(?<=\S)#)*")
_FLOW_VALUE = re.compile(r"[^,{}\[\]]*")
_WHOLE_TEXT = re.compile(_QUOTED)
_MARKUP = re.compile(r"</?[^<>]*>?|\]\([^()]*\)?")
_NAMED = re.compile("`([^`]+)`")
_FAR = 2_000
"""Characters in which the end of a mark is looked for."""
_ABOUT_KEYS = frozenset({"unknown-field", "duplicate-key"})
"""Rules about the name of a field, whatever its value is."""


def find_mark(line: str, problem: Problem) -> MarkedPart:
    """The part of its line that a problem is about: a field with its value, a tag, a character."""
    start = min(problem.where.column - 1, len(line.rstrip()))
    if start == 0 and line.startswith(" "):  # a place that is known by its line alone
        return MarkedPart(len(line) - len(line.lstrip()), len(line.rstrip()))
    end = _end_of_mark(line[: start + _FAR], start, problem)
    return MarkedPart(start, max(end, start + 1))


def _end_of_mark(line: str, start: int, problem: Problem) -> int:
    path, field = problem.origin.path, _FIELD.match(line, start)
    if field and path and field["key"].strip("\"'") == path[-1]:
        is_key = problem.code in _ABOUT_KEYS
        return field.end("key") if is_key else _end_of_value(line, field) or field.end("key")
    if path and isinstance(path[-1], int) and not field:
        return _end_of_scalar(line, start)
    if markup := _MARKUP.match(line, start):
        return markup.end()
    named = (text for text in _NAMED.findall(problem.message) if line.startswith(text, start))
    return start + max(map(len, named), default=1)


def _end_of_value(line: str, field: re.Match[str]) -> int:
    """Where the value of a field ends; 0 if it begins on another line."""
    start = field.end()
    if start >= len(line) or line[start] in "|>&#":
        return 0
    return _end_of_scalar(line, start)


def _end_of_scalar(line: str, start: int) -> int:
    if line[start : start + 1] in ("{", "["):
        return _end_of_brackets(line, start)
    if quoted := _WHOLE_TEXT.match(line, start):
        return quoted.end()
    before = line[:start]
    inside = sum(map(before.count, "{[")) > sum(map(before.count, "}]"))
    value = (_FLOW_VALUE if inside else _PLAIN_VALUE).match(line, start)
    return start + len(value[0].rstrip()) if value else start


def _end_of_brackets(line: str, start: int) -> int:
    depth = 0
    for at in range(start, len(line)):
        depth += (line[at] in "{[") - (line[at] in "}]")
        if depth == 0:
            return at + 1
    return len(line.rstrip())


def _cut_line(line: str, mark: MarkedPart, room: int) -> tuple[str, str, str]:
    """What is shown before the marked part, of it, and after it, in so many columns at most."""
    start, end = mark
    before, marked, after = (
        _spell_source(line[max(start - room, 0) : start]),
        cut_end(_spell_source(line[start:end][:room]), room - 2),
        _spell_source(line[end : end + room]),
    )
    left, right = ("…" if start > room else ""), ("…" if len(line) > end + room else "")
    space = room - (count_columns(marked) or 1)
    unused = space - count_columns(left + before)
    behind = min(count_columns(after + right), max(space // 3, unused))
    return _cut_start(left + before, space - behind), marked, cut_end(after + right, behind)


def _spell_source(text: str) -> str:
    return escape_invisible(text.replace("\t", _TAB))


def _cut_start(text: str, room: int) -> str:
    return cut_end(text[::-1], room)[::-1]
