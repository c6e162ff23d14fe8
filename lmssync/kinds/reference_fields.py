"""How a field of a manifest names something else, and the node in a form that becomes its id."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..kind import REMOVAL, Data, Effect, ManualStep, Removal
from ..resource import Address, Form, NamedId, Path, Reference

UUID = re.compile(r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")


class ReferenceField(NamedTuple):
    """A field whose values are keys, uuids or names of another kind."""

    kind: str
    wire: str
    """The specification's name of the field, which takes ids."""
    id: str = "id"
    deferrable: bool = False


UNLISTED = {
    "ribbon": "ribbon",
    "contentType": "content type",
    "customFields": "custom field",
    "sessionCustomFields": "custom field of a session",
    "videoAsset": "video",
    "preAsset": "video",
    "postAsset": "video",
}
"""Fields of courses and sessions that name what has no list of its own."""


def is_uuid(name: str) -> bool:
    """True for the id of something that is not managed here."""
    return bool(UUID.match(name))


def reference_node(kind: str, name: str, *, id: str = "id", part: str | None = None) -> Any:  # noqa: A002 - as in the node
    """The node of a form that becomes an id in a call; a uuid is its own node.

    It is in lower case, as the platform reads it back; otherwise it would not be recognised.
    """
    if is_uuid(name) and part is None:
        return name.lower()
    return _make_node(f"{kind}.{name}", id, part)


def label_nodes(kind: str, listed: Iterable[Mapping[str, Any]] | None) -> dict[str, Any]:
    """What a manifest writes for the ids of things that an answer shows with their labels."""
    named = [one for one in listed or () if one.get("id") and one.get("label")]
    return {one["id"]: reference_node(kind, one["label"]) for one in named}


def own_node(address: Address, *, id: str = "id", part: str | None = None) -> dict[str, str]:  # noqa: A002 - as in the node
    return _make_node(str(address), id, part)


def _make_node(address: str, name: str, part: str | None) -> dict[str, str]:
    return {"$ref": address, "id": name} | ({} if part is None else {"part": part})


def points_at(node: Any) -> str:
    """What a node or a uuid in a form means: the address of a resource, or the uuid."""
    return str(node["$ref"] if isinstance(node, dict) else node)


def node_address(node: Any) -> Address | None:
    """The resource that a node names; None for a uuid, which is not managed here."""
    return Address.parse(node["$ref"]) if isinstance(node, dict) else None


def key_of(node: Any) -> str:
    """The key of the resource that a node names, or the uuid, for people."""
    address = node_address(node)
    return address.key if address else str(node)


def of_its(field: str, what: str) -> Callable[[Form], str]:
    """Where people find one that belongs to what a field names: `the licenses of client `acme``."""
    return lambda form: f"the {what} of {field} `{key_of(form[field])}`"


def left_in_course(what: str, form: Form, effect: Effect, stays: str) -> Removal:
    """The removal of something that belongs to a course and that no route deletes (O11)."""
    course = form["course"]
    text = f"delete the {what} of course `{key_of(course)}` in the admin interface, "
    text += "or put it back into the catalog"
    return Removal(effect, stays, [ManualStep(REMOVAL, text)], node_address(course))


def reference_nodes(declared: ReferenceField, value: Any) -> Any:
    """`value`, one name or a list of them, as nodes."""
    if isinstance(value, list):
        return [reference_node(declared.kind, name, id=declared.id) for name in value]
    return value if value is None else reference_node(declared.kind, value, id=declared.id)


def kinds_in(table: Mapping[str, ReferenceField]) -> dict[str, str]:
    return {field: declared.kind for field, declared in table.items()}


def references_in(table: Mapping[str, ReferenceField]) -> Callable[[Data], Iterator[Reference]]:
    """Makes the function that finds the references in the fields of `table`."""

    def list_references(data: Data) -> Iterator[Reference]:
        for field, declared in table.items():
            value: Any = data.get(field)
            is_list = isinstance(value, list)
            for position, name in enumerate(value if is_list else [value]):
                if name is not None and not is_uuid(name):
                    path: Path = (field, position) if is_list else (field,)
                    yield Reference(path, declared.kind, name, deferrable=declared.deferrable)

    return list_references


def ids_in(table: Mapping[str, ReferenceField]) -> Callable[[Form], Iterator[NamedId]]:
    """Makes the function that finds the uuids in the fields of `table`."""

    def list_ids(form: Form) -> Iterator[NamedId]:
        for field, declared in table.items():
            value = form.get(field)
            what = declared.kind if declared.id == "id" else declared.id
            for position, name in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(name, str):
                    path: Path = (field, position) if isinstance(value, list) else (field,)
                    yield NamedId(path, what, name)

    return list_ids


def rename_references(
    table: Mapping[str, ReferenceField], form: Mapping[str, Any]
) -> dict[str, Any]:
    """`form` with the specification's names for the fields of `table`."""
    return {table[key].wire if key in table else key: value for key, value in form.items()}
