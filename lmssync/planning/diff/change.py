"""The changes of resources, as values."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from ...kind import LivePart
from ...kinds import KINDS
from ...platform.live import AgedAttestation, Certainty
from ...resource import Address, Form, Resource, unpack_form
from ...state import Record
from .field_paths import FieldChange
from .three_way import Drift, Resolution


class Difference(StrEnum):
    """How the desired and the recorded state relate to each other."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    GONE = "gone"
    """Recorded, and no longer in the catalog."""


class Change(NamedTuple):
    """One resource whose desired, recorded or live state differs.

    Its forms are packed, for a plan may have thousands of changes.
    """

    address: Address
    difference: Difference
    desired: Resource | None = None
    recorded: Record | None = None
    """The record in the state, under the address that it had."""
    renamed: bytes | None = None
    """The recorded form, packed, if something that it refers to has moved."""
    named: Mapping[str, str] = {}
    """Maps recorded paths of parts to their new paths, for parts that have been given ids since."""
    kept: bytes | None = None
    """The form that should be live, packed, if the manifest leaves fields to others."""
    fields: Sequence[FieldChange] = ()
    released: Sequence[str] = ()
    drift: Sequence[Drift] = ()
    """Fields that people have changed on the platform, and what becomes of each."""
    blocked_fields: Sequence[FieldChange] = ()
    """Fields in conflict, and those that go with them, where the others do not wait for them."""
    evidence: Mapping[str, Certainty] = {}
    """By path of a field that git changes, how far its live value is known."""
    live: bytes | None = None
    """The form that an update starts from, packed, if there is drift."""
    merged: bytes | None = None
    """The form that an update leads to, packed, if there is drift."""
    settled: bytes | None = None
    """The form to record after it, packed, if there is drift."""
    returned: bool = False
    """The resource had left the catalog and is back: it is the one that was created before."""
    missing: bool = False
    """The platform does not have it any more."""
    was: Address | None = None
    """The address that it moves away from."""
    move_conflict: str = ""
    """Why a move that the manifest asks for cannot be made."""
    undecided: str = ""
    """Why it looks like something that exists under another name; the author must decide."""
    twin: Address | None = None
    """The other resource that this is about, if there is one."""
    hints: Sequence[str] = ()
    """Hints for a reviewer, which block nothing."""
    original: Record | None = None
    """The record in the state, where `recorded` has been corrected by what a look has shown."""
    referring: Record | None = None
    """The record in the state with the ids of what is made again: it stays whatever stops this."""
    found: Sequence[str] = ()
    """Paths of parts that exist although nobody has recorded them; the path of the whole is
    empty."""
    gone: Sequence[str] = ()
    """Paths of parts that are recorded and that somebody has deleted by hand."""
    came: Sequence[LivePart] = ()
    """Parts that people have added, or moved to another parent, on the platform only."""
    aged: Sequence[AgedAttestation] = ()
    """Parts that were changed by hand after somebody said that they are filled."""
    filled: Mapping[str, str] = {}
    """If it opens the resource to learners: when each attested part was last changed."""
    unclear: str = ""
    """Why it is unclear whether it exists already."""
    mentioned: bool = False
    """A list of other things names one like it."""
    listed_at: str = ""
    """When a list says that it was last changed, if a look has found all of it as it is recorded
    and such times can be relied on."""
    read_on: str = ""
    """The day of that read, in UTC; empty without `listed_at`."""

    @property
    def does_anything(self) -> bool:
        """False if only a record is corrected, or only the manifest differs: that needs nothing."""
        return self.difference is not Difference.SAME or self.was is not None

    @property
    def opens_to_learners(self) -> bool:
        """Whether learners see the resource only once this is done."""
        opened = KINDS[self.address.kind].impact.open_to_learners
        return opened(self.after) and not opened(self.before)

    @property
    def basis(self) -> Record | None:
        """The record of the resource, if there is one."""
        return self.original or (None if "" in self.found else self.recorded)

    @property
    def conflicts(self) -> Sequence[Drift]:
        """Fields that were also changed in git, each in its own way, without a decision."""
        return [one for one in self.drift if one.decision is Resolution.CONFLICT]

    @property
    def applied(self) -> Form:
        """The form that was last applied, with the addresses of the catalog; empty for a new
        resource."""
        if self.recorded is None:
            return {}
        return unpack_form(self.renamed or self.recorded.packed)

    @property
    def before(self) -> Form:
        """The form that an update starts from: the last applied one, with people's changes
        since."""
        return unpack_form(self.live) if self.live else self.applied

    @property
    def wanted(self) -> Form:
        """The form that git wants; empty for what is gone."""
        return unpack_form(self.kept or self.desired.packed_form) if self.desired else {}

    @property
    def after(self) -> Form:
        """The form that an update leads to: the catalog's, with fields that stay as the platform
        has them."""
        return unpack_form(self.merged) if self.merged else self.wanted

    @property
    def packed_after(self) -> bytes:
        """The form to record once the change is done, packed; for a desired resource."""
        assert self.desired is not None
        return self.settled or self.kept or self.desired.packed_form


Changes = Mapping[Address, Change]


def take_changes(changes: list[Change]) -> Iterator[Change]:
    """The changes, each out of the list: beside a large plan there is no room for all of them."""
    changes.reverse()
    while changes:
        yield changes.pop()
