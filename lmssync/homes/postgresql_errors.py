"""What PostgreSQL and libpq answer: which trouble it is, and why."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from .failures import Trouble, failed

_BY_TYPE: tuple[tuple[type[psycopg.Error], Trouble], ...] = (
    (errors.InsufficientPrivilege, Trouble.FORBIDDEN),
    (errors.ReadOnlySqlTransaction, Trouble.READ_ONLY),
    (errors.DiskFull, Trouble.FULL),
    (errors.TooManyConnections, Trouble.BUSY),
    (errors.CannotConnectNow, Trouble.BUSY),
)
_BY_WORDS = (
    (r"does not support SSL|certificate|alert", Trouble.UNSAFE),
    (r"too many|connection slots|starting up|shutting down|recovery mode", Trouble.BUSY),
    (r"database .* does not exist", Trouble.MISSING),
    (r"FATAL: |password|authentication", Trouble.DENIED),
)
"""Before there is a connection, libpq has nothing but words."""
_ADVICE = re.compile(
    r"\s+(Is the server running|This probably means|Check that the file|before or while)[^\n]*"
)
"""What libpq adds, each on a line of its own, and ours says better."""


@contextmanager
def in_words(place: str) -> Iterator[None]:
    """Errors of the database and of the way to it leave as `StateError`."""
    try:
        yield
    except psycopg.Error as error:
        raise failed(place, _trouble(error), _reason(error)) from None


def _trouble(error: psycopg.Error) -> Trouble:
    for kind, trouble in _BY_TYPE:
        if isinstance(error, kind):
            return trouble
    if not isinstance(error, psycopg.OperationalError):
        return Trouble.OTHER
    if error.sqlstate is None:
        for words, trouble in _BY_WORDS:
            if re.search(words, str(error)):
                return trouble
    return Trouble.UNREACHABLE


def _reason(error: psycopg.Error) -> str:
    """The words of the server, without the statement that it refused, or those of libpq."""
    return error.diag.message_primary or _ADVICE.sub("", str(error))
