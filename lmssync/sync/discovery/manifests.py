"""What is on the platform becomes manifests, with the forms that are recorded."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from pydantic import ValidationError

from ...errors import Refused, Unreadable
from ...kind import Ids
from ...kinds import KINDS
from ...platform.client import Reader
from ...resource import Address, Form, Resource, canonical_text, fingerprint_of
from ...texts.from_html import to_markdown
from .listing import ListedItem, list_belonging, read_whole
from .names import NamesById, nested_in

TRIES = 20
"""Fields that are left out of one manifest, at most, because no manifest may hold their values."""


class ImportedResource(NamedTuple):
    """What came of one thing on the platform."""

    address: Address
    item: ListedItem
    data: dict[str, Any]
    """The document, without what is written inside it; empty if there can be none."""
    form: Form
    ids: Ids
    notes: Sequence[str] = ()
    """What the manifest does not say, or why there is none."""
    inside: Sequence["ImportedResource"] = ()
    """What is written inside its manifest."""
    written: bool = False
    """Its manifest is in the catalog already, and says the same."""


def import_items(
    reader: Reader, routes: Set[str], items: Iterable[tuple[ListedItem, Address]], names: NamesById
) -> Iterator[ImportedResource]:
    """Each of some things with all that belongs to it and is written inside its manifest."""
    pairs = list(items)
    whole = _read_all_whole(reader, [item for item, _ in pairs])
    owned = _read_owned(reader, routes, pairs)
    for (item, address), shown in zip(pairs, whole, strict=True):
        names.user = item.ids[0]
        outcome = _make_imported(address, item, shown, names)
        if outcome.data:
            names.add_names(address, outcome.ids)
        mine = owned.get(item.ids[0], {}) if outcome.data else {}
        inside = [
            _make_imported(inner, one, mine[one.ids[0]][1], names, outcome)
            for one, inner in names.name_items([one for one, _ in mine.values()], address.key)
        ]
        for inner in inside:
            names.add_names(inner.address, inner.ids)
        yield outcome._replace(inside=inside)


ShownWhole = Mapping[str, Any] | str
"""What is shown of an item, with its further reads; or why they show nothing."""


def _read_all_whole(reader: Reader, items: Sequence[ListedItem]) -> list[ShownWhole]:
    return list(reader.ask_each(lambda item: _read_item_whole(reader, item), items))


def _read_item_whole(reader: Reader, item: ListedItem) -> ShownWhole:
    requests = {name: of(item.shown["item"]) for name, of in item.imports.details.items()}
    try:
        answers = {n: read_whole(reader, r, r.params) for n, r in requests.items()}
    except (Refused, Unreadable) as error:  # of this one alone: the others can be read
        return error.message
    return {**item.shown, **answers}


def _read_owned(
    reader: Reader, routes: Set[str], pairs: Sequence[tuple[ListedItem, Address]]
) -> dict[str, dict[str, tuple[ListedItem, ShownWhole]]]:
    """By id of an owner, what belongs to it and is written in its manifest, by its own id."""
    owned: dict[str, dict[str, tuple[ListedItem, ShownWhole]]] = {}
    for kind in {item.kind for item, _ in pairs}:
        owners = [item.ids for item, _ in pairs if item.kind == kind]
        inner = [
            one
            for one in list_belonging(reader, routes, kind, owners)
            if nested_in(one.kind) == kind
        ]
        for one, shown in zip(inner, _read_all_whole(reader, inner), strict=True):
            owned.setdefault(one.owner, {})[one.ids[0]] = one, shown
    return owned


def _make_imported(
    address: Address,
    item: ListedItem,
    shown: ShownWhole,
    names: NamesById,
    outer: ImportedResource | None = None,
) -> ImportedResource:
    if isinstance(shown, str):
        return _refuse_item(address, item, shown)
    kind, item = KINDS[address.kind], item._replace(shown=shown)
    imported = item.imports.manifest(item.shown, names)
    if isinstance(imported, str):
        return _refuse_item(address, item, imported)
    head = {"resource": kind.resource, "key": address.key}
    data, notes = _accepted_document(kind.spec, head | imported.data)
    for holder in kind.authoring.body_fields(data):
        as_markdown(holder.holder)
    form = kind.authoring.normalise(address.key, data) if data else {}
    made = ImportedResource(address, item, data, form, imported.ids, [*imported.notes, *notes])
    return _compare_with_catalog(made, names.desired, outer) if data else made


def _compare_with_catalog(
    made: ImportedResource, desired: Mapping[Address, Resource], outer: ImportedResource | None
) -> ImportedResource:
    """With what the catalog says: an import that was stopped may have written it."""
    address, id_ = made.address, made.item.ids[0]
    there = desired.get(address)
    if there and fingerprint_of(canonical_text(made.form)) == there.fingerprint:
        return made._replace(written=True)
    if there:
        why = f"{there.origin.file} has {address}, which is not the same"
        return _refuse_item(
            address, made.item, f"{why}: `lmssync adopt {address}={id_}` compares them"
        )
    if outer and outer.written:
        why = f"the manifest of {outer.address} does not have it"
        return _refuse_item(address, made.item, f"{why}: write it there and adopt it as {id_}")
    return made


def as_markdown(holder: dict[str, Any]) -> None:
    """A body as Markdown where learners see the same page."""
    text = to_markdown(holder["body"]) if holder.get("body") else None
    if text is not None:
        del holder["body"]
        holder["markdown"] = text


def _refuse_item(address: Address, item: ListedItem, why: str) -> ImportedResource:
    return ImportedResource(address, item, {}, {}, Ids({}), [why])


def _accepted_document(spec: Any, data: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The document without the values that no manifest may hold, and what was left out."""
    notes: list[str] = []
    for _ in range(TRIES):
        try:
            spec.model_validate(data)
        except ValidationError as error:
            wrong = error.errors(include_url=False)[0]
            if wrong["type"] == "missing" or not drop_field(data, wrong["loc"]):
                return {}, [*notes, f"{spell_path(wrong['loc'])}: {wrong['msg']}"]
            notes.append(f"{spell_path(wrong['loc'])} is left out: {wrong['msg']}")
        else:
            return data, notes
    return {}, notes


def drop_field(data: Any, path: Sequence[str | int]) -> bool:
    """True if the field at a path could be taken out: the innermost that is there."""
    for depth in range(len(path), 0, -1):
        holder, last = data, path[depth - 1]
        try:
            for step in path[: depth - 1]:
                holder = holder[step]
            if isinstance(holder, dict) and last in holder:
                del holder[last]
                return True
        except (LookupError, TypeError):
            continue
    return False


def spell_path(path: Sequence[str | int]) -> str:
    return ".".join(str(step) for step in path)
