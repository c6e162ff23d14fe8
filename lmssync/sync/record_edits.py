"""Changes of records besides an apply: ids found on the platform, addresses, removals, steps.

The answer of a create has the ids of a batch, in no promised order (O16). Events name courses by
id, so counts are shown by address only once it is known which id is whose.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from ..applying import apply, pipeline
from ..applying.apply import ApplyProgress, ApplySession
from ..catalog.manifests.catalog import Catalog
from ..errors import LmssyncError, PlatformError, Refused, StateError, Unreadable, WrongUse
from ..kind import REMOVAL, FormChange, ManualStep
from ..kinds import KINDS, node_address
from ..learners.events import LearnerIndex
from ..planning import diff, plan, plan_loading as planning
from ..planning.verification_coverage import count_fields
from ..planning.workspace import Workspace
from ..platform import live
from ..platform.client import Reader
from ..platform.live import KeptAnswers
from ..problems import suggest_near
from ..resource import KEY, KEY_MOST, Address, Form, Resource, pack_form
from ..state import Counts, OpenStep, Record, Store, instance_of

FoundId = tuple[Address, str]
"""A resource of the catalog, and the id under which a person has found it."""
AdoptionOutcome = str | LmssyncError
"""How it was checked, or why it was not taken over."""


def adopt_found(
    workspace: Workspace,
    store: Store,
    progress: ApplyProgress,
    pairs: Sequence[FoundId],
    *,
    unverified: bool,
    sends_unread: bool,
) -> list[tuple[Address, AdoptionOutcome]]:
    """Takes over what a person has found for some resources; returns what became of each.

    What no read shows is taken to be as the manifests say, or is sent by the next apply.
    """
    catalog = planning.load_catalog(workspace)
    with pipeline.open_session(workspace, store, progress, catalog) as opened:
        opened.kept = KeptAnswers()
        desired = opened.people.conceal_catalog(catalog).resources
        if store.is_empty:  # the next run must not take it for the state of all that was made
            store.note_doubt("the state began with what people have found on the platform")
        outcomes: dict[int, AdoptionOutcome] = {}
        try:
            for number in _order_by_read(pairs, desired):
                outcomes[number] = _adopt_one(
                    opened,
                    workspace,
                    pairs[number],
                    desired,
                    unverified=unverified,
                    sends_unread=sends_unread,
                )
        finally:  # whatever stops a run, the next plan asks about what was refused until then
            taken = [pairs[n][0] for n, outcome in outcomes.items() if isinstance(outcome, str)]
            named = dict(pairs[n] for n, one in outcomes.items() if not isinstance(one, str))
            store.note_refused_adoptions(
                {one: id_ for one, id_ in named.items() if one in desired}, taken
            )
        apply.compare_adopted(opened, taken)
    return [(address, outcomes[number]) for number, (address, _) in enumerate(pairs)]


def count_adopted_fields(
    workspace: Workspace, store: Store, outcomes: Sequence[tuple[Address, AdoptionOutcome]]
) -> Counts:
    """The fields of what was taken over, by what the routes of the instance show of them."""
    taken = [address for address, outcome in outcomes if isinstance(outcome, str)]
    counted = count_fields(store, taken, workspace.platform.routes)
    return Counts(*map(sum, zip(*counted.values(), strict=True))) if counted else Counts()


def _order_by_read(pairs: Sequence[FoundId], desired: Mapping[Address, Resource]) -> list[int]:
    """The places of the pairs; what one read shows, a course and its criteria, is side by side."""
    addresses = [address for address, _ in pairs]
    reads = [_name_read(address, desired) for address in addresses]
    first = {about: place for place, (about, *_) in reversed(list(enumerate(reads)))}
    about = {address: read[0] for address, read in zip(addresses, reads, strict=True)}
    levels, latest = _count_before(about, desired), dict.fromkeys(reads, 0)
    for address, read in zip(addresses, reads, strict=True):
        latest[read] = max(latest[read], levels[address])
    # What others are recognised by comes before them.
    order = [(latest[read], first[read[0]], read) for read in reads]
    return sorted(range(len(pairs)), key=order.__getitem__)


def _count_before(
    about: Mapping[Address, str], desired: Mapping[Address, Resource]
) -> Mapping[Address, int]:
    """How many of these come before each one, one after another."""
    levels: dict[Address, int] = {}

    def count_level(address: Address) -> int:
        if address not in levels:
            levels[address] = 0  # in a circle somebody is the first
            # What its own read is about is no reason to wait: nothing else is needed to recognise
            # what has a read of its own.
            by_others = address in desired and about[address] != str(address)
            references = desired[address].references if by_others else ()
            named = {one.address for one in references} & about.keys() - {address}
            above = (count_level(one) + (str(one) != about[address]) for one in named)
            levels[address] = max(above, default=0)
        return levels[address]

    for address in about:
        count_level(address)
    return levels


def _name_read(address: Address, desired: Mapping[Address, Resource]) -> tuple[str, bool, str]:
    """The resource that a check reads, whether that is another one, and the route."""
    if address not in desired:
        return str(address), False, ""
    form, reads = desired[address].form, KINDS[address.kind].reads
    if request := reads.request(address, form):
        about = next(_list_references(request.params.values()), str(address))
        return about, about != str(address), request.route
    search = reads.search(form, None)
    return (repr(search.request) if search else str(address)), False, ""


def _list_references(values: Any) -> Iterator[str]:
    return (str(one["$ref"]) for one in values if isinstance(one, dict) and "$ref" in one)


def _adopt_one(
    opened: ApplySession,
    workspace: Workspace,
    found: FoundId,
    desired: Mapping[Address, Resource],
    *,
    unverified: bool,
    sends_unread: bool,
) -> AdoptionOutcome:
    """How one was checked, or why it is something else."""
    (address, id_), platform = found, workspace.platform
    try:
        if address not in desired:
            raise WrongUse(f"{address} is not in the catalog", "write its manifest first")
        wanted = desired[address]
        mark = plan.mark_of_author(wanted, platform)
        return apply.take_over(
            opened, wanted, id_, mark, unverified=unverified, sends_unread=sends_unread
        )
    except (Refused, Unreadable) as error:
        return error
    except (PlatformError, StateError):
        raise  # the next one would fail in the same way
    except LmssyncError as error:
        return error


def move_record(store: Store, old: Address, new: Address) -> Mapping[Address, Address]:
    """Gives a record another address, and what is inside it; returns old addresses and new ones.

    The same as `moved` in a manifest does, but what was forgotten stays so. Raises `WrongUse`.
    """
    _refuse_impossible(store, old, new)
    pairs = {old: new}
    for address in _records_inside(store, old):
        rest = address.key.removeprefix(f"{old.key}.")
        pairs[address] = Address(address.kind, f"{new.key}.{rest}")
    _refuse_waiting(store, (*pairs, *pairs.values()), "moved")
    for taken in filter(store.find_record, pairs.values()):
        raise WrongUse(
            f"{taken} is recorded already and has ids of its own, so nothing can take its place",
            f"if it is no longer needed: `lmssync state forget {taken} --drop-ids`",
        )
    store.move_records(pairs, because={"reason": "state mv"}, manage=False)
    return pairs


def _refuse_impossible(store: Store, old: Address, new: Address) -> None:
    if old.kind != new.kind:
        raise WrongUse(
            f"{old} is a {old.kind}, so it cannot become {new}", "only the key can change"
        )
    if not re.match(KEY, new.key) or len(new.key) > KEY_MOST:
        raise WrongUse(
            f"`{new.key}` cannot be a key",
            f"write letters and digits, joined by `.`, `_` or `-`; at most {KEY_MOST} characters",
        )
    if old == new:
        raise WrongUse(f"{old} is its address already", "name another one")
    if not store.find_record(old) and old not in store.unresolved_addresses():
        known = [*store.fingerprints(), *store.forgotten_addresses()]
        raise _unknown_address(str(old), known)


def _records_inside(store: Store, owner: Address) -> Iterator[Address]:
    """What was written inside a manifest, as far as its key says so."""
    nested = {n.resource: n.owner for n in KINDS[owner.kind].authoring.nested}
    for address in sorted(
        {*store.fingerprints(), *store.forgotten_addresses(), *store.unresolved_addresses()}
    ):
        kind = KINDS.get(address.kind)  # none for what a later lmssync has recorded
        field = nested.get(kind.resource) if kind else None
        # A short form has a key with the same beginning.
        if field and address.key.startswith(f"{owner.key}."):
            record = store.find_record(address)
            if record is None or node_address(record.form[field]) == owner:
                yield address


class Forgotten(NamedTuple):
    """The resources that are no longer managed."""

    records: Sequence[Record]
    """As they were."""
    steps: Sequence[OpenStep]
    """Steps for people that nobody asks for any more."""

    @property
    def adopted_by(self) -> str:
        """`ADDRESS=ID`, by which `adopt` takes over the first of them again."""
        first = self.records[0]
        id_name = KINDS[first.address.kind].reads.id_name
        return f"{first.address}={first.known_ids.own.get(id_name, 'ID')}"


def forget_records(
    store: Store, targets: Sequence[Address], *, drop_ids: bool, reason: str, dry_run: bool = False
) -> Forgotten:
    """Stops managing some resources, all or none of them. Raises `WrongUse`."""
    forgotten = store.forgotten_addresses()
    for target in targets:
        if store.find_record(target) is None or (target in forgotten and not drop_ids):
            known = {*store.fingerprints(), *(forgotten if drop_ids else ())}
            raise _unknown_address(str(target), known)
    _refuse_waiting(store, targets, "forgotten")
    if drop_ids:
        _refuse_lost_children(store, targets)
    records = [record for target in targets if (record := store.find_record(target))]
    steps = [
        step for step in store.open_steps(include_forgotten=True) if step.address in {*targets}
    ]
    if not dry_run:
        store.forget_addresses(targets, reason=reason, wholly=drop_ids)
    return Forgotten(records, steps)


def _refuse_lost_children(store: Store, targets: Sequence[Address]) -> None:
    """What is inside something cannot be kept without the id of that."""
    inside = {a for a, _ in diff.recorded_children(store, {*targets})}
    left = [str(address) for address in sorted(inside - {*targets})]
    if left:
        owners = " and ".join(map(str, targets)) if len(targets) == 1 else "what would be forgotten"
        raise WrongUse(
            f"{' and '.join(left)} still belong to the present {owners}",
            f"forget them first: `lmssync state rm --drop-ids {' '.join(left)}`",
        )


def _refuse_waiting(store: Store, addresses: Iterable[Address], what: str) -> None:
    waiting = store.unresolved_addresses()
    for address in addresses:
        if address in waiting:
            raise WrongUse(
                f"a call for {address} waits for a decision; it would be lost if it were {what}",
                f"run `lmssync apply` to look for it, or `lmssync resolve {address}`",
            )


def _unknown_address(address: str, known: Iterable[Address]) -> WrongUse:
    hint = suggest_near(address, map(str, known)) or "`lmssync state list` lists what is recorded"
    return WrongUse(f"nothing is recorded for {address}", hint)


def pair_learned_courses(place: Workspace, reader: Reader, warn: Callable[[str], None]) -> None:
    """Reads and records which ids those courses have that the pulled events name. Where the state
    cannot be written, `warn` gets a warning, since the events were pulled all the same."""
    try:
        if wanted := _list_learned_courses(place):
            with place.store() as store, store.hold_state():
                place.check_state(store)
                live.allow_pairing(store, reader, place.platform.routes)
                live.pair_recorded(store, map(store.find_record, wanted))
    except StateError as error:
        warn(f"warning: no course was read back: {error.message}")


def _list_learned_courses(place: Workspace) -> Sequence[Address]:
    """What was made in a batch and expects an id that events name; nothing is read for it."""
    instance = instance_of(place.environment.baseUrl)
    index = LearnerIndex.open_index(place.learners, instance=instance)
    if index is None:
        return []
    with index, place.store(read_only=True) as store:
        named = {id_ for id_, _ in index.course_audiences()}
        records = filter(None, map(store.find_record, store.unpaired_addresses()))
        return [record.address for record in records if named.intersection(record.batch_ids)]


def close_shown_steps(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    reader: Reader,
    steps: Sequence[OpenStep],
) -> list[OpenStep]:
    """Closes those of some steps for people that a read shows as done; raises `PlatformError`.

    What was deleted by hand is forgotten, and keeps its ids: it is not made again without asking.
    Nobody is asked any more to open what was changed since it was attested.
    """
    # Lists of people are compared with the accounts, by `drift` itself.
    judged = {one.address for one in steps if not KINDS[one.address.kind].concealed}
    closed: list[OpenStep] = []
    hollow = set[Address]()
    for change in list(planning.read_changes(workspace, catalog, store, reader, judged)):
        own = [one for one in steps if one.address == change.address and not one.lasting]
        done, records = _find_done(change, own, workspace.platform.routes)
        if done:
            store.close_shown_steps(done, records)
            closed += done
        if done and change.missing:
            store.forget_addresses([change.address], reason="a read shows: deleted by hand")
        if change.aged and change.opens_to_learners and not done:
            hollow.add(change.address)
    if hollow:
        kept = defaultdict[Address, list[ManualStep]](list)
        for step in store.open_steps(include_forgotten=True):
            if step.address not in hollow:
                kept[step.address].append(step.manual)
        store.keep_requests(kept)
    return closed


def _find_done(
    change: diff.Change, own: list[OpenStep], routes: Set[str]
) -> tuple[list[OpenStep], list[Record]]:
    """Which steps are done, and the record with the fields that are as git wants them."""
    if change.difference is diff.Difference.GONE:
        # No other step: a manifest that cannot be read looks as if it had left the catalog.
        return [one for one in own if change.missing and one.manual.field == REMOVAL], []
    if change.recorded is None or change.was or change.found or change.gone or change.missing:
        return [], []
    before = after = change.recorded.form
    for one in change.drift:
        if one.decision is diff.Resolution.CONVERGED:
            after = diff.put_value(after, one.path, diff.value_at(change.wanted, one.path))
    # What git does not ask for any more was not done: only what has converged counts.
    asked = _list_asked(change, before, routes) - _list_asked(change, after, routes)
    done = [one for one in own if one.manual.field in asked]
    return done, [change.recorded.with_form(pack_form(after))]


def _list_asked(change: diff.Change, before: Form, routes: Set[str]) -> set[str]:
    """The fields of the steps that lead from a form to the desired one."""
    others = change.desired.lifecycle.ignore if change.desired else ()
    wanted = FormChange(change.address, before, change.wanted, routes, others=others)
    return {step.field for step in KINDS[change.address.kind].calls.update(wanted).manual}
