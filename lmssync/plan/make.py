"""Makes the plan that leads from what is recorded to what is desired."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ..address import Address
from ..diff import Change
from ..manifests import Catalog
from ..settings import Platform
from ..state import Store
from .build import Builder, build
from .plan import Plan
from .schedule import schedule


class Situation(NamedTuple):
    """Where a plan is made for."""

    environment: str
    base_url: str
    platform: Platform
    commit: str


def make(catalog: Catalog, store: Store, changes: Iterable[Change], where: Situation) -> Plan:
    """The plan; nothing is read or written here but the state."""
    changes = list(changes)
    recorded = store.fingerprints()
    back = {c.address: c.recorded.fingerprint for c in changes if c.returned and c.recorded}
    builder = Builder(where.platform, recorded | back, _open(store), _parts_of(store))
    build(builder, changes)
    return Plan(
        environment=where.environment,
        base_url=where.base_url,
        lineage=store.lineage,
        serial=store.serial,
        catalog=catalog.digest,
        commit=where.commit,
        intentions=sorted(builder.intentions, key=lambda intention: intention.address),
        steps=schedule(builder.works),
        releases=builder.releases,
        unchanged=_unchanged(catalog, recorded, builder),
    )


def _unchanged(catalog: Catalog, recorded: Mapping[Address, str], builder: Builder) -> int:
    """Resources that are as desired and are not mentioned in the plan."""
    same = sum(
        catalog.resources[address].fingerprint == fingerprint
        for address, fingerprint in recorded.items()
        if address in catalog.resources
    )
    listed = sum(intention.address in builder.releases for intention in builder.intentions)
    return same + len(builder.releases) - listed


def _open(store: Store) -> set[Address]:
    """Addresses whose last call nobody knows the outcome of."""
    return {member.address for op in store.open_operations() for member in op.members}


def _parts_of(store: Store) -> Callable[[Address], Mapping[str, str]]:
    """Reads the recorded parts of one resource when they are asked for."""

    def parts(address: Address) -> Mapping[str, str]:
        record = store.record(address)
        return record.ids.parts if record else {}

    return parts
