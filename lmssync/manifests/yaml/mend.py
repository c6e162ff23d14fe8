"""Puts quotes where the fast parser stumbles: around `https://...` and `What now?` in flow braces.

libyaml ends a plain text of a flow collection at each `:` and `?`; YAML 1.2 ends it at neither.
Only what is one text for certain is touched, on one line and up to a comma or a bracket, and a
text with one of the two marks in it is never a number, a truth value or nothing.
"""

import re
from typing import Any

_WORD = r"""(?!\#)(?:[^\s,\[\]{}'"\\:]|:(?![\s,\[\]{}'":]))+"""
_TEXT = re.compile(rf"(?=[^\W_]){_WORD}(?: {_WORD})*(?=\s*[,\]}}])")
_BEFORE = re.compile(r"""(?:: |, |[\[{])([^\W_](?:[^,\[\]{}'"\\#:]|:(?!\s))*)$""")
"""A text as far as a `?` in it, after what a text of a flow collection may come after."""

_APART = frozenset(" \t\r\n,[{")
"""What keeps a text apart from the one before it."""


def mended(text: str, error: Any) -> str | None:
    """The text of the file with quotes where `error` shows that they help; nothing if not."""
    start = _start(text, error)
    match = _TEXT.match(text, start) if start else None
    if match is None or match.end() <= error.problem_mark.index or text[start - 1] not in _APART:
        return None
    return f"{text[: match.start()]}'{match[0]}'{text[match.end() :]}"


def _start(text: str, error: Any) -> int:
    """Where the text begins that the parser has not read to its end; 0 if there is none."""
    spot = getattr(error, "problem_mark", None)
    if spot is None:
        return 0
    end = spot.index
    mark = text[end : end + 1]
    if mark == ":" and error.problem == "found unexpected ':'":
        start: int = error.context_mark.index
        return start
    if mark == "?" and str(error.problem).startswith("did not find expected ',' or"):
        line = text.rfind("\n", 0, end) + 1
        before = _BEFORE.search(text, line, end)
        return before.start(1) if before else 0
    return 0
