"""Finds what has changed since lmssync last wrote to a resource, by the marks that a read shows."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from ...kind import part_name
from ...state import Record
from ...vocabulary.iso_dates import parse_moment

Marks = Mapping[str, str]
"""When each part was last changed, by its path."""
NO_MARKS: Marks = MappingProxyType({})
NOTICED = ""
"""The mark of a part that somebody has changed unseen: it stays noticed until git wins."""
EXACTNESS = timedelta(seconds=2)
"""The platform tells its time in whole seconds, and an answer takes a while to come."""
OWN = timedelta(seconds=60)
"""How long before it is recorded a write of ours may have been done."""
LAG = timedelta(seconds=60)
"""How far a list may be behind that does not say how old its items are (O27)."""


BEHIND = 10.0
"""Seconds after a write of ours in which a read may not show yet what it has made (O31)."""


def seconds_behind(record: Record, now: datetime, ahead: float) -> float:
    """For how many seconds after `now` a read may still not show what is recorded, up to `BEHIND`.
    `ahead` is how many seconds the clock of the platform is ahead of ours."""
    written = parse_change_mark(record.applied_at)
    if written is None:
        return 0.0
    age = (now + timedelta(seconds=ahead) - written).total_seconds()
    return max(0.0, min(BEHIND, BEHIND - age))


def seconds_until_shown(moment: datetime, now: datetime) -> float:
    """For how many seconds after `now` a read may not show all that was written before a moment."""
    return max(0.0, BEHIND - (now - moment).total_seconds())


class ChangeMarks(NamedTuple):
    """The last write to a resource, as far as it is known."""

    known: Marks
    """Of an earlier look, if there was one."""
    written: datetime | None
    """When the last write was recorded, by the platform's clock."""
    now: datetime
    """By the platform's clock."""

    @classmethod
    def since_record(cls, record: Record, known: Marks, ahead: float) -> Self:
        """`ahead` is how many seconds the clock of the platform is ahead of ours."""
        now = datetime.now(UTC) + timedelta(seconds=ahead)
        return cls(known, parse_change_mark(record.applied_at), now)

    def changed_paths(self, marks: Marks) -> Iterator[str]:
        """The paths of parts that somebody else has changed: later than our last write; or before,
        if an earlier look knows the part with another mark."""
        if self.written is None:
            return
        # A mark inside this window is our own write: the platform dates it when it works, we when
        # we record its answer, up to a minute later.
        own, latest = self.written - OWN, self.written + EXACTNESS
        for path, mark in marks.items():
            when = None if self.known.get(path) == mark else parse_change_mark(mark)
            if when and (when > latest or (when < own and path in self.known)):
                yield path

    def is_untouched(self, marks: Marks) -> bool:
        """Whether nobody else has changed a part, and no earlier look has noticed that."""
        return NOTICED not in self.known.values() and next(self.changed_paths(marks), None) is None

    def may_be_behind(self, item: Any, newest: str) -> bool:
        """Whether an item of a list that lags may be older than the last change of the resource;
        `newest` is when another read says that it was changed."""
        mine, latest = parse_change_mark(changed_at(item)), parse_change_mark(newest)
        if mine is None:
            return bool(self.written and self.now < self.written + LAG)
        return bool(latest and mine < latest)


def changed_at(answer: Any) -> str:
    """When the thing that an answer is about was last changed, if it says so."""
    given = answer.get("updatedAt") if isinstance(answer, dict) else None
    return given if isinstance(given, str) else ""


class AgedAttestation(NamedTuple):
    """Somebody has said that a part was filled, and it was changed after that."""

    path: str
    by: str
    on: str
    changed_at: str
    """As the platform says it; empty for one that is not there any more."""
    place: Sequence[str | int] = ()
    """Where the document says so."""

    @property
    def in_words(self) -> str:
        since = f"changed on {self.changed_at[:10]} by hand" if self.changed_at else "and is gone"
        return f"filled on {self.on}, {since}"

    @property
    def remedy(self) -> str:
        """What an author has to do."""
        if not self.changed_at:
            return "delete its `attested`: a page that is made in its place is empty"
        return (
            "look at it, and write the day of that into `attested`, with "
            f"`updatedAt: {self.changed_at}`"
        )


_DAY_ENDS = timedelta(days=1, hours=12)
"""When a day is over everywhere."""
_SECOND = timedelta(seconds=1)
"""As exactly as authors write the time of a version."""


def find_aged_attestations(
    attested: Mapping[str, Mapping[str, Any]],
    marks: Marks,
    gone: Collection[str],
    list_writes: Callable[[], Iterable[tuple[datetime, datetime]]],
) -> list[AgedAttestation]:
    """The parts that somebody else has changed or deleted since people said that they are filled.

    `attested` is the fact of that name, `gone` are the paths of parts that are not there any more;
    `list_writes` says from when to when lmssync wrote to the resource, which moves marks as well.
    """
    aged: list[AgedAttestation] = []
    for path, said in attested.items():
        mark = marks.get(path, "")
        changed, filled = parse_change_mark(mark), parse_change_mark(said["on"])
        if said.get("updatedAt") and (version := parse_change_mark(said["updatedAt"])):
            filled = version + _SECOND
        elif filled:
            filled += EXACTNESS if "T" in said["on"] else _DAY_ENDS
        is_gone = any(f"{part_name(path)}/".startswith(f"{part}/") for part in gone)
        if is_gone or (changed and filled and changed >= filled):
            shown = "" if is_gone else mark
            aged.append(AgedAttestation(path, said["by"], said["on"][:10], shown, said["place"]))
    if not any(one.changed_at for one in aged):
        return aged
    writes = [*list_writes()]
    return [one for one in aged if not _is_within_write(one.changed_at, writes)]


def _is_within_write(mark: str, writes: Iterable[tuple[datetime, datetime]]) -> bool:
    changed = parse_change_mark(mark)
    return changed is not None and any(begun <= changed <= end for begun, end in writes)


@lru_cache(maxsize=256)  # the parts of what was made in one call have the same mark
def parse_change_mark(text: str) -> datetime | None:
    """A date of the platform or of ours; None if it is not one."""
    try:
        return parse_moment(text)
    except ValueError:
        return None
