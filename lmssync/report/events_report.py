"""What a pull of the event feeds has brought."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from ..learners.events import FeedPulled
from . import words

FORMAT = "lmssync.events.pull/1"
_MEGABYTE = 1_000_000


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
            f"{words.count_noun(new, 'new event')} in {words.count_noun(calls, 'call')}; "
            f"the index {self.file.name} has {size:,.1f} MB"
        )
        return "\n".join(lines) + "\n"

    def as_json(self) -> dict[str, Any]:
        counts = ("new", "known", "unreadable", "calls")
        return {
            "format": FORMAT,
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
    back = f", back to {minute(oldest)}" if oldest is not None else ""
    return f"{feed.kind}: {words.count_noun(feed.new + feed.known, 'event')}{back}"


def minute(milliseconds: int) -> str:
    """`2026-03-02 10:04` UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")
