"""Opens the home of a state on a branch: `git:REMOTE#BRANCH`."""

import re
from collections.abc import Mapping
from pathlib import Path

from ....errors import StateError
from ....settings import STATE
from ....support import git
from .access import find_access
from .branch import StateBranch, GitPatience
from .copy import BareCopy
from .home import GitBackend
from .ref import SCHEME, StateRef, read_ref

_NAME, _EMAIL = "lmssync", "lmssync@localhost"
_IN_IDENTITIES = re.compile(r"[<>\x00-\x1f]")


def open_git_backend(
    url: str, root: Path, env: Mapping[str, str], *, patience: GitPatience | None = None
) -> GitBackend:
    """The home that a name stands for. Nothing is fetched yet.

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
    return GitBackend(branch, copy, _identity(env), frozenset({git.branch(root)}))


def _is_in(env: Mapping[str, str], ref: StateRef) -> bool:
    """Whether the environment names the same address."""
    given, _, _branch = env.get(STATE, "").partition("#")
    pattern = re.escape(given.removeprefix(SCHEME)).replace(re.escape("{environment}"), r"[^#]+")
    return bool(given) and re.fullmatch(pattern, ref.remote) is not None


def _identity(env: Mapping[str, str]) -> str:
    """Who commits: nobody in particular, unless a rule of the code host needs a known address."""
    name = _IN_IDENTITIES.sub("", env.get("GIT_COMMITTER_NAME", "")).strip() or _NAME
    email = _IN_IDENTITIES.sub("", env.get("GIT_COMMITTER_EMAIL", "")).strip() or _EMAIL
    return f"{name} <{email}>"
