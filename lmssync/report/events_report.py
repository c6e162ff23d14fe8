"""Events of learners: what a pull has brought, how many learners are where, and files of events.

A file of events has lines of JSON, is CSV, or is Parquet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from ..learners.events import Audience, EventRow, FeedPulled, LearnerIndex
from ..resource import Address
from ..state import Record
from ..support.installation import require_extra
from ..support.persons import spell_person
from ..vocabulary.iso_dates import format_moment
from .evidence_text import moment_text
from .text_tables import join_csv_line
from .value_words import count_noun, join_some

_HEAD = ("enrolled", "in progress", "finished", "last activity")
_MEGABYTE = 1_000_000
_BATCH = 50_000
"""Rows of a Parquet file that are put together at a time."""


class CountedPlace(NamedTuple):
    """One thing that learners are in."""

    name: str
    """Its address, or its id where it is not recorded."""
    id: str
    part: str
    """Path of a topic in it; empty for the whole."""
    audience: Audience


def counted_places(
    index: LearnerIndex, records: Iterable[Record], *, others: bool
) -> Sequence[CountedPlace]:
    """What is recorded, with its topics, and `others` that events name; in the order of names."""
    counted, found = dict(index.course_audiences()), list[CountedPlace]()
    for record in records:
        own = {id_: counted.pop(id_) for id_ in record.known_ids.own.values() if id_ in counted}
        name = str(record.address)
        found += [CountedPlace(name, id_, "", audience) for id_, audience in own.items()]
        found += _topics(index, record) if own and not others else []
    rest = counted.items() if others else ()
    return [*found, *(CountedPlace(id_, id_, "", audience) for id_, audience in sorted(rest))]


def _topics(index: LearnerIndex, record: Record) -> Iterator[CountedPlace]:
    for path, id_ in record.known_ids.parts.items():
        audience = index.topic_audience(id_)
        if audience != Audience():
            yield CountedPlace(str(record.address), id_, path, audience)


def learners_text(shown: Sequence[CountedPlace], as_of: datetime) -> str:
    """A line for each, and how old it all is."""
    names = [f"  {one.part}" if one.part else one.name for one in shown]
    width = max(map(len, names), default=0)
    lines = [f"{'':{width}}  {_HEAD[0]:>8}  {_HEAD[1]:>11}  {_HEAD[2]:>8}  {_HEAD[3]}"]
    for name, one in zip(names, shown, strict=True):
        enrolled, in_progress, finished, last = one.audience
        when = moment_text(last.isoformat()) if last else "-"
        lines.append(f"{name:{width}}  {enrolled:8,}  {in_progress:11,}  {finished:8,}  {when}")
    if not shown:
        lines = ["No event names any of this."]
    return "\n".join([*lines, f"As of {moment_text(as_of.isoformat())}."]) + "\n"


def explain_unread(unread: Sequence[Address]) -> str:
    """A line that says why learners of some resources are counted by an id, or not at all."""
    reads = "`lmssync drift` reads them, and `lmssync events pull` those that have learners"
    names = join_some(unread, 5)
    line = f"not counted by name, because no read has shown their ids yet: {names}; {reads}\n"
    return line if unread else ""


def learners_json(shown: Sequence[CountedPlace], as_of: datetime) -> dict[str, Any]:
    return {
        "format": "lmssync.learners/1",
        "asOf": as_of.isoformat(),
        "summary": {"shown": len(shown)},
        "learners": [
            {
                "name": one.name,
                "id": one.id,
                "part": one.part or None,
                "enrolled": one.audience.enrolled,
                "inProgress": one.audience.in_progress,
                "finished": one.audience.finished,
                "lastActivity": last.isoformat() if (last := one.audience.last_activity) else None,
            }
            for one in shown
        ],
    }


class PulledFeeds(NamedTuple):
    """The feeds that were pulled into one index."""

    environment: str
    file: Path
    feeds: Sequence[FeedPulled]

    def as_text(self) -> str:
        """A line for each feed, and what came of all of them."""
        width = max(len(feed.kind) for feed in self.feeds)
        lines = [f"{feed.kind:{width}}  {_said(feed)}" for feed in self.feeds]
        size = self.file.stat().st_size / _MEGABYTE
        new, calls = self._sum("new"), self._sum("calls")
        lines.append(
            f"{count_noun(new, 'new event')} in {count_noun(calls, 'call')}; "
            f"the index {self.file.name} has {size:,.1f} MB"
        )
        return "\n".join(lines) + "\n"

    def as_json(self) -> dict[str, Any]:
        counts = ("new", "known", "unreadable", "calls")
        return {
            "format": "lmssync.events.pull/1",
            "environment": self.environment,
            "summary": {
                **{name: self._sum(name) for name in counts},
                "refused": sum(bool(feed.refused) for feed in self.feeds),
            },
            "feeds": [
                {
                    "kind": feed.kind,
                    **{name: getattr(feed, name) for name in counts},
                    "refused": feed.refused or None,
                }
                for feed in self.feeds
            ],
            "index": {"file": str(self.file), "bytes": self.file.stat().st_size},
        }

    def _sum(self, name: str) -> int:
        return sum(getattr(feed, name) for feed in self.feeds)


def _said(feed: FeedPulled) -> str:
    parts = [f"{feed.new:,} new"]
    parts += [f"{feed.known:,} known already"] if feed.known else []
    parts += [f"{feed.unreadable:,} without a readable time, left out"] if feed.unreadable else []
    parts += [f"broken off: {feed.refused}"] if feed.refused else []
    return ", ".join(parts)


def on_the_way(feed: FeedPulled, oldest: int | None) -> str:
    """How far a feed has been read, while it is."""
    since = "" if oldest is None else datetime.fromtimestamp(oldest / 1000, UTC).isoformat()
    back = f", back to {moment_text(since)}" if since else ""
    return f"{feed.kind}: {count_noun(feed.new + feed.known, 'event')}{back}"


def encode_event_line(row: EventRow) -> bytes:
    """One event as a line of JSON; what it does not say is null."""
    return orjson.dumps({**row._asdict(), "time": _stamp(row)}, option=orjson.OPT_APPEND_NEWLINE)


def describe_event_row(row: EventRow) -> str:
    """One event on one line for people: `2026-03-02 10:04:00Z  quizAttempt  passed  person …`."""
    person = spell_person(row.person) if row.person else "nobody"
    place = "/".join(id_ for id_ in (row.subject, row.topic) if id_)
    when = f"{row.time:%Y-%m-%d %H:%M:%SZ}"
    return f"{when}  {row.kind:22}  {row.type or row.what:18}  {person}  {place}".rstrip()


def _csv(rows: Iterable[EventRow]) -> Iterator[bytes]:
    """Events as CSV: the names of the columns first; what an event does not say is empty."""
    yield join_csv_line(EventRow._fields)
    for row in rows:
        yield join_csv_line((_stamp(row), *row[1:]))


def _parquet(rows: Iterable[EventRow]) -> Iterator[bytes]:
    """Events as Parquet: the columns of the CSV, `time` as a timestamp. Raises `WrongUse` where
    pyarrow is missing."""
    missing = "Parquet is written by pyarrow, which is not installed"
    installs = "installs it; or use --format csv or ndjson"
    with require_extra("parquet", missing, installs=installs):
        import pyarrow as pa
        from pyarrow import parquet
    types: dict[str, Any] = dict.fromkeys(EventRow._fields, pa.string())
    schema = pa.schema({**types, "time": pa.timestamp("ms", tz="UTC")}.items())
    sink, left = pa.BufferOutputStream(), iter(rows)
    with parquet.ParquetWriter(sink, schema) as writer:
        while batch := [row._asdict() for row in islice(left, _BATCH)]:
            writer.write_table(pa.Table.from_pylist(batch, schema))
    yield sink.getvalue().to_pybytes()


def _stamp(row: EventRow) -> str:
    """`2026-03-02T10:04:00.000Z`."""
    return format_moment(row.time)


EVENT_WRITERS: Mapping[str, Callable[[Iterable[EventRow]], Iterator[bytes]]] = {
    "ndjson": lambda rows: map(encode_event_line, rows),
    "csv": _csv,
    "parquet": _parquet,
}
