"""What a place in a manifest is about: its field, and the resource, the part or the file that it
names; where that is given, and where else it is named."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from ...catalog.manifests.catalog_files import ENDINGS, OVERLAYS, POLICIES, RELEASES, STORIES
from ...catalog.manifests.schemas.field_descriptions import Field, all_fields, values_of
from ...kinds import BY_RESOURCE, is_uuid, part_names
from ...learners.stories import find_story_name
from ...resource import PROJECT_FILE, Address, Path
from .edited_catalog import EditedCatalog, NamedThing
from .text_outline import Span, TextNode, TextOutline

FieldPath = tuple[str, ...]
_WORDS = {PROJECT_FILE: PROJECT_FILE.removesuffix(".yaml"), POLICIES: "policy", RELEASES: "release"}
"""What a document is, by the file or the folder that it is in at the top of a catalog."""


class FileSpan(NamedTuple):
    """A part of a file."""

    file: str
    span: Span


@cache
def _fields_by_path() -> Mapping[FieldPath, Field]:
    return {field.path: field for field in all_fields()}


@cache
def fields_inside(path: FieldPath) -> Sequence[Field]:
    """The fields directly inside another one; of a kind with its word alone."""
    return [field for field in all_fields() if field.path[:-1] == path]


def find_document_word(outline: TextOutline, name: str, document: int) -> str:
    """What a document says under `resource`, or what its file holds; empty if that is unknown."""
    if word := _WORDS.get(name.partition("/")[0]):
        return word
    if is_story_file(name):
        return "" if outline.find_node(document, ("assert",)) else "story"
    resource = outline.find_node(document, ("resource",))
    return resource.text if resource and resource.text in BY_RESOURCE else ""


def find_field_path(word: str, path: Path) -> FieldPath | None:
    """The path of the field, without positions and names of the author's own."""
    known = _fields_by_path()
    here: FieldPath = (word,)
    for step in path:
        if isinstance(step, int):
            continue
        if (*here, step) in known:
            here = (*here, step)
        elif here not in known or not values_of(known[here].schema):
            return None
    return here


class ManifestPlace(NamedTuple):
    """A key or an item of a file in a catalog, with its value."""

    catalog: EditedCatalog
    name: str
    outline: TextOutline
    node: TextNode

    @property
    def field_path(self) -> FieldPath | None:
        word = find_document_word(self.outline, self.name, self.node.document)
        return find_field_path(word, self.node.path) if word else None

    @property
    def field(self) -> Field | None:
        """The field that the key or the value belongs to; None if there is no such field."""
        return _fields_by_path().get(self.field_path or ())

    @property
    def named_kind(self) -> str:
        """The kind of what the field names; empty if it names nothing, or a part of something."""
        kind = self.field.kind if self.field else None
        return kind.relations.names.get(".".join(self.field.own), "") if self.field and kind else ""

    def read_text_at(self, path: Path) -> str:
        """What is written elsewhere in the document."""
        found = self.outline.find_node(self.node.document, path)
        return found.text if found else ""

    @property
    def part_owner(self) -> Address | None:
        """The resource of which the field names a part; None if it names no part."""
        field = self.field
        kind = field.kind if field else None
        if field is None or kind is None or field.name not in kind.relations.part_names:
            return None
        by, outer = kind.relations.part_names[field.name], BY_RESOURCE[field.path[0]]
        # A short form leaves that field out: it is about the resource that it stands in.
        nested = outer.authoring.nested
        is_short = any(one.owner == by and one.field in field.path for one in nested)
        key = self.read_text_at(("key",) if is_short else (*self.node.path[:-1], by))
        word = outer.name if is_short else kind.relations.names[by]
        return Address(word, key) if key else None

    @property
    def named_file(self) -> str | None:
        """The file that the value names, from the root of the catalog; None if the field names
        none."""
        if not self.node.text or not (self.field and self.field.name.endswith("File")):
            return None
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.name), self.node.text))

    @property
    def named(self) -> NamedThing | None:
        """What the value names, or what a `key` or `id` is the name of."""
        node = self.node
        if is_story_file(self.name):
            return self._named_in_story
        given = self.catalog.find_given_address(self.name, node) if node.text else None
        if given or not node.text:
            return NamedThing(given) if given else None
        field = self.field
        if field and field.kind and field.name == "id" and field.parts:
            paths = list_part_paths(self.outline, self.name, node.document)
            part = next((path for path, at in paths.items() if at == node.path[:-1]), "")
            key = self.read_text_at(("key",))
            return NamedThing(Address(field.kind.name, key), part) if key and part else None
        if is_uuid(node.text):
            return None
        if owner := self.part_owner:
            return NamedThing(owner, node.text)
        return NamedThing(Address(self.named_kind, node.text)) if self.named_kind else None

    @property
    def _named_in_story(self) -> NamedThing | None:
        found = find_story_name(self.node.path, self.read_text_at)
        if found is None:
            return None
        # What belongs to a course may be named by its id there, or by a key of its own.
        known = found[0] in self.catalog.judged.resources or found[1]
        return NamedThing(*found) if known else NamedThing(Address(found[0].kind, self.node.text))


def list_part_paths(outline: TextOutline, name: str, document: int) -> Mapping[str, Path]:
    """The parts of a document by their paths of ids, each with its place in the document."""
    word = find_document_word(outline, name, document)
    return dict(_parts_below(outline, document, (word,), (), ""))


