"""How much of what is recorded was compared with the platform, and how much cannot be."""

from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from ..resource import Address
from ..state import Counts, ProofTotals, Store


class VerificationCoverage(NamedTuple):
    """The fields of everything that is recorded, by what is known of them."""

    fields: int
    proven: int
    """Read, and compared with what is recorded."""
    noticed: int
    """Not readable, and changed by somebody after our last write."""
    unverifiable: int
    """No route of this instance shows them."""
    oldest: str | None = None
    """When the oldest proof was made; empty where all were made for this plan."""


def sum_coverage(
    store: Store, totals: ProofTotals, fresh: Mapping[Address, Counts], routes: Set[str]
) -> VerificationCoverage:
    """Sums up the `totals` of the state, which are without `fresh` proofs, and these, which have no
    time yet."""
    opened = count_fields(store, totals.uncounted, routes) if totals.uncounted else {}
    columns = zip(totals.counts, *fresh.values(), *opened.values(), strict=True)
    return VerificationCoverage(*Counts(*map(sum, columns)), next(iter(totals.times), None))


def count_fields(
    store: Store, addresses: Iterable[Address], routes: Set[str]
) -> dict[Address, Counts]:
    """The fields of records that were not read: this opens each of them."""
    from .diff import count_form_fields  # and every kind with it: most runs find each proof counted

    records = (record for address in addresses if (record := store.find_record(address)))
    return {r.address: count_form_fields(r.address.kind, r.form, routes) for r in records}
