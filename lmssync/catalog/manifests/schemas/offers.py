"""Names of the platform in the schemas: an editor offers them, and any other name stays valid."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....kind import Kind
from ....kinds import KINDS
from .builders import Schema

Names = Mapping[str, Sequence[str]]
"""Names that exist, by the kind of thing that they name."""


def offer_names(schema: Schema, names: Names) -> Schema:
    """The schema of a file of manifests with `names` as the examples of the fields that take them.

    Whatever else it is about, it stays as it is.
    """
    made = dict(schema)
    for kind in KINDS.values():
        if made["$id"] == f"{kind.resource}.json":
            made |= {"properties": _offered_fields(made["properties"], kind, names)}
        inside = made.get("$defs", {}).get(kind.resource)
        if inside is not None:
            fields = _offered_fields(inside["properties"], kind, names)
            made["$defs"] = {**made["$defs"], kind.resource: inside | {"properties": fields}}
    return made


def _offered_fields(fields: Mapping[str, Any], kind: Kind, names: Names) -> dict[str, Any]:
    offers = {field: names[what] for field, what in kind.relations.names.items() if what in names}
    return {**fields, **dict(_with_examples(fields, offers))}


def _with_examples(fields: Mapping[str, Any], offers: Names) -> Iterator[tuple[str, Any]]:
    """A list is offered the names for each of its items."""
    for field, known in offers.items():
        if "items" in fields[field]:
            items = {**fields[field]["items"], "examples": [*known]}
            yield field, {**fields[field], "items": items}
        else:
            yield field, {**fields[field], "examples": [*known]}
