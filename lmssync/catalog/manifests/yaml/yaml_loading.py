"""Reads the documents in some bytes, with the fastest reader that is exact for them."""

from typing import Any

from ..catalog_files import VALUES
from .line_reader import UnsupportedSyntax, load_by_lines
from .yaml_mistakes import ENDLESS, YamlMistake, too_many


def load_yaml(raw: bytes) -> list[Any]:
    """The documents in some bytes; raises `YamlMistake`."""
    return read_yaml(raw)[0]


def read_yaml(raw: bytes) -> tuple[list[Any], bool]:
    """The documents in some bytes, and whether each value in them begins on a line that shows it;
    raises `YamlMistake`."""
    documents, by_lines = _load_documents(raw)
    if len(raw) > VALUES:  # each takes a byte at least
        _require_bounded(documents, too_many())
    elif b"&" in raw and b"*" in raw:
        text = f"the aliases of the file expand to more than {VALUES:,} values"
        _require_bounded(documents, YamlMistake(ENDLESS, text))
    return documents, by_lines


def _load_documents(raw: bytes) -> tuple[list[Any], bool]:
    try:
        return load_by_lines(raw), True
    except UnsupportedSyntax:
        from .libyaml_reader import load_fast  # loaded late: it imports two parsers
    try:
        return load_fast(raw), False
    except UnsupportedSyntax:
        from .exact_reader import load_exactly  # loaded last: it takes forty times as long
    return load_exactly(raw), False


def is_quick(data: bytes) -> bool:
    """True if libyaml reads the bytes as ruamel.yaml does."""
    from . import libyaml_reader

    return libyaml_reader.is_quick(data)


def _require_bounded(documents: list[Any], mistake: YamlMistake) -> None:
    """Refuses values that unfold without end, so that later code need not guard against them."""
    waiting: list[Any] = list(documents)
    count = 0
    while waiting:
        value = waiting.pop()
        count += 1
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        if count + len(waiting) > VALUES:
            raise mistake
