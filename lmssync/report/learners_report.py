"""How many learners are where, as text and as JSON."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from ..learners.events import Audience, LearnerIndex
from ..state import Record

FORMAT = "lmssync.learners/1"
_HEAD = ("enrolled", "in progress", "finished", "last activity")


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
        own = {id_: counted.pop(id_) for id_ in record.ids.own.values() if id_ in counted}
        name = str(record.address)
        found += [CountedPlace(name, id_, "", audience) for id_, audience in own.items()]
        found += _topics(index, record) if own and not others else []
    rest = counted.items() if others else ()
    return [*found, *(CountedPlace(id_, id_, "", audience) for id_, audience in sorted(rest))]


def _topics(index: LearnerIndex, record: Record) -> Iterator[CountedPlace]:
    for path, id_ in record.ids.parts.items():
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
        when = f"{last:%Y-%m-%d %H:%M}" if last else "-"
        lines.append(f"{name:{width}}  {enrolled:8,}  {in_progress:11,}  {finished:8,}  {when}")
    if not shown:
        lines = ["No event names any of this."]
    return "\n".join([*lines, f"As of {as_of:%Y-%m-%d %H:%M} UTC."]) + "\n"


def learners_json(shown: Sequence[CountedPlace], as_of: datetime) -> dict[str, Any]:
    return {
        "format": FORMAT,
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
