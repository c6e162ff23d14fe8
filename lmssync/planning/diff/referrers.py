"""Finds what refers to something that is created again: the platform still has the old id there."""

from collections.abc import Iterator, Mapping, Sequence, Set

from ...kind import Ids
from ...kinds import KINDS, node_address
from ...platform.live import Binder
from ...resource import Address, Form, Resource, pack_form
from ...state import Record, Store
from .change import Change, Difference
from .change_with_live import change_between
from .field_paths import compare_forms, wanted_form

Gone = Mapping[Address, Ids]
"""Ids that no longer exist on the platform, by what they belonged to."""


def recorded_children(store: Store, parents: Set[Address]) -> Iterator[tuple[Address, Record]]:
    """Recorded resources that were made inside others: rules and purchase paths of a course."""
    owners = {
        n.resource: n.owner for address in parents for n in KINDS[address.kind].authoring.nested
    }
    for record in store.list_records():
        owner = owners.get(KINDS[record.address.kind].resource)
        if owner and node_address(record.form[owner]) in parents:
            yield record.address, record


def gone_ids(changes: Sequence[Change], again: Set[Address]) -> Gone:
    """The ids of what is created again, whole or in part."""
    gone: dict[Address, Ids] = {}
    for change in changes:
        if change.original is None:
            continue
        if change.recorded is None:
            gone[change.address] = change.original.ids
        elif change.gone and change.address in again:
            ids, kept = change.original.ids, change.recorded.ids.parts
            gone[change.address] = Ids({}, {p: i for p, i in ids.parts.items() if p not in kept})
    return gone


def with_referrers(
    changes: Sequence[Change], gone: Gone, store: Store, desired: Mapping[Address, Resource]
) -> Iterator[Change]:
    """The changes, including resources that refer to something gone, recorded with the old id.

    So the plan shows the reference as changed until it has been sent.
    """

    def no_name(kind: str, name: str) -> str:
        raise LookupError(f"{kind} {name}")

    # A binder that knows only ids that are gone: it puts these in the place of their references and
    # leaves every other node, which is just what the platform still has.
    binder = Binder(gone.get, no_name, managed=lambda _address: True)
    yield from (_renew_change(binder, change) for change in changes)
    known = {change.address for change in changes}
    for record in store.list_records():
        if record.address in desired and record.address not in known:
            change = _renew_change(binder, as_it_is(desired[record.address], record))
            if change.original is not None:
                yield change


def as_it_is(resource: Resource, record: Record) -> Change:
    """A change for something that has not changed in git."""
    kept = _kept_form(resource, record.form)
    return Change(resource.address, Difference.SAME, desired=resource, recorded=record, kept=kept)


def _kept_form(resource: Resource, form: Form) -> bytes | None:
    return pack_form(wanted_form(resource, form)) if resource.lifecycle.ignore else None


def _renew_change(binder: Binder, change: Change) -> Change:
    """The change with the old ids in its previous form."""
    record = change.recorded
    if record is None or change.desired is None:
        return change
    form = binder.bind_known(change.applied)
    if form == change.applied:
        return change
    original = change.original or record
    renewed = change._replace(
        recorded=record.with_form(pack_form(form)),
        original=original,
        referring=original.with_form(pack_form(binder.bind_known(original.form))),
        renamed=None,
        # Fields left to others keep their value.
        kept=_kept_form(change.desired, form),
    )
    fields = list(compare_forms(form, renewed.wanted))
    if not fields:
        return change
    renewed = renewed._replace(difference=Difference.CHANGED, fields=fields)
    return change_between(renewed, change.drift) if change.drift else renewed
