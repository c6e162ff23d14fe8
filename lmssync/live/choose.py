"""Chooses the fewest readings of a resource that prove the most."""

from collections.abc import Iterator, Set

from ..kind import Reading, Reads
from ..state import Record


def chosen(reads: Reads, record: Record, routes: Set[str]) -> Iterator[Reading]:
    """The readings to make, in their order: one that proves nothing new is passed over."""
    proven: set[str] = set()
    for reading in reads.readings:
        request = reading.request(record.address, record.form)
        if request is None or request.route not in routes or reading.proves <= proven:
            continue
        proven |= reading.proves
        yield reading
