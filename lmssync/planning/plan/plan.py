"""A plan: what would change, why, and every call that would do it, as values."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from ... import __version__
from ...kind import CallPart, Effect, Ids, Json, ManualStep, Undo, merge_bodies
from ...kinds import KINDS
from ...learners.events import Audience
from ...platform.live import Certainty
from ...resource import Address
from ...state import DriftFinding, Proof
from ...support.decisions import Limits
from ..diff import Drift, FieldChange
from ..verification_coverage import VerificationCoverage
from .verdict import ApprovedChange, GuardVerdict, LoweredSetting


class Version(StrEnum):
    """The version that a change makes of a course for its learners, as the parts of a version
    number."""

    BREAKING = "breaking"
    """Whoever is enrolled has to do something else now, or may lose something: a major version."""
    ADDITIVE = "additive"
    """There is more than before: a minor version."""
    EDITORIAL = "editorial"
    """It is the same course, better said or better looking: a patch."""

    @classmethod
    def strictest_version(cls, *words: str) -> str:
        """The first of the words that is given, in the order of this class."""
        return next((word.value for word in cls if word in words), "")


class CardReader(StrEnum):
    """The readers of a card of a report."""

    LEARNERS = "learners"
    CUSTOMERS = "customers"
    OPERATORS = "operators"
    """Those who do by hand whatever no call does."""


class Consequence(NamedTuple):
    """The meaning of a change for people."""

    audience: Audience | None
    """None if it is unknown."""
    says: Sequence[str]
    """Sentences for people, without a full stop."""
    undo: Undo
    recipe: str
    """How to undo it, in one sentence; empty for what is permanent."""
    version: str
    """A `Version` for what belongs to a course, else empty."""
    version_of: Address | str = ""
    """The address, or the uuid, of the course whose version it is."""
    cards: "Mapping[CardReader, Card]" = MappingProxyType({})
    """The shares of the change, if it concerns several readers, each with other fields."""
    replayed: "Mapping[str, int]" = MappingProxyType({})
    """How many learners it takes something from, judged again by what events say; empty where it
    takes nothing, or without an index of events."""


class Card(NamedTuple):
    """The share of a change that concerns one reader: some of its fields, and what these mean."""

    paths: Sequence[str]
    effect: Effect
    consequence: Consequence


class Counted(NamedTuple):
    """Which events the learners of a plan are counted from."""

    until: datetime
    since: datetime | None
    """None for all that there are."""


class Action(StrEnum):
    """The action of a plan for a resource."""

    CREATE = "create"
    UPDATE = "update"
    ADOPT = "adopt"
    MOVE = "move"
    FORGET = "forget"
    """The resource left the catalog: it is no longer managed, and stays on the platform."""
    MANUAL = "manual"
    """Only a person can do it."""
    BLOCKED = "blocked"
    """Something must be decided first."""
    UNCHANGED = "unchanged"


class PlannedChange(NamedTuple):
    """One change of a plan: the action for a resource, its fields, and the reasons."""

    address: Address
    action: Action
    effect: Effect
    reasons: Sequence[str] = ()
    fields: Sequence[FieldChange] = ()
    manual: Sequence[ManualStep] = ()
    basis: str | None = None
    """Fingerprint of the record used for the plan; the plan is stale if the record changes."""
    title: str = ""
    was: Address | None = None
    """The address that it moves away from, or would move away from if it were not blocked."""
    guard: str = ""
    """The guard that blocks it, if one does; the author can lift it (`--allow`)."""
    losses: Sequence[str] = ()
    """The reasons that say what is taken away for good."""
    drift: Sequence[Drift] = ()
    """Fields that people have changed on the platform, and what becomes of each."""
    blocked_fields: Sequence[FieldChange] = ()
    """Fields that are not sent before somebody has decided, while the others are."""
    blocked_because: str = ""
    """Why they wait, and the ways out."""
    evidence: Mapping[str, Certainty] = {}
    """By path of a field, how far its value on the platform is known."""
    consequence: Consequence | None = None
    """The consequence for people; None for a change that changes nothing."""
    edited_parts: int = 0
    """How many of its parts people have added, moved or deleted on the platform."""
    still_open: bool = False
    """Nothing differs: it is listed only for open manual steps from its creation."""
    part_of: Address | None = None
    """The resource that it belongs to: the course of a criterion."""
    part_titles: Mapping[str, str] = {}
    """Titles of the parts that paths of its fields lead through, by the path of each part."""
    listed_at: str = ""
    """When a list says that it was last changed, if all of it was read and is as it is recorded:
    while the list says so, an apply does not read it again."""
    read_on: str = ""
    """The day of that read, in UTC; empty without `listed_at`."""
    filled: Mapping[str, str] = {}
    """If it opens the resource to learners: when each attested part was last changed."""

    @property
    def whole(self) -> Address:
        """The resource that it belongs to, or the resource itself."""
        return self.part_of or self.address

    @property
    def is_undecided(self) -> bool:
        """True if an apply leaves it, or some of its fields, until somebody decides."""
        return self.action is Action.BLOCKED or bool(self.blocked_fields)

    @property
    def block_reason(self) -> str:
        """Why it, or some of its fields, has to wait, and the ways out."""
        return self.blocked_because or "; ".join(self.reasons)

    def split_blocked_fields(self) -> "tuple[PlannedChange | None, PlannedChange]":
        """The fields that wait, as a blocked change, and the change without them."""
        if not self.blocked_fields:
            return None, self
        impact = KINDS[self.address.kind].impact
        blocked = PlannedChange(
            self.address,
            Action.BLOCKED,
            Effect.strictest_effect(impact.of(one.path) for one in self.blocked_fields),
            [self.blocked_because],
            self.blocked_fields,
            title=self.title,
        )
        others = [reason for reason in self.reasons if reason != self.blocked_because]
        return blocked, self._replace(reasons=others, blocked_fields=(), blocked_because="")


class Adoption(NamedTuple):
    """Something that is on the platform and not in the state: its ids, and what is known of it."""

    ids: Ids
    packed: bytes


class Step(NamedTuple):
    """One call: the parts of several resources in one body."""

    phase: int
    """Steps of a phase do not need each other; a later phase may need an earlier one."""
    parts: tuple[CallPart, ...]
    """At least one, all of one route and with the same parameters."""

    @property
    def route(self) -> str:
        return self.parts[0].route

    @property
    def params(self) -> dict[str, Json]:
        return dict(self.parts[0].params)

    def body(self) -> Json:
        """The body that is sent, with its `$ref` nodes."""
        return merge_bodies(self.route, [part.body for part in self.parts])


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything that an apply will do, bound to the state it was made from.

    Two plans are the same if their digests are.
    """

    environment: str
    base_url: str
    lineage: str
    serial: int
    catalog: str
    """Digest of the desired catalog."""
    commit: str
    changes: Sequence[PlannedChange]
    steps: Sequence[Step]
    releases: Mapping[Address, bytes] = field(default_factory=dict)
    """Records whose manifest manages fewer fields than before: packed forms, no call needed."""
    unchanged: int = 0
    allowed: Sequence[Address] = ()
    """Protected resources that it may change all the same."""
    adoptions: Mapping[Address, Adoption] = field(default_factory=dict)
    """Resources that already exist on the platform; they are recorded before anything is sent."""
    made_again: Sequence[Address] = ()
    """Resources that somebody has deleted by hand and somebody wants to create again."""
    keep: Sequence[str] = ()
    """Addresses, or fields of them (`ADDRESS:FIELD`), for which git wins over the platform."""
    leave: Sequence[str] = ()
    """Addresses, or fields of them, that stay as the platform has them."""
    refresh: str = ""
    """The recorded resources that were read: all or none of them; empty for those that git
    changes."""
    limits: Limits | None = None
    """The part of the catalog that the plan is about, if it is not all of it."""
    truth: VerificationCoverage | None = None
    """How much of what is managed is known to be as it is recorded."""
    known_drift: Sequence[DriftFinding] = ()
    """Findings of drift about resources that this plan has not read."""
    drift_titles: Mapping[Address, Mapping[str, str]] = field(default_factory=dict)
    """The titles of the first of these resources, by no path, and of their parts, by paths."""
    counted: Counted | None = None
    """The time of the events that learners are counted from; None if nobody knows who is
    touched."""
    proofs: Iterable[Proof] = ()
    """The proofs of the reads that it was made with: for the state, no part of a saved plan."""
    protections: Mapping[Address, bool] = field(default_factory=dict)
    """The resources that become protected, or no longer are: this is recorded without a call."""
    intentions: str = ""
    """Digest of what it wants, where changes are promoted from one environment to the next."""
    guards: Sequence[GuardVerdict] = ()
    """The verdicts of guards and policies."""
    approved: Sequence[ApprovedChange] = ()
    """Changes whose guard approvals of their pull request release."""
    lowered: Sequence[LoweredSetting] = ()
    """The settings that guard less than in the base that the plan was compared with."""
    planning: Mapping[str, int] = field(default_factory=dict)
    """Reads made to prepare the plan, by route; none if nothing differed."""
    verified_share: str = ""
    """The share of what it creates that is read back at once, such as `10%`; empty for what makes
    nothing wait."""
    currency: str = ""
    """The currency of prices, as the project file says; empty where it says none."""
    titles: Mapping[Address, str] = field(default_factory=dict)
    """Titles of what its changes belong to or name, where that does not change itself."""
    version: str = __version__
    """The lmssync version that made it."""

    @property
    def summary(self) -> dict[str, int]:
        """How many resources have each action."""
        counts = {action.value: 0 for action in Action}
        for planned in self.changes:
            counts[planned.action] += 1
        counts[Action.UNCHANGED] += self.unchanged
        return counts

    @cached_property
    def known_titles(self) -> Mapping[Address, str]:
        """The titles of what changes, of what that belongs to, and of what it names."""
        return {**self.titles, **{one.address: one.title for one in self.changes if one.title}}

    @property
    def by_hand(self) -> int:
        """How many steps it leaves to people, whatever else it does to their resources."""
        return sum(len(planned.manual) for planned in self.changes)

    @property
    def undo(self) -> dict[str, int]:
        """How many of the changes that it makes can be undone, and how."""
        made = (i.consequence for i in self.changes if i.action is not Action.BLOCKED)
        counts = Counter(consequence.undo for consequence in made if consequence)
        return {undo.value: counts[undo] for undo in Undo}

    @property
    def versions(self) -> dict[str, str]:
        """Courses that change, by address or uuid, and what the plan is to their learners: the
        strictest word of all its changes of the course. New courses are not among them."""
        new = {one.address for one in self.changes if one.action is Action.CREATE}
        words: dict[str, str] = {}
        for one in (i.consequence for i in self.changes if i.action is not Action.BLOCKED):
            if one and one.version and one.version_of not in new:
                course = str(one.version_of)
                words[course] = Version.strictest_version(words.get(course, ""), one.version)
        return words

    @property
    def release_name(self) -> str:
        """The release that it applies, of which there is a file; empty for any other plan."""
        return self.limits.release if self.limits else ""

    @property
    def has_changes(self) -> bool:
        """False if the plan shows nothing but manual steps from before."""
        return any(i.action is not Action.UNCHANGED and not i.still_open for i in self.changes)

    @property
    def forbidden_all(self) -> bool:
        """True if guards stop every change that the plan would make itself."""
        left = {Action.UNCHANGED, Action.MANUAL}
        ours = [i for i in self.changes if i.action not in left or i.blocked_fields]
        return bool(ours) and all(i.action is Action.BLOCKED and i.guard for i in ours)

    @property
    def does_anything(self) -> bool:
        """True if an apply would send or record anything."""
        acting = any(one.action in {Action.FORGET, Action.MOVE} for one in self.changes)
        return bool(acting or self.steps or self.releases or self.adoptions)

    @property
    def parts(self) -> Iterator[CallPart]:
        """The parts of all calls, in the order in which they are sent."""
        return (part for step in self.steps for part in step.parts)

    @property
    def undecided_changes(self) -> list[PlannedChange]:
        """Changes that an apply leaves, wholly or in some fields, until somebody decides."""
        return [planned for planned in self.changes if planned.is_undecided]

    def with_action(self, action: Action) -> list[PlannedChange]:
        return [planned for planned in self.changes if planned.action is action]


def tell_people(plan: Plan, tell: Callable[[str, Address], str]) -> Plan:
    """The plan with people named as `tell` words it."""
    changes = [
        i._replace(reasons=[tell(reason, i.address) for reason in i.reasons])
        if KINDS[i.address.kind].concealed
        else i
        for i in plan.changes
    ]
    return replace(plan, changes=changes)
