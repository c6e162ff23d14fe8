"""Help at a place in a manifest: what a field or a name means, and what could be written there."""

import posixpath
import re
from collections.abc import Iterator, Mapping

from lsprotocol import types as lsp

from ...catalog.manifests.schemas.explanations import explain_name
from ...catalog.manifests.schemas.field_descriptions import (
    Field,
    json_type,
    meanings_of,
    words_of,
)
from ...kinds import BODY_FILE, BY_RESOURCE, LOOKUPS
from ...report.explain_text import meanings_text
from ...resource import Address, Path
from ...support.remembered_files import list_remembered_names
from .edited_catalog import EditedCatalog, NamedThing
from .manifest_places import (
    ManifestPlace,
    fields_inside,
    find_document_word,
    find_field_path,
    find_given_node,
    is_story_file,
    list_part_paths,
)
from .name_changes import spell_scalar
from .text_outline import Span, TextNode, TextOutline

_MARK = "\ue000"
"""Stands where the cursor is, while the text around it is read."""
_PROSE = (".md", ".html", ".htm")
_TABLE = ".csv"
_FIELD = lsp.CompletionItemKind.Field


def explain_place(place: ManifestPlace, offset: int) -> tuple[str, Span] | None:
    """What a name or a field means, in Markdown, and the text that it is said about."""
    node, field = place.node, place.field
    is_value = node.value is not None and node.value.start <= offset
    said = describe_thing(place.catalog, place.named) if is_value and place.named else ""
    span = node.key or node.value
    if said and node.value:
        return said, node.value
    if field is None or span is None:
        return None
    word = meanings_of(field.schema).get(node.text, "") if is_value else ""
    said = f"`{node.text}`: {word}\n\n" if word else ""
    text = meanings_text(str(field), explain_name(str(field)))
    return f"{said}```text\n{text.rstrip()}\n```", span


def describe_thing(catalog: EditedCatalog, named: NamedThing) -> str:
    """Title, status or type, and file of what a name means; empty if the catalog does not have
    it."""
    given = find_given_node(catalog, named)
    if given is None:
        return ""
    file, node = given
    path = node.path[:-1] if node.path[-1] in {"key", "id"} else node.path
    texts = catalog.outline_file(file).scalar_texts(node.document, path)
    title = next((texts[name] for name in ("title", "name", "label") if texts.get(name)), "")
    words = [texts[name] for name in ("kind", "type", "status") if texts.get(name)]
    heading = f"**{title}**\n\n" if title else ""
    shown = f"{named.address}/{named.part}" if named.part else str(named.address)
    return f"{heading}`{shown}`{''.join(f' · {word}' for word in words)}\n\n{file}"


def list_offers(
    catalog: EditedCatalog, name: str, offset: int
) -> tuple[Span, list[lsp.CompletionItem]]:
    """What could be written at a place, and the text there that it takes the place of."""
    text = catalog.read_text(name)
    outline = TextOutline(f"{text[:offset]}{_MARK}{text[offset:]}")
    node = outline.find_node_at(offset)
    is_value = node and node.value and node.value.start <= offset
    span = node and (node.value if is_value else node.key)
    if node is None or span is None or _MARK not in outline.text[span.start : span.end]:
        return Span(offset, offset), []
    begun = Span(span.start, max(span.start, span.end - 1))
    if span == node.key:
        has_colon = outline.text[span.end : span.end + 1] == ":"
        return begun, list(_offer_fields(outline, name, node, colon=not has_colon))
    return begun, list(_offer_values(ManifestPlace(catalog, name, outline, node)))


