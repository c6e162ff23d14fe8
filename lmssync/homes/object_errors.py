"""What an object store answers: which trouble it is, and why."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from obstore.exceptions import (
    BaseError,
    GenericError,
    PermissionDeniedError,
    UnauthenticatedError,
)

from .failures import Trouble, failed

FAILURES = (BaseError, FileNotFoundError, NotImplementedError)
_BY_TYPE: tuple[tuple[type[Exception], Trouble], ...] = (
    (UnauthenticatedError, Trouble.DENIED),
    (PermissionDeniedError, Trouble.FORBIDDEN),
    (FileNotFoundError, Trouble.MISSING),
    (NotImplementedError, Trouble.UNFIT),
)
_BY_STATUS = {
    "401": Trouble.DENIED,
    "403": Trouble.FORBIDDEN,
    "404": Trouble.MISSING,
    "429": Trouble.BUSY,
    "503": Trouble.BUSY,
}
"""A list says of what went wrong nothing but the status."""
_METADATA = ("169.254.169.254", "metadata.google.internal")
"""Who is asked for credentials where no variable has any: the cloud that a machine stands in."""
_STATUS = re.compile(r"status code: (?P<shown>(?P<status>\d{3})[^:\n]*)")
_CODE, _MESSAGE = re.compile(r"<Code>([^<]+)"), re.compile(r"<Message>([^<]+)")
_CAUSES = re.compile(
    r'(?:message|error): "([^"]+)"|InvalidCertificate\(\s*(?:\w+\(\s*)*(\w+)'
    r"|(kind: Timeout|IncompleteMessage|InvalidMessage)"
)
_IN_WORDS = {
    "kind: Timeout": "no answer came in time",
    "IncompleteMessage": "the connection was closed before an answer came",
    "InvalidMessage": "what answers there does not speak TLS",
}
_MARK = "\n\nDebug source:"
"""What follows is for programmers, and the only place where a cause stands."""


@contextmanager
def in_words(place: str) -> Iterator[None]:
    """Errors of the store leave as `StateError`."""
    try:
        yield
    except FAILURES as error:
        text, _, debug = str(error).partition(_MARK)
        raise failed(place, _trouble(error, debug), _reason(text, debug)) from None


def _trouble(error: Exception, debug: str) -> Trouble:
    if any(host in str(error) for host in _METADATA):
        return Trouble.DENIED
    if not isinstance(error, GenericError):
        kinds = (trouble for kind, trouble in _BY_TYPE if isinstance(error, kind))
        return next(kinds, Trouble.OTHER)
    if "InvalidCertificate" in debug:
        return Trouble.UNSAFE
    status = _STATUS.search(str(error))
    if status is None:
        return Trouble.UNREACHABLE
    return _BY_STATUS.get(status["status"], Trouble.OTHER)


def _reason(text: str, debug: str) -> str:
    """What the store has said, or else what has hindered the request."""
    if any(host in text for host in _METADATA):
        return "no variable has credentials"
    if status := _STATUS.search(text):
        more = (found[1] for kind in (_CODE, _MESSAGE) if (found := kind.search(text)))
        return ", ".join([status["shown"], *more])
    if cause := _CAUSES.search(debug):
        said, certificate, kind = cause.groups("")
        if certificate:
            return f"its certificate is not trusted here ({certificate})"
        return said or _IN_WORDS[kind]
    return text.rpartition(" - ")[2]
