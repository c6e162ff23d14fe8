"""The log of a state on a branch, `git:REMOTE#BRANCH`: read from its last commit.

Each append is one more commit, and a push that only succeeds if nobody else has pushed since.
"""

import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ...errors import StateError
from ...settings import STATE
from ...support.git_repository import current_branch
from .git_address import SCHEME, StateRef, find_access, read_ref
from .git_branch import BareCopy, GitPatience, PushRejected, StateBranch, split_into_pages
from .git_tree import BranchEdit, StateTree, edit_for_segment, edit_for_snapshot
from .state_backend import Snapshot

_TRIES = 30
_PAUSE = 1.0
"""Seconds for which a push waits at most before it is tried again."""
_BUSY = PushRejected("others have written to the branch again and again")


class _Tip(NamedTuple):
    """What is known of the branch."""

    commit: str
    """Empty if there is no branch."""
    last: int
    """The number of the last segment."""


class GitBackend:
    """Keeps the log of one state on a branch; threads may share it."""

    def __init__(
        self, branch: StateBranch, copy: BareCopy, identity: str, own: frozenset[str]
    ) -> None:
        """`own` are branches on which the catalog is: no state is begun there."""
        self.place = branch.place
        self._branch, self._copy, self._identity, self._own = branch, copy, identity, own
        self._lock = threading.RLock()
        self._tip: _Tip | None = None
        self._sound = True

    def read(self, after: int = 0) -> Iterator[bytes]:
        with self._alone():
            tree = self._fetch_tree()
        for page in split_into_pages(tree.segments[after:] if tree else ()):
            with self._alone():
                contents = self._branch.read_blobs(page)
            yield from contents

    def append(self, number: int, segment: bytes, about: str = "") -> bool:
        with self._alone():
            for tried in range(_TRIES):
                tip = self._require_tip(number)
                if 0 < number <= tip.last:
                    return False
                self._refuse_gap(tip, number)
                # `--force-with-lease` makes the push a compare-and-swap: the branch moves only from
                # the commit that this one is built on.
                rejected = self._push_edit(edit_for_segment(number, segment, about), tip, number)
                if rejected is None:
                    return True
                self._look_again(tip, rejected, tried)
            raise self._branch.refusal_error(_BUSY)

    def snapshot(self) -> Snapshot | None:
        with self._alone():
            tree = self._fetch_tree()
            if tree is None or not tree.snapshots:
                return None
            number = max(tree.snapshots)
            (content,) = self._branch.read_blobs([tree.snapshots[number]])
            return Snapshot(number, content)

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        with self._alone():
            for tried in range(_TRIES):
                tree = self._fetch_tree()
                if tree and max(tree.snapshots, default=0) >= snapshot.number:
                    return
                tip = _tip_of(tree)
                rejected = self._push_edit(edit_for_snapshot(*snapshot, tree), tip, tip.last)
                if rejected is None:
                    return
                self._look_again(tip, rejected, tried)
            raise self._branch.refusal_error(_BUSY)

    def change_note(self, name: str, change: Callable[[str], str]) -> None:  # noqa: ARG002
        raise StateError(f"{self.place} keeps no notes: each change would be a commit")

    def close(self) -> None:
        with self._lock:
            if self._sound:
                self._copy.put_back()
            self._copy.delete_copy()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One thread at a time; after an error nothing is taken to be known any more."""
        with self._lock:
            try:
                yield
            except BaseException:
                # A push that raised may have arrived all the same. The next question fetches the
                # branch, and the copy is not put back for other runs.
                self._tip, self._sound = None, False
                raise

    def _require_tip(self, number: int) -> _Tip:
        """The branch as it was fetched last, if a segment of this number can follow."""
        if self._tip is None or self._tip.last < number - 1:
            self._fetch_tree()
        assert self._tip is not None
        return self._tip

    def _fetch_tree(self) -> StateTree | None:
        tree = self._branch.fetch_tree()
        self._tip = _tip_of(tree)
        return tree

    def _push_edit(self, edit: BranchEdit, tip: _Tip, last: int) -> PushRejected | None:
        if not tip.commit:
            self._refuse_own_branch()
        commit = self._branch.commit_edit(edit, tip.commit, self._identity)
        rejected = self._branch.push_commit(commit, tip.commit)
        if rejected is None:
            self._tip = _Tip(commit, last)
        return rejected

    def _look_again(self, tip: _Tip, rejected: PushRejected, tried: int) -> None:
        """Sees whether somebody else was first; raises `StateError` if the refusal is for good."""
        self._fetch_tree()
        if self._tip != tip:
            return
        if not rejected.may_pass or tried + 1 == _TRIES:
            raise self._branch.refusal_error(rejected)
        time.sleep(random.uniform(0, _PAUSE))  # noqa: S311 - no secret, two must differ

    def _refuse_gap(self, tip: _Tip, number: int) -> None:
        if not 0 < number <= tip.last + 1:
            raise StateError(
                f"segment {number} cannot be appended to the state {self.place}: its last one is "
                f"{tip.last}",
                "if it had more, the branch was deleted or reset: push the longer branch from a "
                "clone that still has it",
            )

    def _refuse_own_branch(self) -> None:
        if self._branch.ref in self._own | self._branch.default_branches():
            raise StateError(
                f"the state {self.place} cannot be on this branch: the catalog is on it",
                "name a branch of its own, such as lmssync/{environment}",
            )


def _tip_of(tree: StateTree | None) -> _Tip:
    return _Tip(tree.commit, len(tree.segments)) if tree else _Tip("", 0)


_NAME, _EMAIL = "lmssync", "lmssync@localhost"
_IN_IDENTITIES = re.compile(r"[<>\x00-\x1f]")


def open_git_backend(
    url: str, root: Path, env: Mapping[str, str], *, patience: GitPatience | None = None
) -> GitBackend:
    """The backend that a name stands for. Nothing is fetched yet.

    REMOTE is a remote of the repository that the catalog lies in. A whole address is taken only
    from the environment: a project file from a pull request could send the state, and with it a
    token, anywhere. Raises `StateError`.
    """
    ref = read_ref(url)
    if not ref.is_named and not _is_in(env, ref):
        raise StateError(
            f"the state {ref.place} is at an address that lmssync.yaml names, and it may only "
            f"name a remote of the catalog's repository",
            f"write git:origin#{ref.branch}, or set the address in the environment: {STATE}",
        )
    way = find_access(ref, root, env)
    copy = BareCopy(root, f"{way.url} {ref.ref}")
    branch = StateBranch(ref, way, copy, patience or GitPatience())
    return GitBackend(branch, copy, _identity(env), frozenset({current_branch(root)}))


def _is_in(env: Mapping[str, str], ref: StateRef) -> bool:
    """Whether the environment names the same address."""
    given, _, _branch = env.get(STATE, "").partition("#")
    pattern = re.escape(given.removeprefix(SCHEME)).replace(re.escape("{environment}"), r"[^#]+")
    return bool(given) and re.fullmatch(pattern, ref.remote) is not None


def _identity(env: Mapping[str, str]) -> str:
    """The author of commits: nobody in particular."""
    # A code host may refuse commits of an unknown address.
    name = _IN_IDENTITIES.sub("", env.get("GIT_COMMITTER_NAME", "")).strip() or _NAME
    email = _IN_IDENTITIES.sub("", env.get("GIT_COMMITTER_EMAIL", "")).strip() or _EMAIL
    return f"{name} <{email}>"
