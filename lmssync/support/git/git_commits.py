"""Writes a commit on a branch of its own: no work tree, no index and no current branch changes.

The contents are put into the repository as they are. Nothing that the repository names is run: no
hook, no filter, no program that signs.
"""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from ...errors import LmssyncError, WrongUse
from .git_commands import GitAnswer, run_in_repository
from .git_repository import commit_of, find_repository, folder_in_repository

_PLAIN, _GONE = "100644", "0"
_NOBODY = ("-c", "user.name=lmssync", "-c", "user.email=lmssync@localhost")
"""Who has written a commit where git does not know the person."""


def commit_on_branch(
    root: Path, branch: str, files: Mapping[str, bytes | None], message: str
) -> str:
    """Commits files of the catalog on a new branch that begins at HEAD; None deletes a file.

    Returns the id. Raises `WrongUse` where there is no repository, no commit yet, or such a branch
    already, and `LmssyncError` where git cannot write.
    """
    repository, parent = find_repository(root), commit_of(root, "HEAD")
    if repository is None:
        raise WrongUse("the catalog is in no git repository")
    name = f"refs/heads/{branch}"
    if run_in_repository(repository, "check-ref-format", "--branch", branch).code:
        raise WrongUse(f"`{branch}` cannot be the name of a branch", "choose another with --branch")
    if not run_in_repository(repository, "rev-parse", "--verify", "--quiet", name).code:
        raise WrongUse(
            f"there is a branch {branch} already",
            f"choose another name with --branch, or delete it (`git branch -D {branch}`)",
        )
    with tempfile.TemporaryDirectory() as folder:
        entries = _list_entries(root, repository, files, "0" * len(parent))
        tree = _write_tree(repository, parent, entries, folder)
    # git refuses to commit for nobody, and asks no name of the machine where settings forbid that.
    known = run_in_repository(repository, "config", "--get", "user.email")
    made = _run(
        repository,
        *(_NOBODY if known.code else ()),
        *("commit-tree", "--no-gpg-sign", "-p", parent, tree),
        given=message,
    ).text.strip()
    # The empty old value refuses a branch that somebody has made meanwhile.
    _run(repository, "update-ref", "--no-deref", name, made, "0" * len(made))
    return made


def _list_entries(
    root: Path, repository: Path, files: Mapping[str, bytes | None], nothing: str
) -> str:
    """The lines that an index takes: mode, content and path of each file."""
    folder, lines = folder_in_repository(root), []
    for name, content in sorted(files.items()):
        mode, blob = _GONE, nothing
        if content is not None:
            text = content.decode("utf-8", "surrogateescape")
            written = _run(repository, "hash-object", "-w", "--no-filters", "--stdin", given=text)
            mode, blob = _PLAIN, written.text.strip()
        lines.append(f"{mode} {blob}\t{folder}{name}\0")
    return "".join(lines)


def _write_tree(repository: Path, parent: str, entries: str, folder: str) -> str:
    """The id of a tree that is that of a commit but for some entries."""
    index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
    _run(repository, "read-tree", parent, variables=index)
    _run(repository, "update-index", "-z", "--index-info", given=entries, variables=index)
    return _run(repository, "write-tree", variables=index).text.strip()


def _run(
    repository: Path, *words: str, given: str = "", variables: Mapping[str, str] | None = None
) -> GitAnswer:
    ended = run_in_repository(repository, *words, given=given, variables=variables or {})
    if ended.code:
        raise LmssyncError(
            f"git cannot write the commit: {ended.complaint}",
            "the files are as before; make sure that you may write into the repository",
        )
    return ended
