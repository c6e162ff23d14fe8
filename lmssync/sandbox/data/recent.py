"""Reads that lag behind writes: what a document was a moment ago (O31, switch `readLagSeconds`)."""

from collections.abc import Iterator
from contextlib import contextmanager

from ..documents import Doc


class Recent:
    """Keeps, while the lag is on, what each changed document was before.

    `reading` is set by the dispatcher while a route that only reads is answered: writes always
    see the newest state. `searching` is set while the search index is asked, which is
    `search_lag` seconds behind (O27).
    """

    def __init__(self) -> None:
        self.lag = self.search_lag = 0.0
        self.searching = False
        self.now = 0.0
        self.reading = False
        self._before: dict[tuple[str, object], list[tuple[float, Doc | None]]] = {}

    def note_write(self, kind: str, key: object, before: Doc | None) -> None:
        """Remember what was there before a write that happens now; None if nothing was."""
        if self.is_noting:
            horizon = self.now - max(self.lag, self.search_lag)
            young = [old for old in self._before.get((kind, key), ()) if old[0] > horizon]
            self._before[kind, key] = [*young, (self.now, before)]

    @property
    def is_noting(self) -> bool:
        return self.lag > 0 or self.search_lag > 0

    @contextmanager
    def as_index(self) -> Iterator[None]:
        """Inside the block reads see what the search index knows."""
        self.searching = True
        try:
            yield
        finally:
            self.searching = False

    def visible_version(self, kind: str, key: object, newest: Doc | None) -> Doc | None:
        """What a read sees now where `newest` is stored."""
        if not (self.reading and self._before):
            return newest
        lag = max(self.lag, self.search_lag) if self.searching else self.lag
        if lag <= 0:
            return newest
        horizon = self.now - lag
        for written, before in self._before.get((kind, key), ()):
            if written > horizon:
                return before
        return newest

    def forget_writes(self) -> None:
        self._before.clear()
