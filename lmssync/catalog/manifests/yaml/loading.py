"""Reads the documents in some bytes, with the fastest reader that is exact for them."""

from typing import Any

from ..files import VALUES
from . import lines
from .mistake import ENDLESS, YamlMistake, too_many
from .plain import Exotic


def load_yaml(raw: bytes) -> list[Any]:
    """The documents in some bytes; raises `YamlMistake`."""
    documents = _load_documents(raw)
    if len(raw) > VALUES:  # each takes a byte at least
        _require_bounded(documents, too_many())
    elif b"&" in raw and b"*" in raw:
        text = f"the aliases of the file expand to more than {VALUES:,} values"
        _require_bounded(documents, YamlMistake(ENDLESS, text))
    return documents


def _load_documents(raw: bytes) -> list[Any]:
    try:
        return lines.load_by_lines(raw)
    except Exotic:
        from . import fast  # for the files that need it: it loads two parsers
    try:
        return fast.load_fast(raw)
    except Exotic:
        from . import slow  # forty times slower
    return slow.load_exactly(raw)


def is_quick(data: bytes) -> bool:
    """True if libyaml reads the bytes as ruamel.yaml does."""
    from . import fast

    return fast.is_quick(data)


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
