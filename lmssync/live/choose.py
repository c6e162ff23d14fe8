"""Chooses the fewest readings of a resource that prove the most."""

from collections.abc import Collection, Iterable, Iterator, Set

from ..kind import Reading, Reads
from ..state import Record
from .fields import declared, leaves


def chosen(
    reads: Reads, record: Record, routes: Set[str], fields: Collection[str] | None = None
) -> Iterator[Reading]:
    """The readings to make of a record, or of some of its fields; `routes` are those that the
    instance has."""
    able = (
        reading
        for reading in reads.readings
        if (request := reading.request(record.address, record.form))
        and ({request.route, *_whole(reading)} & routes)
    )
    paths = list(leaves(record.form))
    return needed(able, paths if fields is None else [path for path in paths if path in fields])


def _whole(reading: Reading) -> Iterator[str]:
    if reading.listed and reading.listed.whole:
        yield reading.listed.whole.route


def needed(readings: Iterable[Reading], paths: Collection[str]) -> Iterator[Reading]:
    """Of readings in their order, those that prove a field which no earlier one does."""
    left = list(paths)
    for reading in readings:
        rest = [path for path in left if not declared(reading.proves, path)]
        if len(rest) < len(left) or any(declared(reading.apart, path) for path in paths):
            yield reading
        left = rest
