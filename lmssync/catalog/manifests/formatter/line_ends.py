"""Ends of lines: one way to write them, no blanks before them, one at the end of a file."""

import re
from collections.abc import Sequence

from ..yaml import Token
from . import prose

_BLANKS = re.compile(r"(?<![ \t])[ \t]+(?=\n)")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


def unify_line_ends(raw: bytes) -> str:
    """The text of a file in which every line ends with a line feed: YAML reads all ends alike."""
    text = raw.decode("utf-8").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def end_last_line(text: str, tokens: Sequence[Token]) -> str:
    """`text` with an end of its last line, which adds none to a block scalar there."""
    if not text or text.endswith("\n"):
        return text
    last = next((token for token in reversed(tokens) if token.kind == "ScalarToken"), None)
    if last and last.is_prose and not text[last.end :].strip():
        written = text[last.start : last.end]
        return text[: last.start] + prose.end_block_scalar(written)
    return text + "\n"


def tidy_lines(text: str, tokens: Sequence[Token]) -> str:
    """`text` without blanks at the ends of its lines, and with single blank lines.

    Quoted and block scalars stay as they are; blank lines mean something in a plain one, too.
    """
    if not any(pattern.search(text) for pattern in (_BLANKS, _BLANK_LINES)):
        return text
    pieces: list[str] = []
    done = 0
    for token in tokens:
        scalar = text[token.start : token.end]
        if token.kind == "ScalarToken" and "\n" in scalar:
            kept = scalar if token.style else _BLANKS.sub("", scalar)
            pieces += [_tidy_piece(text[done : token.start]), kept]
            done = token.end
    return "".join([*pieces, _tidy_piece(text[done:])])


def _tidy_piece(text: str) -> str:
    """A piece of a text outside such scalars; it may end in the middle of a line."""
    return _BLANK_LINES.sub("\n\n", _BLANKS.sub("", text))
