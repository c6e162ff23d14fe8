"""From forms back to the manifests that an author would write, and to files that hold them.

None of the files is lost or left half. Long bodies of a document go into files of their own,
named by their place in it.
"""

import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import orjson

from ....errors import LmssyncError, WrongUse
from ....kind import BodyField, Nested, declare_nothing
from ....kinds import BODY_FILE, KINDS
from ....resource import KEY, Address, Form, canonical_text, unpack_form
from ....support.disk_buffer import DiskBuffer, load_kept_json, read_kept_bytes
from ....support.file_writing import unwrite_below, write_below
from ..catalog_files import BODY_BYTES, MANIFEST_BYTES
from ..formatter import MappingShape, of_document
from ..yaml import write_stream

Forms = Mapping[Address, Form]


class Manifest(NamedTuple):
    """One document, with the resources in it in short form."""

    address: Address
    data: dict[str, Any]
    owner: Address | None = None
    """The resource that it belongs to, where that is written as well."""
    inner: tuple[Address, ...] = ()
    inexact: tuple[Address, ...] = ()
    """Resources of which no manifest says all that is recorded: half-way, or of another version."""


class Packed(Mapping[Address, Form]):
    """Forms that are unpacked when they are asked for: all at once would fill the memory."""

    def __init__(
        self,
        packed: Mapping[Address, bytes | Callable[[], bytes]],
        revealed: Callable[[Address, Form], Form] | None = None,
    ) -> None:
        """`revealed` puts identifiers in the place of codes."""
        self._packed = packed
        self._revealed = revealed or (lambda _address, form: form)

    def __getitem__(self, address: Address) -> Form:
        packed = self._packed[address]
        form = unpack_form(read_kept_bytes(packed))
        return self._revealed(address, form)

    def __iter__(self) -> Iterator[Address]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def choose_addresses(forms: Forms, patterns: Iterable[str]) -> tuple[set[Address], list[str]]:
    """The addresses that patterns name, with those written inside in short form; and patterns that
    name nothing.

    No pattern at all means everything.
    """
    patterns = list(patterns)
    if not patterns:
        return set(forms), []
    hits = {pattern: {a for a in forms if fnmatchcase(str(a), pattern)} for pattern in patterns}
    named = set().union(*hits.values())
    named |= {a for a, owner in _short_forms(forms).items() if owner in named}
    return named, [pattern for pattern, hit in hits.items() if not hit]


def make_manifests(forms: Forms) -> Iterator[Manifest]:
    """The documents of some resources, in the order of kinds and keys; short forms are inside.

    Raises `WrongUse` for a kind that a later lmssync has recorded.
    """
    strange = sorted(str(address) for address in forms if address.kind not in KINDS)
    if strange:
        text = f"{strange[0]} has a kind that this version of lmssync does not know"
        raise WrongUse(text, "use the version that recorded it, or name the resources to export")
    place = {name: position for position, name in enumerate(KINDS)}
    short = _short_forms(forms)
    inside: dict[Address, list[Address]] = {}
    for address in sorted(short):
        inside.setdefault(short[address], []).append(address)
    whole = (address for address in forms if address not in short)
    for address in sorted(whole, key=lambda a: (place[a.kind], a.key)):
        yield _make_manifest(address, forms, inside.get(address, []))


def _short_forms(forms: Forms) -> dict[Address, Address]:
    """What can be written inside another resource, and which: its key begins with that one's."""
    owners = ((address, _owner_of(address, forms)) for address in forms)
    return {a: o for a, o in owners if o and a.key.startswith(f"{o.key}.")}


def _owner_of(address: Address, forms: Forms) -> Address | None:
    """The resource, among `forms`, in which this one may be written in short form."""
    word = KINDS[address.kind].resource if address.kind in KINDS else ""
    outer = [(k, n) for k in KINDS.values() for n in k.authoring.nested if n.resource == word]
    for kind, nested in outer:
        reference = forms[address].get(nested.owner)
        if isinstance(reference, dict) and "$ref" in reference:
            owner = Address.parse(reference["$ref"])
            if owner.kind == kind.name and owner in forms:
                return owner
    return None


def _make_manifest(address: Address, forms: Forms, inside: list[Address]) -> Manifest:
    kind = KINDS[address.kind]
    data = _make_document(address, forms[address])
    for nested in kind.authoring.nested:
        inner = [a for a in inside if KINDS[a.kind].resource == nested.resource]
        if inner:
            data[nested.field] = [_make_short_form(a, forms[a], nested, address) for a in inner]
    inexact = tuple(a for a in (address, *inside) if not _reads_back(a, forms[a]))
    data = arrange_keys(of_document(data), data)
    return Manifest(address, data, _owner_of(address, forms), tuple(inside), inexact)


def _make_document(address: Address, form: Form) -> dict[str, Any]:
    return {"resource": KINDS[address.kind].resource, "key": address.key, **as_written(form)}


