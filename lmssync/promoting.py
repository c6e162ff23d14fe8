"""What another environment must have before it is changed in this one."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from . import checking
from .address import Address
from .manifests.documents import Scope
from .people import People
from .resource import canonical_text, fingerprint_of, fingerprints
from .workspace import Workspace, open_workspace


class Promotion(NamedTuple):
    """How the changes of a plan stand to the environment where they are tried first."""

    untested: frozenset[Address] = frozenset()
    """Those that it does not have as the catalog wants them there."""
    intentions: str = ""
    """Digest of what git wants of them there: two plans that want the same have the same one,
    whatever ids and overlays their environments have."""


def find_promotion(here: Workspace, changed: Iterable[Address]) -> Promotion:
    """Empty where no environment of the project names another one under `promoteFrom`.

    What an environment has, its own state says: no platform is asked. Raises `StateError`,
    `InvalidCatalog`.
    """
    environments = here.project.environments
    addresses = frozenset(changed)
    if not addresses or not any(one.promoteFrom for one in environments.values()):
        return Promotion()
    source = here.environment.promoteFrom
    there = open_workspace(here.root, source, here.env) if source else here
    desired, recorded = _fingerprints_of(there)
    intentions = fingerprint_of(canonical_text({str(a): desired.get(a) for a in addresses}))
    if not source:
        return Promotion(intentions=intentions)
    untested = (a for a in addresses if desired.get(a) != recorded.get(a))
    return Promotion(frozenset(untested), intentions)


def _fingerprints_of(place: Workspace) -> tuple[Mapping[Address, str], Mapping[Address, str]]:
    """Fingerprints of what is desired and of what is recorded; none for what is undecided."""
    catalog = checking.load(Scope(place.root, place.project, place.name))
    with place.store(read_only=True) as store:
        desired = fingerprints(People(store, catalog).conceal_catalog(catalog).resources)
        waiting = dict.fromkeys(store.unresolved_addresses(), "")
        return desired, {**store.fingerprints(), **waiting}
