"""What a regular expression says, as a tree.

Taken are letters, `.`, `[...]`, `(...)`, `|`, `*`, `+`, `?`, `{m,n}`, `^`, `$` and the escapes
`\\d \\w \\s` and their opposites. What cannot be found in one reading of the text is not taken:
references backwards, and looking ahead or behind.
"""

import re
import warnings
from collections.abc import Callable
from typing import NamedTuple

PATTERN_MOST = 200
"""Letters of an expression."""
_BOUNDS = re.compile(r"\{(?=\d|,\d)(\d{0,3})(,?)(\d{0,3})\}")
_CLASS = re.compile(r"\[\^?\]?(?:[^\\\]]|\\.)*\]", re.DOTALL)
_SIGNS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_EDGES = {"^": False, "$": True, r"\A": False, r"\Z": True}


class Letter(NamedTuple):
    """One letter that fits."""

    fits: Callable[[str], object]


class Edge(NamedTuple):
    """The beginning or the end of the text."""

    is_end: bool


class Row(NamedTuple):
    """One after the other."""

    parts: "list[Node]"


class Choice(NamedTuple):
    """Either of two."""

    one: "Node"
    other: "Node"


class Repeat(NamedTuple):
    """So often; `most` None is without end."""

    part: "Node"
    least: int
    most: int | None


Node = Letter | Edge | Row | Choice | Repeat


def parsed(text: str) -> Node:
    """The tree of an expression; raises ValueError that says what is not taken."""
    if len(text) > PATTERN_MOST:
        raise ValueError(f"it has {len(text)} letters; the most is {PATTERN_MOST}")
    reader = _Reader(text)
    tree = reader.choice()
    if reader.rest:
        raise ValueError(f"`)` at letter {reader.at + 1} has no `(` before it")
    return tree


class _Reader:
    def __init__(self, text: str) -> None:
        self._text, self.at = text, 0

    @property
    def rest(self) -> str:
        return self._text[self.at :]

    def choice(self) -> Node:
        tree = self._row()
        while self._took("|"):
            tree = Choice(tree, self._row())
        return tree

    def _took(self, word: str) -> bool:
        if not self.rest.startswith(word):
            return False
        self.at += len(word)
        return True

    def _row(self) -> Node:
        parts: list[Node] = []
        while self.rest[:1] not in ("", "|", ")"):
            parts.append(self._repeated(self._atom()))
        return Row(parts)

    def _repeated(self, part: Node) -> Node:
        bounds = self._bounds()
        if bounds is None:
            return part
        self._took("?")  # whether as few as can be or as many makes no difference to finding it
        if self._bounds() is not None:
            raise ValueError(f"there are two repetitions in a row at letter {self.at}")
        return Repeat(part, *bounds)

    def _bounds(self) -> tuple[int, int | None] | None:
        sign = self.rest[:1]
        if sign in _SIGNS:
            self.at += 1
            return _SIGNS[sign]
        match = _BOUNDS.match(self._text, self.at)
        if match is None:
            return None
        self.at = match.end()
        least = int(match[1] or 0)
        most = int(match[3]) if match[3] else None if match[2] else least
        if most is not None and most < least:
            raise ValueError(f"`{match[0]}` repeats from {least} to {most} times")
        return least, most

    def _atom(self) -> Node:
        if self._took("("):
            return self._group()
        if self.rest[0] in _SIGNS:
            raise ValueError(f"`{self.rest[0]}` at letter {self.at + 1} has nothing to repeat")
        word = self._word()
        if word in _EDGES:
            return Edge(_EDGES[word])
        return Letter(_letter(word))

    def _group(self) -> Node:
        if self._took("?") and not self._took(":"):
            raise ValueError("`(?` is only supported as `(?:`; look-ahead and look-behind are not")
        tree = self.choice()
        if not self._took(")"):
            raise ValueError("a `(` is not closed")
        return tree

    def _word(self) -> str:
        """What stands for one letter: itself, an escape, or a class."""
        start, first = self.at, self.rest[0]
        match = _CLASS.match(self._text, start) if first == "[" else None
        if first == "[" and match is None:
            raise ValueError("a `[` is not closed")
        self.at = match.end() if match else start + (2 if first == "\\" else 1)
        return self._text[start : self.at]


def _letter(word: str) -> Callable[[str], object]:
    """Python's own reading of what stands for one letter: nothing of it is tried twice."""
    escaped = word[1:] if word.startswith("\\") else ""
    if word == "\\" or (escaped.isalnum() and escaped not in "dDwWsSntrfv"):
        raise ValueError(f"`{word}` is not supported")
    try:
        with warnings.catch_warnings(action="ignore"):
            return re.compile(word).fullmatch
    except re.error as error:
        raise ValueError(f"`{word}` cannot be read: {error}") from None
