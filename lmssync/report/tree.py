"""A resource as an outline: its parts, what belongs to it, and what refers to it."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..kinds import KINDS, is_structure
from ..resource import Address, Form, Place, Resource
from . import words

_LONGEST = 40
"""Longest text that is shown; a longer one is an address or prose."""
_HIDDEN = frozenset({"id", "title", "name", "body"})


class Part(NamedTuple):
    """A part, such as a section or a page."""

    id: str
    path: str
    """As manifests name it: `start/welcome/hello`."""
    level: str
    """The field that lists it: `topics`."""
    title: str
    facts: Mapping[str, Any]
    """Its short values, `words` of its body among them."""
    empty: bool
    """It is created without content, and no person has confirmed that it was filled."""
    parts: tuple["Part", ...]

    def all(self) -> Iterator["Part"]:
        """It and everything below it."""
        yield self
        for part in self.parts:
            yield from part.all()


class Tree(NamedTuple):
    """One resource."""

    address: Address
    title: str
    place: Place
    facts: Mapping[str, Any]
    parts: tuple[Part, ...]
    own: tuple[tuple[Address, str], ...]
    """What stands in it in short form, or could, each with its title."""
    named_by: tuple[Address, ...]
    """Other resources that refer to it."""

    def all(self) -> Iterator[Part]:
        """Every part, in the order of learning."""
        for part in self.parts:
            yield from part.all()


def tree(resource: Resource, place: Place, others: Mapping[Address, Resource]) -> Tree:
    """The outline of a resource; `others` are those that refer to it, in the order of a catalog."""
    address, form = resource.address, resource.form
    own = {a: r for a, r in others.items() if a.key.startswith(f"{address.key}.")}
    empty = resource.facts.get("hollow", {})
    return Tree(
        address,
        KINDS[address.kind].authoring.title(form),
        place,
        _facts(form),
        tuple(_parts(form, "", empty)),
        tuple((a, KINDS[a.kind].authoring.title(r.form)) for a, r in own.items()),
        tuple(a for a in others if a not in own),
    )


def _parts(holder: Form, above: str, empty: Mapping[str, Any]) -> Iterator[Part]:
    for level, items in holder.items():
        for item in items if is_structure(items) else ():
            path = f"{above}{item['id']}"
            inner = tuple(_parts(item, f"{path}/", empty))
            yield Part(item["id"], path, level, item["title"], _facts(item), path in empty, inner)


def _facts(holder: Form) -> dict[str, Any]:
    """The short values, those that say what it is first, and the words of every body in it."""
    values = {name: value for name, value in holder.items() if not is_structure(value)}
    plain = {name: _plain(value) for name, value in values.items() if name not in _HIDDEN}
    facts = {name: value for name, value in plain.items() if value is not None}
    first: dict[str, Any] = {k: facts.pop(k) for k in ("kind", "type", "status") if k in facts}
    bodies = (v for k, v in values.items() if k == "body" or isinstance(v, dict))
    count = sum(map(_words, bodies))
    return {**first, **({"words": count} if count else {}), **facts}


def _plain(value: Any) -> Any:
    """A value that fits into a line, references by name; nothing for what has parts or prose."""
    if isinstance(value, list) and value and all(isinstance(v, str | dict) for v in value):
        names = [item if isinstance(item, str) else _plain(item) for item in value]
        return ", ".join(names) if all(isinstance(name, str) for name in names) else None
    if isinstance(value, dict):
        return words.value(value) if "$ref" in value else None
    if isinstance(value, str):
        return value if 0 < len(value) <= _LONGEST else None
    return value if isinstance(value, int | float) else None


def _words(value: Any) -> int:
    """The words of a body, or of the body in a mapping such as the text of an article."""
    text = words.text_of(value)
    if text is not None:
        return len(text.split())
    return _words(value["body"]) if isinstance(value, dict) and "body" in value else 0
