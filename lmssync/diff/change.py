"""What differs, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ..address import Address
from ..resource import Form, Resource, unpack
from ..state import Record
from .fields import FieldChange


class Difference(StrEnum):
    """How desired and recorded stand to each other."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    GONE = "gone"
    """Recorded, and no longer in the catalog."""


@dataclass(frozen=True, slots=True)
class Change:
    """One resource whose desired, recorded or live state differ."""

    address: Address
    difference: Difference
    desired: Resource | None = None
    recorded: Record | None = None
    """As it stands in the state: under the address that it had."""
    renamed: bytes | None = None
    """The recorded form, packed, where what it refers to has moved."""
    named: Mapping[str, str] = field(default_factory=dict)
    """Paths of parts as they were recorded, to the paths that they have by the ids they got."""
    kept: bytes | None = None
    """The form that shall hold, packed, where the manifest leaves fields to others."""
    fields: Sequence[FieldChange] = ()
    released: Sequence[str] = ()
    conflicts: Sequence[FieldChange] = ()
    """Fields that were changed on the platform too: recorded there, live there."""
    returned: bool = False
    """It had left the catalog and is back: it means what was created before."""
    missing: bool = False
    """The platform does not have it any more."""
    was: Address | None = None
    """The address that it moves away from."""
    move_conflict: str = ""
    """Why a move that the catalog means cannot be made."""
    undecided: str = ""
    """Why it looks like something that exists under another name; the author must decide."""
    twin: Address | None = None
    """The other resource that it is about, if it is about one."""
    hints: Sequence[str] = ()
    """What a reviewer should look at, though nothing waits for it."""
    original: Record | None = None
    """The record in the state, where `recorded` has been corrected by what a look has shown."""
    referring: Record | None = None
    """The record in the state with the ids of what is made again: it holds whatever stops this."""
    found: Sequence[str] = ()
    """Paths of parts that are there although nobody has recorded them; the path of the whole is
    empty."""
    gone: Sequence[str] = ()
    """Paths of parts that are recorded and that somebody has deleted by hand."""
    unclear: str = ""
    """Why it is unclear whether it exists already."""

    @property
    def basis(self) -> Record | None:
        """What the state holds of it."""
        return self.original or (None if "" in self.found else self.recorded)

    @property
    def before(self) -> Form:
        """What was last applied, in the addresses of the catalog; empty for what is new."""
        if self.recorded is None:
            return {}
        return unpack(self.renamed or self.recorded.packed)

    @property
    def after(self) -> Form:
        """What shall hold; empty for what is gone."""
        return unpack(self.packed_after) if self.desired else {}

    @property
    def packed_after(self) -> bytes:
        """The form that shall hold, packed; of something that is desired."""
        assert self.desired is not None
        return self.kept or self.desired.packed


Changes = Mapping[Address, Change]