def _make_short_form(
    address: Address, form: Form, nested: Nested, owner: Address
) -> dict[str, Any]:
    """What stands in the outer document: the place says the rest."""
    implied = {"resource", "key", nested.owner}
    data = {k: v for k, v in _make_document(address, form).items() if k not in implied}
    return {"id": address.key.removeprefix(f"{owner.key}."), **data}


def as_written(value: Any) -> Any:
    """A value of a form as an author writes it: names for nodes."""
    if isinstance(value, list):
        return [as_written(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return value["part"] if "part" in value else Address.parse(value["$ref"]).key
    data = {key: as_written(item) for key, item in value.items()}
    if isinstance(value.get("body"), dict):
        data |= data.pop("body")
        data["markdown"] = data.pop("$markdown", None)
    return data


def _reads_back(address: Address, form: Form) -> bool:
    """True if the manifest is accepted, and reading it gives the form again."""
    kind, data = KINDS[address.kind], _make_document(address, form)
    try:
        kind.spec.model_validate(data)
        return canonical_text(kind.authoring.normalise(address.key, data)) == canonical_text(form)
    except (KeyError, TypeError, ValueError, AttributeError):
        return False  # a form that the kind can make nothing of


def arrange_keys(shape: MappingShape | None, value: Any) -> Any:
    """A value with the keys of its mappings in the order in which `lmssync fmt` puts them."""
    if isinstance(value, list):
        return [arrange_keys(shape, item) for item in value]
    if not isinstance(value, dict) or shape is None:
        return value
    return {
        key: arrange_keys(shape.shape_of_value(key), value[key])
        for key in sorted(value, key=shape.rank_of_key)
    }


BODY_LINES = 4
"""A body of more lines than this goes to a file of its own, where that is asked for."""
BODY_LARGE = 100_000
"""Bytes from which on a body goes to a file of its own, wherever there are files."""
_ENDINGS = {"markdown": "md", "body": "html"}


def put_beside(
    document: Any,
    slots: Iterable[BodyField],
    bodies: dict[str, str],
    *,
    goes: Callable[[str], bool],
    folder: str = "",
    seen_from: str = "",
    is_there: Callable[[str], bool] = lambda _path: False,
) -> None:
    """Takes bodies out of a document; their texts are added to `bodies` by their paths.

    Their files are in `folder`, and the document names them as seen from the folder of its own
    file. Each has the shortest path where nothing is there yet, and none of the others on any file
    system.
    """
    for slot in slots:
        texts = ((way, slot.holder.get(way)) for way in _ENDINGS)
        way = next((way for way, text in texts if isinstance(text, str) and goes(text)), None)
        if way is None:
            continue
        taken = {path.casefold() for path in bodies}
        names = _possible_names(list(_name_steps(document, slot.path)) or ["body"])
        paths = (posixpath.join(folder, f"{name}.{_ENDINGS[way]}") for name in names)
        path = next(path for path in paths if path.casefold() not in taken and not is_there(path))
        bodies[path] = slot.holder.pop(way)
        slot.holder[BODY_FILE] = posixpath.relpath(path, seen_from or ".")


def _name_steps(data: Any, path: Iterable[str | int]) -> Iterator[str]:
    """Names of the parts on the way to a body, where they can stand in the name of a file."""
    for step in path:
        data = data[step]
        if isinstance(data, dict):
            name = data.get("id") or data.get("language")
            yield name if isinstance(name, str) and _SAFE.fullmatch(name) else str(step)


def _possible_names(steps: list[str]) -> Iterator[str]:
    """The shortest name first, then longer ones, then numbered ones."""
    yield from ("-".join(steps[-number:]) for number in range(1, len(steps) + 1))
    yield from (f"{'-'.join(steps)}-{number}" for number in count(2))


def is_long(text: str) -> bool:
    """True for a text that is worth a file, and reads the same from it."""
    return (text.count("\n") > BODY_LINES or is_large(text)) and _fits_a_file(text)


def is_large(text: str) -> bool:
    """True for a text that nobody wants in the middle of a manifest."""
    return len(text.encode()) > BODY_LARGE and _fits_a_file(text)


def _fits_a_file(text: str) -> bool:
    return (
        "\r" not in text  # editors and git make the line ends of a file one kind
        and not text.startswith("\ufeff")  # a mark at the start of a file is no part of the text
        and len(text.encode()) <= BODY_BYTES
    )


_SAFE = re.compile(KEY)


class _KeptTexts(Mapping[str, str]):
    """Texts by path, which are on the disk where there are many."""

    def __init__(self) -> None:
        self._spill = DiskBuffer()
        self._texts: dict[str, bytes | Callable[[], bytes]] = {}

    def keep_text(self, path: str, text: str) -> None:
        self._texts[path] = self._spill.keep_bytes(text.encode())

    def __getitem__(self, path: str) -> str:
        text = self._texts[path]
        return read_kept_bytes(text).decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def _group_by_file(manifests: Iterable[Manifest]) -> Iterator[tuple[str, list[Manifest]]]:
    """The manifests of each file. Of those that come one by one, none stays in memory meanwhile."""
    grouped, spill = dict[str, list[Callable[[], Manifest]]](), DiskBuffer()
    for one in manifests:
        kept = _keep_manifest(None if isinstance(manifests, list) else spill, one)
        grouped.setdefault(_manifest_name(one), []).append(kept)
    for name, group in grouped.items():
        yield name, [find() for find in group]


def _keep_manifest(spill: DiskBuffer | None, manifest: Manifest) -> Callable[[], Manifest]:
    if spill is None:
        return lambda: manifest
    bare, data = manifest._replace(data={}), spill.keep_bytes(orjson.dumps(manifest.data))
    return lambda: bare._replace(data=load_kept_json(data))


def manifest_texts(
    manifests: Iterable[Manifest], *, body_files: bool = False, folders: bool = False
) -> Mapping[str, str]:
    """Texts by relative path: a file a resource; what belongs to another stands in its file.

    Long bodies have files of their own where that is asked for, or where they are very large.
    With `folders`, what can have bodies has a folder with its manifest and its bodies.
    Raises `WrongUse` where two would have the same path, or where one could not be read again.
    """
    whole, bodies = _KeptTexts(), _KeptTexts()
    for name, group in _group_by_file(manifests):
        path = f"{name}{_file_name(group[0]) if folders else ''}.yaml"
        beside: dict[str, str] = {}
        text = _format_group(path, group, beside, is_long if body_files else is_large)
        if _is_too_large(text):
            text = _format_group(path, group, beside, is_long)
        if _is_too_large(text):
            wrong = f"{path} would have more than {MANIFEST_BYTES:,} bytes, the most for a manifest"
            raise WrongUse(wrong, "name the other resources to export them without it")
        whole.keep_text(path, text)
        for body, its in beside.items():
            bodies.keep_text(body, its)
    _require_distinct([*whole, *bodies])
    for path, text in bodies.items():
        whole.keep_text(path, text)
    return whole


def _format_group(
    path: str, group: list[Manifest], bodies: dict[str, str], goes: Callable[[str], bool]
) -> str:
    """The text of a file as `lmssync fmt` would leave it; bodies that are to go are put beside."""
    for manifest in group:
        if manifest.address not in manifest.inexact:
            slots = KINDS[manifest.address.kind].authoring.body_fields(manifest.data)
            folder, here = _manifest_name(manifest), posixpath.dirname(path)
            put_beside(manifest.data, slots, bodies, goes=goes, folder=folder, seen_from=here)
    data = (arrange_keys(of_document(manifest.data), manifest.data) for manifest in group)
    return "".join(write_stream(data))


def _is_too_large(text: str) -> bool:
    return len(text) > MANIFEST_BYTES or len(text.encode()) > MANIFEST_BYTES


def _manifest_name(manifest: Manifest) -> str:
    """`courses/safety-101`, from the kind and the key."""
    address = manifest.owner or manifest.address
    if not _SAFE.fullmatch(address.key):
        raise WrongUse(
            f"the key of {address} cannot be the name of a file", "run it without --out to print it"
        )
    return f"{KINDS[address.kind].nouns.replace(' ', '-')}/{address.key}"


def _file_name(manifest: Manifest) -> str:
    """`/course`: what the manifest is called in the folder of a resource that can have bodies."""
    kind = KINDS[manifest.address.kind]
    return f"/{kind.noun}" if kind.authoring.body_fields is not declare_nothing else ""


def _require_distinct(paths: Collection[str]) -> None:
    """Raises `WrongUse` for a path that is there twice, in other capitals, or is a folder too."""
    taken = {str(parent).casefold() for path in paths for parent in PurePosixPath(path).parents}
    for path in paths:
        if path.casefold() in taken:
            raise WrongUse(f"two resources would be written to {path}", "export them one by one")
        taken.add(path.casefold())


def write_manifests(root: Path, texts: Mapping[str, str], *, force: bool = False) -> None:
    """Writes the files; none of them if one is there already, unless `force` says so.

    Each appears whole or not at all, and those that are new together or not at all. Raises
    `WrongUse`, or `LmssyncError` with the system's words.
    """
    there = [path for path in texts if os.path.lexists(root / path)]
    if there and not force:
        more = f" and {len(there) - 1:,} more" if len(there) > 1 else ""
        message = f"there is already {root / there[0]}{more}; nothing was written"
        raise WrongUse(message, "choose another folder, or pass --force to write over them")
    before, new = set(there), list[str]()
    # Bodies come first: a run that is killed leaves no manifest without the files that it names.
    for path in sorted(texts, key=lambda one: one.endswith(".yaml")):
        try:
            write_below(root, path, [texts[path].encode()])
        except OSError as error:
            _take_back(root, new)
            over = (
                f"; of {len(there):,} that were there, each is whole, old or new" if there else ""
            )
            message = f"{root / path} cannot be written: {error.strerror}"
            raise LmssyncError(message, f"no new file was left{over}") from error
        if path not in before:
            new.append(path)


def _take_back(root: Path, paths: Iterable[str]) -> None:
    """Half of what belongs together would be a catalog with mistakes."""
    for path in paths:
        with suppress(OSError):
            unwrite_below(root, path)
