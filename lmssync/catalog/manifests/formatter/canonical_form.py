"""The text of a manifest in its canonical form."""

from codecs import BOM_UTF8
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from ..catalog_files import FORMAT_BYTES
from ..yaml import Scan, Strange, Token, YamlMistake, is_quick, list_scanners, load_yaml
from .layout_parser import Block, parse_file
from .layout_writer import write_file_text
from .line_ends import end_last_line, tidy_lines, unify_line_ends
from .token_cursor import sorted_comments
from .yaml_order import arrange_block, of_document


class Unproven(Exception):
    """It could not be shown that the canonical form says the same, so the text stays as it is."""


class FileTooLong(Unproven):
    """The file is so long, and has such characters, that formatting would take too long."""


class FileValues(NamedTuple):
    """What a file says."""

    documents: list[Any]
    of_project: bool
    """It is the project file."""


def format_manifest(raw: bytes, *, is_project: bool = False) -> bytes:
    """The canonical form of a file; raises `YamlMistake` for what is no YAML, and `Unproven`.

    `FileTooLong` is one of the latter.

    `is_project` says that the file is the project file. Of a file that is not understood, as one
    with `%YAML`, the ends of the lines are put in order.
    """
    if len(raw) > FORMAT_BYTES and not is_quick(raw.removeprefix(BOM_UTF8)):
        raise FileTooLong
    values = FileValues(load_yaml(raw), is_project)
    text = unify_line_ends(raw)
    # Each text is scanned once: half of all the time goes into that.
    for is_arranged, scan in product((True, False), map(cache, list_scanners(text))):
        try:
            result, tokens = _settle_line_ends(text, scan)
            if is_arranged:
                result = _arrange_text(result, tokens, values)
            if result.encode() == raw or _is_proven(text, scan, values, result):
                return result.encode()
        except (Strange, YamlMistake, RecursionError):
            continue  # what the one does not understand, the next may
    raise Unproven


def _settle_line_ends(text: str, scan: Scan) -> tuple[str, Sequence[Token]]:
    """The text with its ends of lines in order, and its tokens."""
    tokens = scan(text)
    for step in (end_last_line, tidy_lines):
        better = step(text, tokens)
        if better != text:
            text, tokens = better, scan(better)
    return text, tokens


def _arrange_text(text: str, tokens: Sequence[Token], values: FileValues) -> str:
    """The text with its keys in order, and its blocks and comments where they belong."""
    whole = parse_file(text, tokens)
    if len(whole.documents) != len(values.documents):
        raise Strange
    for document, data in zip(whole.documents, values.documents, strict=True):
        if isinstance(document.root.value, Block):
            shape = of_document(data, is_project=values.of_project)
            arrange_block(document.root.value, shape, whole.names, is_root=True)
    return write_file_text(whole)


def _is_proven(text: str, scan: Scan, values: FileValues, result: str) -> bool:
    """True if `result` has the same values and the same comments as `text`."""
    return same_values(values.documents, load_yaml(result.encode())) and (
        sorted_comments(text, scan(text)) == sorted_comments(result, scan(result))
    )


def same_values(one: Any, other: Any) -> bool:
    """True for equal values of equal types; the order of keys does not count."""
    waiting = [(one, other)]
    while waiting:
        a, b = waiting.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, list):
            if len(a) != len(b):
                return False
            waiting += zip(a, b, strict=True)
        elif isinstance(a, dict):
            keys = {(type(key), key): key for key in b}
            if len(a) != len(b) or any((type(key), key) not in keys for key in a):
                return False
            waiting += ((value, b[key]) for key, value in a.items())
        elif repr(a) != repr(b):  # of floats too: nan is nan, and zero has a sign
            return False
    return True
