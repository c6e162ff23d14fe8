"""One branch of one repository, fetched into a copy of ours, and pushed to from there.

The copy lies in the user's cache folder between runs, so that a run fetches only what is new. A run
takes it away for itself, and puts it back when all went well. So no two runs share one, and what a
killed or failed run has left is never used again: the next run fetches everything anew.
"""

import hashlib
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ...errors import StateError
from ...support import operating_system
from ...support.cache_folder import cache_folder
from ...support.git_commands import GitAnswer, replace_unprintable, run_git
from .git_address import Access, StateRef
from .git_tree import Blob, BranchEdit, StateTree, fast_import_stream, read_tree
from .state_backend import Trouble, backend_error

_FOLDER = "git"
_UNUSED = 7 * 24 * 3600
"""Seconds after which a copy that nobody has used is deleted."""
_LOOSE_MOST = 27
"""Files in one of the 256 folders of loose objects. A copy with more is slower than a new one."""
_PACKS_MOST = 50


class BareCopy:
    """A repository that belongs to this run, until it is put back."""

    def __init__(self, root: Path, name: str) -> None:
        """`name` says whose copy it is: of one branch of one repository."""
        self._kept = _place(root, name)
        self.repository, self.is_new = Path(), True
        if not self._take_kept():
            self.begin_anew()

    def _take_kept(self) -> bool:
        if self._kept is None or not _is_ours(self._kept):
            return False
        taken = self._kept.with_name(f"{self._kept.name}.{secrets.token_hex(8)}")
        try:
            # A rename is atomic: of two runs that want the same copy, one gets it, and the other
            # makes its own.
            self._kept.rename(taken)
        except OSError:
            return False  # there is none, or another run was first
        self.repository, self.is_new = taken, False
        if _is_slow(taken):
            self.delete_copy()
        return not self.is_new

    def begin_anew(self, hashed: str = "sha1") -> None:
        """Begins with an empty repository, of this object format; raises `StateError`."""
        self.delete_copy()
        try:
            self.repository = self._make_folder()
        except OSError as error:
            text = f"no copy of the state can be made: {error.strerror}"
            raise StateError(text, "see whether the cache folder is full or read-only") from None
        words = ("init", "--quiet", "--bare", "--template=", f"--object-format={hashed}")
        ended = run_git(self.repository, *words)
        if ended.code:
            why = replace_unprintable(" ".join(ended.error.split()))
            raise StateError(f"git cannot make a repository: {why}", "install git 2.30 or later")

    def _make_folder(self) -> Path:
        if self._kept is None:
            return Path(tempfile.mkdtemp(prefix="lmssync-"))
        self._kept.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._kept.parent.mkdir(mode=0o700, exist_ok=True)
        for copy in self._kept.parent.iterdir():
            with suppress(OSError):
                if time.time() - copy.stat().st_mtime > _UNUSED:
                    shutil.rmtree(copy, ignore_errors=True)
        return Path(tempfile.mkdtemp(prefix=f"{self._kept.name}.", dir=self._kept.parent))

    def delete_copy(self) -> None:
        if self.repository != Path():
            shutil.rmtree(self.repository, ignore_errors=True)
        self.repository, self.is_new = Path(), True

    def put_back(self) -> None:
        """Leaves it to the next run, unless another has left one meanwhile."""
        if self._kept and self.repository != Path() and not self._kept.exists():
            with suppress(OSError):
                self.repository.rename(self._kept)
                self.repository = Path()
        self.delete_copy()


def _place(root: Path, name: str) -> Path | None:
    folder = cache_folder(root)
    return folder and folder / _FOLDER / hashlib.sha256(name.encode()).hexdigest()[:32]


def _is_ours(kept: Path) -> bool:
    """Whether a kept copy was made by this user, in folders that nobody else may write to."""
    try:
        folders = [path.lstat() for path in (kept, kept.parent, kept.parent.parent)]
    except OSError:
        return False
    return all(
        operating_system.is_ours(one) and not operating_system.others_may_write(one)
        for one in folders
    )


def _is_slow(repository: Path) -> bool:
    """Whether git would tidy the copy up."""
    # Git itself estimates the number of loose objects by this one folder: ids are spread evenly
    # over 256.
    loose = repository / "objects" / "17"
    packs = repository / "objects" / "pack"
    # That takes longer than a new copy of one commit.
    return _count(loose, "*") > _LOOSE_MOST or _count(packs, "*.pack") > _PACKS_MOST


def _count(folder: Path, pattern: str) -> int:
    return sum(1 for _ in folder.glob(pattern))


