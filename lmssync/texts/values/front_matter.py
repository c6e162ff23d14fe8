"""Settings at the head of a Markdown text, which other tools take out before they render it."""

import re

_FRONT_LINE = re.compile(r"[ \t#-]|[\w-]+:")
_FRONT_ENDS = ("---", "...")


def has_front_matter(text: str) -> bool:
    """True for a text that begins with YAML between two lines of `---`."""
    if not text.startswith("---"):
        return False
    first, *lines = text.split("\n")
    if first.rstrip(" \t\r") != "---":
        return False
    for number, line in enumerate(lines):
        if number and line.rstrip(" \t\r") in _FRONT_ENDS:
            return True
        if not _FRONT_LINE.match(line):
            return False
    return False
