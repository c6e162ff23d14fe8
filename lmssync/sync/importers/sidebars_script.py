"""Reads the value of a script that says nothing but one object, as a `sidebars.js` does.

No program is run: what is no text, number, list or object ends the reading.
"""

import re
from typing import Any

_BEGINNING = re.compile(
    r"(?:module\.exports|export\s+default|(?:const|let|var)\s+\w+(?:\s*:\s*[\w.]+)?)\s*=?\s*(?=\{)"
)
_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*(?:(?!\*/).)*\*/)", re.DOTALL)
_TEXT = re.compile(r"'((?:[^'\\\n]|\\.)*)'|\"((?:[^\"\\\n]|\\.)*)\"|`([^`\\$]*)`")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_ESCAPE = re.compile(r"\\(.)")
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}
_DEPTH_MOST = 40


def parse_script_object(text: str) -> Any:
    """The object of a script; raises `ValueError` where it is more than texts and lists."""
    for beginning in _BEGINNING.finditer(text):
        return _ScriptReading(text, beginning.end()).read_value(0)
    raise ValueError("there is no object")


class _ScriptReading:
    """A place in a script, which moves on as values are read."""

    def __init__(self, text: str, at: int) -> None:
        self._text, self._at = text, at

    def read_value(self, depth: int) -> Any:
        self._skip_blanks()
        if depth > _DEPTH_MOST:
            raise ValueError("it is too deep")
        if self._take("{"):
            return self._read_object(depth)
        if self._take("["):
            return self._read_list(depth)
        if text := self._match(_TEXT):
            return _ESCAPE.sub(r"\1", next(part for part in text.groups() if part is not None))
        if number := self._match(_NUMBER):
            return float(number[0])
        word = self._match(_WORD)
        if word is None or word[0] not in _WORDS:
            raise ValueError(f"it is a program at {self._text[self._at : self._at + 20]!r}")
        return _WORDS[word[0]]

    def _read_object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not self._take("}"):
            key = self._match(_WORD) or self._match(_TEXT)
            if key is None or not self._take(":"):
                raise ValueError("it is more than an object")
            name = next((part for part in key.groups() if part is not None), key[0])
            found[name] = self.read_value(depth + 1)
            self._end_entry("}")
        return found

    def _read_list(self, depth: int) -> list[Any]:
        found: list[Any] = []
        while not self._take("]"):
            found.append(self.read_value(depth + 1))
            self._end_entry("]")
        return found

    def _end_entry(self, end: str) -> None:
        """After an entry there is a comma or the end, which stays to be taken."""
        if not self._take(",") and not self._text.startswith(end, self._at):
            raise ValueError("it is more than texts and lists")

    def _take(self, sign: str) -> bool:
        self._skip_blanks()
        if not self._text.startswith(sign, self._at):
            return False
        self._at += len(sign)
        return True

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._skip_blanks()
        found = pattern.match(self._text, self._at)
        if found:
            self._at = found.end()
        return found

    def _skip_blanks(self) -> None:
        while blank := _BLANK.match(self._text, self._at):
            self._at = blank.end()
