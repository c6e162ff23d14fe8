"""Whether a catalog is as it was last applied: then a plan would do nothing, and none is made.

The cache has the fingerprint of every resource, and so has the state. Nothing else is opened, and
nothing that makes a plan is imported.
"""

from ..catalog.manifests.cache import count_known_resources, recall_outcome, spell_cache_key
from ..catalog.manifests.catalog_files import RELEASES, Listing
from ..problems import only_errors
from ..settings import SQLITE
from ..state import Store
from .workspace import Workspace


def count_as_applied(place: Workspace, listing: Listing) -> int | None:
    """The number of resources, where all of them are as they were last applied, and a plan that
    decides nothing would have nothing else to say; None where it takes a plan to tell.

    Raises `WrongUse` and `StateError` as a plan does.
    """
    # The log of a state that is kept elsewhere would be fetched twice.
    if place.slice or place.base or not place.state.startswith(SQLITE):
        return None
    if listing.yaml_files_below(RELEASES):
        return None
    name = place.name if place.name in place.project.environments else ""
    outcome = recall_outcome(place.root, name, listing, or_every=True)
    if outcome is None or only_errors(outcome.problems):
        return None
    with place.store(read_only=True) as store:
        if _has_more_to_say(store):
            return None
        key, recorded = spell_cache_key(place.project), store.fingerprints()
        number = count_known_resources(place.root, f"{key} {name}", listing, recorded)
        if number != len(recorded):
            return None
        place.require_credential()
        place.check_state(store)
        with place.learner_index():  # one that is another instance's is refused
            return number


def _has_more_to_say(store: Store) -> bool:
    """Whether a plan would tell of what is recorded although no resource differs: of open calls and
    steps, of what looks have found, and of protection, which the catalog may have given up."""
    open_ones = store.open_calls() or store.open_steps(include_forgotten=True)
    return bool(open_ones or store.list_findings() or store.protected_addresses())
