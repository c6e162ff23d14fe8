"""Makes the plan that leads from what is recorded to what is desired."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime
from functools import lru_cache, partial
from itertools import groupby
from typing import TYPE_CHECKING

from ...catalog.manifests.catalog import Catalog
from ...errors import StateError, WrongUse
from ...kind import Ids, ManualStep
from ...kinds import KINDS
from ...learners.events import LearnerIndex
from ...platform.live import may_be_shown
from ...problems import suggest_near
from ...resource import Address, Form, Origin, Resource, careful_resources, unpack_form
from ...state import CallStatus, OpenStep, Record, Store
from ...support.decisions import Refresh
from ..diff import Change, take_changes
from ..verification_coverage import sum_coverage
from .build import build_changes
from .builder import Builder, find_named, title_finding
from .plan import Action, CardReader, Consequence, Counted, Plan, PlannedChange
from .plan_context import Learners, PlanContext, PlanState
from .schedule import schedule_parts
from .seating import with_seats

if TYPE_CHECKING:
    from ...learners.stories import ReplayedOutcome

_NAMES = 5
"""The most addresses that a message names."""


def refuse_lost_state(store: Store, changes: Iterable[Change], *, new_state: bool) -> None:
    """Raises `StateError` if the platform has resources of the catalog, and the state is empty."""
    if new_state or not store.is_empty:
        return
    there = [str(change.address) for change in changes if "" in change.found or change.mentioned]
    if there:
        more = f" and {len(there) - _NAMES} more" if len(there) > _NAMES else ""
        raise StateError(
            f"the state is empty, and the platform has {', '.join(there[:_NAMES])}{more} already",
            "if there was a state, restore it; if not, `--new-state` takes over what is there",
        )


_UNCONFIRMED = "a manual step from its creation is not confirmed yet"
_STEP_OF_FORGOTTEN = "a manual step is still open: lmssync asks for it again if this comes back"


def with_open(
    changes: Iterable[PlannedChange],
    steps: Iterable[OpenStep],
    desired: Mapping[Address, Resource],
    recorded: Mapping[Address, str],
) -> list[PlannedChange]:
    """The changes with the manual steps that are open from earlier creations, by address."""
    lasting = (step for step in steps if step.lasting)
    left = {
        address: [step.manual for step in own]
        for address, own in groupby(lasting, key=lambda step: step.address)
    }
    joined = [_join_steps(one, left.pop(one.was or one.address, ()), desired) for one in changes]
    joined += [
        _steps_alone(desired[address], manual, recorded[address])
        for address, manual in left.items()
        if address in desired and address in recorded
    ]
    return sorted(joined, key=lambda planned: planned.address)


def _join_steps(
    planned: PlannedChange, left: Sequence[ManualStep], desired: Mapping[Address, Resource]
) -> PlannedChange:
    if not left:
        return planned
    if planned.action is Action.FORGET:
        return planned._replace(reasons=[*planned.reasons, _STEP_OF_FORGOTTEN])
    # Only `unchanged` becomes another action: it would hide the steps.
    if planned.action is not Action.UNCHANGED:
        return planned._replace(manual=[*planned.manual, *left])
    alone = _steps_alone(desired[planned.address], left, planned.basis)
    why = [*planned.reasons, *alone.reasons]
    return alone._replace(reasons=why, drift=planned.drift, evidence=planned.evidence)


def _steps_alone(
    resource: Resource, left: Sequence[ManualStep], basis: str | None
) -> PlannedChange:
    address = resource.address
    return PlannedChange(
        address,
        Action.MANUAL,
        KINDS[address.kind].impact.creation,
        [_UNCONFIRMED],
        manual=left,
        basis=basis,
        title=KINDS[address.kind].authoring.title(resource.form),
        still_open=True,
    )


def make_plan(
    catalog: Catalog, store: Store, changes: Iterable[Change], where: PlanContext
) -> Plan:
    """Makes the plan; it reads nothing but the state, and writes nothing.

    Raises `WrongUse` if a decision names an address that does not exist or is left out.
    """
    changes = [_with_known_ids(store, change) for change in changes]
    _require_decisions(catalog, store, where)
    state = _state_before(store, changes, where)
    builder = Builder(where.platform, state, store.count_moves_away())
    verified = where.platform.verified_percent
    builder.is_release = bool(where.extent.limits.release)
    builder.find_form = lru_cache(maxsize=8)(partial(_find_form, catalog, store))
    differing = {c.address for c in changes if c.missing or c.drift}
    made_again = sorted(c.address for c in changes if c.original and c.recorded is None)
    build_changes(builder, take_changes(changes))
    covers, limits = where.extent.covers, where.extent.limits
    steps = (step for step in store.open_steps(include_forgotten=True) if covers(step.address))
    builder.planned = with_open(builder.planned, steps, catalog.resources, store.fingerprints())
    calls = schedule_parts(builder.works)
    builder.works.clear()  # the calls have their parts
    planned = with_seats(builder.planned, calls, store, where.accounts)
    index, own = where.learners, filter(covers, catalog.resources)
    unchanged = sum(1 for _ in own) - sum(
        one.address in catalog.resources and covers(one.address) for one in builder.planned
    )
    fresh = {one.address: one.counts for one in where.proofs}
    read_again = fresh.keys() | differing
    protections = _changed_protections(catalog, builder).items()
    drifted = [
        one
        for one in store.list_findings()
        if one.address not in read_again and covers(one.address)
    ]
    return Plan(
        environment=where.environment,
        base_url=where.base_url,
        lineage=store.lineage,
        serial=store.serial,
        catalog=catalog.digest,
        commit=where.commit,
        changes=planned,
        steps=calls,
        releases=builder.releases,
        adoptions=builder.adoptions,
        made_again=made_again,
        keep=where.decided.keep,
        leave=where.decided.leave,
        refresh="" if where.decided.refresh is Refresh.CHANGED else where.decided.refresh,
        truth=sum_coverage(store, store.proof_totals(fresh), fresh, where.platform.routes),
        known_drift=drifted,
        drift_titles={one.address: title_finding(store, one) for one in drifted[:_NAMES]},
        proofs=where.proofs,
        counted=Counted(index.as_of, index.pulled_since) if index else None,
        limits=limits if limits.is_given else None,
        unchanged=unchanged,
        allowed=sorted(where.decided.allow),
        protections={address: on for address, on in protections if covers(address)},
        planning=where.planning,
        verified_share="" if verified is None else f"{verified}%",
        currency=where.currency,
        titles=dict(_titles_around(planned, builder.named, catalog, store)),
    )


def _require_decisions(catalog: Catalog, store: Store, where: PlanContext) -> None:
    """Refuses a decision about an address that does not exist, or that the plan leaves out."""
    decided = where.decided
    kept = (*decided.keep, *decided.leave)
    _require_known("--allow", decided.allow, catalog, store)
    _require_known("--recreate", decided.recreate, catalog, store)
    _require_known("--keep", (Address.parse(one.partition(":")[0]) for one in kept), catalog, store)
    outside = sorted(a for a in decided.recreate if not where.extent.covers(a))
    if outside:
        raise WrongUse(
            f"`--recreate {outside[0]}` names something that the limits of this plan leave out",
            "plan without these limits",
        )


def _state_before(store: Store, changes: Sequence[Change], where: PlanContext) -> PlanState:
    # A forgotten resource that the catalog has again exists, and so does what a look has found:
    # neither is among the fingerprints, and without them the plan would create it a second time.
    there = {
        c.address: c.recorded.fingerprint
        for c in changes
        if c.recorded and ((c.returned and c.was is None) or "" in c.found)
    }
    recorded, ids_of = store.fingerprints(), _ids_of(store, changes)
    return PlanState(
        {**recorded, **there} if there else recorded,
        store.unresolved_addresses(),
        frozenset() if where.recovered else _find_findable(store, where.platform.routes),
        lambda address: ids.parts if (ids := ids_of(address)) else {},
        store.protected_addresses(),
        where.decided.allow,
        where.decided.recreate,
        where.knows,
        where.platform.routes,
        frozenset() if where.confirming else where.decided.allow,
        where.extent.left_out,
        Learners(ids_of, where.learners),
    )


def _find_findable(store: Store, routes: Set[str]) -> Set[Address]:
    """The addresses of open calls of which the next apply may find out by itself what was done."""
    return {
        part.address
        for call in store.open_calls()
        for part in call.parts
        if call.status is CallStatus.ACKNOWLEDGED
        or may_be_shown(part, routes, recorded=store.find_record(part.address) is not None)
    }


def _titles_around(
    changes: Sequence[PlannedChange], named: Set[Address], catalog: Catalog, store: Store
) -> Iterator[tuple[Address, str]]:
    """Titles of the resources that changes belong to or name by a field that is no list, where
    they have no change with a title."""
    around = named | {one.part_of for one in changes if one.part_of}
    for one in (one for one in changes if one.still_open):
        around |= find_named(catalog.resources[one.address])
    around -= {one.address for one in changes if one.title and one.address in around}
    for address in sorted(around):
        if title := KINDS[address.kind].authoring.title(_find_form(catalog, store, address)):
            yield address, title


def _find_form(
    catalog: Catalog, store: Store, address: Address, *, prefers_record: bool = False
) -> Form:
    """The form of a resource as it is desired, else as it is recorded, or the other way about."""
    wanted, record = catalog.resources.get(address), store.find_record(address)
    forms = [wanted.packed_form if wanted else None, record.packed if record else None]
    packed = next(filter(None, reversed(forms) if prefers_record else forms), None)
    return unpack_form(packed) if packed else {}


def _require_known(
    option: str, addresses: Iterable[Address], catalog: Catalog, store: Store
) -> None:
    """Refuses a decision about an address that is neither desired nor recorded."""
    for address in addresses:
        if address not in catalog.resources and store.find_record(address) is None:
            names = {str(known) for known in (*catalog.resources, *store.fingerprints())}
            raise WrongUse(
                f"`{option} {address}` names nothing that is in the catalog or in the state",
                suggest_near(str(address), names),
            )


def _changed_protections(catalog: Catalog, builder: Builder) -> Mapping[Address, bool]:
    """Changes of protection that are not recorded in the state yet."""
    wanted = {r.address for r in careful_resources(catalog.resources) if r.lifecycle.protect}
    moved = {i.was: i.address for i in builder.planned if i.action is Action.MOVE and i.was}
    now = {moved.get(address, address) for address in builder.state.protected}
    changed = dict.fromkeys(sorted(wanted - now), True)
    # What is blocked stays protected: else the next run would make the change that this one
    # refuses.
    blocked = {i.address for i in builder.planned if i.action is Action.BLOCKED}
    free = now - wanted - blocked
    return changed | {a: False for a in sorted(free) if a in catalog.resources}


def _ids_of(store: Store, changes: Iterable[Change]) -> Callable[[Address], Ids | None]:
    """Reads the recorded ids of one resource on request."""
    was = {change.address: change.was for change in changes if change.was}
    corrected = {c.address: c.recorded for c in changes if c.found or c.original}
    new = {c.address for c in changes if not (c.recorded or c.original)}

    @lru_cache(maxsize=64)  # the rules and paths of a course come one after the other
    def ids(address: Address) -> Ids | None:
        known = None if address in new else store.find_record(was.get(address, address))
        record = corrected.get(address, known)
        if record is None:
            return None if address in new else store.others.find_ids(address)
        return _as_known(store, record).ids

    return ids


def _as_known(store: Store, record: Record) -> Record:
    """The record with its parts, whether their ids are known or not."""
    if store.pairing or not record.unpaired:
        return record
    # An offline plan reads no ids, so those of the parts are empty.
    parts = KINDS[record.address.kind].authoring.parts(record.form)
    return record._replace(kept_ids=Ids({}, dict.fromkeys(parts, "")))


def _with_known_ids(store: Store, change: Change) -> Change:
    if not (change.recorded or change.original):
        return change
    recorded, original = (
        one and _as_known(store, one) for one in (change.recorded, change.original)
    )
    return change._replace(recorded=recorded, original=original)


_JUDGED = frozenset({Action.CREATE, Action.UPDATE, Action.MOVE, Action.FORGET, Action.MANUAL})


def add_replayed_outcomes(
    made: Plan, catalog: Catalog, store: Store, index: LearnerIndex | None, at: datetime
) -> Plan:
    """The plan with a sentence for each course or license of which learners lose something."""
    changed = [one for one in made.changes if one.action in _JUDGED and one.consequence]
    if index is None or not changed:
        return made
    from ...learners.stories import PlanReplay, find_course_of  # few plans have learners

    before, after = _find_both(changed, catalog, store)
    courses = {course for one in changed if (course := find_course_of(one.address, after, before))}
    if not courses and not any(one.address in before for one in changed):
        return made
    unchanged = dict(_unchanged_of(courses, catalog, before, after))

    def find_ids(address: Address) -> Ids | None:
        record = store.find_record(address)
        return record.known_ids if record else store.others.find_ids(address)

    replay = PlanReplay(before | unchanged, after | unchanged, index, find_ids)
    found = dict(replay.replay_changes([one.address for one in changed], at))
    basis = replay.spell_basis()
    return replace(
        made, changes=[_add_outcome(o, found.get(o.address), basis) for o in made.changes]
    )


def _find_both(
    changed: list[PlannedChange], catalog: Catalog, store: Store
) -> tuple[dict[Address, Resource], dict[Address, Resource]]:
    before, after = {}, {}
    for one in changed:
        if record := store.find_record(one.was or one.address):
            before[one.address] = _as_resource(one.address, record)
        wanted = catalog.resources.get(one.address)
        # The platform keeps what leaves the catalog, unless somebody is asked to delete it.
        if wanted is None and not one.manual and one.address in before:
            wanted = before[one.address]
        if wanted:
            after[one.address] = wanted
    return before, after


def _as_resource(address: Address, record: Record) -> Resource:
    whole = KINDS[address.kind].relations.group_by
    node = record.form.get(whole)
    facts = {whole: node["$ref"]} if isinstance(node, dict) else {}
    return Resource(address, record.fingerprint, record.packed, (), Origin(""), facts)


def _unchanged_of(
    courses: set[Address],
    catalog: Catalog,
    before: Mapping[Address, Resource],
    after: Mapping[Address, Resource],
) -> Iterator[tuple[Address, Resource]]:
    """The courses, and what belongs to them, that the plan leaves as they are."""
    names = {str(course) for course in courses}
    for address, resource in catalog.resources.items() if courses else ():
        if address in before or address in after:
            continue
        whole = KINDS[address.kind].relations.group_by
        if address in courses or resource.facts.get(whole) in names:
            yield address, resource


def _add_outcome(
    one: PlannedChange, outcome: "ReplayedOutcome | None", basis: str
) -> PlannedChange:
    if one.consequence is None or outcome is None or not outcome.takes_something:
        return one
    meant = _add_sentence(one.consequence, "; ".join(outcome.spell_counts()) + f" ({basis})")
    return one._replace(consequence=meant._replace(replayed=outcome.list_counts()))


def _add_sentence(meant: Consequence, sentence: str) -> Consequence:
    """Adds it to the whole, and to the share of it that learners read, or customers."""
    cards = dict(meant.cards)
    if reader := next((one for one in CardReader if one in cards), None):
        own = _add_sentence(cards[reader].consequence, sentence)
        cards[reader] = cards[reader]._replace(consequence=own)
    return meant._replace(says=[*meant.says, sentence], cards=cards or meant.cards)
