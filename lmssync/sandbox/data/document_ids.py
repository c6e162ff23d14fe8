"""Ids: uuids that hold, scrambled, the serial of the document that they are in.

So the course of any topic is known without an index row for each topic, and a create of 36
topics writes two rows. An id that was never given out is recognised.
"""

import uuid
from enum import IntEnum
from functools import lru_cache
from random import Random
from typing import NamedTuple

_MASK = (1 << 64) - 1
_NUMBER_BITS, _SERIAL_BITS = 24, 36
_TEXT = 36
_NAMES = uuid.UUID("7d1c0000-0000-4000-8000-000000000000")


class Level(IntEnum):
    """What an id means."""

    OBJECT = 0
    GROUP = 1
    COURSE = 2
    SECTION = 3
    LESSON = 4
    TOPIC = 5
    CRITERION = 6

    @property
    def level_word(self) -> str:
        return WORDS[self]


WORDS = ("object", "course group", "course", "section", "lesson", "topic", "completion criterion")


class Identity(NamedTuple):
    """What an id says: the level, the serial of the document, the number inside it."""

    level: Level
    serial: int
    number: int = 0


class Ids:
    """Gives ids out and reads them back; the same seed gives the same ids."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)  # noqa: S311 - ids need no secrecy, they need to repeat
        self.seed = seed
        self._key, self._check = random.getrandbits(64), random.getrandbits(64)
        # Odd factors have an inverse modulo 2**64: `read_id` undoes the first two multiplications.
        self._first, self._second, self._third = (random.getrandbits(64) | 1 for _ in range(3))
        self._first_back = pow(self._first, -1, 1 << 64)
        self._second_back = pow(self._second, -1, 1 << 64)

    def make_id(self, level: int, serial: int, number: int = 0) -> str:
        """The id of the thing; `serial` below 2**36, `number` below 2**24."""
        value = (((level << _SERIAL_BITS) | serial) << _NUMBER_BITS | number) ^ self._key
        value = value * self._first & _MASK
        value = (value ^ value >> 32) * self._second & _MASK
        value ^= value >> 32
        check = (value ^ self._check) * self._third & _MASK
        check ^= check >> 31
        text = "%016x%014x" % (value, check & 0xFFFFFFFFFFFFFF)  # noqa: UP031 - a create makes 40
        variant = "89ab"[check >> 62]
        return f"{text[:8]}-{text[8:12]}-4{text[12:15]}-{variant}{text[15:18]}-{text[18:]}"

    def read_id(self, text: str) -> Identity | None:
        """What `text` stands for, or None if these ids never gave it out."""
        if len(text) != _TEXT:
            return None
        try:
            value = int(text[:8] + text[9:13] + text[15:18] + text[20], 16)
        except ValueError:
            return None
        value ^= value >> 32
        value = value * self._second_back & _MASK
        value = (value ^ value >> 32) * self._first_back & _MASK ^ self._key
        number = value & ((1 << _NUMBER_BITS) - 1)
        serial = (value >> _NUMBER_BITS) & ((1 << _SERIAL_BITS) - 1)
        level = value >> (_NUMBER_BITS + _SERIAL_BITS)
        if level > max(Level) or self.make_id(level, serial, number) != text:
            return None
        return Identity(Level(level), serial, number)


@lru_cache(maxsize=4096)  # each reset asks for those of the whole seed
def stable_id(kind: str, name: str) -> str:
    """An id that a thing of that name has in every sandbox."""
    return str(uuid.uuid5(_NAMES, f"{kind}/{name}"))
