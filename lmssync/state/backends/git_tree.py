"""What stands on the branch of a state, by path, and how a commit of it is written.

lmssync-home       says that the branch is a state, and in which layout
README.md          says the same to people who come across it
log/00/00/01       the first segment; folders hold at most a hundred
snapshot/1         the latest snapshot, by the number of the last segment in it
"""

import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...errors import StateError
from ...support.git_repository import blob_id
from ...support.invisible_characters import escape_invisible

MARKER, README = "lmssync-home", "README.md"
_MARKER = b"lmssync.home/1\n"
_README = b"""\
This branch holds the state of lmssync: what is recorded of the resources of the catalog.

Each commit is one entry of its log, and says who made it and what is in it, unless the state is
encrypted. Do not edit, merge, rebase or delete the branch: lmssync would no longer know what it has
made. `lmssync state list` shows what is recorded.
"""
_LINE = re.compile(r"\d+ (?P<kind>\w+) (?P<id>[0-9a-f]+) +(?P<size>\d+|-)\t(?P<name>.*)", re.DOTALL)
_NUMBER = re.compile("[0-9]{1,15}")
_LOG, _SNAPSHOT = "log/", "snapshot/"
_MESSAGE_MOST = 200
"""Characters of a message."""
_DAMAGE = "set the branch back to an earlier commit of its history"


class Blob(NamedTuple):
    """Some bytes in the repository."""

    id: str
    size: int


class StateTree(NamedTuple):
    """The files of a commit of the branch."""

    commit: str
    segments: Sequence[Blob]
    """The first one has the number 1."""
    snapshots: Mapping[int, Blob]


def segment_path(number: int) -> str:
    """Where a segment lies."""
    return f"{_LOG}{number // 10000:02d}/{number // 100 % 100:02d}/{number % 100:02d}"


def read_tree(commit: str, listed: str, place: str) -> StateTree:
    """Parses the output of `git ls-tree -r -l -z`; raises `StateError` if it is not the tree of a
    state."""
    blobs = dict(_blobs(listed))
    _refuse_foreign(blobs, place)
    log = {path: blob for path, blob in blobs.items() if path.startswith(_LOG)}
    paths = [segment_path(number) for number in range(1, len(log) + 1)]
    missing = next((number for number, path in enumerate(paths, 1) if path not in log), 0)
    if missing:
        raise StateError(f"the state {place} is damaged: entry {missing} is missing", _DAMAGE)
    snapshots = {
        int(number): blob
        for path, blob in blobs.items()
        if _NUMBER.fullmatch(number := path.removeprefix(_SNAPSHOT)) and number != path
    }
    return StateTree(commit, [log[path] for path in paths], snapshots)


def _blobs(listed: str) -> Iterator[tuple[str, Blob]]:
    for line in filter(None, listed.split("\0")):
        found = _LINE.fullmatch(line)
        if found and found["kind"] == "blob":
            yield found["name"], Blob(found["id"], int(found["size"]))


def _refuse_foreign(blobs: Mapping[str, Blob], place: str) -> None:
    marker = blobs.get(MARKER)
    if marker is None:
        raise StateError(
            f"the state {place} cannot be used: there is a branch of this name, and it does "
            f"not contain a state",
            "name a branch that does not exist yet, such as lmssync/{environment}; it is made by "
            "the first run",
        )
    # Its id says what is in the file: nothing has to be fetched to compare it. The second argument
    # is there for its length only, which tells SHA-1 from SHA-256.
    if marker.id != blob_id(_MARKER, marker.id):
        raise StateError(
            f"the state {place} has a layout that this lmssync does not know, or was edited",
            f"update lmssync; if somebody has edited `{MARKER}` on the branch, undo that",
        )


class BranchEdit(NamedTuple):
    """The changes that a commit makes to the branch."""

    message: str
    path: str
    content: bytes
    without: tuple[str, ...] = ()
    """Paths that it deletes."""


def edit_for_segment(number: int, segment: bytes, about: str = "") -> BranchEdit:
    """The edit that adds a segment; its message is one line, which no name in it can break."""
    message = f"Entry {number}: {escape_invisible(about)}" if about else f"Entry {number}"
    if len(message) > _MESSAGE_MOST:
        message = f"{message[: _MESSAGE_MOST - 3]}..."
    return BranchEdit(message, segment_path(number), segment)


def edit_for_snapshot(number: int, content: bytes, tree: StateTree | None) -> BranchEdit:
    earlier = tuple(f"{_SNAPSHOT}{one}" for one in (tree.snapshots if tree else ()))
    return BranchEdit(f"Snapshot at entry {number}", f"{_SNAPSHOT}{number}", content, earlier)


def fast_import_stream(edit: BranchEdit, parent: str, ref: str, identity: str) -> bytes:
    """The commit as `git fast-import` reads it, which answers with its id.

    A number that is never used twice makes it differ from any other: two runs that write the same
    in the same second must not both believe that they were first.
    """
    message = f"{edit.message}\n\n[skip ci]\nCommit-Id: {secrets.token_hex(16)}\n".encode()
    begin = [(MARKER, _MARKER), (README, _README)] if not parent else []
    lines = [f"commit {ref}", "mark :1", f"committer {identity} {int(time.time())} +0000"]
    data = "\n".join(lines).encode() + b"\n" + _data(message)
    if parent:
        data += f"from {parent}\n".encode()
    data += b"".join(f"D {path}\n".encode() for path in edit.without)
    for path, content in [*begin, (edit.path, edit.content)]:
        data += f"M 100644 inline {path}\n".encode() + _data(content)
    return data + b"get-mark :1\ndone\n"


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)
