"""Brings the index up to date with the feeds: each event once, whatever breaks the pull off.

A feed is read page by page, newest first, as far back as wanted (spec 6, O40, O42).

A pushed notification is only a hint that there is something to pull. The platform does not sign
what it pushes, so nothing of it is counted or kept: whoever finds out the address could make up
learners. The feeds are read with a key and say the same.
"""

import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Thread
from typing import Any, NamedTuple, Self

from ...errors import Refused, StateLocked, WrongUse
from ...platform.client import Reader, find_items, page_info, unreadable_answer
from ...state import lock_beside
from ...vocabulary.iso_dates import parse_milliseconds
from ...vocabulary.routes import ROUTES
from .feed_events import KINDS, LearnerEvent, parse_learner_event
from .index_file import (
    EventWriter,
    Key,
    compact_file,
    open_to_write,
    open_transaction,
    readable_errors,
)
from .learner_index import EventRow, list_event_rows, read_event_rows

ROUTE = "event.list"
_PAGES_MOST = 100_000
_EMPTY_MOST = 10
"""Empty pages in a row that may say that there is more."""


class FeedPage(NamedTuple):
    """One answer of a feed."""

    events: Sequence[LearnerEvent]
    unreadable: int
    """How many of its items have no time that can be read."""
    cursor: str
    """Where the next page begins; empty on the last one."""


def read_feed_pages(
    reader: Reader, kind: str, *, since: int, cursor: str = ""
) -> Iterator[FeedPage]:
    """The pages of a feed from the newest, or from `cursor` on, down to `since`.

    Raises `PlatformError`; `Refused` where the instance has no such feed or takes no such cursor.
    """
    seen, empty = {cursor}, 0
    for _ in range(_PAGES_MOST):
        query = {"startDate": since, "cursor": cursor} if cursor else {"startDate": since}
        page = _read_page(reader, kind, query)
        yield page
        if not page.cursor:
            return
        # An item without a time that can be read is still progress: the page was not empty.
        empty = 0 if page.events or page.unreadable else empty + 1
        # A page without events may have more behind it, so some in a row are read.
        if page.cursor in seen or empty == _EMPTY_MOST:
            raise _unreadable_feed(
                "it says that there is more, but the next page is not further on"
            )
        cursor = page.cursor
        seen.add(cursor)
    raise _unreadable_feed(f"it has not ended after {_PAGES_MOST:,} pages")


def _read_page(reader: Reader, kind: str, query: dict[str, Any]) -> FeedPage:
    answer = reader.read_route(ROUTE, {"kind": kind}, query)
    if answer is None:
        raise Refused(f"the platform has no feed of {kind} (404)", 404)
    shown = find_items(answer, "events")
    if shown is None:
        raise _unreadable_feed("it has no list of events")
    info = page_info(answer) or {}
    # A cursor may come with the last page as well: only `hasMore` says that another follows.
    cursor = info.get("cursor") if info.get("hasMore") is True else ""
    if not isinstance(cursor, str) or (info.get("hasMore") is True and not cursor):
        raise _unreadable_feed("it says that there is more but names no cursor")
    read = [one for item in shown if (one := parse_learner_event(kind, item))]
    return FeedPage(read, len(shown) - len(read), cursor)


