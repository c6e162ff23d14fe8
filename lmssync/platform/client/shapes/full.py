"""A whole course as some instances give it: flat dotted keys, or nested (O28)."""

import re
from collections.abc import Iterator
from typing import Any

from .words import ABSENT, AnswerShape, Object, Text, Uuid

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


def nest_full_course(answer: Object) -> Object:
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


class _Page(AnswerShape):
    """What learners see, in one language."""

    body: Text | None = None
    preTextBlock: Text | None = None
    postTextBlock: Text | None = None


class _Part(_Page):
    """What is said of a part has its type, but nothing has to be said."""

    id: Uuid = ABSENT
    title: Text = ABSENT
    languages: list[_Page] | None = None


class _Topic(_Part):
    type: Text = ABSENT
    updatedAt: Text | None = None


class _Lesson(_Part):
    accessLevel: Text | None = None
    topics: list[_Topic]


class _Section(_Part):
    releaseAt: Text | None = None
    lessons: list[_Lesson]


class FullCourse(AnswerShape):
    """O28, nested."""

    id: Uuid
    title: Text
    courseGroupId: Text = ABSENT
    status: Text | None = None
    sku: Text | None = None
    sections: list[_Section]
