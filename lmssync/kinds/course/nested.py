"""The full content of a course with its parts in lists, however an instance spells it (O28)."""

import re
from typing import Any

from ...kind import Json

_STEP = re.compile(r"(section|lesson|topic|language)\.(\d+)\.")
_LISTS = {"section": "sections", "lesson": "lessons", "topic": "topics", "language": "languages"}


def nested(answer: Json) -> Json:
    """`section.0.lesson.0.title` of flat keys as `sections[0]["lessons"][0]["title"]`."""
    if answer is None or isinstance(answer.get("sections"), list):
        return answer
    whole: dict[str, Any] = {"sections": []}
    for key, value in answer.items():
        holder, rest = whole, key
        while found := _STEP.match(rest):
            items = holder.setdefault(_LISTS[found[1]], [])
            while len(items) <= int(found[2]):
                items.append({})
            holder, rest = items[int(found[2])], rest[found.end() :]
        holder[rest] = value
    for section in whole["sections"]:
        for lesson in section.setdefault("lessons", []):
            lesson.setdefault("topics", [])
    return whole
