"""Parts that people have added on the platform, or moved to another place, as text and as JSON."""

from typing import Any

from ..kind import LivePart, part_name


def part_text(part: LivePart) -> str:
    """What happened to one: `topic “Extra” was added on the platform`."""
    what = f"{part.noun} “{part.title}”"
    if part.was:
        return f"{what} was moved here on the platform, from {part_name(part.was)}"
    return f"{what} was added on the platform"


def part_json(part: LivePart) -> dict[str, Any]:
    """Its path, and that of where it was; `after` is the id of the part in front of it."""
    return {
        "part": part.path,
        "type": part.noun,
        "title": part.title,
        "after": part.ahead[0] if part.ahead else None,
        "was": part.was or None,
    }
