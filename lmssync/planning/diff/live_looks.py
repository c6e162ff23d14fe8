"""Looks at the platform where it matters: at what would be changed and what would be created."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime
from functools import cache, partial
from itertools import groupby
from typing import NamedTuple

from ...catalog.graph import depth_levels
from ...kind import Ids, Mentioned
from ...kinds import KINDS
from ...platform.live import (
    Binder,
    LiveState,
    LookupQuery,
    LookupResult,
    ResourceFinder,
    is_noticed,
    keep_fields,
    leaf_paths,
    parents_of,
    read_live_states,
    shows_more,
    values_equal,
)
from ...resource import Address, Resource, pack_form
from ...state import JoinedIds, Names, Proof, spell_moves
from ...support.decisions import NONE, Decisions, Refresh
from .change import Change, Difference
from .change_with_live import make_again, moving_addresses, take_over, with_live
from .live_records import Instance, include_newly_managed, read_live, read_live_in_turn
from .proof_evidence import ProofBuffer, find_evidence, make_proof
from .record_window import RecordWindow
from .referrers import as_it_is, gone_ids, recorded_children, with_referrers
from .three_way import Resolution, ValuesEqual

Desired = Mapping[Address, Resource]
_AT_ONCE = 100
"""Resources that are searched for together: the forms of a whole catalog would fill the memory."""


class View(NamedTuple):
    """The platform and the state that a look reads, and the decisions of people."""

    instance: Instance
    mark: Callable[[Resource], str | None]
    """The mark that something new will carry."""
    decided: Decisions = NONE
    covers: Callable[[Address], bool] = lambda _address: True
    """Whether what git has not changed is looked at with everything else."""

    def equality_of(self, change: Change) -> ValuesEqual:
        """Whether values of a resource are the same for the platform."""
        return partial(
            values_equal, KINDS[change.address.kind].reads, self.instance.binder.bind_value
        )


class Observed(NamedTuple):
    """The changes with what a look has shown, and what it has proven of records."""

    changes: list[Change]
    proofs: Iterable[Proof]


def observe_changes(view: View, changes: Iterable[Change], desired: Desired) -> Observed:
    """The changes, each with what a look has shown."""
    changes = list(changes)
    known = {c.address for c in changes}
    names, proofs = spell_moves(moving_addresses(changes)), ProofBuffer()
    chosen = [*changes, *_decided_changes(view, known, desired)]
    seen = _compare_with_live(view, chosen, desired, names, proofs)
    looked = [c for c in seen if c.address in known or _shows_drift(c)]
    # Before references are looked at: what is made again gets new ids.
    looked = list(_made_again(view, looked, desired))
    gone = gone_ids(looked, view.decided.recreate)
    looked = list(with_referrers(looked, gone, view.instance.store, desired)) if gone else looked
    return Observed(list(_doubt_creates(view, list(_search_for_new(view, looked)))), proofs)


def leave_seen_conflicts(
    view: View, changes: Sequence[Change], addresses: Collection[Address]
) -> list[Change]:
    """The changes of some addresses, without the fields in which a read shows a conflict.

    A field that no read shows is left in: somebody may just have changed it as git says.
    """
    own = {c.address: c for c in changes if c.address in addresses}
    differing = [c for c in own.values() if c.difference is Difference.CHANGED and not c.was]
    records = [c.recorded for c in differing if c.recorded]
    names = spell_moves(moving_addresses(changes))
    for record, state in read_live(view.instance, records):
        change, shown = own[record.address], state._replace(noticed=frozenset(), answer=None)
        own[record.address] = with_live(change, shown, equal=view.equality_of(change), names=names)
    return list(own.values())


def _compare_with_live(
    view: View, changes: Sequence[Change], desired: Desired, names: Names, proofs: ProofBuffer
) -> list[Change]:
    """The changes, and those of unchanged resources that show drift, each compared with what is
    read of it as soon as that is there: all courses, or all records, would fill the memory."""
    recorded = view.instance.store.fingerprints()
    read = {c.was or c.address: c for c in changes if _is_read(view, c)}
    own = {r.address: r for c in read.values() if (r := include_newly_managed(c))}
    window = RecordWindow(view.instance.store, own)
    every = [*own, *_unchanged_addresses(view, {c.address for c in changes} | own.keys(), desired)]
    looked, others = dict[Address, Change](), list[Change]()
    for record, state in read_live_in_turn(view.instance, every, window):
        change = read.get(record.address) or as_it_is(desired[record.address], record)
        compared, shown = change.recorded, _looked_at(view, change, state, names)
        if record.address in read:
            looked[change.address] = shown
        elif _shows_drift(shown):
            others.append(shown)
        # It proves what is recorded as it was compared: not a form that somebody has renamed since.
        if compared and state.present and recorded.get(compared.address) == compared.fingerprint:
            proofs.add(make_proof(compared, state, view.instance.routes))
    own_changes = [looked.get(c.address) or _looked_at(view, c, None, names) for c in changes]
    return [*own_changes, *sorted(others, key=lambda change: change.address)]


def _shows_drift(change: Change) -> bool:
    """Whether a look has found that people have changed something."""
    return bool(change.missing or change.gone or change.drift or change.came)


def _looked_at(view: View, change: Change, state: LiveState | None, names: Names) -> Change:
    looked = with_live(
        change, state, decided=view.decided, equal=view.equality_of(change), names=names
    )
    if state and change.desired and change.recorded:
        aged = view.instance.find_aged_parts(change.desired, change.recorded, state)
        attested = change.desired.facts.get("attested", {})
        # Whether it opens takes both forms, which few changes need.
        opens = bool(attested) and looked.opens_to_learners
        filled = {path: state.marks.get(path, "") for path in attested} if opens else {}
        looked = looked._replace(aged=aged, filled=filled)
    if state and state.listed_at and not _shows_drift(looked):
        # A day and no more: a saved plan must be the same, with the same digest, when it is made
        # twice.
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        looked = looked._replace(listed_at=state.listed_at, read_on=today)
    if change.recorded is None or not looked.fields:
        return looked
    routes = view.instance.routes
    return looked._replace(evidence=find_evidence(change.recorded, looked.fields, routes, state))


def _is_read(view: View, change: Change) -> bool:
    """True for what would change, for what somebody has decided about, and for what comes back,
    since it may be gone by now."""
    refresh = view.decided.refresh
    # Also where nothing is to be refreshed: a decision is about what is there now.
    if change.address in view.decided.decided_addresses:
        return True
    if refresh is Refresh.NONE:
        return False
    changed = change.difference is Difference.CHANGED or refresh is Refresh.ALL
    return changed or (change.returned and change.was is None)


def _decided_changes(view: View, known: Set[Address], desired: Desired) -> Iterator[Change]:
    """Unchanged in git, but to be looked at, since somebody has decided about it."""
    for address in sorted(view.decided.decided_addresses - known):
        record = view.instance.store.find_record(address)
        if record is not None and address in desired:
            again = address in view.decided.recreate
            difference = Difference.CHANGED if again else Difference.SAME
            yield as_it_is(desired[address], record)._replace(difference=difference)


def _unchanged_addresses(view: View, known: Set[Address], desired: Desired) -> list[Address]:
    """Everything else that is to be looked at, though it is unchanged in git."""
    if view.decided.refresh is not Refresh.ALL:
        return []
    every = filter(view.covers, view.instance.store.fingerprints())
    return sorted(address for address in every if address in desired and address not in known)


def _made_again(view: View, changes: Sequence[Change], desired: Desired) -> Iterator[Change]:
    """The resources that were deleted by hand and should be created again, with all that went with
    them."""
    missing = {c.address for c in changes if c.missing and c.was is None}
    again = missing & view.decided.recreate
    nested = recorded_children(view.instance.store, again) if again else ()
    lost = {address: record for address, record in nested if address in desired}
    for change in changes:
        record = lost.pop(change.address, None)
        yield make_again(change) if change.address in again or record else change
    for address, record in lost.items():
        yield make_again(
            Change(address, Difference.SAME, desired=desired[address], recorded=record)
        )


def _search_for_new(view: View, changes: Sequence[Change]) -> Iterator[Change]:
    """The changes, each of something new with what a search for it has shown.

    What others are in is searched for first: its ids say where they are listed.
    """
    sought = {c.address: c for c in changes if _is_sought(c)}
    if not sought:
        return iter(changes)
    moved = {c.address: c.recorded.ids for c in changes if c.recorded and c.was}
    found, shown = dict(moved), dict[Address, Change]()
    binder = view.instance.binder.with_ids(found)
    looker = ResourceFinder(view.instance.reader, binder, view.instance.routes)

    def taken_ids(kinds: frozenset[str]) -> Set[str]:
        ours = {id_ for one, ids in found.items() if one.kind in kinds for id_ in ids.own.values()}
        return JoinedIds([view.instance.store.ids_of(kinds), ours])

    depth = depth_levels({address: one.desired for address, one in sought.items() if one.desired})
    rows = sorted(sought.values(), key=lambda change: depth[change.address])
    # Owners first: the list in which a criterion would be found is that of its course, whose id the
    # row before may have found.
    for some in (list(row) for _, row in groupby(rows, key=lambda change: depth[change.address])):
        for change in _searched_at_once(view, some, looker, taken_ids):
            shown[change.address] = change
            if change.recorded:
                found[change.address] = change.recorded.ids
    shown |= _with_shown_fields(view, binder, shown)
    return (shown.get(change.address, change) for change in changes)


def _with_shown_fields(
    view: View, binder: Binder, changes: Mapping[Address, Change]
) -> dict[Address, Change]:
    """The changes of what was found, with all that the routes of the instance show of its fields.

    A search shows a few of them only, and what seems not to be set would be sent, over what people
    have written.
    """
    routes = view.instance.routes
    # As git has them: a value that means the same on the platform is then as git spells it.
    records = [c.recorded.with_form(pack_form(c.wanted)) for c in changes.values() if c.recorded]
    unread = [one for one in records if shows_more(one, routes)]
    looked = dict[Address, Change]()
    for record, state in read_live_states(view.instance.reader, binder, unread, routes):
        if state.present and (known := changes[record.address].recorded):
            shown = {*state.proven, *leaf_paths(known.form)}
            form = keep_fields(state.form, partial(_is_shown, shown))
            looked[record.address] = take_over(changes[record.address], record.ids, form)
    return looked


def _is_shown(shown: Set[str], path: str) -> bool:
    """Whether a field is among those that were read, itself or with the mapping that it is in."""
    return path in shown or path.rpartition(".")[0] in shown


def _searched_at_once(
    view: View,
    changes: Sequence[Change],
    looker: ResourceFinder,
    taken: Callable[[frozenset[str]], Set[str]],
) -> Iterator[Change]:
    """Searches for new resources that do not wait for each other.

    `taken_ids` says which ids other records have.
    """
    for start in range(0, len(changes), _AT_ONCE):
        some = changes[start : start + _AT_ONCE]
        queries = [_lookup_query(view, change) for change in some]
        found = looker.search_for(queries, taken)
        yield from map(_looked_for, some, queries, found)


def _is_sought(change: Change) -> bool:
    return change.difference is Difference.NEW and not (change.original or change.move_conflict)


def _lookup_query(view: View, change: Change) -> LookupQuery:
    assert change.desired is not None
    return LookupQuery(change.address, cache(lambda: change.after), view.mark(change.desired))


def _looked_for(change: Change, wanted: LookupQuery, look: LookupResult) -> Change:
    """Something that is not in the state: it is taken over if a look has found it."""
    kind = KINDS[change.address.kind]
    if look.ids:
        form = kind.reads.adopted(wanted.form, look.ids, look.answer)
        return take_over(change, look.ids, form)
    return change._replace(unclear=look.doubt) if look.doubt else change


def _doubt_creates(view: View, changes: Sequence[Change]) -> Iterator[Change]:
    """The changes, with a doubt about what would be made a second time unnoticed, if there is any
    sign that the platform has things of ours that stand in no record."""
    sign = _describe_sign(view, changes)
    looker = ResourceFinder(view.instance.reader, view.instance.binder, view.instance.routes)
    new = {c.address for c in changes if _is_sought(c) and not c.found}
    refused = view.instance.store.refused_adoptions
    for change in changes:
        sure = change.address not in new or bool(change.unclear)
        yield change if sure else _with_doubt(view, looker, change, new, sign, refused)


_REFUSED = "`adopt` has refused it as {}, so its manifest or that id has to be repaired"
"""The doubt about what a person knows to be on the platform."""


def _describe_sign(view: View, changes: Iterable[Change]) -> str:
    """The sign that the platform knows more than the state; empty if there is none."""
    if view.decided.new_state:
        return "the state may not know it"
    if view.instance.store.describe_doubt:
        return view.instance.store.describe_doubt
    for change in changes:
        # A field that has converged: the platform has a change of git that the state does not know.
        if change.found or any(one.decision is Resolution.CONVERGED for one in change.drift):
            return f"the platform has more of {change.address} than the state"
    return ""


def _with_doubt(
    view: View,
    looker: ResourceFinder,
    change: Change,
    new: Set[Address],
    sign: str,
    refused: Mapping[str, str],
) -> Change:
    """The change with the reason why something new may have been made by a run that the state knows
    nothing of.

    Where no list shows it, one of other things may name one like it. Without that and without a
    `sign`, it is asked about only with an empty state: this is the first apply to an environment,
    or the state was lost.
    """
    assert change.desired is not None
    wanted, routes = _lookup_query(view, change), view.instance.routes
    reads, moved = KINDS[change.address.kind].reads, change.desired.lifecycle.moved
    if named := refused.get(str(change.address)):
        return change._replace(unclear=_REFUSED.format(named))
    # The mark can follow from the address: under the former one the thing has another mark.
    if sign and moved and wanted.marker:
        return change._replace(unclear=f"what was made as {' or '.join(moved)} has another marker")
    search = reads.search(wanted.asked_with, wanted.marker)
    listed = search is not None and search.request.route in routes
    if is_noticed(wanted, routes) or parents_of(wanted) & new:
        unseen = bool(sign and search and not listed and wanted.marker)
        return change._replace(hints=[*change.hints, _unseen(wanted)]) if unseen else change
    if listed and sign:
        return change._replace(
            unclear=f"{sign}, and this resource has no mark by which a list could show it"
        )
    if listed or not (sign or reads.unlisted):
        return change
    return _with_mention(view, change, wanted, looker.find_mention(wanted), sign)


def _unseen(wanted: LookupQuery) -> str:
    """What a plan cannot look up, and what an apply does then: the platform refuses its mark."""
    field = (wanted.marker or "").partition("=")[0]
    return (
        f"no route of this instance shows whether its {field} is taken: if not, an apply makes it; "
        "if so, the platform refuses it, the apply sends nothing that needs it, and "
        f"`lmssync adopt {wanted.address}=ID` takes over what is there"
    )


def _with_mention(
    view: View, change: Change, wanted: LookupQuery, mentioned: Mentioned | None, sign: str
) -> Change:
    """The change with what a list of other things shows of its resource: it is taken over by its
    mark, else it is in doubt."""
    store, reads = view.instance.store, KINDS[change.address.kind].reads
    marked = list(mentioned.marked) if mentioned else []
    free = change.address not in store.unresolved_addresses()  # else `resolve` settles its call
    if free and len(marked) == 1 and marked[0] not in store.ids_of({change.address.kind}):
        found = take_over(change, Ids({reads.id_name: marked[0]}), wanted.form)
        return found._replace(mentioned=True)
    if (mentioned and not mentioned.alike) or not (mentioned or sign or store.is_empty):
        return change
    reason = sign or ("the state is empty" if store.is_empty else "no record knows it")
    doubt = f"{reason}, and no route of this instance shows whether it was made before"
    if mentioned and reads.mention:
        doubt += f"; {reads.mention.where} names one like it"
    return change._replace(unclear=doubt, mentioned=bool(mentioned))
