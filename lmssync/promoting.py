"""What another environment must have before it is changed in this one."""

from collections.abc import Iterable

from . import checking
from .address import Address
from .manifests.documents import Scope
from .people import People
from .resource import fingerprints
from .workspace import Workspace, workspace


def untested(here: Workspace, addresses: Iterable[Address]) -> frozenset[Address]:
    """Those that the environment under `promoteFrom` does not have as the catalog wants them there.

    Its own state says what it has, and no platform is asked. Raises `StateError`, `InvalidCatalog`.
    """
    wanted_here = frozenset(addresses)
    source = here.environment.promoteFrom
    if not source or not wanted_here:
        return frozenset()
    there = workspace(here.root, source, here.env)
    catalog = checking.load(Scope(there.root, there.project, there.name))
    with there.store(read_only=True) as store:
        desired = fingerprints(People(store, catalog).concealed(catalog).resources)
        recorded, waiting = store.fingerprints(), store.waiting()
    return frozenset(
        address
        for address in wanted_here
        if desired.get(address) != recorded.get(address) or address in waiting
    )
