"""How far each feed was pulled, and where a walk that was broken off goes on."""

import sqlite3
from typing import NamedTuple

_COLUMNS = "kind, since, until, pulled, walk_since, walk_until, walk_began, walk_cursor"


class Checkpoint(NamedTuple):
    """What is known of one feed; times are milliseconds since 1970, by the platform's clock.

    A feed is read from its newest event down, so what a walk has read is complete only once it
    has come to its end: then its span is added to that of the feed. Until then the walk says
    where it goes on.
    """

    kind: str
    since: int | None = None
    """The feed was pulled from this time on; 0 for its beginning."""
    until: int | None = None
    """The newest event of the walks that have ended."""
    pulled: int | None = None
    """When the newest of these walks began."""
    walk_since: int = 0
    walk_until: int | None = None
    walk_began: int | None = None
    walk_cursor: str = ""
    """Empty while no walk is under way."""

    def walk_end(self, since: int | None, late: int) -> int:
        """Where a new walk should end: `late` before the newest event that is known, or further
        back if `since` says so; a feed that was never pulled begins there."""
        if self.until is None:
            before = self.walk_since if self.since is None else self.since
            return before if since is None else since
        return min(max(self.until - late, 0), self.until if since is None else since)

    def is_short_of(self, since: int | None) -> bool:
        """Whether the walk that is under way does not come as far back as `since`."""
        return since is not None and since < self.walk_since

    def begin_walk(self, since: int) -> "Checkpoint":
        """With a new walk down to `since`."""
        return self._replace(walk_since=since, walk_until=None, walk_began=None, walk_cursor="")

    def after_page(self, newest: int | None, cursor: str, now: int) -> "Checkpoint":
        """One page further; the walk ends where there is no cursor.

        What is later than the platform's own clock is left out: the next walk would begin there
        and miss what comes before.
        """
        if self.walk_began is None:
            top = None if newest is None else min(newest, now)
            return self._replace(walk_began=now, walk_until=top).after_page(newest, cursor, now)
        top = self.walk_until
        if cursor:
            return self._replace(walk_cursor=cursor)
        since = self.walk_since if self.since is None else min(self.since, self.walk_since)
        tops = [one for one in (self.until, top) if one is not None]
        return Checkpoint(self.kind, since, max(tops, default=None), self.walk_began)


def read_checkpoint(db: sqlite3.Connection, kind: str) -> Checkpoint:
    row = db.execute(f"SELECT {_COLUMNS} FROM feed WHERE kind = ?", (kind,)).fetchone()
    return Checkpoint(*row) if row else Checkpoint(kind)


def save_checkpoint(db: sqlite3.Connection, point: Checkpoint) -> None:
    """To be called inside the transaction that keeps the events of the page."""
    marks = ", ".join("?" * len(point))
    db.execute(f"INSERT OR REPLACE INTO feed ({_COLUMNS}) VALUES ({marks})", point)
