"""What an author writes, and the form that it becomes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict

from ...problems import Finding
from ...resource import Form
from ...source import Path

Json = Any
Data = Mapping[str, Any]
"""A document as the author wrote it, after the model has accepted it."""


class Spec(BaseModel):
    """What an author may write; unknown fields are mistakes and types are never bent."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)
    personal: ClassVar[bool] = False
    """What it says identifies people: messages do not quote it."""


class Nested(NamedTuple):
    """A short form: resources of their own, written inside another."""

    field: str
    resource: str
    owner: str
    """The field that names the outer resource in the long form."""


class BodyField(NamedTuple):
    """A mapping in which an author may write a body, and where it stands."""

    path: Path
    holder: dict[str, Any]


class Table(NamedTuple):
    """A file of rows that an author may name in the place of a list, and where it is named."""

    path: Path
    holder: dict[str, Any]
    field: str
    """Names the file."""
    into: str
    """Where the rows go, as if they had been written there."""
    row: type[Spec]
    """What a row may say; its fields are the columns."""
    rules: Sequence[Callable[[Sequence[Any]], Iterator[Finding]]] = ()
    """Checks of all rows together; the path of a finding begins with the position of a row."""
    lines: str = ""
    """Where the file and the lines of the rows go: `("people/staff.csv", [2, 3])`."""


def nothing(*_: object) -> tuple[()]:
    """The default of declarations that most kinds do without."""
    return ()


def _title(form: Form) -> str:
    return str(form.get("title") or form.get("name") or "")


@dataclass(frozen=True, kw_only=True)
class Authoring:
    """How a manifest becomes a form."""

    normalise: Callable[[str, Data], Form]
    """Key and accepted document to form."""
    rules: Sequence[Callable[[Any], Iterator[Finding]]] = ()
    """Checks that need more than one field; each gets the model."""
    title: Callable[[Form], str] = _title
    """What people call one, on one line and without markup; empty where they do not."""
    body_fields: Callable[[Data], Iterable[BodyField]] = nothing
    tables: Callable[[Data], Iterable[Table]] = nothing
    nested: Sequence[Nested] = ()
    free_form: frozenset[str] = frozenset()
    """Fields whose keys are the author's own."""
    rows: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Lists of things without ids, whose order means nothing, with what one of them is called, and
    several: `("person", "people")`."""
    in_copy: Mapping[str, str | None] = field(default_factory=dict)
    """What a manifest says in place of these fields once it is copied; nothing leaves them out."""
    parts: Callable[[Form], Mapping[str, str]] = lambda _form: {}
    """Path of each part to its type."""
