"""Chooses the changes that a plan is about, with what they need, where somebody wants only some.

It asks the catalog, the state and git; the platform is not asked.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.catalog_files import ENDINGS, PROJECT, TEMPLATE
from ..errors import WrongUse
from ..kinds import BY_RESOURCE, KINDS
from ..problems import suggest_near
from ..resource import Address, Resource
from ..state import Record, Store
from ..support import git
from ..support.decisions import Limits
from .diff import Change, Difference
from .plan import Extent

_DOCUMENTS = re.compile(r"^---", re.MULTILINE)
_RESOURCE = re.compile(r"""\bresource["']?\s*:\s*["']?(\w+)""")
_KEY = re.compile(r"""(?<![\w.-])key["']?\s*:\s*["']?([\w.-]+)""")


def changed_since(
    revision: str,
    catalog: Catalog,
    desired: Mapping[Address, Resource],
    owners: Mapping[Address, Address],
    known: Set[Address],
) -> set[Address]:
    """Those of the `known` addresses for which a file has changed; raises `WrongUse`.

    What is no longer in the catalog, or had an overlay, is found by the key in the former text.
    """
    earlier = git.read_earlier(catalog.root, revision, ENDINGS)
    named = {address for text in earlier for address in _named_addresses(text)}
    named_files = catalog.named_files
    files = {address: set(_overlay_files(catalog, address, owners)) for address in known}
    for address, resource in desired.items():
        files[address] |= {*_resource_files(resource), *named_files.get(resource.origin.file, ())}
    everything = {file for of_one in files.values() for file in of_one}
    changed = git.changed_files(catalog.root, revision, everything)
    return {
        address
        for address, own in files.items()
        if own & changed or {address, owners.get(address)} & named
    }


def _named_addresses(text: str) -> Iterator[Address]:
    """The addresses that the documents of a file give or change, as far as a look shows."""
    for document in _DOCUMENTS.split(text):
        word, key = _RESOURCE.search(document), _KEY.search(document)
        if word and key and word[1] in BY_RESOURCE:
            yield Address(BY_RESOURCE[word[1]].name, key[1])


def _overlay_files(
    catalog: Catalog, address: Address, owners: Mapping[Address, Address]
) -> Iterator[str]:
    patches = catalog.scope.patches if catalog.scope else {}
    for whose in {address, owners.get(address, address)}:
        yield from (patch.origin.file for patch in patches.get(whose, ()))


def _resource_files(resource: Resource) -> Iterator[str]:
    """The manifest of a resource, and what has its defaults and its variables."""
    origin = resource.origin
    yield origin.file
    yield from (home.file for _, home in origin.elsewhere)
    if origin.file.endswith(TEMPLATE):
        yield PROJECT


def limit_changes(
    limits: Limits, catalog: Catalog, store: Store, changes: Sequence[Change]
) -> tuple[list[Change], Extent]:
    """The changes within the limits, with those that they need, and how far the plan reaches.

    Raises `WrongUse` for a pattern that nothing matches and for an unknown revision.
    """
    recorded, desired = store.fingerprints(), catalog.outlines
    known = {*desired, *recorded}
    family = _Family(_find_owners(desired, changes), {c.was: c.address for c in changes if c.was})
    excluded = family.whole_family(_match_patterns("--exclude", limits.exclude, known))
    chosen = _match_patterns("--target", limits.target, known) if limits.target else known
    if limits.changed_since:
        chosen = chosen & changed_since(
            limits.changed_since, catalog, desired, family.owners, known
        )
    chosen = family.whole_family(chosen) - excluded
    by_address = {change.address: change for change in changes}
    waiting = [change for change in changes if change.address in chosen]
    while waiting:
        needed = set(_needed_addresses(waiting.pop(), by_address, store, family.owners))
        for address in needed - chosen - excluded:
            chosen.add(address)
            waiting.append(by_address[address])
    within = [change for change in changes if change.address in chosen]
    outside = [change for change in changes if change.address not in chosen]
    extent = Extent(
        limits._replace(left_out=sum(change.does_anything for change in outside)),
        chosen.__contains__,
        frozenset(change.address for change in outside),
        excluded,
    )
    return within, extent


def widen_extent(extent: Extent, looked: Sequence[Change]) -> Extent:
    """The extent with what a look has added to the plan: what names something that is made again.

    Raises `WrongUse` if that is excluded: it would go on naming what is no longer there.
    """
    beyond = {change.address for change in looked if not extent.covers(change.address)}
    if lost := sorted(beyond & extent.excluded):
        raise WrongUse(
            f"what `--recreate` makes again is named by {lost[0]}, which `--exclude` leaves out",
            "plan without excluding it",
        )
    joined = beyond & extent.left_out
    limits = extent.limits._replace(left_out=extent.limits.left_out - len(joined))
    return extent._replace(limits=limits, left_out=extent.left_out - joined)


@dataclass(frozen=True)
class _Family:
    """The addresses that belong together, whatever a pattern says."""

    owners: Mapping[Address, Address]
    """By what is written inside a manifest, the resource of the manifest."""
    moved: Mapping[Address, Address]
    """Old addresses to new ones."""

    def whole_family(self, addresses: Set[Address]) -> set[Address]:
        """The addresses with new ones of what has moved, and with what is written inside them."""
        named = {*addresses, *(new for old, new in self.moved.items() if old in addresses)}
        return named | {inner for inner, owner in self.owners.items() if owner in named}


def _find_owners(
    desired: Mapping[Address, Resource], changes: Sequence[Change]
) -> dict[Address, Address]:
    """For each resource that is written inside a manifest, or was until both left the catalog, its
    owner."""
    tops = {(r.origin.file, r.origin.document): a for a, r in desired.items() if not r.origin.path}
    owners = {
        address: tops[at]
        for address, resource in desired.items()
        if resource.origin.path and (at := (resource.origin.file, resource.origin.document)) in tops
    }
    leaving = {c.address: c.before for c in changes if c.difference is Difference.GONE}
    wholes = {a: KINDS[a.kind].calls.removal(form).whole for a, form in leaving.items()}
    return owners | {inner: whole for inner, whole in wholes.items() if whole in leaving and whole}


def _match_patterns(option: str, patterns: Sequence[str], known: Set[Address]) -> set[Address]:
    names = {str(address): address for address in known}
    matching: set[Address] = set()
    for pattern in patterns:
        hits = {address for name, address in names.items() if fnmatchcase(name, pattern)}
        if not hits:
            raise WrongUse(
                f"`{option} {pattern}` names nothing that is in the catalog or in the state",
                suggest_near(pattern, names)
                or "`lmssync outline` and `lmssync state list` show what is",
            )
        matching |= hits
    return matching


def _needed_addresses(
    change: Change,
    changes: Mapping[Address, Change],
    store: Store,
    owners: Mapping[Address, Address],
) -> Iterator[Address]:
    """What has to be in this plan as well, since no call for the change can be made without it."""
    if change.difference is Difference.GONE and change.address in owners:
        yield owners[change.address]  # people are asked about the whole
    is_new = change.difference is Difference.NEW
    for reference in change.desired.references if change.desired else ():
        address = reference.address
        if address not in changes or (reference.deferrable and is_new):
            continue
        record = store.find_record(address) if address in store.fingerprints() else None
        if record is None or (reference.part and reference.part not in _recorded_parts(record)):
            yield address


def _recorded_parts(record: Record) -> Collection[str]:
    """The paths of the parts that it has; where no read has shown their ids, those of its form."""
    form = record.form if record.unpaired else None
    return KINDS[record.address.kind].authoring.parts(form) if form else record.known_ids.parts
