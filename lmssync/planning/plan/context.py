"""What a plan is made for, and the data that it is based on."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

from ...kind import FormChange
from ...learners.events import LearnerIndex
from ...platform.live import Holder
from ...resource import Address, Form
from ...settings import Platform
from ...state import Proof
from ...support.decisions import NONE, Decisions, Limits
from ...vocabulary.routes import CORE_ROUTES
from .audience import Learners


class Extent(NamedTuple):
    """How much of the catalog and the state a plan is about."""

    limits: Limits = Limits()
    covers: Callable[[Address], bool] = lambda _address: True
    left_out: Set[Address] = frozenset()
    """What differs and is not in the plan."""
    excluded: Set[Address] = frozenset()


class PlanContext(NamedTuple):
    """Where a plan is made for, and what somebody has allowed it to do."""

    environment: str
    base_url: str
    platform: Platform
    decided: Decisions = NONE
    knows: Callable[[str], bool] = lambda _code: True
    """Whether the person behind a code can be named to the platform."""
    commit: str = ""
    planning: Mapping[str, int] = MappingProxyType({})
    """Reads that were made for it, by route."""

    proofs: Iterable[Proof] = ()
    """What those reads have proven."""
    extent: Extent = Extent()

    learners: LearnerIndex | None = None
    """What is known of those who learn there; None where no events were pulled."""
    accounts: Sequence[Holder] | None = None
    """Who holds licenses on the platform, where that was read."""
    confirming: bool = False
    """It is made to see which manual steps are open: none of them becomes a call by `--allow`."""


class PlanState(NamedTuple):
    """What a plan is based on, besides the changes."""

    recorded: Mapping[Address, str]
    """Fingerprints of everything that exists."""
    waiting: Set[Address]
    """Addresses of open calls."""
    parts_of: Callable[[Address], Mapping[str, str]]
    """Recorded parts by address: a callable, so that few records are opened."""
    protected: Set[Address] = frozenset()
    """What the last apply recorded as protected."""
    allowed: Set[Address] = frozenset()
    """Named by `--allow`: it may be changed though it is protected, or replaced, or created though
    a look cannot tell whether it exists."""
    recreate: Set[Address] = frozenset()
    """What is made again where somebody has deleted it by hand."""
    knows: Callable[[str], bool] = lambda _code: True
    """Whether the person behind a code can be named to the platform."""
    routes: Set[str] = CORE_ROUTES
    """The routes that the instance has."""
    permitted: Set[Address] = frozenset()
    """Of `allowed`, what a kind may do to it what it does only on demand."""
    left_out: Set[Address] = frozenset()
    """What is not recorded under its address yet, and will not be by this plan."""
    learners: Learners = Learners(lambda _address: None)

    def change(
        self, address: Address, before: Form, after: Form, others: Collection[str] = ()
    ) -> FormChange:
        """What a kind is asked about a resource; `others` are the fields left to others."""
        return FormChange(address, before, after, self.routes, address in self.permitted, others)


class Blocker(NamedTuple):
    """Why something is blocked, and the guard that the author can lift."""

    reason: str
    guard: str = ""
