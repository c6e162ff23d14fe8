"""What a look at the platform has shown, as values."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple, Self

from ...errors import PlatformError
from ...kind import LivePart
from ...kinds import KINDS
from ...planning.diff import Drift, ProofBuffer, find_drift, top_field
from ...planning.plan import Truth
from ...platform.live import WHOLE, AsRecorded, LiveState
from ...resource import Address, Form
from ...state import Proof, Record
from ...support.persons import spell_person

Others = Mapping[Address, Set[str]]
"""By resource, the fields that its manifest leaves to others."""


class LostHolding(NamedTuple):
    """People of a recorded list who have no longer what it gave them."""

    what: str
    """The address or the uuid of what they had; empty for people who have no account any more."""
    people: Sequence[str]
    """Their bare codes."""
    where: str = ""
    """File and line of each, as far as they stand in a list; else their codes."""

    def with_people_located(self, address: Address, tell: Callable[[str, Address], str]) -> Self:
        return self._replace(where=tell(", ".join(map(spell_person, self.people)), address))


class Drifted(NamedTuple):
    """A resource that is not on the platform as it is recorded."""

    address: Address
    title: str
    missing: bool = False
    """The platform does not have it any more."""
    gone: Sequence[str] = ()
    """Paths of its parts that the platform does not have any more."""
    drift: Sequence[Drift] = ()
    came: Sequence[LivePart] = ()
    """Parts that people have added, or moved to another parent."""
    losses: Sequence[LostHolding] = ()

    @property
    def paths(self) -> Sequence[str]:
        """The fields and parts that differ, without their values."""
        losses = [one.what or "people" for one in self.losses]
        return [*(d.path for d in self.drift), *self.gone, *(p.name for p in self.came), *losses]


class DriftResult(NamedTuple):
    """What a look has shown."""

    findings: Sequence[Drifted]
    looked: int
    """How many resources were read."""
    unseen: Sequence[Address]
    """What no route of this instance shows."""
    left: Sequence[Address]
    """What was not read, because the budget was used up or the look was stopped: the next look
    begins with it."""
    calls: int
    unlisted: Sequence[Address]
    """Lists of people of which nothing could be compared, since the accounts could not be read."""
    why_unlisted: str
    """Why, in words for people."""
    proofs: ProofBuffer
    truth: Truth
    error: PlatformError | None = None
    """What stopped the look before its end."""
    settled: Set[Address] = frozenset()
    """What was read: of these, the look has found all that there is."""
    unmoved: Sequence[Address] = ()
    """What was not read, because lists show that nothing of it was changed since it was."""
    unmoved_fields: int = 0
    """How many of the proven fields are of these."""
    belied: Sequence[Address] = ()
    """What has changed while a list showed an old time: the times of this instance say too
    little."""

    @property
    def is_whole(self) -> bool:
        """True if everything was read that a route shows."""
        return not self.left and self.error is None

    def proofs_to_keep(self) -> Iterator[Proof]:
        """The proofs, without the times of lists once those were seen to say too little."""
        for proof in self.proofs:
            marks = {path: mark for path, mark in proof.marks.items() if path != WHOLE}
            yield proof._replace(marks=marks) if self.belied else proof

    def with_people_located(self, tell: Callable[[str, Address], str]) -> Self:
        """The same with people named as `tell` words it, as in `People.tell`."""
        findings = [
            one._replace(
                losses=[loss.with_people_located(one.address, tell) for loss in one.losses]
            )
            for one in self.findings
        ]
        return self._replace(findings=findings)


def find_drifted(
    record: Record, form: Form, seen: LiveState | AsRecorded, others: Set[str]
) -> Drifted | None:
    """How a resource differs from its record with this form; None if it does not."""
    kind = KINDS[record.address.kind]
    differing = Drifted(record.address, kind.authoring.title(form))
    if isinstance(seen, LiveState):
        if not seen.present:
            return differing._replace(missing=True)
        drift = [one for one in find_drift(form, seen) if top_field(one.path) not in others]
        differing = differing._replace(drift=drift)
    if seen.answer is not None:
        parts = kind.reads.reconcile(form, form, record.ids, seen.answer)
        came = kind.reads.part_drift(form, form, record.ids, seen.answer).came
        own = [one for one in came if top_field(one.path) not in others]
        differing = differing._replace(gone=parts.gone if parts else (), came=own)
    return differing if differing.drift or differing.gone or differing.came else None
