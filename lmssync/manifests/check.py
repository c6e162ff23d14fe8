"""A document becomes resources, or problems."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..address import Address
from ..kinds import BY_RESOURCE
from ..kinds.kind import Kind, Nested
from ..problems import Problem, errors, near
from ..resource import Care, Resource, canonical, fingerprint, pack
from ..source import Origin
from . import bodies, explain
from .read import Document

Found = tuple[list[Resource], list[Problem]]


def check(root: Path, document: Document) -> Found:
    """The resources of one document, short forms taken apart, and everything wrong with it."""
    kind = _kind(document)
    if isinstance(kind, Problem):
        return [], [kind]
    outer = dict(document.data)
    inner = {nested.field: outer.pop(nested.field, None) for nested in kind.nested}
    resources, problems = _one(root, kind, document.origin, outer)
    for nested in kind.nested:
        for origin, data in _inside(nested, document, inner[nested.field], problems):
            found, wrong = _one(root, BY_RESOURCE[nested.resource], origin, data)
            resources += found
            problems += wrong
    return resources, problems


def _kind(document: Document) -> Kind | Problem:
    """What kind of resource a document says it is."""
    data, origin = document.data, document.origin
    if not isinstance(data, dict):
        return Problem(
            "not-a-manifest",
            f"the document is {explain.kind_of(data)}; a manifest is a mapping",
            origin,
            "start it with `resource:` and `key:`",
        )
    word = data.get("resource")
    if isinstance(word, str) and word in BY_RESOURCE:
        return BY_RESOURCE[word]
    known = ", ".join(BY_RESOURCE)
    if word is None:
        return Problem(
            "missing-field",
            "`resource` is missing: nothing says what kind of resource this is",
            origin,
            f"add `resource:` with one of {known}",
        )
    return Problem(
        "unknown-resource",
        f"`resource` is {explain.kind_of(word)}, which is no kind of resource",
        origin._replace(path=("resource",)),
        near(str(word), BY_RESOURCE) or f"known: {known}",
    )


def _inside(
    nested: Nested, document: Document, written: Any, problems: list[Problem]
) -> Iterator[tuple[Origin, dict[str, Any]]]:
    """The long form of each resource that a document holds in short form."""
    top = document.origin._replace(path=(nested.field,))
    if written is not None and not isinstance(written, list):
        message = f"`{nested.field}` is {explain.kind_of(written)}; it must be a list"
        problems.append(Problem("short-form", message, top))
        return
    for position, item in enumerate(written or ()):
        origin = top._replace(path=(nested.field, position))
        wrong = _not_short(nested, origin, item)
        if wrong:
            problems.append(wrong)
            continue
        owner = document.data.get("key")
        long_form = {"resource": nested.resource, "key": f"{owner}.{item['id']}"}
        yield origin, {**item, **long_form, nested.owner: owner}


def _not_short(nested: Nested, origin: Origin, item: Any) -> Problem | None:
    """What keeps an item from being a short form."""
    if not isinstance(item, dict) or not isinstance(item.get("id"), str):
        return Problem(
            "short-form-id",
            f"each of `{nested.field}` is a mapping with an `id`",
            origin,
            "add `id:`; it names the item when the others change",
        )
    implied = [name for name in ("resource", "key", nested.owner) if name in item]
    if not implied:
        return None
    return Problem(
        "short-form-field",
        f"`{implied[0]}` is said by the place of a short form",
        origin._replace(path=(*origin.path, implied[0])),
        "delete it, or write the item as a document of its own",
    )


def _one(root: Path, kind: Kind, origin: Origin, data: dict[str, Any]) -> Found:
    """One resource: the model first, then what the model cannot say."""
    address = _address(kind, data)
    try:
        spec = kind.spec.model_validate(data)
    except ValidationError as error:
        found = explain.findings(error, kind.spec, data)
        return [], [finding.at(origin, address) for finding in found]
    except RecursionError:
        return [], [Problem("too-deep", "the document holds itself", origin, address=address)]
    problems = [finding.at(origin, address) for rule in kind.rules for finding in rule(spec)]
    problems += [f.at(origin, address) for f in bodies.fill(root, origin.file, kind.slots(data))]
    if errors(problems) or address is None:
        return [], problems
    return [_resource(kind, address, origin, data)], problems


def _address(kind: Kind, data: Mapping[str, Any]) -> Address | None:
    key = data.get("key")
    return Address(kind.name, key) if isinstance(key, str) else None


def _resource(kind: Kind, address: Address, origin: Origin, data: dict[str, Any]) -> Resource:
    form = kind.normalise(address.key, data)
    spelling = canonical(form)
    references = tuple(kind.references(data))
    facts = kind.facts(form)
    return Resource(
        address, fingerprint(spelling), pack(spelling), references, origin, facts, _care(data)
    )


def _care(data: Mapping[str, Any]) -> Care:
    """What the manifest says about itself."""
    if "moved" not in data and "lifecycle" not in data:
        return Care()
    lifecycle = data.get("lifecycle") or {}
    moved = tuple(move["from"] for move in data.get("moved") or ())
    return Care(moved, bool(lifecycle.get("protect")), tuple(lifecycle.get("ignore") or ()))
