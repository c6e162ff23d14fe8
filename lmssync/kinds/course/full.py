"""A whole course as some instances give it: flat dotted keys, or nested (O28)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...kind import Json
from .tree import walk_parts

_LISTS = {
    "section": "sections",
    "lesson": "lessons",
    "topic": "topics",
    "language": "languages",
}
"""The word before a number in a dotted key, and the list that it counts."""
_STEP = re.compile(rf"({'|'.join(_LISTS)})\.([0-9]+)\.")
_PLACE = re.compile(rf"(?:{_STEP.pattern})*")
"""What a dotted key begins with: the part that its last name belongs to."""


def nest_full_course(answer: Json) -> Json:
    """The course with its lists: `section.0.lesson.0.title` stands in the first lesson of the first
    section. What is nested already stays as it is."""
    if "sections" in answer:
        return answer
    course: dict[str, Any] = {"sections": []}
    parts: dict[str, dict[str, Any]] = {}
    for key, value in answer.items():
        end = key.rfind(".") + 1
        part = parts.get(key[:end])
        if part is None:  # the first field of a part, or one whose own name has a dot
            end = found.end() if (found := _PLACE.match(key)) else 0
            part = _part_at(course, key[:end])
            if part is None:
                continue
            parts[key[:end]] = part
        part[key[end:]] = value
    return course


def _part_at(course: dict[str, Any], place: str) -> dict[str, Any] | None:
    """The part at a place such as `section.0.lesson.1.`, which may be a new one."""
    part = course
    for word, digits in _STEP.findall(place):
        items, number = part.setdefault(_LISTS[word], []), int(digits)
        if number > len(items):
            return None  # a gap: what comes after it would have another place
        if number == len(items):
            items.append({level: [] for level in _empty_list_below(word)})
        part = items[number]
    return part


def _empty_list_below(word: str) -> Iterator[str]:
    """The list that is empty where nothing is said of it."""
    below = {"section": "lessons", "lesson": "topics"}.get(word)
    if below:
        yield below


def shape_as_read(course: Json) -> Json | None:
    """A nested course as the plain read shows it (O22), if the ids of its parts are shown."""
    parts = [item for _, _, items in walk_parts(course) for item in items]
    known = all(isinstance(part, Mapping) and part.get("id") and "title" in part for part in parts)
    whole = known and "id" in course and "courseGroupId" in course and "title" in course
    return course if whole else None
