"""A text as the tokens of YAML, each with the place of its first and last character."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .yaml_loading import is_quick


class Strange(Exception):
    """Tokens that are not understood here."""


class Token(NamedTuple):
    """One token; the ends of blocks, and the starts of some, are zero characters wide."""

    kind: str
    """Name of the token's class in ruamel.yaml: `ScalarToken`."""
    start: int
    end: int
    column: int
    """Of its first character, from 0."""
    value: str = ""
    style: str = ""
    """Of a scalar: a quote, `|`, `>`, or nothing when it is plain."""

    @property
    def is_prose(self) -> bool:
        """True for a block scalar: its end is the start of the line below it."""
        return self.style in {"|", ">"}


Scan = Callable[[str], list[Token]]


def list_scanners(text: str) -> Iterator[Scan]:
    """Yields the scanners to try on a text, libyaml before ruamel.yaml.

    libyaml finds the same tokens if there are no tabs and no other ends of lines than newlines.
    """
    if is_quick(text.encode()):
        yield _scan_quickly
    yield _scan_exactly


def _scan_quickly(text: str) -> list[Token]:
    from _ruamel_yaml_clibz import CParser, YAMLError  # there where `is_quick` says so

    tokens = []
    scanner = CParser(text)
    try:
        while scanner.check_token():
            tokens.append(_make_token(scanner.get_token()))
    except YAMLError as error:
        raise Strange from error
    return tokens


def _scan_exactly(text: str) -> list[Token]:
    from ruamel.yaml.error import YAMLError

    from .exact_reader import make_parser, silence_warnings

    try:
        with silence_warnings():
            return [_make_token(token) for token in make_parser().scan(text)]
    except YAMLError as error:
        raise Strange from error


def _make_token(token: Any) -> Token:
    kind = type(token).__name__
    start, end = token.start_mark, token.end_mark
    if kind == "ScalarToken":
        return Token(kind, start.index, end.index, start.column, token.value, token.style or "")
    return Token(kind, start.index, end.index, start.column)
