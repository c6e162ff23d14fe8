"""The verdicts of guards and policies about a plan, and the context they judge it in."""

from collections.abc import Callable, Mapping, Sequence, Set
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from ...problems import Severity
from ...resource import Address, Form
from ...settings import Guards

if TYPE_CHECKING:
    from ...catalog.manifests.policies import Policy
    from ...state import ReleaseProgress

_DIGITS = 7
"""Of a commit, as code hosts show it."""


class GuardVerdict(NamedTuple):
    """Something in a plan that a guard, or a policy of the catalog, stops or points out."""

    guard: str
    """Name of the guard, or id of the policy."""
    severity: Severity
    addresses: Sequence[Address]
    """The address that the verdict is about; empty if it is about the plan as a whole."""
    message: str
    allow: str = ""
    """The options that let it pass, to be copied; empty if nothing does."""
    permitted: bool = False
    """Somebody has given these options."""


class ApprovedChange(NamedTuple):
    """A change whose guard the approvals of its pull request release."""

    address: Address
    approvers: Sequence[str]
    """`@ana`, or `@bo for @acme/finance`."""
    pull_request: int
    reviewed: str
    """The commit of the pull request that they have approved."""
    lines: Sequence[str]
    """The lines of `APPROVERS` that ask for these approvals."""

    @property
    def reason(self) -> str:
        """`released by the approval of @ana on pull request #7 at commit 0123456`."""
        noun = "approval" if len(self.approvers) == 1 else "approvals"
        names, commit = " and ".join(self.approvers), self.reviewed[:_DIGITS]
        where = f"on pull request #{self.pull_request} at commit {commit}"
        return f"released by the {noun} of {names} {where}"


class ApprovalFindings(NamedTuple):
    """Which changes of a plan the approvals of its pull request release, and why not the others."""

    approved: Sequence[ApprovedChange] = ()
    refused: Mapping[Address, str] = {}
    """Empty where nobody uses approvals."""


class LoweredSetting(NamedTuple):
    """Something that guards a catalog, and guards less of it than in the base of a pull request."""

    setting: str
    """`guards.published`, `rules.long-title`, `policy owners`."""
    before: str
    after: str


class GuardContext(NamedTuple):
    """The context that a plan is judged in."""

    guards: Guards
    environment: str
    protected: bool
    """The environment is: only a saved plan is applied to it."""
    recorded: int
    """How many resources the state has, whatever the plan is limited to."""
    form: Callable[[Address], Form | None]
    """The recorded form of a resource; None for one that is not recorded."""
    policies: "Sequence[Policy]" = ()
    """The policies of the catalog, as the project grades them."""
    lifted: Set[str] = frozenset()
    """Names in `--allow` that are no resource."""
    saved: bool = False
    """The plan was saved, and somebody could review it."""
    now: datetime | None = None
    """When it is applied; None while it is only made."""
    promotes: str = ""
    """The environment that must have a change before this one."""
    untested: Mapping[Address, int] = {}
    """The changes that this environment does not have as the catalog wants them there, each with
    the number of people if nothing but these is missing in its list there, else with 0."""
    dropped: Callable[[], Set[Address]] = frozenset
    """What earlier calls were to make or change and did not."""
    begun: Callable[[], Set[Address]] = frozenset
    """What a run was going to create in something that it has created, too lately for anybody to
    have used that without it."""
    approvals: ApprovalFindings = ApprovalFindings()
    """What approvals of the pull request release of what the guard `published` stops."""
    release: "ReleaseProgress | None" = None
    """The release that the plan applies; its moment only where that is still to come."""
    hours: Sequence[int] | None = None
    """The number of learners' actions in each hour of the day (UTC); None if that is unknown."""
