"""What files of the catalog held at a revision."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...errors import WrongUse
from . import command as git_command
from .repository import commit_of, is_same, prefix, top

_LINK = "120000"
"""The mode of a link, which has a path and no text."""
_AT_ONCE = 500
"""Files whose contents one command prints: it may print so many bytes and no more."""


def read_earlier(root: Path, revision: str, endings: tuple[str, ...]) -> Iterator[str]:
    """The former texts of files that have changed or are gone since; raises `WrongUse`."""
    since, repository = commit_of(root, revision), top(root)
    if repository is None:
        return
    listed = git_command.run(repository, "ls-tree", "-r", "-z", "--full-tree", since)
    _refuse_failure(listed)
    differing = [
        content
        for name, content in _list_tree(listed.out, prefix(root))
        if name.endswith(endings) and not is_same(root / name, content)
    ]
    yield from (_as_text(content) for content in _read_contents(repository, differing))


def texts_at(root: Path, revision: str, names: Sequence[str]) -> dict[str, str]:
    """The texts of files of the catalog, and of those in folders, at a revision; those that were
    not there are left out. Raises `WrongUse`."""
    return {name: _as_text(content) for name, content in read_files_at(root, revision, names)}


def read_files_at(
    root: Path, revision: str, names: Sequence[str] = ()
) -> Iterator[tuple[str, bytes]]:
    """Name and content of files of the catalog, and of those in folders, at a revision: of all of
    them where none is named. Links and what was not there are left out. Raises `WrongUse`."""
    since, repository = commit_of(root, revision), top(root)
    if repository is None:
        return
    paths = [f"{prefix(root)}{name}" for name in names]
    listed = git_command.run(repository, "ls-tree", "-r", "-z", "--full-tree", since, "--", *paths)
    _refuse_failure(listed)
    files = dict(_list_tree(listed.out, prefix(root)))
    yield from zip(files, _read_contents(repository, [*files.values()]), strict=True)


def _read_contents(repository: Path, contents: Sequence[str]) -> Iterator[bytes]:
    for at in range(0, len(contents), _AT_ONCE):
        given = "".join(f"{content}\n" for content in contents[at : at + _AT_ONCE])
        ended = git_command.run(repository, "cat-file", "--batch", given=given)
        _refuse_failure(ended)
        yield from _split_contents(os.fsencode(ended.out))


def _as_text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _refuse_failure(ended: git_command.CompletedCommand) -> None:
    if ended.code:
        raise WrongUse(f"git cannot show what has changed: {ended.complaint}")


def _list_tree(out: str, folder: str) -> Iterator[tuple[str, str]]:
    """Files of the catalog, from its root, and the ids of their contents."""
    for line in filter(None, out.split("\0")):
        about, _, name = line.partition("\t")
        mode, kind, content = about.split(" ")
        if kind == "blob" and mode != _LINK and name.startswith(folder):
            yield name.removeprefix(folder), content


def _split_contents(answer: bytes) -> Iterator[bytes]:
    """The contents in an answer of `cat-file --batch`: each behind a line that ends in its size."""
    at = 0
    while at < len(answer):
        begin = answer.index(b"\n", at) + 1
        size = answer[at : begin - 1].rpartition(b" ")[2]
        if not size.isdigit():  # it is `missing`: this clone holds only a part of the history
            raise WrongUse("git has not all files of that commit", "fetch the whole commit")
        end = begin + int(size)
        yield answer[begin:end]
        at = end + 1
