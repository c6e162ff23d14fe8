"""Checks what manifests say about themselves: `moved`, and what `lifecycle` ignores."""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from inspect import isclass

from ...kind import Kind
from ...kinds import BY_RESOURCE, KINDS, OWN_FIELDS
from ...problems import Finding, Problem, Rule, suggest_near
from ...resource import Address, Path, Resource
from .creation_order import Resources

MOVED_KIND = Rule(
    "moved-kind",
    "`moved` names something that cannot be an old address of a resource of this kind, or no old "
    "path of one of its parts.",
    "Write the old address: the kind and the old key, `course.safety`. Of a part write its old "
    "path and, as `to`, the present one.",
    wrong="moved: [{from: license.safety}]",
    right="moved: [{from: course.safety-old}]",
)
MOVED_PRESENT = Rule(
    "moved-present",
    "`moved` names an address or a part that the catalog still has.",
    "Delete the entry, or the manifest with the old key.",
)
MOVED_TWICE = Rule(
    "moved-twice",
    "Two resources have the same old address under `moved`.",
    "Delete the entry that is wrong.",
)
IGNORE_FIELD = Rule(
    "ignore-field",
    "`lifecycle.ignore` names something that is not a field of this kind.",
    "Use the names of fields at the top level of the manifest.",
    wrong="lifecycle: {ignore: [ribon]}",
    right="lifecycle: {ignore: [ribbon]}",
)
IGNORE_IDENTITY = Rule(
    "ignore-identity",
    "`lifecycle.ignore` names a field that says what the resource is: its kind or type, its "
    "key, the course that it belongs to.",
    "Remove it from the list.",
    wrong="lifecycle: {ignore: [kind]}",
    right="lifecycle: {ignore: [ribbon]}",
)


def check_moves(resources: Resources) -> Iterator[Problem]:
    """A problem for each old address that cannot have belonged to this resource."""
    claimed: dict[Address, Address] = {}
    for resource in resources.values():
        for position, (text, part) in enumerate(resource.lifecycle.moves):
            path: Path = ("moved", position, "to" if part else "from")
            if part:
                finding = _judge_moved_part(resource, text, part, path)
            else:
                finding = _judge_move(resources, claimed, resource, text, path)
            if finding:
                yield finding.at(resource.origin, resource.address)


def _judge_moved_part(resource: Resource, old: str, new: str, path: Path) -> Finding | None:
    parts = KINDS[resource.address.kind].authoring.parts(resource.form)
    if new not in parts:
        message = f"`{new}` is no part of {resource.address}"
        return MOVED_KIND.at(path, message, suggest_near(new, parts) or "write a path of ids")
    if old.rpartition("/")[0] != new.rpartition("/")[0]:
        hint = "write both with the ids that the parts around it have now; only the last may differ"
        return MOVED_KIND.at(path, f"`{old}` is not beside `{new}`", hint)
    if old in parts:
        message = f"`{old}` is a part of {resource.address}, so it has no other id now"
        return MOVED_PRESENT.at((*path[:-1], "from"), message, "delete the entry")
    return None


def _judge_move(
    resources: Resources, claimed: dict[Address, Address], resource: Resource, text: str, path: Path
) -> Finding | None:
    old = Address.parse(text)
    if old.kind != resource.address.kind or not old.key:
        return _not_of_kind(resource.address, text, path)
    if old in resources:
        message = f"`{old}` is an address of the catalog, so nothing has moved away from it"
        hint = f"delete the entry, or the manifest that has the key `{old.key}`"
        return MOVED_PRESENT.at(path, message, hint)
    claimant = claimed.setdefault(old, resource.address)
    if claimant != resource.address:
        hint = "only one of the two can have had it: delete the entry that is wrong"
        return MOVED_TWICE.at(path, f"{claimant} says that its old address is `{old}` too", hint)
    return None


def _not_of_kind(address: Address, text: str, path: Path) -> Finding:
    word, _, key = text.partition(".")
    if word in BY_RESOURCE and BY_RESOURCE[word].name == address.kind and key:
        hint = f"in an address the kind is called `{address.kind}`: write `{address.kind}.{key}`"
    elif word in KINDS:
        hint = f"a {KINDS[address.kind].noun} can only have been `{address.kind}.KEY`"
    elif "/" in text:
        hint = f"of a part write the path that it has now as well: `{{from: {text}, to: PATH}}`"
    else:
        hint = f"write `{address.kind}.{text}`: an address is a kind and a key"
    return MOVED_KIND.at(path, f"`{text}` is not an address of a {KINDS[address.kind].noun}", hint)


def check_ignored_fields(resources: Resources) -> Iterator[Problem]:
    """A problem for each field under `lifecycle.ignore` that cannot be left alone."""
    for resource in resources.values():
        for position, name in enumerate(resource.lifecycle.ignore):
            path: Path = ("lifecycle", "ignore", position)
            if finding := _judge_field(KINDS[resource.address.kind], name, path):
                yield finding.at(resource.origin, resource.address)


def _judge_field(kind: Kind, name: str, path: Path) -> Finding | None:
    short = {nested.field for nested in kind.authoring.nested}
    fields = kind.spec.model_fields.keys() - OWN_FIELDS
    fixed = identity_fields(kind.name)
    if name in fields - fixed:
        return None
    if name in fixed | OWN_FIELDS:
        message = f"`{name}` says what a {kind.noun} is, so it cannot be ignored"
        return IGNORE_IDENTITY.at(path, message, "delete it from the list")
    if name in short:
        message = f"`{name}` contains resources of its own"
        return IGNORE_FIELD.at(path, message, "write `lifecycle` in the ones that you mean")
    hint = (
        suggest_near(name, fields - fixed)
        or "use the names of fields at the top level of the manifest"
    )
    return IGNORE_FIELD.at(path, f"a {kind.noun} has no field `{name}`", hint)


@cache
def identity_fields(name: str) -> frozenset[str]:
    """Fields that say what a resource is: the word that the meaning of its other fields depends on
    (`kind`, `type`), what a short form belongs to, and its name there."""
    kind = KINDS[name]
    required = {n: f.annotation for n, f in kind.spec.model_fields.items() if f.is_required()}
    words = {n for n, type_ in required.items() if isclass(type_) and issubclass(type_, StrEnum)}
    short = [nested for other in KINDS.values() for nested in other.authoring.nested]
    above = {nested.owner for nested in short if nested.resource == kind.resource}
    return frozenset(words | above | ({"id"} if above else set()))
