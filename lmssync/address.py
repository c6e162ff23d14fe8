"""The name by which lmssync knows a resource, whatever the platform calls it."""

from typing import NamedTuple


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
        return cls(kind, key)
