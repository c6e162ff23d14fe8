"""What files of the catalog held at a revision, where they are not the same now."""

import os
from collections.abc import Iterator
from pathlib import Path

from ..errors import WrongUse
from . import command as git_command
from .repository import commit_of, is_same, prefix, top


def earlier(root: Path, revision: str, endings: tuple[str, ...]) -> Iterator[str]:
    """The former texts of files that have changed or are gone since; raises `WrongUse`."""
    since, repository = commit_of(root, revision), top(root)
    if repository is None:
        return
    listed = git_command.run(repository, "ls-tree", "-r", "-z", "--full-tree", since)
    _refuse_failure(listed)
    differing = [
        content
        for name, content in _listed(listed.out, prefix(root))
        if name.endswith(endings) and not is_same(root / name, content)
    ]
    if differing:
        given = "".join(f"{content}\n" for content in differing)
        ended = git_command.run(repository, "cat-file", "--batch", given=given)
        _refuse_failure(ended)
        yield from _texts(os.fsencode(ended.out))


def _refuse_failure(ended: git_command.CompletedCommand) -> None:
    if ended.code:
        raise WrongUse(f"git cannot show what has changed: {ended.complaint}")


def _listed(out: str, folder: str) -> Iterator[tuple[str, str]]:
    """Files of the catalog, from its root, and the ids of their contents."""
    for line in filter(None, out.split("\0")):
        about, _, name = line.partition("\t")
        _mode, kind, content = about.split(" ")
        if kind == "blob" and name.startswith(folder):
            yield name.removeprefix(folder), content


def _texts(answer: bytes) -> Iterator[str]:
    """The contents in an answer of `cat-file --batch`: each behind a line that ends in its size."""
    at = 0
    while at < len(answer):
        begin = answer.index(b"\n", at) + 1
        end = begin + int(answer[at:begin].rpartition(b" ")[2])
        yield answer[begin:end].decode("utf-8", "replace")
        at = end + 1
