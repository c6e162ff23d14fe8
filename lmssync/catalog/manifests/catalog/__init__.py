"""catalog: a whole catalog from its files; only files that have changed are read."""

import os
from collections.abc import Iterable, Iterator, Set
from itertools import chain, islice
from pathlib import Path

from .... import plugins
from ....problems import Problem, Rule, grade_problems, only_errors, warning_rule
from ....resource import Address, Origin, RefusedResource, Resource
from ....settings import Project
from ....support.git_repository import is_tracked
from .. import overlays
from ..cache import (
    FAILURES,
    Cache,
    CacheChanged,
    HeldFile,
    Inventory,
    Portions,
    addresses_in,
    keep_inventory,
    list_held_by_id,
    open_cache,
    problems_in,
    refused_in,
    spell_cache_key,
)
from ..catalog_files import OVERLAYS, POLICIES, TEMPLATE, Listing
from ..documents import PolicyCheck, Scope, unknown_rules
from .changed_files import digest_of, make_all, make_entry as make_entry, sort_out
from .lazy_catalog import Catalog as Catalog, LazyResources

FILE_NAME = Rule(
    "file-name",
    "The name of a manifest contains bytes that are not UTF-8, or control characters.",
    "Rename the file.",
)
KEY_TWICE = Rule(
    "key-twice",
    "Two resources of the same kind have the same key.",
    "Give one of them another key.",
)
FOLDER_LINK = warning_rule(
    "folder-link",
    "A folder is a link, so nothing in it is read.",
    "If there are manifests in it, replace the link with the folder itself.",
)
FOLDER_IN_GIT = warning_rule(
    "folder-in-git",
    "Git tracks files in `.lmssync/`, which is for the cache and the state of one machine.",
    "`git rm -r --cached .lmssync`, and add `.lmssync/` to .gitignore.",
)

FOLDER = ".lmssync"
"""The folder in which a machine keeps its own files, such as the state."""
_AT_ONCE = 500
"""The number of files that are written to the cache in one go: other runs may write in between."""


def list_scopes(
    root: Path, project: Project, environment: str | None, listing: Listing
) -> list[Scope]:
    """The scope of an environment; without one, every scope that may differ from the others."""
    if environment:
        return [Scope(root, project, environment)]
    differ = listing.yaml_files_below(OVERLAYS) or any(
        name.endswith(TEMPLATE) for name in listing.files
    )
    names = list(project.environments) or [""]
    return [Scope(root, project, name) for name in (names if differ else names[:1])]


def load_catalog(scope: Scope, listing: Listing) -> tuple[Catalog, list[Problem]]:
    """The catalog as one environment wants it, and what is wrong with each file.

    References between resources are not looked at. Policies that the scope has already come in
    addition to those of the catalog; what they find is not kept for other runs.
    """
    key = _cache_key(scope, listing)
    house, problems = _read_policies(scope, listing)
    given = tuple(one for one in scope.policies if one not in house)
    scope, wrong = overlays.read_overlays(scope._replace(policies=(*house, *given)), listing)
    problems += wrong
    problems += overlays.find_stray_overlays(scope, listing)
    problems += [_unnameable_problem(name) for name in listing.unnameable()]
    problems += grade_problems(map(_linked_problem, listing.linked), scope.project.rules)
    # Where the policies have changed while they were read, no key would be right.
    keeps = not given and key == _cache_key(scope, listing)
    cache = open_cache(scope.root, key) if keeps else Cache(None)
    try:
        catalog, wrong = _load_with_cache(cache, scope, listing)
    except FAILURES as error:
        # Damage, a full disk, another's hands: what a file cannot keep, memory can.
        cache.close()
        cache.delete_if_damaged(error)
        catalog, wrong = _load_with_cache(Cache(None), scope, listing)
    return catalog, problems + wrong


def _read_policies(scope: Scope, listing: Listing) -> tuple[tuple[PolicyCheck, ...], list[Problem]]:
    """The policies, what is wrong with them, and grades given to rules that do not exist."""
    files = listing.yaml_files_below(POLICIES)
    plugged = [rule.id for _, rule in plugins.plugin_rules(scope.project.plugins)]
    plugged += [policy.rule.id for policy in scope.policies]
    if not files:
        return (), list(unknown_rules(scope.project, plugged))
    from ..policies import read_policies  # most catalogs have none

    house, problems = read_policies(scope.root, files)
    if not problems:  # else what is missing may be what is wrong
        problems += unknown_rules(scope.project, [*plugged, *(one.rule.id for one in house)])
    return tuple(house), problems


def in_git(root: Path) -> list[Problem]:
    """Files meant for one machine that are in the catalog's repository."""
    if not os.path.lexists(root / FOLDER) or not is_tracked(root, FOLDER):
        return []
    text = f"git tracks files in `{FOLDER}/`, which is for the cache and the state of one machine"
    return [FOLDER_IN_GIT.problem(text, Origin(FOLDER))]