def _unreadable_feed(what: str) -> Exception:
    route = ROUTES[ROUTE]
    return unreadable_answer(route, route.path, what)


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
        """The checkpoint at the beginning of a new walk down to `since`."""
        return self._replace(walk_since=since, walk_until=None, walk_began=None, walk_cursor="")

    def after_page(self, newest: int | None, cursor: str, now: int) -> "Checkpoint":
        """The checkpoint one page further; the walk ends where there is no cursor.

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


LATE = 3_600_000
"""Milliseconds before the newest known event that are read again: events may come late."""
BRIEFLY_LATE = 120_000
"""Milliseconds that those read again who look every few seconds."""


_THOROUGH = 600.0
"""Seconds after which those read an hour again, too."""


class FeedPulled(NamedTuple):
    """What one feed has brought."""

    kind: str
    new: int = 0
    known: int = 0
    """Events that had come before, in this feed or another."""
    unreadable: int = 0
    """Events without a time that can be read; they are not counted."""
    calls: int = 0
    refused: str = ""
    """Why the platform did not show it."""
    keys: tuple[Key, ...] = ()
    """The new events, where they were asked for."""

    def with_page(self, page: FeedPage, keys: list[Key], *, listed: bool) -> "FeedPulled":
        return self._replace(
            new=self.new + len(keys),
            known=self.known + len(page.events) - len(keys),
            unreadable=self.unreadable + page.unreadable,
            calls=self.calls + 1,
            keys=(*self.keys, *keys) if listed else (),
        )


Tell = Callable[[FeedPulled, int | None], None]
"""Called after each page, with the time of its oldest event if it has one."""
_Kept = tuple[FeedPage, list[Key]]
_NO_SUCH_FEED = 404


class Puller:
    """Pulls into the index of one environment and instance. One run at a time does so."""

    def __init__(self, file: Path, inside: Path | None, *, environment: str, instance: str) -> None:
        self._file = file
        self._db = open_to_write(file, inside, environment, instance)
        self._thorough_again = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def pull_feeds(
        self,
        reader: Reader,
        kinds: Iterable[str],
        tell: Tell,
        *,
        since: int | None = None,
        late: int = LATE,
        listed: bool = False,
    ) -> Iterator[FeedPulled]:
        """Each feed to its end; `listed` says that the new events are wanted.

        `since` reads further back than the checkpoint, never less far: no gap can come of it.
        Raises `PlatformError`, or `StateLocked` while another run pulls. A feed that the platform
        refuses says so, and the others go on.
        """
        # One at a time: two walks would each save a checkpoint that the other has not reached.
        with self._exclusive_pull(), readable_errors(self._file):
            writer = EventWriter(self._db)
            for kind in kinds:
                pulled = FeedPulled(kind)
                try:
                    for page, keys in self._pull_feed(reader, writer, kind, (since, late)):
                        pulled = pulled.with_page(page, keys, listed=listed)
                        tell(pulled, page.events[-1].at if page.events else None)
                except Refused as error:
                    # An instance may lack one feed; what the others bring is kept all the same.
                    pulled = pulled._replace(refused=error.message)
                yield pulled

    def pull_newest(self, reader: Reader, kinds: Iterable[str]) -> Iterator[FeedPulled]:
        """Pulls for who looks every few seconds, and lists the new events: what is late is looked
        for now and then only."""
        late = BRIEFLY_LATE if time.monotonic() < self._thorough_again else LATE
        if late == LATE:
            self._thorough_again = time.monotonic() + _THOROUGH
        yield from self.pull_feeds(reader, kinds, lambda *_: None, late=late, listed=True)

    def list_events(self, *, since: int = 0, kinds: Sequence[str] = ()) -> Iterator[EventRow]:
        """The events since a moment, oldest first, as `LearnerIndex.list_events` lists them."""
        return list_event_rows(self._db, self._file, since=since, kinds=kinds)

    def read_event_rows(self, keys: Iterable[Key]) -> Iterator[EventRow]:
        """These events, oldest first."""
        return read_event_rows(self._db, self._file, keys)

    @contextmanager
    def _exclusive_pull(self) -> Iterator[None]:
        with lock_beside(self._file) as ours:
            if not ours:
                busy = f"another run pulls events into {self._file}"
                raise StateLocked(busy, "wait until that run ends")
            yield

    def _pull_feed(
        self, reader: Reader, writer: EventWriter, kind: str, back: tuple[int | None, int]
    ) -> Iterator[_Kept]:
        """What a broken walk has left over, then what has come since."""
        point = read_checkpoint(self._db, kind)
        # A walk that ends too late is not finished: the new one covers all of it anyway.
        if point.walk_cursor and not point.is_short_of(back[0]):
            try:
                yield from self._walk_pages(reader, writer, point)
            except Refused as error:
                if error.status == _NO_SUCH_FEED:
                    raise
                # The platform no longer takes this cursor: the walk begins again.
        point = read_checkpoint(self._db, kind)
        yield from self._walk_pages(reader, writer, point.begin_walk(point.walk_end(*back)))

    def _walk_pages(
        self, reader: Reader, writer: EventWriter, point: Checkpoint
    ) -> Iterator[_Kept]:
        """Each page with those of its events that are new, kept before it is given."""
        for page in read_feed_pages(
            reader, point.kind, since=point.walk_since, cursor=point.walk_cursor
        ):
            newest = max((one.at for one in page.events), default=None)
            now = parse_milliseconds(reader.platform_time()) or 0
            point = point.after_page(newest, page.cursor, now)
            # Events and checkpoint together: a run that is killed goes on behind what it kept.
            with open_transaction(self._db):
                keys = writer.keep_events(page.events)
                save_checkpoint(self._db, point)
            compact_file(self._db)
            yield page, keys


class Hints:
    """The feeds that notifications have named since they were last asked for."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._kinds: set[str] = set()
        self.received = 0

    def add_kinds(self, kinds: Collection[str]) -> None:
        with self._changed:
            self._kinds |= set(kinds)
            self.received += 1
            self._changed.notify_all()

    def wait_for_kinds(self, seconds: float, *, settle: float = 0) -> Collection[str]:
        """The feeds to pull once there is one, and what else comes in `settle` seconds after it;
        none if nothing has come in that time."""
        with self._changed:
            if self._changed.wait_for(lambda: bool(self._kinds), seconds):
                self._changed.wait_for(lambda: len(self._kinds) == len(KINDS), settle)
            kinds, self._kinds = self._kinds, set()
        return kinds


@contextmanager
def receive_notifications(host: str, port: int, secret: str) -> Iterator[tuple[int, Hints]]:
    """Serves `POST /SECRET` in the background; yields its port and what comes there."""
    from .notification_server import Receiver

    hints = Hints()
    try:
        server = Receiver((host, port), hints.add_kinds, secret)
    except OSError as error:
        raise WrongUse(f"lmssync cannot listen at {host}:{port}: {error.strerror}") from None
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1], hints
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
