"""Makes manifests, and the forms that are recorded, from things on the platform and from new
parts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from copy import deepcopy
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import ValidationError

from ...errors import Refused, Unreadable
from ...kind import Ids, Imports, Kind
from ...kinds import KINDS
from ...platform.client import Reader
from ...platform.live import ask_reading
from ...problems import Severity
from ...resource import Address, Form, Path, Resource, canonical_text, fingerprint_of
from ...texts.html_to_markdown import html_to_markdown
from ...texts.values import judge_texts
from .platform_items import (
    ListedItem,
    ListOwner,
    NamesById,
    find_outer_kind,
    list_belonging,
)

TRIES = 20
"""The most fields that are left out of one manifest, because no manifest may have their values."""


class ImportedResource(NamedTuple):
    """The outcome for one thing on the platform."""

    address: Address
    item: ListedItem
    data: dict[str, Any]
    """The document, without what is written inside it; empty if there can be none."""
    form: Form
    ids: Ids
    notes: Sequence[str] = ()
    """What the manifest does not say, or why there is no manifest."""
    inside: Sequence["ImportedResource"] = ()
    """The things that are written inside its manifest."""
    written: bool = False
    """The catalog has its manifest already, with the same content."""
    answers: Mapping[str, Any] = MappingProxyType({})
    """The answers to the readings of its kind, by their routes."""


def import_items(
    reader: Reader,
    routes: Set[str],
    items: Iterable[tuple[ListedItem, Address]],
    names: NamesById,
    *,
    as_html: bool = False,
) -> Iterator[ImportedResource]:
    """Each of some things with all that belongs to it and is written inside its manifest.

    Bodies are Markdown where learners see the same page, or `as_html`, to the byte.
    """
    pairs = list(items)
    whole = _read_all_details(reader, [item for item, _ in pairs])
    read = [
        (item, shown)
        for (item, _), shown in zip(pairs, whole, strict=True)
        if not isinstance(shown, str)
    ]
    owned = _read_owned(reader, routes, read)
    for (item, address), shown in zip(pairs, whole, strict=True):
        names.user = item.ids[0]
        outcome = _make_imported(address, item, shown, names, as_html=as_html)
        if outcome.data:
            names.add_names(address, outcome.ids)
            names.parts = {id_: path for path, id_ in outcome.ids.parts.items()}
        mine = owned.get(item.ids[0], {}) if outcome.data else {}
        inside = [
            _make_imported(inner, one, mine[one.ids[0]][1], names, outcome)
            for one, inner in names.name_items([one for one, _ in mine.values()], address.key)
        ]
        for inner in inside:
            names.add_names(inner.address, inner.ids)
        yield outcome._replace(inside=inside)


ShownWhole = Mapping[str, Any] | str
"""The form of an item, with its further reads; or why they show nothing."""


def _read_all_details(reader: Reader, items: Iterable[ListedItem]) -> list[ShownWhole]:
    # Here and not in the threads that ask: all items share one file.
    listed = ((item.imports, item.shown) for item in items)
    return list(reader.ask_each(lambda one: _read_item_details(reader, *one), listed))


def _read_item_details(reader: Reader, imports: Imports, shown: Mapping[str, Any]) -> ShownWhole:
    answers = {}
    try:
        for name, request_of in imports.details.items():
            request = request_of(shown["item"])
            if isinstance(request, str):
                return request
            answers[name] = ask_reading(reader, request, request.params)
    except (Refused, Unreadable) as error:  # of this one alone: the others can be read
        return error.message
    return {**shown, **answers}


def _read_owned(
    reader: Reader, routes: Set[str], read: Sequence[tuple[ListedItem, Mapping[str, Any]]]
) -> dict[str, dict[str, tuple[ListedItem, ShownWhole]]]:
    """By the id of each owner, what is written in its manifest, by the id of that."""
    owned: dict[str, dict[str, tuple[ListedItem, ShownWhole]]] = {}
    for kind in {item.kind for item, _ in read}:
        owners = [ListOwner(item.ids, shown["item"]) for item, shown in read if item.kind == kind]
        inner = [
            one
            for one in list_belonging(reader, routes, kind, owners)
            if find_outer_kind(one.kind) == kind
        ]
        for one, shown in zip(inner, _read_all_details(reader, inner), strict=True):
            owned.setdefault(one.owner, {})[one.ids[0]] = one, shown
    return owned


def _make_imported(
    address: Address,
    item: ListedItem,
    shown: ShownWhole,
    names: NamesById,
    outer: ImportedResource | None = None,
    *,
    as_html: bool = False,
) -> ImportedResource:
    if isinstance(shown, str):
        return _refuse_item(address, item, shown)
    kind, imports = KINDS[address.kind], item.imports
    imported = imports.manifest(shown, names)
    if isinstance(imported, str):
        return _refuse_item(address, item, imported)
    head = {"resource": kind.resource, "key": address.key}
    data, notes = _drop_refused_values(kind.spec, head | imported.data)
    for slot in () if as_html else kind.authoring.body_fields(data):
        put_body_as_markdown(slot.holder)
    form = kind.authoring.normalise(address.key, data) if data else {}
    made = ImportedResource(address, item, data, form, imported.ids, [*imported.notes, *notes])
    made = made._replace(answers=imports.answers(shown))
    return _compare_with_catalog(made, names.desired, outer) if data else made


def _compare_with_catalog(
    made: ImportedResource, desired: Mapping[Address, Resource], outer: ImportedResource | None
) -> ImportedResource:
    address, id_ = made.address, made.item.ids[0]
    there = desired.get(address)
    if there and fingerprint_of(canonical_text(made.form)) == there.fingerprint:
        # An import that was stopped has written it before it could record it.
        return made._replace(written=True)
    if there:
        why = f"{address} in {there.origin.file} differs from it"
        return _refuse_item(
            address, made.item, f"{why}: `lmssync adopt {address}={id_}` compares them"
        )
    if outer and outer.written:
        why = f"the manifest of {outer.address} does not have it"
        return _refuse_item(address, made.item, f"{why}: write it there and adopt it as {id_}")
    return made


def put_body_as_markdown(holder: dict[str, Any]) -> None:
    """A body as Markdown where learners see the same page."""
    text = html_to_markdown(holder["body"]) if holder.get("body") else None
    if text is not None:
        del holder["body"]
        holder["markdown"] = text


def _refuse_item(address: Address, item: ListedItem, why: str) -> ImportedResource:
    return ImportedResource(address, item, {}, {}, Ids({}), [why])


def _drop_refused_values(spec: Any, data: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The document without the values that no manifest may hold, and what was left out."""
    notes: list[str] = []
    try:
        notes.extend(_take_refused_out(spec, data, (), data))
    except UnwritablePart as error:
        return {}, [*notes, str(error)]
    return data if len(notes) < TRIES else {}, notes


