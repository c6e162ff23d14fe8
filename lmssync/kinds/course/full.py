"""A whole course as some instances give it: flat dotted keys, or nested (O28)."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...kind import Json
from .tree import walk

_LISTS = {
    "section": "sections",
    "lesson": "lessons",
    "topic": "topics",
    "language": "languages",
}
"""The word before a number in a dotted key, and the list that it counts."""


def nested(answer: Json) -> Json:
    """The course with its lists: `section.0.lesson.0.title` stands in the first lesson of the first
    section. What is nested already stays as it is."""
    if "sections" in answer:
        return answer
    course: dict[str, Any] = {"sections": []}
    for key, value in answer.items():
        _put(course, key.split("."), value)
    return course


def _put(holder: dict[str, Any], steps: list[str], value: Any) -> None:
    word, *rest = steps
    if word not in _LISTS or len(rest) < 2 or not rest[0].isdigit():  # noqa: PLR2004 - number, name
        holder[".".join(steps)] = value
        return
    items, number = holder.setdefault(_LISTS[word], []), int(rest[0])
    if number > len(items):
        return  # a gap: what comes after it would have another place
    if number == len(items):
        items.append({level: [] for level in _below(word)})
    _put(items[number], rest[1:], value)


def _below(word: str) -> Iterator[str]:
    """The list that is empty where nothing is said of it."""
    below = {"section": "lessons", "lesson": "topics"}.get(word)
    if below:
        yield below


def shaped(course: Json) -> Json | None:
    """A nested course as the plain read shows it (O22), if the ids of its parts are shown."""
    parts = [item for _, _, items in walk(course) for item in items]
    known = all(isinstance(part, Mapping) and part.get("id") and "title" in part for part in parts)
    whole = known and "id" in course and "courseGroupId" in course and "title" in course
    return course if whole else None
