"""What goes wrong with a home: said in the same words of each, with what to do about it there.

A home says which `BackendTrouble` it is in, and why in the words of its server or library. Whoever asked
it adds what became of the run.
"""

from collections.abc import Mapping
from enum import StrEnum

from ...errors import StateError
from ...support.secrets import redact_secrets, without_user
from ...support.visible import escape_invisible

_MOST = 300


class BackendTrouble(StrEnum):
    """What is said of a state."""

    UNREACHABLE = "cannot be reached"
    UNSAFE = "cannot be reached safely"
    DENIED = "does not let us in"
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


_Remedies = Mapping[BackendTrouble, str]
_POSTGRESQL: _Remedies = {
    BackendTrouble.UNREACHABLE: "check the host and port in LMSSYNC_STATE (or PGHOST, PGPORT), and"
    " whether the server runs and can be reached from here",
    BackendTrouble.UNSAFE: "`sslmode` asks for an encrypted connection: switch TLS on at the server, and"
    " name the file of those who have signed its certificate in PGSSLROOTCERT",
    BackendTrouble.DENIED: "check the role and its password (PGUSER, PGPASSWORD, ~/.pgpass), and whether"
    " the server lets it in from here (pg_hba.conf)",
    BackendTrouble.FORBIDDEN: "the role needs SELECT, INSERT and UPDATE on the two tables, and CREATE on"
    " the schema to make them",
    BackendTrouble.MISSING: "check the name of the database in LMSSYNC_STATE (or PGDATABASE);"
    " lmssync makes its tables, but no database",
    BackendTrouble.BUSY: "wait a moment; if it stays so, the server allows too few connections",
    BackendTrouble.FULL: "make room on the server",
    BackendTrouble.READ_ONLY: "name the primary, or add target_session_attrs=read-write to the address",
    BackendTrouble.OTHER: "the log of the server says more",
}
_STORE: _Remedies = {
    BackendTrouble.UNREACHABLE: "check {endpoint} and the region, and whether the store can be reached"
    " from here",
    BackendTrouble.UNSAFE: "name the file of those who have signed the certificate of the store in"
    " SSL_CERT_FILE",
    BackendTrouble.DENIED: "set the variables of its cloud ({cloud}_...): see docs/state.md",
    BackendTrouble.FORBIDDEN: "check the credentials in {cloud}_...: they need to list, read and write the"
    " objects under the prefix",
    BackendTrouble.MISSING: "check the name of the bucket, its region and the account; lmssync makes no"
    " bucket",
    BackendTrouble.BUSY: "wait a moment: the store asks for fewer requests",
    BackendTrouble.UNFIT: "use a store with conditional writes",
    BackendTrouble.OTHER: "see what the store says above",
}
_GIT: _Remedies = {
    BackendTrouble.UNREACHABLE: "check the address of the remote (`git remote -v`), and whether the"
    " repository can be reached from here",
    BackendTrouble.UNSAFE: "name the file of those who have signed its certificate in GIT_SSL_CAINFO; for"
    " ssh, put the key of the host into ~/.ssh/known_hosts",
    BackendTrouble.DENIED: "the job or the person must be allowed to read the repository, and to push if"
    " it writes: on GitHub `permissions: contents: write`, on GitLab a token with write_repository"
    " in GITLAB_TOKEN, elsewhere a credential helper or an ssh key that asks nothing",
    BackendTrouble.MISSING: "check the address of the remote (`git remote -v`), and whether you may read"
    " the repository",
    BackendTrouble.BUSY: "wait a moment: others push to the branch all the time",
    BackendTrouble.FULL: "make room on the server, or here in the cache folder, where git has its copy",
    BackendTrouble.RULES: "exempt this branch from the rules of the repository: lmssync must be able to"
    " push to it",
    BackendTrouble.NAME: "another branch has a part of this name: choose another name",
    BackendTrouble.UNFIT: "the repository at the remote must be whole: `git fetch --unshallow` in it",
    BackendTrouble.NO_PROGRAM: "install git 2.30 or later",
    BackendTrouble.OTHER: "see what git says above",
}
_CLOUDS = {
    "s3": ("AWS", "AWS_ENDPOINT_URL"),
    "gs": ("GOOGLE", "GOOGLE_BASE_URL"),
    "az": ("AZURE", "AZURE_STORAGE_ENDPOINT"),
}


def backend_error(place: str, trouble: BackendTrouble, reason: str) -> StateError:
    """An error of the home at a place, which begins with its scheme; others may have chosen the
    words of the reason."""
    shown = escape_invisible(redact_secrets(without_user(" ".join(reason.split()))))[:_MOST]
    return StateError(f"the state {place} {trouble}: {shown}", _remedy_for(place, trouble))


def _remedy_for(place: str, trouble: BackendTrouble) -> str:
    scheme = place.partition(":")[0]
    if scheme == "git":
        return _GIT[trouble]
    if scheme == "postgresql":
        return _POSTGRESQL[trouble]
    cloud, endpoint = _CLOUDS.get(scheme, _CLOUDS["s3"])
    return _STORE[trouble].format(cloud=cloud, endpoint=endpoint)
