"""Resources written inside another: each becomes the document that it stands for."""

from typing import Any, NamedTuple

from ...kinds.kind import Nested
from ...problems import Problem
from ...source import Origin
from .. import explain
from .generated_keys import generated_key


class Item(NamedTuple):
    """A short form made long."""

    origin: Origin
    data: dict[str, Any]
    sound: bool = True
    """Nothing keeps it from having a long form; else it has one as far as it can be read."""


def long(
    nested: Nested, outer: Origin, owner: Any, written: Any
) -> tuple[list[Item], list[Problem]]:
    """The long form of each item of `written`, and what keeps others from having one."""
    top = outer._replace(path=(nested.field,))
    if written is None or not isinstance(owner, str):
        return [], []  # without the key of what they stand in, they have no names themselves
    if not isinstance(written, list):
        message = f"`{nested.field}` is {explain.kind_of(written)}; it must be a list"
        return [], [Problem("short-form", message, top.at(()))]
    items: list[Item] = []
    problems: list[Problem] = []
    for position, item in enumerate(written):
        origin = top._replace(path=(nested.field, position))
        wrong = _not_short(nested, origin, item)
        if wrong:
            problems.append(wrong)
        if isinstance(item, dict):
            items.append(Item(origin, _long(nested, origin, owner, item), sound=wrong is None))
    return items, problems


def _long(nested: Nested, origin: Origin, owner: str, item: dict[str, Any]) -> dict[str, Any]:
    """The document that an item stands for; one without a name gets one that nobody else has."""
    name = item.get("id")
    known = {"id": name if isinstance(name, str) else generated_key(origin)}
    implied = {"resource": nested.resource, "key": f"{owner}.{known['id']}", nested.owner: owner}
    return {**item, **known, **implied}


def _not_short(nested: Nested, origin: Origin, item: Any) -> Problem | None:
    """What keeps an item from being a short form."""
    if not isinstance(item, dict) or not isinstance(item.get("id"), str):
        return Problem(
            "short-form-id",
            f"each of `{nested.field}` is a mapping with an `id`",
            origin.at(()),
            "add `id:`; it identifies the item when the others change",
        )
    implied = [name for name in ("resource", "key", nested.owner) if name in item]
    if not implied:
        return None
    return Problem(
        "short-form-field",
        f"`{implied[0]}` is already set by the place of a short form",
        origin.at((implied[0],)),
        "delete it, or write the item as a document of its own",
    )