def _linked_problem(name: str) -> Problem:
    shown = name if name.isprintable() else name.encode("unicode_escape").decode()
    text = f"`{shown}` is a link to a folder: nothing in it is read"
    return FOLDER_LINK.problem(text, Origin(shown))


def _unnameable_problem(name: str) -> Problem:
    shown = name.encode("unicode_escape").decode()
    text = (
        f"the name of the file `{shown}` contains bytes that are not UTF-8, or control characters"
    )
    hint = "rename it: nothing can refer to it with this name"
    return FILE_NAME.problem(text, Origin(shown), hint)


def _cache_key(scope: Scope, listing: Listing) -> str:
    """The key of the cache, for the project and the policies as they are now."""
    policies = listing.yaml_files_below(POLICIES)
    house = (f"\0{name}\0{digest_of(scope.root, name)}" for name in policies)
    return spell_cache_key(scope.project, house)


def _load_with_cache(cache: Cache, scope: Scope, listing: Listing) -> tuple[Catalog, list[Problem]]:
    cache.hold_snapshot()
    recalled, portions = Inventory(cache, scope.environment), Portions()
    unchanged = recalled.digest == listing.digest
    if unchanged:
        ids, files = recalled.ids, recalled.list_held_files()
    else:
        same, others = _read_manifests(cache, scope, listing, recalled)
        ids, files = (
            same | others,
            portions.pass_through(_held_files(cache, scope, listing, same, others)),
        )
    resources = LazyResources(cache, scope, listing, files)
    wrong = list(cache.read_files_with_problems(ids))
    problems = [problem for known in wrong for problem in problems_in(known.problems)]
    unsure = [one for known in wrong for one in refused_in(known.refused, known.path)]
    problems += [
        _taken_problem(resources[address], resources.load_resource(address, number))
        for address, number in resources.double
    ]
    problems += _twice_unsure(resources, unsure)
    given = set()  # every address that the files give, whether or not it became a resource
    if scope.patches or only_errors(problems):
        addresses = (known.addresses for known in cache.read_known_files(ids))
        given = {address for some in addresses for address in addresses_in(some)}
    problems += overlays.find_homeless_patches(scope, given)
    refused = given - resources.keys()
    catalog = Catalog(scope.root, resources, len(ids), scope, refused, unsure, resources)
    if not unchanged and catalog.watched <= listing.files.keys():
        keep_inventory(cache, scope.root, scope.environment, listing, portions)
    return catalog, problems


def _read_manifests(
    cache: Cache, scope: Scope, listing: Listing, recalled: Inventory
) -> tuple[Set[int], Set[int]]:
    """The ids of the manifests that are as the inventory has them, and of the others; those that
    have changed are read. From here on the run sees what the cache holds now."""
    # What a patch changes may come and go while its file stays the same.
    same = {} if scope.patches else recalled.list_unchanged(listing)
    cache.release_snapshot()
    settled = set(same.values())
    others = (
        known
        for known in cache.read_known_files((recalled.ids - same.keys()) | recalled.unlisted)
        if known.path not in settled
    )
    fresh = sort_out(scope, listing, others, settled)
    cache.keep_entries((), fresh.restamped, fresh.gone)
    files, made = fresh.kept, make_all(scope, fresh.stale)
    while share := list(islice(made, _AT_ONCE)):
        files.update(cache.keep_entries(share, (), ()))
    cache.hold_snapshot()
    return set(same), files


def _held_files(
    cache: Cache, scope: Scope, listing: Listing, same: Set[int], others: Set[int]
) -> Iterator[HeldFile]:
    """The cached files of these manifests, in the order of their paths."""
    now = Inventory(cache, scope.environment)
    if not now.ids >= same or not others - now.ids <= now.unlisted:
        raise CacheChanged("another run has changed what was kept")
    still = (file for file in now.list_held_files() if file.id in same)
    changed = list_held_by_id(cache, listing, others)
    waiting = next(changed, None)
    for file in still:
        while waiting and waiting.path < file.path:
            yield waiting
            waiting = next(changed, None)
        yield file
    if waiting:
        yield from chain([waiting], changed)


def _twice_unsure(resources: LazyResources, unsure: Iterable[RefusedResource]) -> Iterator[Problem]:
    """Resources with other mistakes in them, whose keys are taken as well."""
    known: dict[Address, Resource] = {}
    for refused in unsure:
        address, second = refused.address, refused.read_as(0)
        first = known.get(address) or resources.get(address)
        if first:
            yield _taken_problem(first, second)
        known.setdefault(address, second)


def _taken_problem(first: Resource, second: Resource) -> Problem:
    field = "id" if second.origin.path else "key"
    taken_by = first.origin.file
    if taken_by == second.origin.file:
        taken_by = f"document {first.origin.document + 1} of the same file"
    message = f"the key `{second.address.key}` is taken by {taken_by}"
    hint = "give one of the two another key"
    return KEY_TWICE.problem(message, second.origin.at((field,)), hint, second.address)
