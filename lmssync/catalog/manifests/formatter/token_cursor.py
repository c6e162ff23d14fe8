"""A walk through the tokens of a text, with the comments that have no owner yet."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..yaml import Token

MARKERS = frozenset({"DocumentStartToken", "DocumentEndToken", "StreamEndToken"})
BLOCKS = frozenset({"BlockMappingStartToken", "BlockSequenceStartToken"})
PROPS = frozenset({"AnchorToken", "TagToken"})
_OPEN = frozenset({"FlowSequenceStartToken", "FlowMappingStartToken"}) | BLOCKS
_CLOSE = frozenset({"FlowSequenceEndToken", "FlowMappingEndToken", "BlockEndToken"})
LEAVES = (_OPEN - BLOCKS) | {"ScalarToken", "AliasToken"}


class Line(NamedTuple):
    """A comment on a line of its own, or a blank line, which has no text."""

    column: int
    text: str


class Gap(NamedTuple):
    """The blanks and comments between two tokens."""

    remark: str
    """The comment at the end of the line, with the blanks before it."""
    lines: list[Line]


def gap_between(text: str, end: int, start: int) -> Gap:
    """Reads the blanks and comments between the end of one token and the start of the next."""
    first, *rest = text[end:start].split("\n")
    # The token took the end of its line along, as a block scalar does: nothing stands behind it.
    if end == 0 or text[end - 1] == "\n":
        first, rest = "", [first, *rest]
    remark = first.rstrip() if "#" in first else ""
    if rest and "#" not in rest[-1]:
        rest.pop()  # the indentation of the next token
    return Gap(remark, [Line(max(line.find("#"), 0), line.strip()) for line in rest])


def sorted_comments(text: str, tokens: Sequence[Token]) -> list[str]:
    """Every comment of a text, sorted."""
    return sorted(_find_comments(text, tokens))


def _find_comments(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    end = 0
    for token in tokens:
        gap = gap_between(text, end, token.start)
        yield from filter(None, (gap.remark.strip(), *(line.text for line in gap.lines)))
        if token.is_prose:
            header, _, _ = text[token.start : token.end].partition("\n")
            yield from (f"#{comment.rstrip()}" for comment in header.split("#", 1)[1:])
        end = token.end


class Cursor:
    """Stands before a token; comments wait until it is known what they are about."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self._tokens = tokens
        self.at = 1  # the first token is the start of the stream
        self.waiting: list[Line] = gap_between(text, 0, self.token.start).lines

    @property
    def token(self) -> Token:
        return self._tokens[self.at]

    @property
    def kind(self) -> str:
        return self._tokens[self.at].kind

    @property
    def last(self) -> Token:
        """The token that was passed last."""
        return self._tokens[self.at - 1]

    def pass_token(self) -> Token:
        """Passes a token."""
        self.at += 1
        return self._tokens[self.at - 1]

    def pass_value(self) -> Token:
        """Passes a scalar, an alias or a whole collection; gives the last token with a text."""
        depth = 0
        last = self.token
        while True:
            token = self.pass_token()
            last = token if token.end > token.start else last
            depth += (token.kind in _OPEN) - (token.kind in _CLOSE)
            if not depth:
                return last

    def pass_key(self) -> tuple[str | None, Token]:
        """Passes a key on one line; gives what it says and the colon behind it."""
        words: list[str] = []
        depth = 0
        while depth or self.kind != "ValueToken":
            token = self.pass_token()
            depth += (token.kind in _OPEN) - (token.kind in _CLOSE)
            words.append(token.value if token.kind == "ScalarToken" and not depth else "")
        names = [word for word in words if word]
        return (names[0] if len(names) == 1 else None), self.pass_token()

    def pass_gap(self, end: int) -> str:
        """Lets the comments after `end` wait; gives the one on the same line."""
        remark, self.waiting = gap_between(self.text, end, self.token.start)
        return remark

    def take_comments(self) -> list[str]:
        """The comments that wait: their owner is found."""
        waiting, self.waiting = self.waiting, []
        return [line.text for line in waiting]

    def taken_from(self, column: int) -> list[str]:
        """The first of those that wait, as far as they stand at `column` or further in."""
        count = 0
        for number, line in enumerate(self.waiting, 1):
            if line.text and line.column < column:
                break
            count = number if line.text else count
        taken, self.waiting = self.waiting[:count], self.waiting[count:]
        return [line.text for line in taken]

    def next_column(self) -> int:
        """Where the next text stands; less than any column at the end of a document."""
        at = self.at
        while self._tokens[at].kind == "BlockEndToken":
            at += 1
        token = self._tokens[at]
        return -1 if token.kind in MARKERS else token.column
