"""What git complains about, in words that say what to do."""

import re

from ... import git, secrets
from ...errors import StateError

_SAID_ANYHOW = re.compile(
    "^(fatal: Could not read from remote repository|Please make sure you have the correct access"
    "|and the repository exists)"
)
_REASON = re.compile(r"(?i)(fatal|error|ssh): ")
_PERMISSION = (
    "the job or the person must be allowed to read the repository, and to push if it writes: on "
    "GitHub `permissions: contents: write`, on GitLab a token with write_repository in "
    "GITLAB_TOKEN, elsewhere a credential helper or an ssh key that asks nothing"
)
_RULES = "exempt this branch from the rules of the repository: lmssync must be able to push to it"
_ADDRESS = "see whether the address of the remote is right, and whether you may read the repository"
_CONNECTION = "see whether the repository can be reached from here, and run it again"
_DENIED = (
    "permission (to|denied)|authentication|could not read (username|password)"
    "|access denied|not allowed|unauthori[sz]ed|publickey|terminal prompts disabled"
    "|service not enabled"
    r"|\b40[13]\b"
)
_CUT = (
    "resolve host|connect|timed out|unreachable|reset|early eof|hung up|unable to access|network"
    "|rpc failed|end of file|took too long|read from remote"
)
_KNOWN = (
    ("not installed", "install git 2.30 or later"),
    ("protected branch|GH006|GH013|hook declined|denied by|repository rule", _RULES),
    (_DENIED, _PERMISSION),
    ("host key verification", "put the key of the host into ~/.ssh/known_hosts"),
    ("not found|does not (appear to be|exist)|not a git repository|no such file", _ADDRESS),
    ("shallow", "the repository at the remote must be whole: `git fetch --unshallow` in it"),
    ("cannot create", "another branch has a part of this name: choose another name"),
    (_CUT, _CONNECTION),
)
"""What occurs in a complaint, whatever the case, and what to do then."""


def refused(what: str, complaint: str) -> StateError:
    """An error that says what could not be done, why in git's words, and the remedy."""
    reason = secrets.redact(git.printable(_reason(complaint)))
    hint = next((hint for words, hint in _KNOWN if re.search(f"(?i){words}", complaint)), "")
    return StateError(f"{what}: {reason}", hint or "see what git says above")


def is_denied(complaint: str) -> bool:
    """Whether the repository let nobody in, so that nothing was sent."""
    return re.search(f"(?i){_DENIED}", complaint) is not None


def _reason(complaint: str) -> str:
    """The first line that gives a reason, with the next where it goes on there."""
    every = [line.strip() for line in complaint.splitlines() if line.strip()]
    lines = [line for line in every if not _SAID_ANYHOW.search(line)] or every
    telling = [at for at, line in enumerate(lines) if _REASON.match(line)]
    first = telling[0] if telling else 0
    last = first + 1 if "".join(lines[first : first + 1]).endswith(":") else first
    return " ".join(lines[first : last + 1]) or "git gave no reason"


def told(complaint: str) -> str:
    """What the server itself has said, on one line."""
    found = (line.partition("remote:")[2].strip() for line in complaint.splitlines())
    return " ".join(filter(None, found))