def _parts_below(
    outline: TextOutline, document: int, field: FieldPath, path: Path, above: str
) -> Iterator[tuple[str, Path]]:
    for inside in fields_inside(field):
        has_ids = any(one.name == "id" and one.parts for one in fields_inside(inside.path))
        if not has_ids or outline.find_node(document, (*path, inside.name)) is None:
            continue
        items = outline.nodes_below(document, (*path, inside.name))
        texts = [outline.scalar_texts(document, item.path) for item in items]
        for item, part in zip(items, part_names(texts), strict=True):
            yield f"{above}{part}", item.path
            yield from _parts_below(outline, document, inside.path, item.path, f"{above}{part}/")


def find_given_node(catalog: EditedCatalog, named: NamedThing) -> tuple[str, TextNode] | None:
    """The file and the `key` or `id` by which a resource or a part is known; of a part without an
    id, the part."""
    origin = catalog.list_addresses().get(named.address)
    if origin is None:
        return None
    outline = catalog.outline_file(origin.file)
    path: Path | None = origin.path
    if named.part:
        path = list_part_paths(outline, origin.file, origin.document).get(named.part)
    if path is None:
        return None
    nodes = (outline.find_node(origin.document, (*path, field)) for field in ("key", "id"))
    node = next(filter(None, nodes), None) or outline.find_node(origin.document, path)
    return (origin.file, node) if node else None


def find_definition(place: ManifestPlace) -> FileSpan | None:
    """Where what a value names is given."""
    if file := place.named_file:
        return FileSpan(file, Span(0, 0)) if place.catalog.has_file(file) else None
    given = find_given_node(place.catalog, place.named) if place.named else None
    return given and FileSpan(given[0], given[1].value or Span(given[1].start, given[1].start))


def find_mentions(catalog: EditedCatalog, named: NamedThing) -> Iterator[tuple[str, TextNode, str]]:
    """Every value that names a resource, or a part or something in it: its file, its node and the
    path of the part, which is empty where none is named."""
    # A form may refer to what its author left to the place of a short form: that has no node.
    for origin, reference in catalog.judged.mentions.get(named.address, ()):
        part = reference.part or ""
        if is_about_part(part, named):
            node = catalog.outline_file(origin.file).find_node(origin.document, origin.path)
            if node and node.value and node.text in {reference.name, part}:
                yield origin.file, node, part
    for file in catalog.list_files():
        if file.startswith(f"{OVERLAYS}/") and file.endswith(ENDINGS):
            yield from _patched_nodes(catalog.outline_file(file), file, named)
        elif is_story_file(file) and file.endswith(ENDINGS):
            yield from _nodes_in_story(catalog, file, named)
        elif file.startswith(f"{RELEASES}/") and file.endswith(ENDINGS) and not named.part:
            nodes = catalog.outline_file(file).nodes
            yield from ((file, node, "") for node in nodes if node.text == str(named.address))


def is_about_part(part: str, named: NamedThing) -> bool:
    """Whether the path of a part is that of the thing, or of something in it."""
    return f"{part}/".startswith(f"{named.part}/") if named.part else not part


def is_story_file(name: str) -> bool:
    return name.startswith(f"{STORIES}/")


def _nodes_in_story(
    catalog: EditedCatalog, file: str, named: NamedThing
) -> Iterator[tuple[str, TextNode, str]]:
    """Every value in a file of stories that names a thing, and every key that is its address."""
    outline = catalog.outline_file(file)
    for node in outline.nodes:
        if node.path[-1] == str(named.address) and not named.part:
            yield file, replace(node, value=node.key, text=str(named.address)), ""
            continue
        found = ManifestPlace(catalog, file, outline, node).named
        if found and found.address == named.address and is_about_part(found.part, named):
            yield file, node, found.part


def _patched_nodes(
    outline: TextOutline, file: str, named: NamedThing
) -> Iterator[tuple[str, TextNode, str]]:
    """The `key` in each patch of a resource, or the `id` of the part in it."""
    for key in outline.nodes:
        word = find_document_word(outline, file, key.document)
        kind = BY_RESOURCE[word].name if word else ""
        if key.path != ("key",) or Address(kind, key.text) != named.address:
            continue
        if not named.part:
            yield file, key, ""
            continue
        place = list_part_paths(outline, file, key.document).get(named.part)
        node = outline.find_node(key.document, (*place, "id")) if place else None
        if node:
            yield file, node, named.part


def find_references(
    catalog: EditedCatalog, name: str, place: ManifestPlace | None, *, itself: bool
) -> Iterator[FileSpan]:
    """Where what a value names is named elsewhere; in a file of prose, where the file is named."""
    file = place.named_file if place else None
    if file or not name.endswith(ENDINGS):
        yield from _places_of_file(catalog, file or name)
        return
    named = place.named if place else None
    given = find_given_node(catalog, named) if named else None
    if itself and given and given[1].value:
        yield FileSpan(given[0], given[1].value)
    for where, found, _ in find_mentions(catalog, named) if named else ():
        if found.value:
            yield FileSpan(where, found.value)


def _places_of_file(catalog: EditedCatalog, file: str) -> Iterator[FileSpan]:
    """Every value that names a file."""
    for manifest in catalog.judged.find_manifests_naming(file):
        outline = catalog.outline_file(manifest)
        for node in outline.nodes:
            if node.value and ManifestPlace(catalog, manifest, outline, node).named_file == file:
                yield FileSpan(manifest, node.value)
