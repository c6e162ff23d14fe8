"""Block scalars: their text apart from its indentation."""

import re

from .nodes import Prose

_HEADER = re.compile(r"^([|>])([-+]?)([1-9]?)([-+]?)")


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
    """That of the first line that is not blank, or of the deepest blank one."""
    for line in lines:
        if line.strip(" "):
            return len(line) - len(line.lstrip(" "))
    return max(map(len, lines), default=0)