_SAID_ANYHOW = re.compile(
    "^(fatal: Could not read from remote repository|Please make sure you have the correct access"
    "|and the repository exists)"
)
_REASON = re.compile(r"(?i)(fatal|error|ssh): ")
_UNASKED = re.compile("(?:fatal: )?(could not read (?:Username|Password).*): terminal prompts.*")
_DENIED = (
    "permission (to|denied)|authentication|could not read (username|password)"
    "|access denied|not allowed|unauthori[sz]ed|publickey|terminal prompts disabled"
    "|service not enabled"
    r"|\b40[13]\b"
)
_CUT = (
    "resolve host|look up|connect|timed out|unreachable|reset|early eof|hung up|unable to access"
    "|network|rpc failed|end of file|took too long|read from remote"
)
# Git has no codes for what went wrong, only sentences. They are in English because every command
# runs with LC_ALL=C. The first group that fits decides, so that the general words come last.
_KNOWN = (
    ("not installed", Trouble.NO_PROGRAM),
    ("again and again", Trouble.BUSY),
    ("protected branch|GH006|GH013|hook declined|denied by|repository rule", Trouble.RULES),
    ("no space left|disk quota", Trouble.FULL),
    (_DENIED, Trouble.DENIED),
    ("host key verification|certificate", Trouble.UNSAFE),
    ("not found|does not (appear to be|exist)|not a git repository|no such file", Trouble.MISSING),
    ("shallow", Trouble.UNFIT),
    ("cannot create", Trouble.NAME),
    (_CUT, Trouble.UNREACHABLE),
)
"""Parts of git's complaints, compared without regard to capitals."""


def git_error(place: str, complaint: str) -> StateError:
    """An error that says what is wrong, why in git's words, and the remedy."""
    known = (trouble for words, trouble in _KNOWN if re.search(f"(?i){words}", complaint))
    reason = _UNASKED.sub(r"there are no credentials that it accepts: \1", _reason(complaint))
    return backend_error(place, next(known, Trouble.OTHER), replace_unprintable(reason))


def _reason(complaint: str) -> str:
    """The first line that gives a reason, with the next where it goes on there."""
    every = [line.strip() for line in complaint.splitlines() if line.strip()]
    lines = [line for line in every if not _SAID_ANYHOW.search(line)] or every
    telling = [at for at, line in enumerate(lines) if _REASON.match(line)]
    first = telling[0] if telling else 0
    last = first + 1 if "".join(lines[first : first + 1]).endswith(":") else first
    return " ".join(lines[first : last + 1]) or "git gave no reason"


def server_words(complaint: str) -> str:
    """The lines that the server itself has printed, as one line."""
    found = (line.partition("remote:")[2].strip() for line in complaint.splitlines())
    return " ".join(filter(None, found))


_TIP, _NEXT = "refs/lmssync/tip", "refs/lmssync/next"
_REMOTE = "state"
_ANOTHER_HASH = "hash algorithm"
_BUSY = (
    *("lock", "failed to update ref", "stale info", "fetch first", "incorrect old value"),
    _ANOTHER_HASH,
)
_BYTES_AT_ONCE = 32 * 1024 * 1024


class GitPatience(NamedTuple):
    """Seconds that a command of git may take."""

    fetch: float = 900
    push: float = 120


class PushRejected(NamedTuple):
    """Why the repository has not taken a commit; it has kept nothing of it."""

    reason: str

    @property
    def may_pass(self) -> bool:
        """Whether another push may only have been at work at the same moment."""
        return any(words in self.reason for words in _BUSY) and "cannot create" not in self.reason


