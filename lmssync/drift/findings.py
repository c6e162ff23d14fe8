"""What a look at the platform has shown, as values."""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from ..address import Address
from ..diff import Drift, drifts, top
from ..errors import PlatformError
from ..kinds import KINDS
from ..live import LiveState
from ..plan import Truth
from ..resource import Form
from ..state import Proof, Record

Others = Mapping[Address, Set[str]]
"""By resource, the fields that its manifest leaves to others."""


class Drifted(NamedTuple):
    """A resource that is not on the platform as it is recorded."""

    address: Address
    title: str
    missing: bool = False
    """The platform does not have it any more."""
    gone: Sequence[str] = ()
    """Paths of its parts that the platform does not have any more."""
    drift: Sequence[Drift] = ()


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
    proofs: Sequence[Proof]
    truth: Truth
    error: PlatformError | None = None
    """What stopped the look before its end."""

    @property
    def is_whole(self) -> bool:
        """True if everything was read that a route shows."""
        return not self.left and self.error is None


def drifted(record: Record, form: Form, state: LiveState, others: Set[str]) -> Drifted | None:
    """How a resource differs from its record with this form; None if it does not."""
    kind = KINDS[record.address.kind]
    same = Drifted(record.address, kind.authoring.title(form))
    if not state.present:
        return same._replace(missing=True)
    drift = [one for one in drifts(form, state) if top(one.path) not in others]
    parts = None
    if state.answer is not None:
        parts = kind.reads.reconcile(form, form, record.ids, state.answer)
    differing = same._replace(drift=drift, gone=parts.gone if parts else ())
    return differing if differing.drift or differing.gone else None
