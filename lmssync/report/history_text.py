"""What has happened to the state, for people and as JSON."""

from collections.abc import Callable, Sequence
from typing import Any

from ..state import Event
from ..support.visible import escape_invisible
from . import words

FORMAT = "lmssync.history/1"
_NAMES = 3
"""How many addresses a line names."""
_DIGITS = 7
"""Digits of a digest and of a commit that people compare."""

Picks = Callable[[str], bool]
"""True for an address that was asked for."""


def history_text(events: Sequence[Event], picks: Picks = lambda _address: True) -> str:
    """A line an event; of many addresses it names the first that were asked for."""
    width = max((len(event.what) for event in events), default=0)
    lines = [f"{e.time[:19]}  {e.what:<{width}}  {_line(e, picks)}".rstrip() for e in events]
    return "".join(f"{escape_invisible(line)}\n" for line in [*lines, *["Nothing."] * (not events)])


def _line(event: Event, picks: Picks) -> str:
    names = [_name(event, address) for address in event.addresses if picks(address)]
    names += [_name(event, address) for address in event.addresses if not picks(address)]
    shown = words.some(names, _NAMES, full=False)
    more = f" and {len(names) - len(shown):,} more" if len(shown) < len(names) else ""
    about = f"{event.route}: {', '.join(shown)}{more}" if event.route else ", ".join(shown) + more
    note = f"{': ' if names else ''}{event.note}" if event.note else ""
    return f"{about}{note}{_origin(event)}"


def _name(event: Event, address: str) -> str:
    """`old → new` for what has moved there."""
    was = next((old for old, new in event.moved.items() if new == address), "")
    return f"{was} → {address}" if was else address


def _origin(event: Event) -> str:
    named = {"plan": event.plan, "commit": event.commit}
    words_ = [f"{what} {value[:_DIGITS]}" for what, value in named.items() if value]
    return f"  ({', '.join(words_)})" if words_ else ""


def history_json(events: Sequence[Event]) -> dict[str, Any]:
    """Whole, with every address; oldest first."""
    return {"format": FORMAT, "entries": [_entry(event) for event in events]}


def _entry(event: Event) -> dict[str, Any]:
    return event._asdict() | {"addresses": list(event.addresses), "moved": dict(event.moved)}
