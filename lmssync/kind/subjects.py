"""What a change is about, as the feeds of events know it."""

from enum import StrEnum
from typing import Any, NamedTuple

from ..resource import Address


class SubjectKind(StrEnum):
    """What learners are counted by."""

    COURSE = "course"
    TOPIC = "topic"
    LICENSE = "license"


class Subject(NamedTuple):
    """A course, a topic or a license that people have to do with."""

    kind: SubjectKind
    node: Any
    """Its uuid, or the `$ref` node that stands for it."""

    @property
    def address(self) -> Address | None:
        """The resource that it is, or is a part of; None for what is not managed here."""
        return Address.parse(self.node["$ref"]) if isinstance(self.node, dict) else None
