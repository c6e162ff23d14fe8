"""Makes keys for documents without one, so that the rest of the document can be checked."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from zlib import crc32

from ....problems import Problem
from ....resource import KEY, KEY_MOST, Origin

_BEGINNING = "no-key-is-written-here-"
_STAND_IN = re.compile(rf"(?<![A-Za-z0-9]){_BEGINNING}\d+")


def seed_for(origin: Origin) -> int:
    """A number for a place, different for each place."""
    text = f"{origin.file}\0{origin.document}\0{origin.path}"
    return crc32(text.encode("utf-8", "surrogatepass"))


def generated_key(origin: Origin) -> str:
    """A key for something that has none."""
    return f"{_BEGINNING}{seed_for(origin)}"


def key_of(origin: Origin, data: Mapping[str, Any]) -> str:
    """The key of a document, or a made-up one if the document has no usable key."""
    key = data.get("key")
    fits = isinstance(key, str) and len(key) <= KEY_MOST and re.fullmatch(KEY, key)
    return str(key) if fits else generated_key(origin)


def is_generated(text: str) -> bool:
    """True for a key that is not in any file, and for a text that mentions one."""
    return _STAND_IN.search(text) is not None


def without_generated(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems as an author may read them: none mentions a key that is not in any file."""
    for problem in problems:
        address = problem.address
        if not is_generated(problem.message):
            invented = address and is_generated(address.key)
            yield replace(problem, address=None) if invented else problem
