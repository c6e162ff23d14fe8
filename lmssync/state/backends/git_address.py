"""The address of a state on a branch, `git:REMOTE#BRANCH`, and what shows that this job may use it.

Names and addresses are taken from the catalog's repository, and so is the header in which pipelines
keep the token of their job. Programs are not: the `core.sshCommand` and the `credential.helper` of
a repository may be a stranger's. Those of the person's own settings are used as in any git command.
"""

import base64
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from ...errors import LmssyncError, StateError
from ...support import redaction
from ...support.git_commands import GitSettings
from ...support.git_repository import (
    Remote,
    extra_header,
    find_repository,
    place_address,
    read_remote,
)
from ...support.invisible_characters import escape_invisible
from ...support.redaction import without_user

SCHEME = "git:"
_REMOTE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_NO_REF = re.compile(
    r"[\x00-\x20~^:?*\[\\\x7f]|\.\.|@\{|//|/\.|\.lock(/|$)|[./]$|^[./-]|^refs/(?![^/]+/.)"
)
"""Whatever git allows in no name of a ref; below `refs/` a name has two parts or more."""
_HEADS = "refs/heads/"
_PLACES = (_HEADS, "refs/lmssync/")
"""Where a state may be: a tag, or a ref of the code host, is no place to commit to."""


class StateRef(NamedTuple):
    """The remote, the branch and the other parts of the name of a state."""

    remote: str
    """The name of a remote, or a whole address."""
    ref: str

    @property
    def is_named(self) -> bool:
        """Whether the text names a remote of the catalog's repository, and is no address."""
        return _REMOTE.fullmatch(self.remote) is not None

    @property
    def place(self) -> str:
        """The name for messages, without a user or a password."""
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


_JOBS = (
    ("GITHUB_SERVER_URL", "GITHUB_TOKEN", "x-access-token"),
    ("GITHUB_SERVER_URL", "GH_TOKEN", "x-access-token"),
    ("CI_SERVER_URL", "GITLAB_TOKEN", "oauth2"),
)
"""Of each code host: the variable with its address, which it sets itself in each job, and the one
with a token, which is sent nowhere else."""


class Access(NamedTuple):
    """Addresses without a password, and the settings under which they are reached."""

    url: str
    push_url: str
    settings: GitSettings


def find_access(ref: StateRef, root: Path, env: Mapping[str, str]) -> Access:
    """How to reach the repository; raises `StateError` if the catalog has no such remote."""
    remote = _remote(ref, root)
    settings = [*_settings(remote.url, root, env)]
    if _bare(remote.push_url) != _bare(remote.url):
        settings += _settings(remote.push_url, root, env)
    return Access(_bare(remote.url), _bare(remote.push_url), settings)


def _remote(ref: StateRef, root: Path) -> Remote:
    if not ref.is_named:
        url = place_address(root, ref.remote)
        return Remote(url, url)
    if find_repository(root) is None:
        raise StateError(
            f"the state {ref.place} is on a remote of the catalog's git repository, and the "
            f"catalog is in none",
            "clone the repository, or make one with `git init` and `git remote add`",
        )
    try:
        remote = read_remote(root, ref.remote)
    except LmssyncError as error:
        raise StateError(f"the state {ref.place}: {error.message}", error.hint) from None
    if remote is None:
        raise StateError(
            f"the state {ref.place} is on the remote `{ref.remote}`, which the catalog's "
            f"repository does not have",
            f"`git remote -v` lists those it has; `git remote add {ref.remote} URL` adds one",
        )
    return remote


def _settings(url: str, root: Path, env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    # What is set for an address goes before what is known of it otherwise.
    header = extra_header(root, url) or _header_of_job(url, env) or _header_in(url)
    if header:
        # The last word is the token, as in `Authorization: Basic TOKEN`: the words before it stand
        # in ordinary texts too.
        redaction.register_secret(header.split()[-1])
        yield f"http.{_bare(url)}.extraHeader", header


def _header_of_job(url: str, env: Mapping[str, str]) -> str:
    for server, token, user in _JOBS:
        if env.get(token) and env.get(server) and _site(url) == _site(env[server]):
            return _basic(user, env[token])
    return ""


def _header_in(url: str) -> str:
    """The header with the user and the password of `https://user:password@host/`."""
    parts = _parts(url)
    # Git gets them by its settings: everybody on the machine can read the arguments of a process.
    return _basic(parts.username or "", parts.password) if parts and parts.password else ""


def _basic(user: str, password: str) -> str:
    redaction.register_secret(password)
    return f"Authorization: Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"


def _bare(url: str) -> str:
    parts = _parts(url)
    if parts is None or parts.password is None:
        return url
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _parts(url: str) -> SplitResult | None:
    """The parts of a web address; None for anything else."""
    try:
        parts = urlsplit(url)
        # Read for its exception: a port that is no number makes it no address.
        _port = parts.port
    except ValueError:
        return None
    return parts if parts.scheme in {"http", "https"} else None


def _site(url: str) -> tuple[str, str | None, int | None] | None:
    parts = _parts(url)
    return (parts.scheme, parts.hostname, parts.port) if parts else None
