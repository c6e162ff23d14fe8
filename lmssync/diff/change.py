"""What differs, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..address import Address
from ..resource import Resource
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
    fields: Sequence[FieldChange] = ()
    released: Sequence[str] = ()
    conflicts: Sequence[FieldChange] = ()
    """Fields that were changed on the platform too: recorded there, live there."""
    returned: bool = False
    """It had left the catalog and is back: what was made before is meant."""
    missing: bool = False
    """The platform does not have it any more."""


Changes = Mapping[Address, Change]
