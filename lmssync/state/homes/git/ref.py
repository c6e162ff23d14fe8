"""The form in which the branch of a state is named: `git:REMOTE#BRANCH`."""

import re
from typing import NamedTuple

from ....errors import StateError
from ....support.secrets import without_user
from ....support.visible import escape_invisible

SCHEME = "git:"
_REMOTE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_NO_REF = re.compile(
    r"[\x00-\x20~^:?*\[\\\x7f]|\.\.|@\{|//|/\.|\.lock(/|$)|[./]$|^[./-]|^refs/(?![^/]+/.)"
)
"""What git allows in no name of a ref; it has one more part behind `refs/heads/`."""
_HEADS = "refs/heads/"
_PLACES = (_HEADS, "refs/lmssync/")
"""Where a state may be: a tag, or a ref of the code host, is no place to commit to."""


class StateRef(NamedTuple):
    """What the parts of a name say."""

    remote: str
    """The name of a remote, or a whole address."""
    ref: str

    @property
    def is_named(self) -> bool:
        """Whether it is a remote of the catalog's repository, and no address."""
        return _REMOTE.fullmatch(self.remote) is not None

    @property
    def place(self) -> str:
        """What people call it, without a user or a password."""
        return f"{SCHEME}{without_user(self.remote)}#{self.branch}"

    @property
    def branch(self) -> str:
        return self.ref.removeprefix(_HEADS)


def read_ref(url: str) -> StateRef:
    """The parts of a name; raises `StateError` if it has another form."""
    remote, hash_, branch = url.removeprefix(SCHEME).rpartition("#")
    shown = escape_invisible(without_user(url))
    if not url.startswith(SCHEME) or not hash_ or not remote or remote.startswith("-"):
        raise StateError(
            f"`{shown}` does not name a branch for the state",
            "write git:REMOTE#BRANCH, for example git:origin#lmssync/{environment}",
        )
    if not branch or _NO_REF.search(branch):
        raise StateError(
            f"`{shown}` names no branch: git allows no ref `{escape_invisible(branch)}`",
            "write the name of a branch, such as lmssync/{environment}, or refs/lmssync/...",
        )
    ref = branch if branch.startswith("refs/") else f"{_HEADS}{branch}"
    if not ref.startswith(_PLACES):
        raise StateError(
            f"`{shown}` names no branch: a state is kept below {' or '.join(_PLACES)}",
            "write the name of a branch, such as lmssync/{environment}",
        )
    return StateRef(remote, ref)
