"""Compares desired with recorded, by fingerprint first; then with live where it matters."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..address import Address
from ..live import Seen
from ..resource import Form, Resource
from ..state import Store
from .change import Change, Difference
from .fields import FieldChange, compare, released


def changes(desired: Mapping[Address, Resource], store: Store) -> list[Change]:
    """Everything that differs; what is the same is left out and was never opened."""
    recorded = store.fingerprints()
    forgotten = store.forgotten()
    found = [
        _changed(resource, store, returned=address in forgotten)
        if address in recorded or address in forgotten
        else _new(resource)
        for address, resource in desired.items()
        if recorded.get(address) != resource.fingerprint
    ]
    gone = [address for address in recorded if address not in desired]
    return [*found, *(_gone(address, store) for address in sorted(gone))]


def _new(resource: Resource) -> Change:
    return Change(resource.address, Difference.NEW, desired=resource)


def _gone(address: Address, store: Store) -> Change:
    return Change(address, Difference.GONE, recorded=store.record(address))


def _changed(resource: Resource, store: Store, *, returned: bool) -> Change:
    record = store.record(resource.address)
    before = record.form if record else {}
    after = resource.form
    fields = list(compare(before, after))
    return Change(
        resource.address,
        Difference.CHANGED if fields else Difference.SAME,
        desired=resource,
        recorded=record,
        fields=fields,
        released=released(before, after),
        returned=returned,
    )


def with_live(change: Change, seen: Seen | None) -> Change:
    """The change with what a read has shown: whether it is there, and what others changed."""
    if seen is None or change.recorded is None:
        return change
    if not seen.present:
        return replace(change, missing=True)
    return replace(change, conflicts=list(_conflicts(change, seen.proven)))


def _conflicts(change: Change, proven: Form) -> Iterator[FieldChange]:
    """Fields changed in git and on the platform, each its own way."""
    recorded = change.recorded.form if change.recorded else {}
    touched = {field.path: field.after for field in change.fields}
    for drift in compare(_shared(recorded, proven), proven):
        if drift.path in touched and touched[drift.path] != drift.after:
            yield drift


def _shared(recorded: Form, proven: Form) -> Form:
    return {key: value for key, value in recorded.items() if key in proven}
