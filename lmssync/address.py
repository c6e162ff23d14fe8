"""The name by which lmssync knows a resource, whatever the platform calls it."""

from sys import intern
from typing import NamedTuple

KEY = r"^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$"
"""What a key may be: it can stand in an address, and be the name of a file."""
KEY_MOST = 200
SHORT_ID = 24
"""Characters of an id of a part that people like to type."""


class Address(NamedTuple):
    """Kind and key of a resource: `course.safety-101`, `criterion.safety-101.pass`."""

    kind: str
    key: str

    def __str__(self) -> str:
        return f"{self.kind}.{self.key}"

    @classmethod
    def parse(cls, text: str) -> "Address":
        """The address that `text` spells; the key may hold dots, the kind may not."""
        kind, _, key = text.partition(".")
        return cls(intern(kind), key)
