"""Replaces the nodes in a form by ids."""

from collections.abc import Callable, Mapping
from typing import Any

from ...kind import Ids
from ...kinds import KINDS, LOOKUPS
from ...resource import Address
from ...support.persons import NODE as PERSON
from ...texts.values import render_markdown
from .readable_fields import HOLDERS

IdsOf = Callable[[Address], Ids | None]
IdOfName = Callable[[str, str], str]
Managed = Callable[[Address], bool]
"""Whether an address is the catalog's, or else a name of the platform."""
Named = Callable[[str], str | None]
"""The identifier of a person by code."""


class Unbound(Exception):
    """An id that does not exist yet."""

    def __init__(self, address: Address, what: str) -> None:
        super().__init__(f"{address} has no {what} yet")
        self.address, self.what = address, what


class Nameless(Exception):
    """The code of a person whose identifier is unknown."""


def list_named(value: Any) -> set[Address]:
    """The addresses whose ids `value` needs."""
    if isinstance(value, list):
        return {address for item in value for address in list_named(item)}
    if not isinstance(value, dict):
        return set()
    if "$ref" in value:
        return {Address.parse(value["$ref"])}
    return {address for item in value.values() for address in list_named(item)}


class Binder:
    """Knows the ids of what is recorded, of names that are looked up, and who is behind a code.

    A client of the catalog may have the key that is the slug of another on the platform: what is
    managed is never looked up by name, and what is not is never taken from the record.
    """

    def __init__(
        self,
        ids_of: IdsOf,
        id_of_name: IdOfName,
        managed: Managed | None = None,
        named: Named = lambda _code: None,
    ) -> None:
        self._ids_of = ids_of
        self._named = named
        self._id_of_name = id_of_name
        self._nodes: dict[str, Callable[[dict[str, Any]], Any]] = {
            "$ref": self._bind_id,
            "$markdown": lambda node: render_markdown(node["$markdown"]),
            "$less": self._items_without,
            PERSON: self._bind_person,
        }
        self._managed = managed or self._is_recorded

    def with_ids(self, found: Mapping[Address, Ids]) -> "Binder":
        """A binder that knows these ids as well, also those that are added to them later."""

        def ids_of(address: Address) -> Ids | None:
            return found.get(address) or self._ids_of(address)

        return Binder(ids_of, self._id_of_name, self._managed, self._named)

    def bind_value(self, value: Any) -> Any:
        """`value` as it is sent: ids for references, HTML for Markdown, identifiers for people,
        and for `$less` of two lists the ids of the first that are not in the second.

        Raises `Unbound`, and `Nameless` for a person whose identifier is unknown.
        """
        if isinstance(value, dict):
            # A node is a mapping that has one of these keys; everything else beside it belongs to
            # the node.
            nodes = self._nodes
            for word in value:
                if word in nodes:
                    return nodes[word](value)
            bound = {}
            for key, held in value.items():
                # Most values are texts.
                is_held = held.__class__ is not str and isinstance(held, HOLDERS)
                bound[key] = self.bind_value(held) if is_held else held
            return bound
        if not isinstance(value, list):
            return value
        return [self.bind_value(item) if isinstance(item, HOLDERS) else item for item in value]

    def bind_known(self, value: Any) -> Any:
        """`value` with the ids that exist; nodes of those that do not stay."""
        if isinstance(value, list):
            return [self.bind_known(item) for item in value]
        if not isinstance(value, dict) or "$markdown" in value:
            return value
        if "$ref" not in value:
            return {
                k: self.bind_known(v) if isinstance(v, HOLDERS) else v for k, v in value.items()
            }
        try:
            return self._bind_id(value)
        except Unbound:
            return value

    def bind_fields(self, form: Mapping[str, Any]) -> dict[str, Any]:
        """The form with the ids that exist in fields that are nodes themselves; lists stay as they
        are."""
        return {k: self.bind_known(v) if isinstance(v, dict) else v for k, v in form.items()}

    def _is_recorded(self, address: Address) -> bool:
        return address.kind in KINDS and self._ids_of(address) is not None

    def _items_without(self, node: dict[str, Any]) -> list[Any]:
        wanted, without = self.bind_value(node["$less"])
        return [item for item in wanted if item not in without]

    def _bind_person(self, node: dict[str, str]) -> str:
        identifier = self._named(node[PERSON])
        if identifier is None:
            raise Nameless(node[PERSON])
        return identifier

    def _bind_id(self, node: dict[str, str]) -> str:
        address = Address.parse(node["$ref"])
        if address.kind in LOOKUPS and not self._managed(address):
            return self._id_of_name(address.kind, address.key)
        ids = self._ids_of(address)
        part = node.get("part")
        id_ = ids and (ids.parts.get(part) if part is not None else ids.own.get(node["id"]))
        if not id_:
            raise Unbound(address, f"id of `{part}`" if part is not None else "id")
        return id_
