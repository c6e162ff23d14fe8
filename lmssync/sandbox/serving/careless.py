"""What careless clients send and some instances ignore (O56, switch `carelessClients`)."""

from collections.abc import Mapping
from typing import Any

Doc = dict[str, Any]
_NO_CURSOR = ("undefined", "null", "None")
"""What languages write for a missing cursor."""


def query(given: dict[str, list[str]]) -> dict[str, list[str]]:
    """Without a cursor that is none."""
    if given.get("cursor", [""])[-1] not in _NO_CURSOR:
        return given
    return {name: values for name, values in given.items() if name != "cursor"}


def topic(entry: Doc, *, type_: str, fields: Mapping[str, object]) -> Doc:
    """With a type, and without an empty body where topics of that type hold none."""
    eased = entry if entry.get("type") is not None else {**entry, "type": type_}
    if eased.get("body") == "" and "body" not in fields:
        return {name: value for name, value in eased.items() if name != "body"}
    return eased
