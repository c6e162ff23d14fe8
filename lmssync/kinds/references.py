"""How a field of a manifest names something else, and the node that stands for its id."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..address import Address
from ..resource import Reference
from ..source import Path

UUID = re.compile(r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")


class ReferenceField(NamedTuple):
    """A field whose values are keys, uuids or names of another kind."""

    kind: str
    wire: str
    """The specification's name of the field, which takes ids."""
    id: str = "id"
    deferrable: bool = False


def is_uuid(name: str) -> bool:
    """True for the id of something that is not managed here."""
    return bool(UUID.match(name))


def node(kind: str, name: str, *, id: str = "id", part: str | None = None) -> Any:  # noqa: A002 - as in the node
    """What a form holds where a call will have an id; a uuid stands for itself.

    It is in lower case, as the platform reads it back; otherwise it would not be recognised.
    """
    if is_uuid(name) and part is None:
        return name.lower()
    found = {"$ref": f"{kind}.{name}", "id": id}
    return found | {"part": part} if part is not None else found


def own(address: Address, *, id: str = "id", part: str | None = None) -> dict[str, str]:  # noqa: A002 - as in the node
    """The node for an id of the resource itself."""
    found: dict[str, str] = {"$ref": str(address), "id": id}
    return found | {"part": part} if part is not None else found


def meant(node: Any) -> Address | None:
    """The resource that a node stands for; None for a uuid, which is not managed here."""
    return Address.parse(node["$ref"]) if isinstance(node, dict) else None


def points_at(node: Any) -> str:
    """What a node or a uuid in a form means: the address of a resource, or the uuid."""
    return str(node["$ref"] if isinstance(node, dict) else node)


def shown(node: Any) -> str:
    """What a node stands for, as its author wrote it: the key, or the uuid."""
    address = meant(node)
    return address.key if address else str(node)


def nodes(declared: ReferenceField, value: Any) -> Any:
    """`value`, one name or a list of them, as nodes."""
    if isinstance(value, list):
        return [node(declared.kind, name, id=declared.id) for name in value]
    return value if value is None else node(declared.kind, value, id=declared.id)


def found_in(table: Mapping[str, ReferenceField], data: Mapping[str, Any]) -> Iterator[Reference]:
    """The references that the fields of `table` hold in `data`."""
    for field, declared in table.items():
        value = data.get(field)
        named = value if isinstance(value, list) else [value] if value is not None else []
        for position, name in enumerate(named):
            path: Path = (field, position) if isinstance(value, list) else (field,)
            if not is_uuid(name):
                yield Reference(path, declared.kind, name, deferrable=declared.deferrable)


def rewire(table: Mapping[str, ReferenceField], form: Mapping[str, Any]) -> dict[str, Any]:
    """`form` with the specification's names for the fields of `table`."""
    return {table[key].wire if key in table else key: value for key, value in form.items()}
