"""Which resources have changed in git: their manifests, what those name, or their overlays."""

import re
from collections.abc import Iterator, Mapping, Set

from .. import git
from ..address import Address
from ..kinds import BY_RESOURCE
from ..manifests.catalog import Catalog
from ..manifests.files import ENDINGS, PROJECT, TEMPLATE
from ..resource import Resource

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
    earlier = git.earlier(catalog.root, revision, ENDINGS)
    named = {address for text in earlier for address in _named_addresses(text)}
    named_files = catalog.named_files
    files = {address: set(_overlay_files(catalog, address, owners)) for address in known}
    for address, resource in desired.items():
        files[address] |= {*_resource_files(resource), *named_files.get(resource.origin.file, ())}
    everything = {file for of_one in files.values() for file in of_one}
    changed = git.changed(catalog.root, revision, everything)
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
