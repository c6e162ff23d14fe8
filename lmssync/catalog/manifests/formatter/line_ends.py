"""Ends of lines: one way to write them, no blanks before them, one at the end of a file.

The text of a block scalar is kept apart from its indentation.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..yaml import Token

_HEADER = re.compile(r"^([|>])([-+]?)([1-9]?)([-+]?)")


class Prose(NamedTuple):
    """A block scalar."""

    header: str
    """The first line: anchor, tag, `|` or `>`, and a comment."""
    lines: Sequence[str]
    """The text without its indentation."""
    indent: int | None
    """The indentation that the header demands."""
    keeps: bool
    """Blank lines below it would become part of it."""
    written: int
    """How many lines it had, with the blank ones after its text."""


def parse_prose(text: str, parent: int) -> Prose:
    """The block scalar that `text` is, inside a block at column `parent`."""
    header, _, body = text.partition("\n")
    digit = _header_parts(header)[1]
    lines = body.split("\n")[:-1]
    indent = parent + int(digit) if digit else _find_indentation(lines)
    content = [line[indent:] for line in lines]
    if not keeps_blank_end(text):
        while content and not content[-1]:
            content.pop()
    return Prose(
        header.rstrip(), content, int(digit) if digit else None, keeps_blank_end(text), len(lines)
    )


def keeps_blank_end(text: str) -> bool:
    """True if blank lines at the end of the block scalar are part of it."""
    return _header_parts(text)[2] == "+"


def end_block_scalar(text: str) -> str:
    """A block scalar that the end of the file cuts short, with an end of its last line.

    Where the last line had none, none is part of the value: `-` says so.
    """
    header, newline, body = text.partition("\n")
    if not newline or not body or body.endswith("\n"):
        return header + newline + body if newline else f"{header}\n"
    style, digit, _ = _header_parts(header)
    return _HEADER.sub(f"{style}{digit}-", header) + f"\n{body}\n"


def _header_parts(header: str) -> tuple[str, str, str]:
    """Style, indentation and what happens to line ends at the end."""
    match = _HEADER.match(header)
    assert match, header
    style, before, digit, after = match.groups()
    return style, digit, before + after


def _find_indentation(lines: list[str]) -> int:
    """The indentation of the first line that is not blank, or of the deepest blank one."""
    for line in lines:
        if line.strip(" "):
            return len(line) - len(line.lstrip(" "))
    return max(map(len, lines), default=0)


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
        return text[: last.start] + end_block_scalar(written)
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
