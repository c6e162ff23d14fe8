"""From forms back to the manifests that an author would write."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from ....errors import WrongUse
from ....kind import Nested
from ....kinds import KINDS
from ....resource import Address, Form, canonical_text, unpack_form
from ..formatter import MappingShape, of_document

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
        packed: Mapping[Address, bytes],
        revealed: Callable[[Address, Form], Form] | None = None,
    ) -> None:
        """`revealed` puts identifiers in the place of codes."""
        self._packed = packed
        self._revealed = revealed or (lambda _address, form: form)

    def __getitem__(self, address: Address) -> Form:
        return self._revealed(address, unpack_form(self._packed[address]))

    def __iter__(self) -> Iterator[Address]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def choose_addresses(forms: Forms, patterns: Iterable[str]) -> tuple[set[Address], list[str]]:
    """What the patterns name, with what stands in it in short form; and patterns that name nothing.

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
    for address in sorted(forms.keys() - short.keys(), key=lambda a: (place[a.kind], a.key)):
        yield _make_manifest(address, forms, inside.get(address, []))


def _short_forms(forms: Forms) -> dict[Address, Address]:
    """What can be written inside another resource, and which: its key begins with that one's."""
    owners = {address: _owner_of(address, forms) for address in forms}
    return {a: o for a, o in owners.items() if o and a.key.startswith(f"{o.key}.")}


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
    """The long form of one resource."""
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
