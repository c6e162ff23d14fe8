"""Believes a person who says that the manual steps of a resource are done."""

from ..address import Address
from ..diff import wanted
from ..errors import WrongUse
from ..kinds import KINDS
from ..kinds.kind import Change
from ..resource import Resource, canonical, fingerprint, pack
from ..state import Store


def done_by_hand(store: Store, address: Address, desired: Resource | None) -> None:
    """Records a resource as it is desired, but for what its manifest leaves to others.

    Raises `WrongUse` where lmssync itself has something to send.
    """
    record = store.record(address)
    if desired is None or record is None:
        raise WrongUse(
            f"{address} is not in the catalog and in the state, so nothing was left to do"
        )
    kind = KINDS[address.kind]
    after = wanted(desired, record.form)
    if kind.update(Change(address, record.form, after)).pieces:
        raise WrongUse(f"{address} has changes that the platform takes from lmssync", "apply first")
    paths = kind.parts(after)
    parts = {path: id_ for path, id_ in record.ids.parts.items() if path in paths}
    text = canonical(after)
    done = record._replace(
        ids=record.ids._replace(parts=parts), packed=pack(text), fingerprint=fingerprint(text)
    )
    with store.locked():
        store.put([done], reason="a person says: done by hand")
