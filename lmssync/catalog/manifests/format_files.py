"""Looks at files: how each would read in its canonical form.

What puts texts in order is loaded for the first file of which it is not known that it is in order.
"""

import difflib
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from ...problems import Problem
from ...support import safe_files
from ...support.cache_folder import FORMATTED, find_cache_file, is_ours, make_cache_file
from ...support.file_writing import write_whole
from ...support.invisible_characters import escape_invisible
from ...support.remembered_files import program_identity
from . import processes
from .catalog_files import FORMAT_BYTES, MANIFEST_BYTES
from .documents import unreadable_problem
from .file_choice import ChosenFile
from .yaml import YamlMistake

_TOO_LONG = (
    "it has {:,} bytes and contains tabs or other characters that make this slow; the limit for "
    f"such files is {FORMAT_BYTES:,} bytes: put long bodies into files of their own (`bodyFile`)"
)
_DIGEST = 16
"""Bytes of the digest of a file in order."""
_REMEMBERED = 100_000
"""Once so many are remembered, only those that a run has met stay."""
_NO_END = "\\ No newline at end of file"


class FormatResult(NamedTuple):
    """The result of looking at a file."""

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
    return escape_invisible(text, but="\t") + (end if end.endswith("\n") else f"{end}\n{_NO_END}\n")


def look_at_files(targets: Sequence[ChosenFile], *, longest_id: int = 0) -> Iterator[FormatResult]:
    """Looks at files, in processes of its own if there are many; nothing is written.

    With `longest_id`, parts of courses get ids. There is no text of what does not change: together
    the files may be larger than the memory. What was in order, or has been put in order, is
    remembered by its digest in the user's cache folder, and not parsed again.
    """
    roots = {target.root for target in targets}
    cache = find_cache_file(roots.pop()) if len(roots) == 1 else None
    memory = cache and cache.with_name(FORMATTED)
    known = _read_remembered(memory)
    digests = [_digest_of(target, longest_id) if memory else b"" for target in targets]
    others = [one for one, digest in zip(targets, digests, strict=True) if digest not in known]
    looks = processes.map_files(partial(_look_at_file, longest_id), others)
    met = set[bytes]()
    for target, digest in zip(targets, digests, strict=True):
        look = FormatResult() if digest in known else next(looks)
        # A link may lead to a file that is out of order: it is left alone and not remembered.
        if look == FormatResult() and not target.is_link and digest:
            met.add(digest)
        elif look.changes and digest:
            met.add(_digest_of_content(target, longest_id, look.after))
        yield look
    if memory and not met <= known:
        _write_remembered(memory, met | known if len(known) < _REMEMBERED else met)


def _look_at_file(longest_id: int, target: ChosenFile) -> FormatResult:
    try:
        raw = safe_files.read_inside(target.root, target.path, MANIFEST_BYTES)
    except OSError as error:
        return FormatResult(problem=unreadable_problem(target.name, error))
    longest = 0 if target.is_overlay else longest_id
    seen = look_at(raw, target.name, is_project=target.is_project, longest_id=longest)
    changes = seen.changes and not target.is_link
    return seen if changes else seen._replace(before=b"", after=b"")


def _digest_of(target: ChosenFile, longest_id: int) -> bytes:
    """What decides whether the file is in order; empty for one that cannot be read."""
    try:
        raw = safe_files.read_inside(target.root, target.path, MANIFEST_BYTES)
    except OSError:
        return b""
    return _digest_of_content(target, longest_id, raw)


def _digest_of_content(target: ChosenFile, longest_id: int, raw: bytes) -> bytes:
    longest = 0 if target.is_overlay else longest_id
    rules = f"{target.is_project} {longest} {program_identity()}".encode()
    return blake2b(raw, digest_size=_DIGEST, key=blake2b(rules).digest()).digest()


def _read_remembered(memory: Path | None) -> frozenset[bytes]:
    """The digests of files in order; a damaged one is that of no file."""
    if memory is None or not is_ours(memory):
        return frozenset()
    try:
        raw = memory.read_bytes()
    except OSError:
        return frozenset()
    whole = len(raw) - len(raw) % _DIGEST
    return frozenset(raw[at : at + _DIGEST] for at in range(0, whole, _DIGEST))


def _write_remembered(memory: Path, digests: Set[bytes]) -> None:
    with suppress(OSError):  # then the next run looks at every file again
        make_cache_file(memory)
        if is_ours(memory):
            write_whole(memory, sorted(digests), private=True)


def look_at(
    raw: bytes, name: str, *, is_project: bool = False, longest_id: int = 0
) -> FormatResult:
    from .formatter import FileTooLong, Unproven, format_manifest, with_ids

    try:
        named = with_ids(raw, longest_id) if longest_id else raw
        return FormatResult(raw, format_manifest(named, is_project=is_project))
    except YamlMistake as bad:
        return FormatResult(raw, raw, bad.as_problem(name))
    except FileTooLong:
        return FormatResult(raw, raw, proven=False, why=_TOO_LONG.format(len(raw)))
    except Unproven:
        return FormatResult(raw, raw, proven=False)
