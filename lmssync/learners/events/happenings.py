"""What one event of a feed says, without who it names (spec 6, O40, O52)."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ...vocabulary.enums import EventKind, FurtherEventKind
from .deeds import OLDER, Deed, deed_of

KINDS = tuple(str(kind) for kind in EventKind)
"""The eight feeds of spec 6."""
FURTHER = tuple(str(kind) for kind in FurtherEventKind)
"""Feeds that some instances have besides (O53)."""
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Ids are uuids or composed (O52). What has another form is not kept: it may be an address."""
_TELLING = ("attemptId", "certificateId", "grade", "passed", "forgiven", "status", "milestoneTitle")
"""What tells events apart that have no id, besides time, person and subject."""


class Happening(NamedTuple):
    """One event. Who it is about stands here as the feed has it, and is written nowhere."""

    at: int
    """Milliseconds since 1970, UTC."""
    feed: str
    """The feed that it belongs to: courseAction for what the two older feeds show."""
    type: str
    source: str
    deed: Deed
    subject: str
    """Id of the course (the session, not its group: O40) or of the learning path."""
    part: str
    """Id of the topic: an assessment or an assignment."""
    license: str
    people: tuple[str, ...]
    """Who it is about: user id and e-mail address, in small letters."""
    client: str
    id: str
    """Empty where the feed shows none (O40)."""
    natural: str
    """What tells it from others where there is no id."""
    attempt: str = ""
    """Id of the attempt at an assessment, where the instance shows it; no index keeps it."""


def parse_happening(kind: str, event: Any) -> Happening | None:
    """One item of the feed `kind`; nothing where it has no time that can be read."""
    if not isinstance(event, Mapping):
        return None
    at = moment_of(event.get("timestamp"))
    if at is None:
        return None
    person = _as_mapping(event.get("userDetail"))
    feed = str(EventKind.COURSE_ACTION) if kind in OLDER else kind
    id_ = event.get("id")
    seen = Happening(
        at=at,
        feed=feed,
        type=OLDER.get(kind) or _text_of(event.get("type")),
        source=_text_of(event.get("source")),
        deed=deed_of(kind, event),
        subject=_normalize_id(event.get("notifiableId")),
        part=_normalize_id(_as_mapping(event.get("assessment")).get("id"))
        or _normalize_id(event.get("assignmentId")),
        license=_normalize_id(event.get("license")),
        people=_find_people(event, person),
        client=_normalize_id(person.get("client")),
        id=f"{feed} {id_}" if id_ and isinstance(id_, (str, int)) else "",
        natural="",
        attempt=_normalize_id(event.get("attemptId")),
    )
    return seen._replace(natural=_natural_key(seen, event))


def _natural_key(seen: Happening, event: Mapping[str, Any]) -> str:
    """Without titles and names: they may have changed when the event is shown again."""
    more = "" if seen.feed == EventKind.COURSE_ACTION else [event.get(name) for name in _TELLING]
    who = seen.people[:1]
    return repr((seen.feed, seen.type, seen.deed.value, who, seen.subject, seen.part, more))


def moment_of(text: Any) -> int | None:
    """ISO 8601 as milliseconds since 1970; nothing for what is no time."""
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return round(moment.timestamp() * 1000)
    except (TypeError, ValueError, OverflowError):
        return None


def _find_people(event: Mapping[str, Any], person: Mapping[str, Any]) -> tuple[str, ...]:
    named = (person.get("id"), person.get("email") or event.get("user"))
    small = (one.strip().lower() for one in named if isinstance(one, str))
    return tuple(one for one in small if one)


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""


def _normalize_id(value: Any) -> str:
    """An id in the one spelling in which ids are compared; empty for anything else."""
    return value.lower() if isinstance(value, str) and _ID.fullmatch(value) else ""


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
