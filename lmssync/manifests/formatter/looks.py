"""Looks at files: how each would read in its canonical form."""

import difflib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ... import inside
from ...problems import Problem
from ...visible import unordered
from .. import processes
from ..documents import unreadable_problem
from ..files import FORMAT_BYTES, MANIFEST_BYTES
from ..yaml import YamlMistake
from .canonical import FileTooLong, Unproven, format_manifest
from .choose import ChosenFile
from .ids import with_ids

_TOO_LONG = (
    "it has {:,} bytes and contains tabs or other characters that make this slow; the limit for "
    f"such files is {FORMAT_BYTES:,} bytes: put long bodies into files of their own (`bodyFile`)"
)
_NO_END = "\\ No newline at end of file"


class FormatResult(NamedTuple):
    """What came of looking at a file."""

    before: bytes = b""
    after: bytes = b""
    problem: Problem | None = None
    """Why it cannot be read."""
    proven: bool = True
    """False where the canonical form could not be shown to say the same; nothing changes then."""
    why: str = "would it still say the same?"
    """What is said of it then."""

    @property
    def changes(self) -> bool:
        return self.before != self.after

    def unified_diff_of(self, name: str) -> str:
        """A unified diff of what would change, with nothing in it that could not be seen."""
        before, after = (text.decode().splitlines(keepends=True) for text in self[:2])
        lines = difflib.unified_diff(before, after, name, name)
        return "".join(map(_show_line, lines))


def _show_line(line: str) -> str:
    text = line.removesuffix("\n").removesuffix("\r")
    end = line[len(text) :]
    return unordered(text) + (end if end.endswith("\n") else f"{end}\n{_NO_END}\n")


def look_at_files(targets: Sequence[ChosenFile], *, longest_id: int = 0) -> Iterator[FormatResult]:
    """Looks at files, in processes of its own if there are many; nothing is written.

    With `longest_id`, parts of courses get ids. There is no text of what does not change: together
    the files may be larger than the memory.
    """
    return processes.map_files(partial(_look_at_file, longest_id), targets)


def _look_at_file(longest_id: int, target: ChosenFile) -> FormatResult:
    try:
        raw = inside.read(target.root, target.path, MANIFEST_BYTES)
    except OSError as error:
        return FormatResult(problem=unreadable_problem(target.name, error))
    longest = 0 if target.is_overlay else longest_id
    seen = look_at(raw, target.name, is_project=target.is_project, longest_id=longest)
    changes = seen.changes and not target.is_link
    return seen if changes else seen._replace(before=b"", after=b"")


def look_at(
    raw: bytes, name: str, *, is_project: bool = False, longest_id: int = 0
) -> FormatResult:
    """Looks at the content of a file."""
    try:
        named = with_ids(raw, longest_id) if longest_id else raw
        return FormatResult(raw, format_manifest(named, is_project=is_project))
    except YamlMistake as bad:
        return FormatResult(raw, raw, bad.as_problem(name))
    except FileTooLong:
        return FormatResult(raw, raw, proven=False, why=_TOO_LONG.format(len(raw)))
    except Unproven:
        return FormatResult(raw, raw, proven=False)
