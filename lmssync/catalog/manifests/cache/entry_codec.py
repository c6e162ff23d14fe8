"""Turns resources and problems into plain values for a database, and back."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from ....problems import Problem, Severity
from ....resource import (
    Address,
    Lifecycle,
    Origin,
    Place,
    Reference,
    RefusedResource,
    Resource,
    canonical_text,
    pack_text,
)
from ..catalog_files import Sight
from .cache_file import Row, seal_values


class CacheEntry(NamedTuple):
    """The result of one file as one scope reads it, and what the result depends on."""

    file: str
    variant: str
    stamp: str
    """Empty if the file was so new that it may have changed again unnoticed."""
    digest: str
    watched: Mapping[str, Sight]
    """Files that it names."""
    addresses: tuple[Address, ...]
    """Every address that it gives, including those of refused resources."""
    resources: list[Resource]
    problems: list[Problem]
    refused: list[RefusedResource]


class Encoded(NamedTuple):
    """The rows of an entry."""

    file: Row
    """path, variant, stamp, digest, watched, addresses, problems, refused, seal of resources; own
    seal"""
    resources: list[tuple[Row, Row]]
    """kind, key, fingerprint, whether it has a lifecycle, digest of its outline, document, the
    rest, seal; and the packed form with its seal."""


def encode_entry(entry: CacheEntry) -> Encoded:
    """The rows that hold everything of an entry."""
    # Every seal covers these as well: a row that is moved to another file, or is left over from
    # another text of the same file, does not fit there.
    about = (entry.file, entry.variant, entry.digest)
    resources = [_seal_row(about, resource) for resource in entry.resources]
    file = (
        entry.file,
        entry.variant,
        entry.stamp,
        entry.digest,
        json_out(entry.watched) if entry.watched else None,
        json_out(entry.addresses),
        problems_out(entry.problems) if entry.problems else None,
        _refused_out(entry.refused) if entry.refused else None,
        seal_values(*((*row[:5], row[-1]) for row, _ in resources)),
    )
    return Encoded((*file, seal_values(*file)), resources)


def _seal_row(about: Row, resource: Resource) -> tuple[Row, Row]:
    row = _resource_row(resource)
    mark = seal_values(*about, *row)
    # What rules between resources see of it: all but its form.
    outline = seal_values(*about[:2], *row[:2], *row[3:]).hex()
    return (*row[:4], outline, *row[4:], mark), (
        resource.packed_form,
        seal_values(mark, resource.packed_form),
    )


def _resource_row(resource: Resource) -> Row:
    origin = resource.origin
    rest = [
        origin.path,
        origin.elsewhere,
        [_reference_out(reference) for reference in resource.references],
        json_out(dict(resource.facts)).decode(),
        resource.lifecycle if resource.lifecycle != _DEFAULT else None,
    ]
    careful = int(resource.lifecycle != _DEFAULT)
    return (*resource.address, resource.fingerprint, careful, origin.document, json_out(rest))


def decode_resource(address: Address, fingerprint: str, row: Row, file: str, body: Any) -> Resource:
    """The resource whose row ends with its document and the rest."""
    document, rest = row
    path, elsewhere, references, facts, lifecycle = orjson.loads(rest)
    return Resource(
        address,
        fingerprint,
        body,
        tuple(map(_decode_reference, references)),
        Origin(file, document, tuple(path), _decode_elsewhere(elsewhere)),
        _decode_facts(facts),
        _decode_lifecycle(lifecycle) if lifecycle else _DEFAULT,
    )


_DEFAULT = Lifecycle()


def _decode_lifecycle(row: list[Any]) -> Lifecycle:
    moves, protect, ignore = row
    return Lifecycle(tuple((old, part) for old, part in moves), protect, tuple(ignore))


def _reference_out(reference: Reference) -> str:
    """Leaves out the types that fit: a settled reference is not judged again."""
    # JSON inside of JSON: the reader remembers references by their text, so it needs one.
    types = [] if reference.settled else sorted(reference.part_types)
    return json_out((*reference[:4], types, reference.deferrable, reference.settled)).decode()


@lru_cache(maxsize=4096)
def _decode_reference(text: str) -> Reference:
    """Thousands of resources name the same few tags, and hold the same few objects."""
    path, kind, name, part, types, deferrable, settled = orjson.loads(text)
    return Reference(tuple(path), kind, name, part, frozenset(types), deferrable, settled)


@lru_cache(maxsize=4096)
def _decode_facts(text: str) -> Mapping[str, Any]:
    """Thousands of courses have the same price and status, and share them."""
    facts: Mapping[str, Any] = orjson.loads(text)
    return facts


def _decode_elsewhere(rows: list[Any]) -> tuple[tuple[tuple[str | int, ...], Origin], ...]:
    return tuple((tuple(path), _decode_origin(home)) for path, home in rows) if rows else ()


def _decode_origin(row: list[Any]) -> Origin:
    file, document, path, elsewhere = row
    return Origin(file, document, tuple(path), _decode_elsewhere(elsewhere))


def _refused_out(refused: Iterable[RefusedResource]) -> bytes:
    """Refused resources, including the forms of their readings."""
    return json_out(
        [[[*_encode_reading(reading), reading.form] for reading in one.readings] for one in refused]
    )


def _encode_reading(resource: Resource) -> list[Any]:
    *row, rest = _resource_row(resource)
    return [*row, orjson.Fragment(rest)]


def refused_in(data: bytes | None, file: str) -> list[RefusedResource]:
    rows = orjson.loads(data) if data else []
    return [RefusedResource(tuple(_decode_reading(row, file) for row in one)) for one in rows]


def _decode_reading(row: list[Any], file: str) -> Resource:
    kind, key, fingerprint, _, document, rest, form = row
    packed = pack_text(canonical_text(form))
    return decode_resource(
        Address(kind, key), fingerprint, (document, json_out(rest)), file, packed
    )


def problems_out(problems: list[Problem]) -> bytes:
    return json_out(list(map(tuple, problems)))


def problems_in(data: bytes | None) -> list[Problem]:
    return list(map(decode_problem, orjson.loads(data))) if data else []


_SEVERITIES = {str(severity): severity for severity in Severity}


def decode_problem(row: list[Any]) -> Problem:
    code, message, origin, hint, address, severity, place, across = row
    about = Address._make(address) if address else None
    where, grade = Place._make(place) if place else None, _SEVERITIES[severity]
    return Problem(code, message, _decode_origin(origin), hint, about, grade, where, across)


def addresses_in(data: bytes) -> list[Address]:
    return [Address(kind, key) for kind, key in orjson.loads(data)]


def json_out(value: Any) -> bytes:
    """Any value of ours as JSON; named tuples become lists."""
    return orjson.dumps(value, default=_to_json_lists)


def _to_json_lists(value: Any) -> Any:
    """Turns what JSON has no type for into lists: an address, an origin, a place."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, frozenset):
        return sorted(value)
    raise TypeError(type(value))
