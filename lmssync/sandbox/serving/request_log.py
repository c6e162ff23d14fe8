"""The log of requests: what reached the sandbox, kept in memory for the control plane."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from ..clock import stamp_of

ENTRIES, BYTES = 20_000, 64_000_000
"""How much is kept: the oldest entries go first."""
PATH_SHOWN = 2_000
"""Of a longer path or query only the beginning is kept."""


@dataclass
class Entry:
    """One request at a `moment` in seconds; `status` None means that it got no answer."""

    number: int
    moment: float
    method: str
    path: str
    query: str
    route: str | None
    body: bytes = b""
    status: int | None = None
    fault: str | None = None
    failure: str | None = None
    """A bug of the sandbox, as a traceback."""

    @property
    def moment_text(self) -> str:
        """The moment as text: made when it is asked for, which is rarely."""
        return stamp_of(self.moment)

    def as_wire(self, *, with_body: bool) -> dict[str, object]:
        wire: dict[str, object] = {
            "number": self.number,
            "at": self.moment_text,
            "method": self.method,
            "path": self.path,
            "query": self.query,
            "route": self.route,
            "status": self.status,
            "bodyBytes": len(self.body),
            "fault": self.fault,
            "failure": self.failure,
        }
        if with_body:
            wire["body"] = self.body.decode("utf-8", "replace")
        return wire


class RequestLog:
    """The newest requests of the platform's routes; the control plane's own are not logged."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque()
        self._number = self._bytes = 0

    def begin_entry(
        self, *, moment: float, method: str, path: str, query: str, route: str | None
    ) -> Entry:
        self._number += 1
        entry = Entry(self._number, moment, method, path[:PATH_SHOWN], query[:PATH_SHOWN], route)
        self._entries.append(entry)
        self._forget_oldest()
        return entry

    def receive_body(self, entry: Entry, body: bytes) -> None:
        entry.body = body
        self._bytes += len(body)
        self._forget_oldest()

    def _forget_oldest(self) -> None:
        while self._entries and (len(self._entries) > ENTRIES or self._bytes > BYTES):
            self._bytes -= len(self._entries.popleft().body)
        if not self._entries:
            self._bytes = 0  # an entry may get its body after it was forgotten

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def clear_log(self) -> None:
        self._entries.clear()
        self._bytes = 0
