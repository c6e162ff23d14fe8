"""Resources written inside another: each becomes the document that it stands for."""

from typing import Any

from ..kinds.kind import Nested
from ..problems import Problem
from ..source import Origin
from . import explain

Items = list[tuple[Origin, dict[str, Any]]]


def long(nested: Nested, outer: Origin, owner: Any, written: Any) -> tuple[Items, list[Problem]]:
    """The long form of each item of `written`, and what keeps others from having one."""
    top = outer._replace(path=(nested.field,))
    if written is None or not isinstance(owner, str):
        return [], []  # without the key of what they stand in, they have no names themselves
    if not isinstance(written, list):
        message = f"`{nested.field}` is {explain.kind_of(written)}; it must be a list"
        return [], [Problem("short-form", message, top.at(()))]
    items: Items = []
    problems: list[Problem] = []
    for position, item in enumerate(written):
        origin = top._replace(path=(nested.field, position))
        wrong = _not_short(nested, origin, item)
        if wrong:
            problems.append(wrong)
            continue
        implied = {"resource": nested.resource, "key": f"{owner}.{item['id']}"}
        items.append((origin, {**item, **implied, nested.owner: owner}))
    return items, problems


def _not_short(nested: Nested, origin: Origin, item: Any) -> Problem | None:
    """What keeps an item from being a short form."""
    if not isinstance(item, dict) or not isinstance(item.get("id"), str):
        return Problem(
            "short-form-id",
            f"each of `{nested.field}` is a mapping with an `id`",
            origin.at(()),
            "add `id:`; it names the item when the others change",
        )
    implied = [name for name in ("resource", "key", nested.owner) if name in item]
    if not implied:
        return None
    return Problem(
        "short-form-field",
        f"`{implied[0]}` is said by the place of a short form",
        origin.at((implied[0],)),
        "delete it, or write the item as a document of its own",
    )
