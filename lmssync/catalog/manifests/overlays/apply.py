"""Applies the overlays of the environment to a document, and the defaults beneath it."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from ....kind import Kind
from ....problems import Problem, Rule
from ....resource import PROJECT_FILE, Address, Origin
from ..documents import Scope
from .merge import PATCH, Merge, lay_over, lay_under

OVERLAY_PATCH = Rule(
    "overlay-patch",
    "`$patch` in an overlay has an unknown value, or is in a place where it has no meaning.",
    "Write `$patch: delete` alone, or `$patch: add` in a new item of a list.",
)
OVERLAY_PART = Rule(
    "overlay-part",
    "An overlay changes an item of a list that the manifest does not have.",
    "Correct the `id`, or write `$patch: add` in the item to add it.",
)


class Overlaid(NamedTuple):
    """A document with its overlays applied; no data if an overlay removes it."""

    data: dict[str, Any] | None
    origin: Origin
    problems: list[Problem]


def with_patches(scope: Scope, kind: Kind, origin: Origin, data: dict[str, Any]) -> Overlaid:
    """The document as the overlays of the environment want it, in the order of their files."""
    address = address_of(kind, data)
    problems: list[Problem] = []
    for patch in scope.patches.get(address, ()) if address else ():
        if patch.data.get(PATCH) == "delete":
            return Overlaid(None, origin, problems)
        merge = Merge(origin, patch.origin)
        data = lay_over(data, deepcopy(patch.data), merge)
        origin = merge.origin
        for misfit in merge.misfits:
            rule = OVERLAY_PATCH if misfit.word else OVERLAY_PART
            problems.append(rule.problem(misfit.message, misfit.origin, misfit.hint, address))
    return Overlaid(data, origin, problems)


def with_defaults(
    scope: Scope, kind: Kind, origin: Origin, data: dict[str, Any]
) -> tuple[dict[str, Any], Origin]:
    """The document, with missing fields taken from the project file."""
    defaults = scope.project.defaults.get(kind.resource)
    if not defaults:
        return data, origin
    merge = Merge(origin, Origin(PROJECT_FILE, 0, ("defaults", kind.resource)))
    merged = lay_under(data, deepcopy(defaults), merge)
    return merged, merge.origin


def address_of(kind: Kind, data: Mapping[str, Any]) -> Address | None:
    """The address that a document gives itself, if it does."""
    key = data.get("key")
    return Address(kind.name, key) if isinstance(key, str) else None
