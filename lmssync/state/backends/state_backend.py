"""What every backend can do, and in which words each says what goes wrong with it.

There are few verbs, so that a git ref can do as much as a database. A backend says which `Trouble`
it is in, and why in the words of its server or library. Who asked it adds what became of the run.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple, Protocol

from ...errors import StateError
from ...support.invisible_characters import escape_invisible
from ...support.redaction import redact_secrets, without_user

_MOST = 300


class Trouble(StrEnum):
    """What is said of a state."""

    UNREACHABLE = "cannot be reached"
    UNSAFE = "cannot be reached safely"
    DENIED = "refuses the login"
    FORBIDDEN = "does not allow this"
    MISSING = "was not found"
    BUSY = "is busy"
    FULL = "has no space left"
    READ_ONLY = "is read-only, as a standby is"
    RULES = "refuses the push"
    NAME = "cannot have this name"
    UNFIT = "cannot be used"
    NO_PROGRAM = "cannot be used here"
    OTHER = "cannot be read or written"


_Remedies = Mapping[Trouble, str]
_POSTGRESQL: _Remedies = {
    Trouble.UNREACHABLE: "check the host and port in LMSSYNC_STATE (or PGHOST, PGPORT), and"
    " whether the server runs and can be reached from here",
    Trouble.UNSAFE: "`sslmode` asks for an encrypted connection: switch TLS on at the server, and"
    " name the file with its certificate authority in PGSSLROOTCERT",
    Trouble.DENIED: "check the role and its password (PGUSER, PGPASSWORD, ~/.pgpass), and whether"
    " the server lets it in from here (pg_hba.conf)",
    Trouble.FORBIDDEN: "the role needs SELECT, INSERT and UPDATE on the two tables, and CREATE on"
    " the schema to make them",
    Trouble.MISSING: "check the name of the database in LMSSYNC_STATE (or PGDATABASE);"
    " lmssync makes its tables, but no database",
    Trouble.BUSY: "wait a moment; if it stays so, the server allows too few connections",
    Trouble.FULL: "make room on the server",
    Trouble.READ_ONLY: "name the primary, or add target_session_attrs=read-write to the address",
    Trouble.OTHER: "the log of the server says more",
}
_STORE: _Remedies = {
    Trouble.UNREACHABLE: "check {endpoint} and the region, and whether the store can be reached"
    " from here",
    Trouble.UNSAFE: "name the file with the certificate authority of the store in SSL_CERT_FILE",
    Trouble.DENIED: "set the variables of its cloud ({cloud}_...): see docs/state.md",
    Trouble.FORBIDDEN: "check the credentials in {cloud}_...: they need to list, read and write the"
    " objects under the prefix",
    Trouble.MISSING: "check the name of the bucket, its region and the account; lmssync makes no"
    " bucket",
    Trouble.BUSY: "wait a moment: the store asks for fewer requests",
    Trouble.UNFIT: "use a store with conditional writes",
    Trouble.OTHER: "see what the store says above",
}
_GIT: _Remedies = {
    Trouble.UNREACHABLE: "check the address of the remote (`git remote -v`), and whether the"
    " repository can be reached from here",
    Trouble.UNSAFE: "name the file with its certificate authority in GIT_SSL_CAINFO; for ssh,"
    " put the key of the host into ~/.ssh/known_hosts",
    Trouble.DENIED: "the job or the person must be allowed to read the repository, and to push if"
    " it writes: on GitHub `permissions: contents: write`, on GitLab a token with write_repository"
    " in GITLAB_TOKEN, elsewhere a credential helper or an ssh key that asks nothing",
    Trouble.MISSING: "check the address of the remote (`git remote -v`), and whether you may read"
    " the repository",
    Trouble.BUSY: "wait a moment: others push to the branch all the time",
    Trouble.FULL: "make room on the server, or here in the cache folder, where git has its copy",
    Trouble.RULES: "exempt this branch from the rules of the repository: lmssync must be able to"
    " push to it",
    Trouble.NAME: "another branch has a part of this name: choose another name",
    Trouble.UNFIT: "the repository at the remote must be whole: `git fetch --unshallow` in it",
    Trouble.NO_PROGRAM: "install git 2.30 or later",
    Trouble.OTHER: "see what git says above",
}
_CLOUDS = {
    "s3": ("AWS", "AWS_ENDPOINT_URL"),
    "gs": ("GOOGLE", "GOOGLE_BASE_URL"),
    "az": ("AZURE", "AZURE_STORAGE_ENDPOINT"),
}


def backend_error(place: str, trouble: Trouble, reason: str) -> StateError:
    """An error of the backend at a place, which begins with its scheme; others may have chosen the
    words of the reason."""
    shown = escape_invisible(redact_secrets(without_user(" ".join(reason.split()))))[:_MOST]
    return StateError(f"the state {place} {trouble}: {shown}", _remedy_for(place, trouble))


def _remedy_for(place: str, trouble: Trouble) -> str:
    scheme = place.partition(":")[0]
    if scheme == "git":
        return _GIT[trouble]
    if scheme == "postgresql":
        return _POSTGRESQL[trouble]
    cloud, endpoint = _CLOUDS.get(scheme, _CLOUDS["s3"])
    return _STORE[trouble].format(cloud=cloud, endpoint=endpoint)


class Snapshot(NamedTuple):
    """All rows that the segments up to one of them lead to, so that a new replica need not read
    them."""

    number: int
    """Of the last segment that is in it."""
    content: bytes


class StateBackend(Protocol):
    """Keeps the log of one state: segments with the numbers 1, 2, 3, ..., each written once.

    Every method raises `StateError` if the backend cannot be reached or refuses. After an `append`
    that raised, nobody knows whether the segment was kept: `read` tells.
    """

    place: str
    """The name for messages, without a secret: `git:origin#lmssync/production`."""

    def read(self, after: int = 0) -> Iterator[bytes]:
        """The segments that follow that number, in order, none left out."""

    def append(self, number: int, segment: bytes, about: str = "") -> bool:
        """Keeps a segment under the number that follows the last one, for good, before it returns.

        `about` tells people what is in it, where the backend can show it: a commit has a message.

        False if a segment with that number is there already: somebody else was first.
        """

    def snapshot(self) -> Snapshot | None:
        """The latest snapshot, if there is one."""

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Keeps a snapshot in the place of an earlier one; a later one stays."""

    def change_note(self, name: str, change: Callable[[str], str]) -> None:
        """Replaces a short text by what `change` makes of it, as one step; writes nothing where
        that is the same. States that are kept in one place share the notes, and a note may be
        lost. Raises `StateError`, also where the backend keeps none."""

    def close(self) -> None:
        """Lets go of connections and temporary files."""


class SharedState(NamedTuple):
    """The backend of a state that several machines share, and the key of its people."""

    backend: StateBackend
    """Keeps its log."""
    key: str = ""
    """The key of its people, which no backend gets; empty where this machine does not have it."""
