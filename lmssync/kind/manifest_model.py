"""The model of a manifest, and of the rows of a table that it names.

It is a module of its own since pydantic takes longer to load than a look at a state does: the face
of this room loads it for whoever asks for a model.

The models of kinds are checked with the documents of a catalog; nothing that is recorded is checked
by them again.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict

from ..problems import Finding
from ..resource import Path


class Spec(BaseModel):
    """What an author may write; unknown fields are mistakes and types are never bent."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)
    personal: ClassVar[bool] = False
    """What it says identifies people: messages do not quote it."""


class Table(NamedTuple):
    """A file of rows that an author may name instead of a list, and the field that names it."""

    path: Path
    holder: dict[str, Any]
    field: str
    """The field that names the file."""
    into: str
    """Where the rows go, as if they had been written there."""
    row: type[Spec]
    """The model of a row; its fields are the columns."""
    rules: Sequence[Callable[[Sequence[Any]], Iterator[Finding]]] = ()
    """Checks of all rows together; the path of a finding begins with the position of a row."""
    lines: str = ""
    """Where the file and the lines of the rows go: `("people/staff.csv", [2, 3])`."""
