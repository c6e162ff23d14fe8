"""Documents, which are JSON objects as they are kept, sent and answered, and the clock."""

import time
from collections.abc import Iterable, Mapping
from typing import Any

from ..vocabulary.iso_dates import format_timestamp, parse_moment


class Clock:
    """Seconds since 1970 in UTC; never goes back, so windows and dates keep their order."""

    def __init__(self, offset: float = 0.0, stopped_at: float | None = None) -> None:
        self.offset, self._stopped_at = offset, stopped_at

    def read_time(self) -> float:
        return (time.time() if self._stopped_at is None else self._stopped_at) + self.offset

    def measure_lead(self) -> float:
        """Seconds by which it is ahead of real time."""
        return self.offset if self._stopped_at is None else self.read_time() - time.time()

    def format_now(self) -> str:
        """Now as the platform writes moments: ISO 8601, UTC, milliseconds."""
        return format_timestamp(self.read_time())

    def advance_clock(self, seconds: float) -> None:
        self.offset += seconds


def seconds_of(stamp: str) -> float:
    """The moment of an ISO 8601 text; raises ValueError. Without a zone it is UTC."""
    return parse_moment(stamp).timestamp()


Doc = dict[str, Any]


def pick_fields(doc: Mapping[str, Any], names: Iterable[str]) -> Doc:
    """These fields of a document, null where it has none."""
    return {name: doc.get(name) for name in names}


def drop_fields(doc: Mapping[str, Any], *names: str) -> Doc:
    """A document without these fields."""
    return {name: value for name, value in doc.items() if name not in names}


def add_missing_fields(doc: Mapping[str, Any], blanks: Mapping[str, Any]) -> Doc:
    """A document with its fields in their order, and behind them those that it lacks."""
    return {**doc, **{name: value for name, value in blanks.items() if name not in doc}}


def put_fields(doc: Doc, fields: Doc, *, defaults: Mapping[str, Any] | None = None) -> None:
    """Set what was sent; null gives a field its default back or takes it away (O2)."""
    for name, value in fields.items():
        if value is not None:
            doc[name] = value
        elif defaults and name in defaults:
            doc[name] = defaults[name]
        else:
            doc.pop(name, None)
