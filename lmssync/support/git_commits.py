"""Reads which commits changed files of the catalog, and writes one on a branch of its own.

No branch, index or work tree that is there changes, and no hook, filter or program that signs is
run.
"""

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..errors import LmssyncError, WrongUse
from .git_commands import NONE, GitAnswer, run_in_repository
from .git_repository import commit_of, find_repository, folder_in_repository

_MERGES = r"\AMerge pull request #{0}\b|\A[^\n]*\(#{0}\)$|^See merge request \S*!{0}$"
"""How the messages of code hosts name what was merged."""
_MERGES_MOST = 20_000
"""Commits among which a merge is looked for."""


def find_merge(root: Path, number: int, *, strict: bool = True) -> tuple[str, str] | None:
    """The commits before and after the merge of a pull request.

    None where there is none, but if `strict`, or in a shallow clone, it raises `WrongUse`.
    """
    repository = find_repository(root)
    says = re.compile(_MERGES.format(number), re.MULTILINE)
    listed = repository and run_in_repository(
        repository,
        *("rev-list", "--first-parent", f"--max-count={_MERGES_MOST}"),
        *("--format=%P%n%B%x00", "HEAD", "--"),
    )
    for entry in listed.text.split("\0") if listed else ():
        head, _, rest = entry.strip("\n").partition("\n")
        parents, _, message = rest.partition("\n")
        if parents and says.search(message):
            return parents.split(" ")[0], head.removeprefix("commit ")
    asked = ("rev-parse", "--is-shallow-repository")
    if not strict and repository and "false" in run_in_repository(repository, *asked).text:
        return None
    raise WrongUse(
        f"no commit of this branch says that it merges pull request {number}",
        "name its commits (`commits: FROM..TO`); a shallow clone may not have it (`git fetch`)",
    )


def commit_on_branch(
    root: Path, branch: str, files: Mapping[str, bytes | None], message: str
) -> str:
    """Commits files of the catalog on a new branch that begins at HEAD; returns the id.

    Raises `WrongUse` where there is no commit yet, or such a branch already, and `LmssyncError`.
    """
    parent, repository = commit_of(root, "HEAD"), find_repository(root)
    name, folder = f"refs/heads/{branch}", folder_in_repository(root)
    if repository is None or run_in_repository(repository, "check-ref-format", name).code:
        raise WrongUse(f"`{branch}` cannot be the name of a branch", "choose another with --branch")
    made = write_commit(repository, parent, {f"{folder}{n}": t for n, t in files.items()}, message)
    if not run_in_repository(repository, "rev-parse", "--verify", "--quiet", name).code:
        raise WrongUse(
            f"there is a branch {branch} already",
            f"choose another name with --branch, or delete it (`git branch -D {branch}`)",
        )
    # The empty old value refuses a branch that somebody has made meanwhile.
    _require_done(repository, "update-ref", name, made, "0" * len(made))
    return made


def list_commits_of(
    root: Path, since: str, until: str, names: Iterable[str], *, most: int
) -> Sequence[str]:
    """The last commits between two that changed files of the catalog, the newest first; none where
    one of the two is not there."""
    repository, folder = find_repository(root), folder_in_repository(root)
    if repository is None or not (since and until):
        return ()
    span = ("--first-parent", f"--max-count={most}", "--end-of-options", f"{since}..{until}")
    paths = [f"{folder}{name}" for name in names]
    return run_in_repository(repository, "rev-list", *span, "--", *paths).text.split()


_REGULAR, _LINK, _GONE = "100644", "120000", "0"
_NOBODY = ("-c", "user.name=lmssync", "-c", "user.email=lmssync@localhost")
"""Who has written a commit where git does not know the person."""


def write_commit(
    repository: Path, parent: str, files: Mapping[str, bytes | None], message: str
) -> str:
    """Writes a commit in which some files differ from its parent; None deletes a file.

    The contents are taken as they are. No branch, no index and no work tree changes, and no hook,
    filter or program that signs is run. Raises `LmssyncError`, also for what is a link or in one.
    """
    listed = _require_done(repository, "ls-tree", "-r", "-z", "--full-tree", parent).text
    links = (line.partition("\t")[2] for line in listed.split("\0") if line.startswith(_LINK))
    for link in links:
        if any(f"{name}/".startswith(f"{link}/") for name in files):
            raise LmssyncError(f"{link} is a link, which is not written over", "change it by hand")
    with tempfile.TemporaryDirectory() as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        entries = "".join(_list_entries(repository, files, "0" * len(parent)))
        into = ("update-index", "-z", "--index-info")
        _require_done(repository, "read-tree", parent, variables=index)
        _require_done(repository, *into, given=entries, variables=index)
        tree = _require_done(repository, "write-tree", variables=index).text.strip()
    # git refuses to commit for nobody, and asks no name of the machine where settings forbid that.
    known = run_in_repository(repository, "config", "--get", "user.email")
    who = _NOBODY if known.code else ()
    words = ("commit-tree", "--no-gpg-sign", "-p", parent, tree)
    return _require_done(repository, *who, *words, given=message).text.strip()


def _list_entries(
    repository: Path, files: Mapping[str, bytes | None], nothing: str
) -> Iterator[str]:
    """The lines that an index takes: mode, content and path of each file."""
    for name, content in sorted(files.items()):
        mode, blob = _GONE, nothing
        if content is not None:
            text = content.decode("utf-8", "surrogateescape")
            words = ("hash-object", "-w", "--no-filters", "--stdin")
            mode, blob = _REGULAR, _require_done(repository, *words, given=text).text.strip()
        yield f"{mode} {blob}\t{name}\0"


def _require_done(
    repository: Path, *words: str, given: str = "", variables: Mapping[str, str] = NONE
) -> GitAnswer:
    ended = run_in_repository(repository, *words, given=given, variables=variables)
    if ended.code:
        raise LmssyncError(
            f"git cannot write the commit: {ended.complaint}",
            "the files are as before; make sure that you may write into the repository, and that "
            "there is space",
        )
    return ended


def merge_texts(ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """A text with the changes that two others make to a third one; None where they conflict."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("ours", "base", "theirs")]
        for file, text in zip(files, (ours, base, theirs), strict=True):
            file.write_bytes(text)
        ended = run_in_repository(Path(folder), "merge-file", "-p", "-q", *map(str, files))
    return None if ended.code else ended.out
