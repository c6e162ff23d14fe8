"""Reads that lag behind writes: what a document was a moment ago (O31, switch `readLagSeconds`)."""

from typing import Any

Doc = dict[str, Any]


class Recent:
    """Keeps, while the lag is on, what each changed document was before.

    `reading` is set by the dispatcher while a route that only reads is answered: writes always
    see the newest state.
    """

    def __init__(self) -> None:
        self.lag = 0.0
        self.now = 0.0
        self.reading = False
        self._before: dict[tuple[str, object], list[tuple[float, Doc | None]]] = {}

    def note(self, kind: str, key: object, before: Doc | None) -> None:
        """Remember what was there before a write that happens now; None if nothing was."""
        if self.lag > 0:
            horizon = self.now - self.lag
            young = [old for old in self._before.get((kind, key), ()) if old[0] > horizon]
            self._before[kind, key] = [*young, (self.now, before)]

    @property
    def noting(self) -> bool:
        return self.lag > 0

    def seen(self, kind: str, key: object, newest: Doc | None) -> Doc | None:
        """What a read sees now where `newest` is stored."""
        if not (self.reading and self._before):
            return newest
        horizon = self.now - self.lag
        for written, before in self._before.get((kind, key), ()):
            if written > horizon:
                return before
        return newest

    def clear(self) -> None:
        self._before.clear()
