"""What an object store answers, in words, with what to do about it."""

from collections.abc import Iterator
from contextlib import contextmanager

from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

from ..errors import StateError
from ..secrets import redact, without_user
from ..visible import visible

VARIABLES = "set the variables of its cloud (AWS_..., GOOGLE_... or AZURE_...): see docs/state.md"
_MOST = 300
FAILURES = (BaseError, FileNotFoundError, NotImplementedError)
_HINTS: tuple[tuple[type[Exception], str, str], ...] = (
    (UnauthenticatedError, "does not accept the credentials", VARIABLES),
    (
        PermissionDeniedError,
        "does not allow this",
        "the credentials need to list, read and write the objects under the prefix",
    ),
    (
        FileNotFoundError,
        "was not found",
        "check the bucket, its region and the account",
    ),
    (NotImplementedError, "cannot do this", "use a store with conditional writes"),
)
_METADATA = ("169.254.169.254", "metadata.google.internal")
"""Who is asked for credentials where no variable has any: the cloud that a machine stands in."""
_NO_CREDENTIALS = ("was not asked: no variable has credentials", VARIABLES)
_UNREACHABLE = (
    "gave no usable answer",
    "run it again when it can be reached; what was kept there is read then",
)


@contextmanager
def in_words(place: str) -> Iterator[None]:
    """Errors of the store leave as `StateError`."""
    try:
        yield
    except FAILURES as error:
        what, hint = _words(error)
        raise StateError(f"the state at {place} {what}: {_reason(error)}", hint) from None


def _words(error: Exception) -> tuple[str, str]:
    if any(host in str(error) for host in _METADATA):
        return _NO_CREDENTIALS
    matching = (words for kind, *words in _HINTS if isinstance(error, kind))
    what, hint = next(matching, _UNREACHABLE)
    return what, hint


def _reason(error: Exception) -> str:
    """The store's own words on one line, without what only programmers need."""
    text = str(error).partition("\n\nDebug source")[0]
    return visible(redact(without_user(text)))[:_MOST]
