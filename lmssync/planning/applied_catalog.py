"""Whether a catalog is as it was last applied: then a plan would do nothing, and none is made.

The cache has the fingerprint of every resource, and so has the state. Nothing else is opened, and
nothing that makes a plan is imported.
"""

from ..catalog.manifests.cache import recall_known_resources, recall_outcome, spell_cache_key
from ..catalog.manifests.catalog_files import RELEASES, Listing
from ..problems import only_errors
from ..settings import SQLITE
from .workspace import Workspace


def count_as_applied(place: Workspace, listing: Listing) -> int | None:
    """The number of resources, where all of them are as they were last applied, and a plan that
    decides nothing would have nothing else to say; None where it takes a plan to tell.

    Raises `WrongUse` and `StateError` as a plan does.
    """
    # The log of a state that is kept elsewhere would be fetched twice.
    is_simple = not (place.slice or place.base) and place.state.startswith(SQLITE)
    if not is_simple or listing.yaml_files_below(RELEASES):
        return None
    name = place.name if place.name in place.project.environments else ""
    outcome = recall_outcome(place.root, name, listing, or_every=True)
    if outcome is None or only_errors(outcome.problems):
        return None
    with place.store(read_only=True) as store:
        if store.open_calls() or store.open_steps() or store.list_findings():
            return None
        scope, recorded = f"{spell_cache_key(place.project)} {name}", store.fingerprints()
        found = recall_known_resources(place.root, scope, listing, recorded)
        if found is None or found.number != len(recorded):
            return None
        # Nothing else that manifests say about themselves matters: what `moved` names is not in the
        # catalog, and so not in the state.
        if found.protected != store.protected_addresses():
            return None
        place.require_credential()
        place.check_state(store)
        with place.learner_index():  # one that is another instance's is refused
            return found.number
