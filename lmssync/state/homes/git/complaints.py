"""What git complains about: which trouble it is, and why."""

import re

from ....errors import StateError
from ....support import git
from ..failures import BackendTrouble, backend_error

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
_KNOWN = (
    ("not installed", BackendTrouble.NO_PROGRAM),
    ("again and again", BackendTrouble.BUSY),
    ("protected branch|GH006|GH013|hook declined|denied by|repository rule", BackendTrouble.RULES),
    ("no space left|disk quota", BackendTrouble.FULL),
    (_DENIED, BackendTrouble.DENIED),
    ("host key verification|certificate", BackendTrouble.UNSAFE),
    ("not found|does not (appear to be|exist)|not a git repository|no such file", BackendTrouble.MISSING),
    ("shallow", BackendTrouble.UNFIT),
    ("cannot create", BackendTrouble.NAME),
    (_CUT, BackendTrouble.UNREACHABLE),
)
"""What occurs in a complaint, whatever the case."""


def git_error(place: str, complaint: str) -> StateError:
    """An error that says what is wrong, why in git's words, and the remedy."""
    known = (trouble for words, trouble in _KNOWN if re.search(f"(?i){words}", complaint))
    reason = _UNASKED.sub(r"there are no credentials that it accepts: \1", _reason(complaint))
    return backend_error(place, next(known, BackendTrouble.OTHER), git.printable(reason))


def _reason(complaint: str) -> str:
    """The first line that gives a reason, with the next where it goes on there."""
    every = [line.strip() for line in complaint.splitlines() if line.strip()]
    lines = [line for line in every if not _SAID_ANYHOW.search(line)] or every
    telling = [at for at, line in enumerate(lines) if _REASON.match(line)]
    first = telling[0] if telling else 0
    last = first + 1 if "".join(lines[first : first + 1]).endswith(":") else first
    return " ".join(lines[first : last + 1]) or "git gave no reason"


def server_words(complaint: str) -> str:
    """What the server itself has said, on one line."""
    found = (line.partition("remote:")[2].strip() for line in complaint.splitlines())
    return " ".join(filter(None, found))
