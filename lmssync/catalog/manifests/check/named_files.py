"""Which files a manifest names: bodies and tables, each with the resource and the place."""

from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple

from ....kind import Kind
from ....kinds import BODY_FILE, BY_RESOURCE
from ....resource import Address, Origin, Path
from ..catalog_files import CatalogFiles
from ..documents import Scope, read_manifest_file
from ..overlays import with_defaults, with_patches
from .attached_texts import spell_catalog_path
from .document_check import find_document_kind
from .included_parts import include_parts
from .short_forms import expand_short_forms, key_of


class NamedFile(NamedTuple):
    """A file that a resource names, at a path of its document."""

    address: Address
    path: Path
    file: str


def list_named_files(
    scope: Scope, manifest: str, resources: Container[Address]
) -> Iterator[NamedFile]:
    """The files that those resources of a manifest name; the manifest is read again."""
    for document in read_manifest_file(scope, manifest).documents:
        kind = find_document_kind(document)
        if isinstance(kind, Kind):
            yield from _list_of_document(scope, kind, document.origin, document.data, resources)


def _list_of_document(
    scope: Scope,
    kind: Kind,
    origin: Origin,
    data: Mapping[str, Any],
    resources: Container[Address],
) -> Iterator[NamedFile]:
    included = include_parts(CatalogFiles(scope.root), kind, origin, dict(data))
    if included.problems:
        return
    overlaid = with_patches(scope, kind, included.origin, included.data)
    if overlaid.data is None:
        return
    outer, origin = with_defaults(scope, kind, overlaid.origin, overlaid.data)
    authoring, address = kind.authoring, Address(kind.name, key_of(origin, outer))
    if address in resources:  # else it has mistakes, and may be of any shape
        names = [((*s.path, BODY_FILE), s.holder[BODY_FILE]) for s in authoring.body_files(outer)]
        names += [((*t.path, t.field), t.holder.get(t.field)) for t in authoring.tables(outer)]
        for path, home in included.origin.elsewhere:
            if home.path == ("content",):
                yield NamedFile(address, (*path[len(origin.path) :], "include"), home.file)
        for path, name in names:
            if name is not None:
                yield NamedFile(address, path, spell_catalog_path(origin.at(path).file, name))
    for nested in authoring.nested:
        items, _ = expand_short_forms(nested, origin, address.key, outer.get(nested.field))
        for item in items:
            inner = BY_RESOURCE[nested.resource]
            yield from _list_of_document(scope, inner, item.origin, item.data, resources)
