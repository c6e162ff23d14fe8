"""The comments and blank lines between the tokens of a text."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..yaml.tokens import Token


class Line(NamedTuple):
    """A comment on a line of its own, or a blank line, which has no text."""

    column: int
    text: str


class Gap(NamedTuple):
    """What stands between two tokens."""

    remark: str
    """The comment at the end of the line, with the blanks before it."""
    lines: list[Line]


def between(text: str, end: int, start: int) -> Gap:
    """What stands between the end of one token and the start of the next."""
    first, *rest = text[end:start].split("\n")
    if end == 0 or text[end - 1] == "\n":
        first, rest = "", [first, *rest]
    remark = first.rstrip() if "#" in first else ""
    if rest and "#" not in rest[-1]:
        rest.pop()  # the indentation of the next token
    return Gap(remark, [_line(line) for line in rest])


def _line(line: str) -> Line:
    comment = line.strip()
    return Line(line.find("#"), comment) if comment else Line(0, "")


def comments(text: str, tokens: Sequence[Token]) -> list[str]:
    """Every comment of a text, sorted."""
    return sorted(_comments(text, tokens))


def _comments(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    end = 0
    for token in tokens:
        gap = between(text, end, token.start)
        yield from filter(None, (gap.remark.strip(), *(line.text for line in gap.lines)))
        if token.is_prose:
            header, _, _ = text[token.start : token.end].partition("\n")
            yield from (f"#{comment.rstrip()}" for comment in header.split("#", 1)[1:])
        end = token.end
