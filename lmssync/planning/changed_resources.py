"""Which resources files are about: those that a revision of git tells apart, or that are named."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fnmatch import fnmatchcase
from typing import NamedTuple

from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.catalog_files import ENDINGS, PROJECT, TEMPLATE
from ..errors import WrongUse
from ..kinds import BY_RESOURCE
from ..problems import suggest_near
from ..resource import Address, Resource
from ..support.git_repository import changed_files, files_between, read_earlier, read_files_at

_DOCUMENTS = re.compile(r"^---", re.MULTILINE)
_RESOURCE = re.compile(r"""\bresource["']?\s*:\s*["']?(\w+)""")
_KEY = re.compile(r"""(?<![\w.-])key["']?\s*:\s*["']?([\w.-]+)""")
FilesOf = Mapping[Address, Set[str]]


class ChangedFiles(NamedTuple):
    """Files that have changed, and the texts that they had before."""

    names: Set[str]
    earlier: Sequence[str] = ()


def match_addresses(
    patterns: Iterable[str], known: Iterable[Address], option: str = ""
) -> set[Address]:
    """The known addresses that patterns name; raises `WrongUse` for a pattern of an option that
    names none."""
    names = {str(address): address for address in known}
    matching: set[Address] = set()
    for pattern in patterns:
        hits = {address for name, address in names.items() if fnmatchcase(name, pattern)}
        if option and not hits:
            raise WrongUse(
                f"`{option} {pattern}` names nothing that is in the catalog or in the state",
                suggest_near(pattern, names)
                or "`lmssync outline` and `lmssync state list` show what is",
            )
        matching |= hits
    return matching


def list_files_of(
    catalog: Catalog,
    desired: Mapping[Address, Resource],
    owners: Mapping[Address, Address],
    known: Set[Address],
) -> FilesOf:
    """The files that have a word in each of the `known` addresses."""
    named_files = catalog.named_files
    files = {address: set(_overlay_files(catalog, address, owners)) for address in known}
    for address, resource in desired.items():
        files[address] |= {*_resource_files(resource), *named_files.get(resource.origin.file, ())}
    return files


def find_changed_files(catalog: Catalog, revision: str, files: FilesOf) -> ChangedFiles:
    """What differs from a revision; raises `WrongUse`."""
    earlier = list(read_earlier(catalog.root, revision, ENDINGS))
    everything = {file for of_one in files.values() for file in of_one}
    return ChangedFiles(changed_files(catalog.root, revision, everything), earlier)


def find_files_between(catalog: Catalog, before: str, after: str) -> ChangedFiles:
    """What differs between two revisions; raises `WrongUse`."""
    names = files_between(catalog.root, before, after)
    manifests = [name for name in names if name.endswith(ENDINGS)]
    texts = read_files_at(catalog.root, before, manifests) if manifests else ()
    return ChangedFiles(names, [text.decode("utf-8", "replace") for _, text in texts])


def find_resources_in(
    changed: ChangedFiles, files: FilesOf, owners: Mapping[Address, Address]
) -> set[Address]:
    """The addresses for which a file has changed.

    What is no longer in the catalog, or had an overlay, is found by the key in the former text.
    """
    named = {address for text in changed.earlier for address in _named_addresses(text)}
    return {
        address
        for address, own in files.items()
        if own & changed.names or {address, owners.get(address)} & named
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
