"""What became of each release: when its apply began, from which serial, and what is open of it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import orjson

from ..vocabulary.iso_dates import parse_moment

RELEASES = "releases"
"""The key of the row of `meta` with all of them: no record changes, so the format and the serial
stay."""


WHILE_RUNNING = "done or not: the next apply of the release finds out"
"""The reason that is written before the first call, and that stays if the run is killed."""


class ReleaseRecord(NamedTuple):
    """A release of which an apply has begun."""

    name: str
    at: str
    """Its moment as its file has it: with another moment it is another release."""
    before: int
    """The serial of the state that it was begun with."""
    begun: str
    addresses: Sequence[str] = ()
    """Everything that its plans were to change."""
    left: Sequence[tuple[str, str]] = ()
    """Addresses that are not as planned yet, each with the reason."""
    undo: Sequence[tuple[str, str]] = ()
    """Addresses of which only people can undo what it did, each with the way."""
    ended: str = ""
    """When every call was done; empty before that."""
    after: int = 0
    """The serial of the state that it was ended with."""
    commit: str = ""
    """The commit of the catalog that it was applied from at last."""


class ReleaseProgress(NamedTuple):
    """Where a release has come to, for people who look at it."""

    name: str
    owner: str
    about: str
    at: datetime | None
    begun: str = ""
    ended: str = ""
    left: Sequence[tuple[str, str]] = ()
    """Addresses that are not as planned yet, and those that wait for a person, with the reason."""

    @property
    def is_complete(self) -> bool:
        return bool(self.ended) and not self.left

    @property
    def has_unended_run(self) -> bool:
        """Whether its latest run goes on or was killed: either way nothing says how far it came."""
        return WHILE_RUNNING in dict(self.left).values()

    def is_due(self, now: datetime) -> bool:
        """Whether its moment has come and not all of it is sent."""
        return not self.ended and self.at is not None and self.at <= now

    def describe_stage(self, now: datetime) -> str:
        """`waiting`, `due`, `open`, `by hand` (a person has to do something) or `complete`."""
        if self.ended:
            return "by hand" if self.left else "complete"
        if self.begun:
            return "open"
        return "due" if self.is_due(now) else "waiting"


def find_release_record(
    known: Mapping[str, ReleaseRecord], name: str, at: str
) -> ReleaseRecord | None:
    """What became of a release with this moment; as long as it is open, it may have any."""
    record = known.get(name)
    return None if record and record.ended and record.at != at else record


def parse_releases(text: str) -> dict[str, ReleaseRecord]:
    """The releases in the row of the state, by name; raises `ValueError` for any other text."""
    try:
        rows = [ReleaseRecord(**row) for row in orjson.loads(text or "[]")]
        for row in rows:
            parse_moment(row.begun)
            int(row.before)
    except TypeError as error:
        raise ValueError(str(error)) from None
    return {row.name: row for row in rows}


def spell_releases(records: Iterable[ReleaseRecord]) -> str:
    """The text for the row of releases."""
    return orjson.dumps([one._asdict() for one in records]).decode()
