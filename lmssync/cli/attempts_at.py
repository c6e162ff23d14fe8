"""Which course and which quiz people mean: by address and path, or by uuid."""

from typing import TYPE_CHECKING

from ..errors import WrongUse
from ..kinds import is_uuid
from . import meanings

if TYPE_CHECKING:
    from ..state import Record, Store


def ids_of(store: "Store", course: str, topic: str | None) -> tuple[frozenset[str], str]:
    """The ids by which events may name the course, and that of the topic, if there is one.

    Raises `WrongUse` for what is not recorded.
    """
    record = None if is_uuid(course) else _record(store, course)
    courses = record.ids.own.values() if record else [course]
    if not topic or is_uuid(topic):
        return frozenset(map(str.lower, courses)), (topic or "").lower()
    if record is None:
        raise WrongUse("--topic is an id in a course, but --course is no address", "give its uuid")
    return frozenset(map(str.lower, courses)), _part(record, topic)


def _record(store: "Store", course: str) -> "Record":
    record = store.record(meanings.address(course))
    if record is None:
        raise WrongUse(f"nothing is recorded for {course}", "`lmssync state list` shows what is")
    return record


def _part(record: "Record", topic: str) -> str:
    """A path of the course, or the last id of one where that is enough."""
    from ..problems import near

    parts = record.ids.parts
    paths = [path for path in parts if path == topic or path.endswith(f"/{topic}")]
    if len(paths) == 1:
        return parts[paths[0]].lower()
    if paths:
        raise WrongUse(f"`{topic}` is in {record.address} more than once: {', '.join(paths)}")
    hint = near(topic, parts) or f"`lmssync outline {record.address}` shows its parts"
    raise WrongUse(f"{record.address} has no part `{topic}` that is recorded", hint)
