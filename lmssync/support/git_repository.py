"""Reads the git repository of the catalog: the commit, changed files, earlier texts, the remotes.

Files of the work tree are compared here, not by git: its ways of comparing run programs that the
settings and attributes of a repository name (filters, diff drivers, monitors), and a stranger may
have written these.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import LmssyncError, WrongUse
from .git_commands import GitAnswer, replace_unprintable, run_in_repository

_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_NAME = re.compile(r"[^~^@:]+")
"""The first part of a revision, before `~1` or `^{commit}`."""
_OWN = re.compile(r"(?:[A-Z]+_)*HEAD|[0-9a-f]{4,64}")
"""What git knows without a ref: what it has in files of its own, and ids that may be cut short."""
_PLACES = ("refs/heads/", "refs/remotes/", "refs/remotes/origin/", "refs/")
"""Where a plain name is looked for; a tag is meant by its full name alone."""
_TAGS = "refs/tags/"
_SIZE_MOST = 64 * 1024 * 1024
"""Bytes of a file that is compared: no manifest may be as large."""
_HASHES = {40: "sha1", 64: "sha256"}
"""By the length of an id."""


def find_repository(root: Path) -> Path | None:
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


def init_repository(root: Path) -> Path | None:
    """Makes a folder a repository with the branch `main`; gives the one that it lies in already.

    Raises `LmssyncError`.
    """
    there = find_repository(root)
    if there is None:
        ended = run_in_repository(root, "init", "--quiet", "--initial-branch=main")
        if ended.code:
            text = f"git cannot create a repository in {root}: {ended.complaint}"
            raise LmssyncError(text, "all files are written; you can run `git init` later")
    return there


def read_commit(root: Path) -> str:
    """The commit that the catalog is at; empty where there is no git."""
    ended = _commit(root, "HEAD")
    return ended.text.strip() if ended and _COMMIT.fullmatch(ended.text.strip()) else ""


def folder_in_repository(root: Path) -> str:
    """The folder of the catalog in its repository, ending with a slash; empty at the top."""
    repository = find_repository(root)
    inside = root.resolve().relative_to(repository).as_posix() if repository else "."
    return "" if inside == "." else f"{inside}/"


def changed_files(root: Path, revision: str, files: Iterable[str]) -> set[str]:
    """The `files` of the catalog that are not as at `revision`; raises `WrongUse`.

    A link counts as changed, and so does what only a filter of git would show to be the same.
    """
    since = commit_of(root, revision)
    # `cat-file --batch-check` takes one name a line: a name with a line break would be two
    # questions. Such a file counts as changed.
    names = sorted(set(files))
    before = _contents(root, since, [name for name in names if name.isprintable()])
    return {name for name in names if not is_same(root / name, before.get(name, ""))}


def commit_of(root: Path, revision: str) -> str:
    """The commit that a branch, a full name or part of an id names; raises `WrongUse`.

    A plain name is never that of a tag: whoever may push a tag `main` would otherwise say what a
    catalog is compared with, and which guards its base has.
    """
    ended = _commit(root, _full_name(root, revision))
    if ended and _COMMIT.fullmatch(since := ended.text.strip()):
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
    repository, begins = find_repository(root), _NAME.match(revision)
    if repository is None or begins is None or _COMMIT.fullmatch(revision):
        return revision
    name, rest = begins[0], revision[begins.end() :]
    names = [name] if name.startswith("refs/") else [f"{place}{name}" for place in _PLACES]
    tag = f"{_TAGS}{name}"
    ended = run_in_repository(repository, "for-each-ref", "--format=%(refname)", "--", *names, tag)
    there = set(ended.text.splitlines())
    if found := next((one for one in names if one in there), ""):
        return f"{found}{rest}"
    if tag in there:
        raise WrongUse(
            f"`{revision}` names a tag and no branch",
            f"write {tag}{rest} if you mean the tag; for a branch, fetch it first",
        )
    if not _OWN.fullmatch(name):
        raise _unknown_revision(revision, f"there is no branch `{replace_unprintable(name)}`")
    return revision


def _commit(root: Path, revision: str) -> GitAnswer | None:
    repository = find_repository(root)
    if repository is None:
        return None
    # `^{commit}` follows a tag to its commit and refuses blobs and trees; `--end-of-options` keeps
    # a revision such as `--exec=...` from being an option.
    wanted = f"{revision}^{{commit}}"
    return run_in_repository(repository, "rev-parse", "--verify", "--end-of-options", wanted)


def _contents(root: Path, since: str, names: list[str]) -> dict[str, str]:
    """The id of the content that each file had."""
    repository, folder = find_repository(root), folder_in_repository(root)
    if repository is None or not names:
        return {}
    asked = "".join(f"{since}:{folder}{name}\n" for name in names)
    form = "--batch-check=%(objecttype) %(objectname)"
    ended = run_in_repository(repository, "cat-file", form, given=asked)
    lines = ended.text.splitlines()
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
    since, repository = commit_of(root, revision), find_repository(root)
    content = _contents(root, since, [name]).get(name)
    if repository is None or content is None:
        return ""
    ended = run_in_repository(repository, "cat-file", "blob", content)
    if ended.code:
        raise WrongUse(f"git cannot show {name} at {revision}: {ended.complaint}")
    return ended.text


def is_tracked(root: Path, name: str) -> bool:
    """Whether git keeps a file or folder of the catalog, or anything in it."""
    repository = find_repository(root)
    if repository is None:
        return False
    path = f"{folder_in_repository(root)}{name}"
    kept = run_in_repository(repository, "ls-files", "-z", "--", path)
    return kept.code == 0 and bool(kept.text)


def is_same(file: Path, before: str) -> bool:
    """Whether a file has the content of an id; git may write line ends as the system has them."""
    if not before or file.is_symlink() or not file.is_file():
        return False
    if file.stat().st_size > _SIZE_MOST:
        return False
    now = file.read_bytes()
    # With `core.autocrlf`, the work tree has CRLF where the repository has LF.
    return before in {blob_id(now, before), blob_id(now.replace(b"\r\n", b"\n"), before)}


def blob_id(content: bytes, like: str) -> str:
    """The id that git gives to a content, by the hash that made the id `like`."""
    made = hashlib.new(_HASHES[len(like)], b"blob %d\0" % len(content), usedforsecurity=False)
    made.update(content)
    return made.hexdigest()


_LINK = "120000"
"""The mode of a link, which has a path and no text."""
_AT_ONCE = 500
"""Files whose contents one command prints: it may print so many bytes and no more."""


def read_earlier(root: Path, revision: str, endings: tuple[str, ...]) -> Iterator[str]:
    """The former texts of files that have changed or are gone since; raises `WrongUse`."""
    since, repository = commit_of(root, revision), find_repository(root)
    if repository is not None:
        differing = [
            content
            for name, content in _list_files(root, repository, since).items()
            if name.endswith(endings) and not is_same(root / name, content)
        ]
        contents = _read_contents(repository, differing)
        yield from (content.decode("utf-8", "replace") for content in contents)


def read_files_at(
    root: Path, revision: str, names: Sequence[str] = ()
) -> Iterator[tuple[str, bytes]]:
    """Name and content of files of the catalog, and of those in folders, at a revision: of all of
    them where none is named. Links and what was not there are left out. Raises `WrongUse`."""
    since, repository = commit_of(root, revision), find_repository(root)
    if repository is not None:
        files = _list_files(root, repository, since, names)
        yield from zip(files, _read_contents(repository, [*files.values()]), strict=True)


def _read_contents(repository: Path, contents: Sequence[str]) -> Iterator[bytes]:
    for at in range(0, len(contents), _AT_ONCE):
        given = "".join(f"{content}\n" for content in contents[at : at + _AT_ONCE])
        ended = run_in_repository(repository, "cat-file", "--batch", given=given)
        _refuse_failure(ended)
        yield from _split_contents(ended.out)


def _refuse_failure(ended: GitAnswer) -> None:
    if ended.code:
        raise WrongUse(f"git cannot show what has changed: {ended.complaint}")


def _list_files(
    root: Path, repository: Path, commit: str, names: Sequence[str] = ()
) -> dict[str, str]:
    """Files of the catalog at a commit, from its root, with the ids of their contents; all of them
    where none is named."""
    folder = folder_in_repository(root)
    paths = [f"{folder}{name}" for name in names]
    question = ("ls-tree", "-r", "-z", "--full-tree", commit, "--")
    listed = run_in_repository(repository, *question, *paths)
    _refuse_failure(listed)
    files = {}
    for line in filter(None, listed.text.split("\0")):
        about, _, name = line.partition("\t")
        mode, kind, content = about.split(" ")
        if kind == "blob" and mode != _LINK and name.startswith(folder):
            files[name.removeprefix(folder)] = content
    return files


def _split_contents(answer: bytes) -> Iterator[bytes]:
    """The contents in an answer of `cat-file --batch`: each behind a line that ends in its size."""
    at = 0
    while at < len(answer):
        begin = answer.index(b"\n", at) + 1
        size = answer[at : begin - 1].rpartition(b" ")[2]
        if not size.isdigit():  # it is `missing`: this clone holds only a part of the history
            raise WrongUse("git does not have all files of that commit", "fetch the whole commit")
        end = begin + int(size)
        yield answer[begin:end]
        at = end + 1


def files_between(root: Path, before: str, after: str) -> set[str]:
    """Files of the catalog that differ between two revisions; raises `WrongUse`."""
    repository = find_repository(root)
    commits = [commit_of(root, one) for one in (before, after)]
    if repository is None:
        return set()
    old, new = (_list_files(root, repository, one) for one in commits)
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[^/\\]{2,}:")
"""How the address of another machine begins, in both forms that git knows; `C:` is a drive."""


class Remote(NamedTuple):
    """Where git fetches from and where it pushes to, mostly one address."""

    url: str
    push_url: str


def read_remote(root: Path, name: str) -> Remote | None:
    """A remote of the repository; None if there is none of this name.

    Raises `LmssyncError` where git cannot be asked.
    """
    repository = find_repository(root)
    urls = repository and _value(repository, "--get-all", f"remote.{name}.url")
    if repository is None or not urls:
        return None
    pushed = _value(repository, "--get-all", f"remote.{name}.pushurl") or urls
    return Remote(place_address(repository, urls), place_address(repository, pushed))


def place_address(folder: Path, url: str) -> str:
    """An address as it is anywhere: a path of this machine is whole."""
    return url if _ADDRESS.match(url) else str((folder / url).resolve())


def extra_header(root: Path, url: str) -> str:
    """The header that the repository itself has for an address, and nobody else's settings.

    Pipelines keep the token of their job there (`http.https://host/.extraheader`).
    """
    repository = find_repository(root)
    if repository is None or not url.startswith(("http://", "https://")):
        return ""
    return _value(repository, "--local", "--includes", "--get-urlmatch", "http.extraheader", url)


def current_branch(root: Path) -> str:
    """The branch that the catalog is on, as `refs/heads/main`; empty if it is on none."""
    repository = find_repository(root)
    ended = repository and run_in_repository(repository, "symbolic-ref", "--quiet", "HEAD")
    return ended.text.strip() if ended and not ended.code else ""


def _value(repository: Path, *arguments: str) -> str:
    ended = run_in_repository(repository, "config", "-z", *arguments)
    if ended.code > 1:
        text = f"git cannot read the settings of {repository}: {ended.complaint}"
        raise LmssyncError(text, "install git, and make sure that `git remote -v` works there")
    return ended.text.split("\0")[0].strip() if not ended.code else ""