class StateBranch:
    """Commands of git; each raises `StateError` if it fails."""

    def __init__(
        self, ref: StateRef, access: Access, copy: BareCopy, patience: GitPatience
    ) -> None:
        self.place, self.ref, self._copy, self._patience = ref.place, ref.ref, copy, patience
        self._remote = ["-c", f"remote.{_REMOTE}.url={access.url}"]
        if access.push_url != access.url:  # the person's `pushInsteadOf` is for those without one
            self._remote += ["-c", f"remote.{_REMOTE}.pushurl={access.push_url}"]
        self._settings = access.settings

    def fetch_tree(self) -> StateTree | None:
        """The commit and the files of the branch; None if there is no such branch."""
        answer = self._fetch_commit()
        if answer.code and not self._copy.is_new and not answer.too_long and not _is_none(answer):
            self._copy.begin_anew()  # it may be the copy that is damaged
            answer = self._fetch_commit()
        # A fetch from a repository that counts in SHA-256 into one that counts in SHA-1 fails with
        # these words.
        if "mismatched algorithms" in answer.error:
            self._copy.begin_anew("sha256")
            answer = self._fetch_commit()
        if _is_none(answer):
            return None
        if answer.code:
            raise git_error(self.place, answer.error)
        return self._tree()

    def _fetch_commit(self) -> GitAnswer:
        # One commit is enough: its tree has everything.
        words = ("fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", _REMOTE)
        return self._reaching(*words, f"+{self.ref}:{_TIP}", seconds=self._patience.fetch)

    def _tree(self) -> StateTree:
        commit = self._ask_git("rev-parse", "--verify", f"{_TIP}^{{commit}}").decode().strip()
        listed = self._ask_git("ls-tree", "-r", "-l", "-z", commit)
        return read_tree(commit, listed.decode("utf-8", "replace"), self.place)

    def read_blobs(self, blobs: Sequence[Blob]) -> list[bytes]:
        """Some of what a tree lists, in its order; see `split_into_pages`."""
        given = "".join(f"{blob.id}\n" for blob in blobs).encode()
        out, contents, at = self._ask_git("cat-file", "--batch", given=given), [], 0
        for blob in blobs:
            head = f"{blob.id} blob {blob.size}\n".encode()
            if not out.startswith(head, at):
                raise git_error(self.place, "an entry is missing")
            at += len(head)
            contents.append(out[at : at + blob.size])
            # `cat-file --batch` puts a line break after each content, which belongs to nobody.
            at += blob.size + 1
        return contents

    def commit_edit(self, edit: BranchEdit, parent: str, identity: str) -> str:
        """Makes a commit in our copy alone; gives its id."""
        stream = fast_import_stream(edit, parent, _NEXT, identity)
        made = self._ask_git("fast-import", "--quiet", "--done", "--force", given=stream)
        return made.decode().strip()

    def push_commit(self, commit: str, parent: str) -> PushRejected | None:
        """Puts the branch on a commit if it is still on `parent`, or if there still is none.

        Raises `StateError` where nobody knows whether the repository has taken it.
        """
        lease = f"--force-with-lease={self.ref}:{parent}"
        words = ("push", "--porcelain", "--no-verify", lease, _REMOTE, f"{commit}:{self.ref}")
        answer = self._reaching(*words, seconds=self._patience.push)
        status = _status(answer.out)
        if answer.code == 0 and status[:1] in {" ", "*", "+"}:
            return None
        if status.startswith("!"):
            reason = status.split("\t")[-1]
            return PushRejected(": ".join(filter(None, (reason, server_words(answer.error)))))
        if _ANOTHER_HASH in answer.error:  # nothing was sent; the next commit is made anew
            self._copy.begin_anew("sha256")
            return PushRejected(_ANOTHER_HASH)
        raise git_error(self.place, answer.error)

    def refusal_error(self, rejected: PushRejected) -> StateError:
        return git_error(self.place, rejected.reason)

    def default_branches(self) -> set[str]:
        """The default branch of the repository; if it has none yet, those that it may become."""
        answer = self._reaching("ls-remote", "--symref", _REMOTE, "HEAD", seconds=120)
        if answer.code:
            raise git_error(self.place, answer.error)
        first = answer.out.decode("utf-8", "replace").partition("\t")[0]
        return {first.removeprefix("ref: ")} if first else {"refs/heads/main", "refs/heads/master"}

    def _reaching(self, *arguments: str, seconds: float) -> GitAnswer:
        words = (*self._remote, *arguments)
        return run_git(self._copy.repository, *words, settings=self._settings, seconds=seconds)

    def _ask_git(self, *arguments: str, given: bytes = b"") -> bytes:
        answer = run_git(self._copy.repository, *arguments, given=given, seconds=300)
        if answer.code:
            raise git_error(self.place, answer.error)
        return answer.out


def split_into_pages(blobs: Sequence[Blob]) -> list[list[Blob]]:
    """Blobs in lists that fit into memory, in their order."""
    lists: list[list[Blob]] = []
    size = _BYTES_AT_ONCE
    for blob in blobs:
        size += blob.size
        if size > _BYTES_AT_ONCE:
            lists.append([])
            size = blob.size
        lists[-1].append(blob)
    return lists


def _is_none(answer: GitAnswer) -> bool:
    return bool(answer.code) and "find remote ref" in answer.error


def _status(out: bytes) -> str:
    """The line that says what became of the one ref that was pushed."""
    lines = out.decode("utf-8", "replace").splitlines()
    return next((line for line in lines if line[1:2] == "\t"), "")
