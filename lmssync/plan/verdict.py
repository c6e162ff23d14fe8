"""What guards and policies go by, and what they say of a plan, as values."""

from collections.abc import Callable, Sequence, Set
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from ..address import Address
from ..problems import Severity
from ..resource import Form
from ..settings import Guards

if TYPE_CHECKING:
    from ..manifests.policies import Policy


class GuardVerdict(NamedTuple):
    """Something in a plan that a guard, or a policy of the catalog, stops or points out."""

    guard: str
    """Name of the guard, or id of the policy."""
    severity: Severity
    addresses: Sequence[Address]
    """What it is about; empty if it is about the plan as a whole."""
    message: str
    allow: str = ""
    """The options that let it pass, to be copied; empty if nothing does."""
    permitted: bool = False
    """Somebody has given these options."""


class LoweredSetting(NamedTuple):
    """Something that guards a catalog, and guards less of it than in the base of a pull request."""

    setting: str
    """`guards.published`, `rules.long-title`, `policy owners`."""
    before: str
    after: str


class GuardContext(NamedTuple):
    """What a plan is judged by."""

    guards: Guards
    environment: str
    protected: bool
    """The environment is: only a saved plan is applied to it."""
    recorded: int
    """How many resources the state has, whatever the plan is limited to."""
    form: Callable[[Address], Form | None]
    """The recorded form of a resource; None for one that is not recorded."""
    policies: "Sequence[Policy]" = ()
    """Those of the catalog, as the project grades them."""
    lifted: Set[str] = frozenset()
    """What `--allow` names that is no resource."""
    saved: bool = False
    """The plan was saved, and somebody could review it."""
    now: datetime | None = None
    """When it is applied; None while it is only made."""
    promotes: str = ""
    """The environment that must have a change before this one."""
    untested: Set[Address] = frozenset()
    """What that environment does not have as the catalog wants it there."""
    hours: Sequence[int] | None = None
    """What learners did in each hour of the day (UTC); None if that is unknown."""
