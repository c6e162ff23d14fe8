"""Reads the documents in some bytes, with the fast parser if it is exact for them."""

from typing import Any

from ..files import VALUES
from . import fast
from .mistake import ENDLESS, YamlMistake, too_many


def load(raw: bytes) -> list[Any]:
    """The documents in some bytes, the fast way where that is exact; raises `YamlMistake`."""
    try:
        documents = fast.load(raw)
    except fast.Exotic:
        from . import slow  # twenty times slower: only for files that need it

        documents = slow.load(raw)
    if len(raw) > VALUES:  # each takes a byte at least
        _bounded(documents, too_many())
    elif b"&" in raw and b"*" in raw:
        text = f"the aliases of the file expand to more than {VALUES:,} values"
        _bounded(documents, YamlMistake(ENDLESS, text))
    return documents


def _bounded(documents: list[Any], mistake: YamlMistake) -> None:
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
