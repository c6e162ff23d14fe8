"""Events as lines of JSON, as CSV, or as Parquet."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import orjson

from ..errors import WrongUse
from ..learners.events import EventRow
from ..support.persons import spell_person
from .tables import join_csv_line

_BATCH = 50_000
"""Rows of a Parquet file that are put together at a time."""


def line(row: EventRow) -> bytes:
    """One event as a line of JSON; what it does not say is null."""
    return orjson.dumps({**row._asdict(), "time": _stamp(row)}, option=orjson.OPT_APPEND_NEWLINE)


def sentence(row: EventRow) -> str:
    """One event on one line for people: `2026-03-02 10:04:00  quizAttempt  passed  person …`."""
    person = spell_person(row.person) if row.person else "nobody"
    place = "/".join(id_ for id_ in (row.subject, row.topic) if id_)
    when = f"{row.time:%Y-%m-%d %H:%M:%S}"
    return f"{when}  {row.kind:22}  {row.type or row.what:18}  {person}  {place}".rstrip()


def _ndjson(rows: Iterable[EventRow]) -> Iterator[bytes]:
    return map(line, rows)


def _csv(rows: Iterable[EventRow]) -> Iterator[bytes]:
    """With the names of the columns first; what an event does not say is empty."""
    yield join_csv_line(EventRow._fields)
    for row in rows:
        yield join_csv_line((_stamp(row), *row[1:]))


def _parquet(rows: Iterable[EventRow]) -> Iterator[bytes]:
    """The same columns, `time` as a timestamp. Raises `WrongUse` where pyarrow is missing."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise WrongUse(
            "Parquet is written by pyarrow, which is not installed",
            "pip install 'lmssync[parquet]', or use --format csv or ndjson",
        ) from None
    types: dict[str, Any] = dict.fromkeys(EventRow._fields, pa.string())
    schema = pa.schema({**types, "time": pa.timestamp("ms", tz="UTC")}.items())
    sink, left = pa.BufferOutputStream(), iter(rows)
    with parquet.ParquetWriter(sink, schema) as writer:
        while batch := [row._asdict() for row in islice(left, _BATCH)]:
            writer.write_table(pa.Table.from_pylist(batch, schema))
    yield sink.getvalue().to_pybytes()


def _stamp(row: EventRow) -> str:
    """`2026-03-02T10:04:00.000Z`."""
    return row.time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


FORMATS: Mapping[str, Callable[[Iterable[EventRow]], Iterator[bytes]]] = {
    "ndjson": _ndjson,
    "csv": _csv,
    "parquet": _parquet,
}
