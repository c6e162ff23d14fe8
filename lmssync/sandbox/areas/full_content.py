"""`course.full`: a course with every body, as flat dotted keys or nested (O28)."""

from collections.abc import Iterator
from typing import Any

from ..serving.exchange import Answer, Call
from ..world import World
from . import mistaken_id
from .course_read import course_of
from .groups import session_as_wire

Doc = dict[str, Any]
SINGULAR = {"sections": "section", "lessons": "lesson", "topics": "topic", "languages": "language"}
"""Lists whose items are numbered under the singular in dotted keys."""
READ_NAMES = {"releaseDate": "releaseAt", "openType": "accessLevel"}
"""O23."""


def read(world: World, call: Call) -> Answer:
    """In the form of the switch `fullContent`; a group's id stands for its first session."""
    course = course_of(world, call.path["id"])
    if course is None:
        return mistaken_id.refused(world, call.path["id"], meant="course")
    whole = {**session_as_wire(course), "sections": _renamed(course["sections"])}
    if world.switches.fullContent == "flat":
        return Answer(dict(_flat(whole, "")))
    return Answer(whole)


def _renamed(value: Any) -> Any:
    if isinstance(value, list):
        return [_renamed(item) for item in value]
    if isinstance(value, dict):
        return {READ_NAMES.get(name, name): _renamed(held) for name, held in value.items()}
    return value


def _flat(doc: Doc, place: str) -> Iterator[tuple[str, Any]]:
    for name, value in doc.items():
        if name in SINGULAR and isinstance(value, list):
            for number, item in enumerate(value):
                yield from _flat(item, f"{place}{SINGULAR[name]}.{number}.")
        else:
            yield place + name, value
