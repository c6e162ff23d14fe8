"""An index of learners that is filled by hand, and events as feeds show them."""

from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from lmssync.learners.events import LearnerIndex
from lmssync.learners.events.feed_events import parse_learner_event
from lmssync.learners.events.index_file import EventWriter, open_to_write

COURSE, TOPIC, LICENSE = "c0ffee00-1", "70b1c000-1", "11ce25e0-1"
_NUMBERS = count()


def event(type_: str, who: str = "ann", at: int = 1, **more: Any) -> Any:
    """A courseAction as a feed shows it, in that minute of a day."""
    return {
        "id": f"event-{next(_NUMBERS)}",
        "timestamp": f"2026-03-02T10:{at:02}:00.000Z",
        "type": type_,
        "notifiableId": COURSE,
        "user": f"{who}@school.example",
        "userDetail": {"id": f"id-of-{who}", "email": f"{who}@school.example"},
        **more,
    }


class Feeds:
    """An index that is filled by hand."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._db = open_to_write(file, None, "prod", "https://one.example:443")
        self._writer = EventWriter(self._db)
        noon = int(datetime(2026, 3, 2, 12, tzinfo=UTC).timestamp() * 1000)
        self._db.execute("INSERT INTO feed (kind, pulled) VALUES ('courseAction', ?)", (noon,))

    def show(self, *events: Any, kind: str = "courseAction") -> int:
        """How many of the events are new."""
        return len(
            self._writer.keep_events([one for e in events if (one := parse_learner_event(kind, e))])
        )

    @property
    def index(self) -> LearnerIndex:
        opened = LearnerIndex.open_index(self._file)
        assert opened
        return opened
