"""What PostgreSQL answers, in words, with what to do about it."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from ..errors import StateError
from ..secrets import redact, without_user
from ..visible import visible

_MOST = 300
_WORDS: tuple[tuple[type[psycopg.Error], str, str], ...] = (
    (
        errors.InsufficientPrivilege,
        "does not allow this",
        "the role needs SELECT, INSERT and UPDATE on the two tables, and CREATE to make them",
    ),
    (
        errors.ReadOnlySqlTransaction,
        "is read-only, as a standby is",
        "name the primary, or add target_session_attrs=read-write to the address",
    ),
    (errors.DiskFull, "has no space left", "make room on the server, and run it again"),
    (
        psycopg.OperationalError,
        "gave no answer",
        "check its address, or run it again when it can be reached",
    ),
)
_OTHER = ("was refused by the database", "the log of the server says more")
_NOT_LET_IN = (
    "does not let us in",
    "check the database, the role and its password (PGUSER, PGPASSWORD, ~/.pgpass), or try later",
)


@contextmanager
def in_words(place: str) -> Iterator[None]:
    """Errors of the database and of the way to it leave as `StateError`."""
    try:
        yield
    except psycopg.Error as error:
        what, hint = _words(error)
        raise StateError(f"the state at {place} {what}: {_reason(error)}", hint) from None


def _words(error: psycopg.Error) -> tuple[str, str]:
    if error.sqlstate is None and "FATAL: " in str(error):
        return _NOT_LET_IN
    matching = (words for kind, *words in _WORDS if isinstance(error, kind))
    what, hint = next(matching, _OTHER)
    return what, hint


def _reason(error: psycopg.Error) -> str:
    """The words of the server or of libpq on one line."""
    text = " ".join(str(error).split())
    return visible(redact(without_user(text)))[:_MOST]