def _offer_fields(
    outline: TextOutline, name: str, node: TextNode, *, colon: bool = True
) -> Iterator[lsp.CompletionItem]:
    word = find_document_word(outline, name, node.document)
    above: Path = node.path[:-1]
    there = outline.scalar_texts(node.document, above)
    path = find_field_path(word, above) if word else None
    if not (word or above or "resource" in there or is_story_file(name)):
        yield _offer("resource: ", "the kind of resource", kind=_FIELD)
    for field in fields_inside(path) if path else ():
        if field.name not in there and _belongs_beside(field, there):
            # Its value is beside it, or in the lines below.
            behind = ":" if fields_inside(field.path) else ": "
            what = "required" if field.required else field.schema.get("x-belongs-to", "")
            about = field.schema.get("description", "")
            yield _offer(f"{field.name}{behind if colon else ''}", what, about, _FIELD)


def _belongs_beside(field: Field, there: Mapping[str, str]) -> bool:
    """False for a field that belongs to another type of topic, or to another kind of course."""
    belongs = re.findall(r"\w+", field.schema.get("x-belongs-to", ""))
    deciding = [word for name, word in there.items() if word and name in belongs]
    return not deciding or any(word in belongs for word in deciding)


def _offer_values(place: ManifestPlace) -> Iterator[lsp.CompletionItem]:
    node, path, field = place.node, place.field_path, place.field
    if node.path == ("resource",):
        yield from (_offer(word, kind.noun) for word, kind in BY_RESOURCE.items())
        return
    if path is None or field is None:
        return
    if isinstance(node.path[-1], int) and fields_inside(path):  # nothing of the item is written yet
        first = TextNode(node.document, (*node.path, _MARK), node.start, key=node.value)
        yield from _offer_fields(place.outline, place.name, first)
    for one, meaning in meanings_of(field.schema).items():
        yield _offer(spell_scalar(one), "", meaning)
    if not words_of(field.schema) and json_type(field.schema) == "boolean":
        yield from (_offer("true"), _offer("false"))
    if owner := place.part_owner:
        yield from _offer_parts(place.catalog, owner)
    if place.named_kind:
        yield from _offer_names(place.catalog, place.named_kind)
    if field.name.endswith("File"):
        yield from _offer_files(place.catalog, place.name, field)


def _offer_parts(catalog: EditedCatalog, owner: Address) -> Iterator[lsp.CompletionItem]:
    origin = catalog.list_addresses().get(owner)
    if origin is None:
        return
    outline = catalog.outline_file(origin.file)
    for part, path in list_part_paths(outline, origin.file, origin.document).items():
        texts = outline.scalar_texts(origin.document, path)
        if "type" in texts:
            yield _offer(part, texts["type"], texts.get("title", ""))


def _offer_names(catalog: EditedCatalog, kind: str) -> Iterator[lsp.CompletionItem]:
    """Keys of the catalog, names that it uses, and those of the platform that `get` has seen."""
    met = set[str]()
    for address in catalog.list_addresses():
        if address.kind == kind:
            met.add(address.key)
            yield _offer(spell_scalar(address.key), kind, named=address)
    used = {address.key for address in catalog.judged.mentions if address.kind == kind}
    if kind in LOOKUPS:
        for name in sorted(used - met):
            yield _offer(spell_scalar(name), "in this catalog")
        for name in sorted({*list_remembered_names(catalog.root, kind)} - used - met):
            yield _offer(spell_scalar(name), "on the platform")


def _offer_files(catalog: EditedCatalog, name: str, field: Field) -> Iterator[lsp.CompletionItem]:
    folder = posixpath.dirname(name)
    endings = _PROSE if field.name == BODY_FILE else (_TABLE,)
    files = (file for file in catalog.list_files() if file.endswith(endings))
    for file in sorted(posixpath.relpath(file, folder or ".") for file in files):
        if not file.startswith("../"):
            yield _offer(spell_scalar(file))


def _offer(
    text: str,
    what: str = "",
    about: str = "",
    kind: lsp.CompletionItemKind = lsp.CompletionItemKind.Value,
    named: Address | None = None,
) -> lsp.CompletionItem:
    """A text, with a few words and a sentence about it. Of what it is the name of, the title is
    looked up once somebody looks at it."""
    item = lsp.CompletionItem(text.rstrip(": "), kind=kind, filter_text=text)
    item.detail, item.documentation, item.data = what or None, about or None, named
    return item