class UnwritablePart(Exception):
    """A part that no manifest can say; the message tells why."""


def _take_refused_out(spec: Any, whole: Mapping[str, Any], at: Path, data: Any) -> Iterator[str]:
    """Takes the values out of `data`, which is at a path of the whole document, that no manifest
    may have, and yields them. Raises `UnwritablePart`."""
    for _ in range(TRIES):
        try:
            spec.model_validate(whole)
        except ValidationError as error:
            every = error.errors(include_url=False)
            wrong = next((one for one in every if one["loc"][: len(at)] == at), None)
        else:
            return
        if wrong is None:
            return
        path = wrong["loc"][len(at) :]
        if wrong["type"] == "missing" or not drop_field(data, path):
            raise UnwritablePart(f"{spell_path(path)}: {wrong['msg']}")
        yield f"{spell_path(path)} is left out: {wrong['msg']}"


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


def write_new_part(
    address: Address, document: Mapping[str, Any], place: Path, data: Any, whole: Any
) -> list[str]:
    """Makes `data` a part for the list at `place` of a document, with bodies as Markdown where that
    gives the same HTML; returns what the manifest does not say.

    `whole` is a document with nothing but the part in it. Raises `UnwritablePart`.
    """
    kind = KINDS[address.kind]
    for slot in kind.authoring.body_fields(whole):
        put_body_as_markdown(slot.holder)
    with_part = _with_part(kind, document, place, data)
    notes = list(_take_refused_out(kind.spec, with_part, _place_at_end(place, with_part), data))
    _check_rules(kind, _with_part(kind, document, place, data), place)
    return notes


def _with_part(kind: Kind, document: Mapping[str, Any], place: Path, data: Any) -> dict[str, Any]:
    """The document with the part at the end of its list, without what belongs to others."""
    short = {nested.field for nested in kind.authoring.nested}
    whole: dict[str, Any] = deepcopy({k: v for k, v in document.items() if k not in short})
    holder: Any = whole
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = [*(holder.get(place[-1]) or ()), data]
    return whole


def _place_at_end(place: Path, whole: Mapping[str, Any]) -> Path:
    """The path of the part in a document that has it at the end of its list."""
    items: Any = whole
    for step in place:
        items = items[step]
    return (*place, len(items) - 1)


def _check_rules(kind: Kind, whole: Mapping[str, Any], place: Path) -> None:
    """Raises `UnwritablePart` for a rule that the part breaks, not for one that the rest breaks."""
    at = _place_at_end(place, whole)
    try:
        model = kind.spec.model_validate(whole)
    except ValidationError:
        return
    for rule in (*kind.authoring.rules, judge_texts):
        for finding in rule(model):
            if finding.severity is Severity.ERROR and finding.path[: len(at)] == at:
                raise UnwritablePart(f"no manifest can contain it: {finding.message}")
