"""`event.list`: the eight polled feeds of events (spec 6, O40, O42), and further ones (O53)."""

from collections.abc import Iterable, Iterator
from functools import partial
from heapq import merge
from itertools import islice
from typing import NamedTuple

from lmssync.vocabulary.enums import EventKind, FurtherEventKind
from lmssync.vocabulary.limits import EVENTS_PER_ANSWER

from ..api_keys import Key
from ..http_messages import Answer, Refusal, bad_request
from ..people.event_feed import OLDER, content_of, feed_item, subject_of
from ..sandbox_documents import Doc, seconds_of
from ..sandbox_platform import Call, Platform
from ..value_checks import quote_value
from .list_pages import wrap_list

_DIGITS = 15
"""Of Unix milliseconds: far more than any date that can be written."""


class Position(NamedTuple):
    """Where a walk goes on: a moment, and how many events of that moment were sent."""

    moment: int
    sent: int


class Wanted(NamedTuple):
    """What a request asks of a feed; None asks nothing. Both dates belong to the span.

    A key of scope `client` gets the events of its clients' learners only (not shown).
    """

    kind: str
    since: int | None
    until: int | None
    course: str | None
    user: str | None
    key: Key

    def includes_event(self, event: Doc) -> bool:
        person = content_of(event).get("userDetail") or {}
        return (
            self.course in (None, subject_of(event, kind=self.kind))
            and self.user in (None, person.get("id"))
            and self.key.may_see_client(str(person.get("client")))
        )


def list_events(platform: Platform, call: Call) -> Answer:
    """Newest first, 100 an answer; `cursor` is there only while `hasMore` is true (O42)."""
    kind = call.path["kind"]
    feeds = feeds_of(platform)
    if kind not in feeds:
        known = ", ".join(feeds)
        raise Refusal(404, f"{quote_value(kind)} is not an event feed; the feeds are {known}")
    wanted = _read_wanted(call, kind)
    position = _read_position(call.last_value("cursor"))
    unsent = _skip_shown(_find_matching(platform, kind, wanted, position=position), position)
    events = list(islice(unsent, EVENTS_PER_ANSWER + 1))
    show = partial(feed_item, platform, kind=kind)
    more = len(events) > EVENTS_PER_ANSWER
    info = {**({"cursor": event_cursor(events, position)} if more else {}), "hasMore": more}
    page = map(show, events[:EVENTS_PER_ANSWER])
    whole = map(show, _find_matching(platform, kind, wanted, position=None))
    return wrap_list(platform, "events", page, info=info, whole=whole)


def feeds_of(platform: Platform) -> tuple[str, ...]:
    """Eight kinds (spec 6); the extended profile has the feeds of other instances besides (O53)."""
    further = FurtherEventKind if platform.profile == "extended" else ()
    return tuple(str(kind) for kind in (*EventKind, *further))


def _read_wanted(call: Call, kind: str) -> Wanted:
    since, until = _read_milliseconds(call, "startDate"), _read_milliseconds(call, "endDate")
    given = (call.last_value(name) or "" for name in ("notifiableId", "userId"))
    course, user = (id_.lower() or None for id_ in given)
    return Wanted(kind, since, until, course, user, call.key)


def _find_matching(
    platform: Platform, kind: str, wanted: Wanted, *, position: Position | None
) -> Iterator[Doc]:
    """The events of a feed that are asked for, newest first, from the moment of `position` on."""
    ends = (wanted.until, position and position.moment)
    until = min((moment for moment in ends if moment is not None), default=None)
    read = partial(platform.objects.list_newest_first, "events", since=wanted.since, until=until)
    found = read(kind)
    if kind in OLDER:
        actions = (one for one in read(EventKind.COURSE_ACTION) if one.get("type") == OLDER[kind])
        found = merge(found, actions, key=_event_moment, reverse=True)
    return filter(wanted.includes_event, found)


def _skip_shown(events: Iterable[Doc], position: Position | None) -> Iterator[Doc]:
    """Yield the events without those of the position's moment that earlier pages have shown."""
    left = position.sent if position else 0
    for event in events:
        if position and left and _event_moment(event) == position.moment:
            left -= 1
            continue
        yield event


def event_cursor(events: list[Doc], position: Position | None) -> str:
    """The position of the last of `events`: Unix milliseconds (spec 4), and after a point how many
    events of that millisecond were sent, where it is cut in two."""
    moment = _event_moment(events[-1])
    sent = sum(_event_moment(event) == moment for event in events[:-1])
    if position and position.moment == moment:
        sent += position.sent
    return f"{moment}.{sent}" if sent else str(moment)


def _read_position(cursor: str | None) -> Position | None:
    """What a cursor holds; 400 where it is none of ours."""
    if not cursor:
        return None
    moment, _, sent = cursor.partition(".")
    if not _is_number(moment) or (sent and not _is_number(sent)):
        raise bad_request(f"cursor: {quote_value(cursor)} is not a cursor of this list")
    return Position(int(moment), int(sent or 0))


def _read_milliseconds(call: Call, name: str) -> int | None:
    given = call.last_value(name)
    if not given:
        return None
    if not _is_number(given):
        raise bad_request(
            f"{name}: {quote_value(given)} is not allowed; it must be a time in Unix milliseconds"
        )
    return int(given)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS


def _event_moment(event: Doc) -> int:
    return round(seconds_of(event["timestamp"]) * 1000)
