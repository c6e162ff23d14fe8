"""What a plan of one slice may not do, because of another one.

A resource is in one slice, and only the state of that slice knows it. So nothing is made that
another state has recorded, nothing leaves because its manifest has moved to another slice, and
nothing refers to what another slice has not applied yet.
"""

from collections.abc import Iterable

from ..catalog.manifests.catalog import Catalog
from ..errors import StateError
from ..kinds import KINDS
from ..resource import Address, Reference
from ..state import OtherStates, Store
from . import diff
from .diff import Change, Difference


def find_slice_changes(catalog: Catalog, store: Store) -> list[Change]:
    """All that differs between a catalog and its state; what another slice is in the way of
    is blocked in words."""
    changes = diff.find_changes(catalog.resources, store)
    if not changes or not store.others.open_states():
        return changes
    return [
        change._replace(move_conflict=reason)
        if (reason := change.move_conflict or _explain_conflict(change, catalog, store.others))
        else change
        for change in changes
    ]


def refuse_former_state(
    changes: Iterable[Change], empty: Store, former: Iterable[tuple[str, Store]], place: str
) -> None:
    """Raises `StateError` where a state of no slice has what is new in a slice whose state is
    `empty`: most likely the slice has another name now, and all of it would be made twice."""
    new = {one.address for one in changes if one.difference is Difference.NEW}
    lineages = {one.lineage for one in empty.others.open_states().values()}
    for url, store in former:
        # One that has moved to a slice of today is of the same lineage.
        known = sorted(new & store.fingerprints().keys()) if store.lineage not in lineages else []
        if known:
            more = f" and {len(known) - 1} more" if len(known) > 1 else ""
            raise StateError(
                f"the state of the slice is empty, and {url}, which no slice has, knows "
                f"{known[0]}{more}: it would be made twice",
                "if the slice had another name, or the catalog had no slices, put lmssync.yaml "
                "back, delete the file of the empty state if there is one, move the other there "
                f"(`state move {place}`), and change lmssync.yaml again; if not, `--new-state` "
                "makes all of it new",
            )


def refuse_taken(store: Store, addresses: Iterable[Address]) -> None:
    """Raises `StateError` if another slice has recorded something since a plan was saved."""
    for address in addresses:
        if name := store.others.find_holder(address, forgotten=not store.has_record(address)):
            raise StateError(_describe_taken(address, name), "plan again, which says what to do")


def _explain_conflict(change: Change, catalog: Catalog, others: OtherStates) -> str:
    address = change.address
    if change.desired is None:
        name = catalog.elsewhere.get(address)
        return _describe_left(address, name) if name else ""
    is_new = change.difference is Difference.NEW
    # What is recorded here has moved already, and its old key may be something else elsewhere.
    before = change.desired.lifecycle.moved if is_new else ()
    for one in (address, *map(Address.parse, before)):
        if name := others.find_holder(one, forgotten=is_new):
            return f"{_describe_taken(one, name)}: {_advise_handover(one, address, name)}"
    named = (r for r in change.desired.references if r.address in catalog.elsewhere)
    return next(filter(None, (_explain_reference(r, catalog, others) for r in named)), "")


def _describe_taken(address: Address, name: str) -> str:
    return f"{address} is recorded in the state of the slice `{name}`"


def _advise_handover(old: Address, address: Address, name: str) -> str:
    return (
        f"`lmssync state rm --drop-ids {old} --slice {name}` takes it out there and prints its "
        f"ids, `lmssync adopt {address}=ID` takes it over here"
    )


def _describe_left(address: Address, name: str) -> str:
    return (
        f"its manifest is in the slice `{name}` now: `lmssync state rm --drop-ids {address}` takes "
        f"it out of this state and prints its ids, `lmssync adopt {address}=ID --slice {name}` "
        "takes it over there"
    )


def _explain_reference(reference: Reference, catalog: Catalog, others: OtherStates) -> str:
    address, name = reference.address, catalog.elsewhere[reference.address]
    store = others.open_states()[name]
    first = f"apply that slice first (`lmssync apply --slice {name}`)"
    if address not in store.fingerprints():
        return f"it needs {address} of the slice `{name}`, which is not recorded there: {first}"
    if reference.part is None:
        return ""
    record = store.find_record(address)
    assert record is not None
    parts = KINDS[address.kind].authoring.parts(record.form)
    if reference.part in parts:
        return ""
    return f"it needs `{reference.part}` of {address} of the slice `{name}`: {first}"
