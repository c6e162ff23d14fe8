"""What the git of the catalog knows: the commit, what has changed, where the repository begins.

Files of the work tree are compared here, not by git: its ways of comparing run what the settings
and attributes of a repository name (filters, diff drivers, monitors), and a stranger may have
written them.
"""

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from ...errors import LmssyncError, WrongUse
from . import command as git_command
from .command import printable

_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_NAME = re.compile(r"[^~^@:]+")
"""What a revision begins with, before `~1` or `^{commit}`."""
_OWN = re.compile(r"(?:[A-Z]+_)*HEAD|[0-9a-f]{4,64}")
"""What git knows without a ref: what it has in files of its own, and ids that may be cut short."""
_PLACES = ("refs/heads/", "refs/remotes/", "refs/remotes/origin/", "refs/")
"""Where a plain name is looked for; a tag is meant by its full name alone."""
_TAGS = "refs/tags/"
_SIZE_MOST = 64 * 1024 * 1024
"""Bytes of a file that is compared: no manifest may be as large."""
_HASHES = {40: "sha1", 64: "sha256"}
"""By the length of an id."""


def top(root: Path) -> Path | None:
    """The folder of the repository that the catalog lies in; nothing where there is none.

    Only what has a `.git` is a repository: a folder that looks like the inside of one is not.
    """
    root = root.resolve()
    return next(filter(_is_repository, (root, *root.parents)), None)


def _is_repository(folder: Path) -> bool:
    try:
        return (folder / ".git").exists()
    except OSError:  # its name is longer than the system takes: nothing can be there
        return False


def begin(root: Path) -> Path | None:
    """Makes a folder a repository with the branch `main`; gives the one that it lies in already.

    Raises `LmssyncError`.
    """
    there = top(root)
    if there is None:
        ended = git_command.run(root, "init", "--quiet", "--initial-branch=main")
        if ended.code:
            text = f"git cannot create a repository in {root}: {ended.complaint}"
            raise LmssyncError(text, "all files are written; you can run `git init` later")
    return there


def commit(root: Path) -> str:
    """The commit that the catalog is at; empty where there is no git."""
    ended = _commit(root, "HEAD")
    return ended.out.strip() if ended and _COMMIT.fullmatch(ended.out.strip()) else ""


def prefix(root: Path) -> str:
    """The folder of the catalog in its repository, ending with a slash; empty at the top."""
    repository = top(root)
    inside = root.resolve().relative_to(repository).as_posix() if repository else "."
    return "" if inside == "." else f"{inside}/"


def changed_files(root: Path, revision: str, files: Iterable[str]) -> set[str]:
    """Those of the catalog's `files` that are not as at `revision`; raises `WrongUse`.

    A link counts as changed, and so does what only a filter of git would show to be the same.
    """
    since = commit_of(root, revision)
    names = sorted(set(files))
    before = _contents(root, since, [name for name in names if name.isprintable()])
    return {name for name in names if not is_same(root / name, before.get(name, ""))}


def commit_of(root: Path, revision: str) -> str:
    """The commit that a branch, a full name or part of an id stands for; raises `WrongUse`.

    A plain name is never that of a tag: whoever may push a tag `main` would otherwise say what a
    catalog is compared with, and which guards its base has.
    """
    ended = _commit(root, _full_name(root, revision))
    since = ended.out.strip() if ended else ""
    if _COMMIT.fullmatch(since):
        return since
    why = ended.complaint if ended else "this is not a git repository"
    raise _unknown_revision(revision, why)


def _unknown_revision(revision: str, why: str) -> WrongUse:
    return WrongUse(
        f"`{revision}` is not a revision to compare with: {why}",
        "name a branch or a commit of the repository that the catalog is in, or a tag as "
        "refs/tags/NAME; a shallow clone may not have it (`git fetch`)",
    )


def _full_name(root: Path, revision: str) -> str:
    """A revision with the full name of the ref that it begins with; raises `WrongUse`.

    Git looks below `refs/tags/` for whatever it does not find, so it is only asked for refs that
    are there, and for what is no name of a ref.
    """
    repository, begins = top(root), _NAME.match(revision)
    if repository is None or begins is None or _COMMIT.fullmatch(revision):
        return revision
    name, rest = begins[0], revision[begins.end() :]
    names = [name] if name.startswith("refs/") else [f"{place}{name}" for place in _PLACES]
    tag = f"{_TAGS}{name}"
    ended = git_command.run(repository, "for-each-ref", "--format=%(refname)", "--", *names, tag)
    there = set(ended.out.splitlines())
    if found := next((one for one in names if one in there), ""):
        return f"{found}{rest}"
    if tag in there:
        raise WrongUse(
            f"`{revision}` names a tag and no branch",
            f"write {tag}{rest} if you mean the tag; for a branch, fetch it first",
        )
    if not _OWN.fullmatch(name):
        raise _unknown_revision(revision, f"there is no branch `{printable(name)}`")
    return revision


def _commit(root: Path, revision: str) -> git_command.CompletedCommand | None:
    repository = top(root)
    if repository is None:
        return None
    wanted = f"{revision}^{{commit}}"
    return git_command.run(repository, "rev-parse", "--verify", "--end-of-options", wanted)


def _contents(root: Path, since: str, names: list[str]) -> dict[str, str]:
    """The id of the content that each file had."""
    repository, folder = top(root), prefix(root)
    if repository is None or not names:
        return {}
    asked = "".join(f"{since}:{folder}{name}\n" for name in names)
    ended = git_command.run(
        repository, "cat-file", "--batch-check=%(objecttype) %(objectname)", given=asked
    )
    lines = ended.out.splitlines()
    if ended.code or len(lines) != len(names):
        raise WrongUse(f"git cannot list what has changed: {ended.complaint}")
    answers = (line.partition(" ") for line in lines)
    return {
        name: content
        for name, (kind, _, content) in zip(names, answers, strict=True)
        if kind == "blob" and _COMMIT.fullmatch(content)
    }


def text_at(root: Path, revision: str, name: str) -> str:
    """The text of a file of the catalog at a revision, empty if it was not there; raises
    `WrongUse`."""
    since, repository = commit_of(root, revision), top(root)
    content = _contents(root, since, [name]).get(name)
    if repository is None or content is None:
        return ""
    ended = git_command.run(repository, "cat-file", "blob", content)
    if ended.code:
        raise WrongUse(f"git cannot show {name} at {revision}: {ended.complaint}")
    return ended.out


def is_tracked(root: Path, name: str) -> bool:
    """Whether git keeps a file or folder of the catalog, or anything in it."""
    repository = top(root)
    if repository is None:
        return False
    kept = git_command.run(repository, "ls-files", "-z", "--", f"{prefix(root)}{name}")
    return kept.code == 0 and bool(kept.out)


def is_same(file: Path, before: str) -> bool:
    """Whether a file has the content of an id; git may write line ends as the system has them."""
    if not before or file.is_symlink() or not file.is_file():
        return False
    if file.stat().st_size > _SIZE_MOST:
        return False
    now = file.read_bytes()
    return before in {_id(now, before), _id(now.replace(b"\r\n", b"\n"), before)}


def _id(content: bytes, like: str) -> str:
    """The id that git gives to a content, by the hash that made the id `like`."""
    made = hashlib.new(_HASHES[len(like)], b"blob %d\0" % len(content), usedforsecurity=False)
    made.update(content)
    return made.hexdigest()
