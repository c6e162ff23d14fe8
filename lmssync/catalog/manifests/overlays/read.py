"""Reads `overlays/<environment>/`: what one environment wants otherwise."""

from collections.abc import Iterator, Set
from typing import Any

from ....kinds import BY_RESOURCE
from ....problems import Problem, Rule, suggest_near
from ....resource import Address, Origin
from ..documents import NOT_A_MANIFEST, Document, Patch, Scope, read_manifest_file
from ..files import OVERLAYS, Listing
from ..validation_errors import MISSING_FIELD, UNKNOWN_RESOURCE, kind_of, sort_of
from .apply import OVERLAY_PATCH
from .merge import PATCH

OVERLAY_ENVIRONMENT = Rule(
    "overlay-environment",
    "A folder of `overlays/` is named after an environment that `lmssync.yaml` does not have.",
    "Name it after one that exists, or add the environment.",
)
OVERLAY_TARGET = Rule(
    "overlay-target",
    "An overlay changes a resource that is not in the catalog.",
    "Correct `resource` and `key`; write new resources in a manifest, not in an overlay.",
)

Patches = dict[Address, tuple[Patch, ...]]


def read_overlays(scope: Scope, listing: Listing) -> tuple[Scope, list[Problem]]:
    """The scope with the patches of its environment, and what is wrong with their files."""
    patches: Patches = {}
    problems: list[Problem] = []
    folder = f"{OVERLAYS}/{scope.environment}"
    for file in listing.yaml_files_below(folder) if scope.environment else ():
        text = read_manifest_file(scope, file)
        problems += text.problems
        for document in text.documents:
            patch = _read_patch(document)
            if isinstance(patch, Problem):
                problems.append(patch)
            else:
                address, change = patch
                patches[address] = (*patches.get(address, ()), change)
    return scope._replace(patches=patches), problems


def find_stray_overlays(scope: Scope, listing: Listing) -> Iterator[Problem]:
    """Overlays whose folders name no environment."""
    known = scope.project.environments
    for file in listing.yaml_files_below(OVERLAYS):
        name = file.split("/")[1]
        if name not in known:
            text = f"this overlay is for `{name}`, but there is no such environment"
            hint = suggest_near(name, known) or f"environments: {', '.join(known) or 'none'}"
            yield OVERLAY_ENVIRONMENT.problem(text, Origin(file), hint)


def find_homeless_patches(scope: Scope, known: Set[Address]) -> Iterator[Problem]:
    """Patches of resources that are not in the catalog."""
    for address in (address for address in scope.patches if address not in known):
        text = f"the overlay changes {address}, which is not in the catalog"
        guess = suggest_near(
            address.key, [other.key for other in known if other.kind == address.kind]
        )
        hint = guess or "an overlay changes resources; write new ones in a manifest"
        for patch in scope.patches[address]:
            yield OVERLAY_TARGET.problem(text, patch.origin.at(("key",)), hint, address)


def _read_patch(document: Document) -> tuple[Address, Patch] | Problem:
    data, origin = document.data, document.origin
    if not isinstance(data, dict):
        text = f"the document is {sort_of(data)}; an overlay is a mapping"
        return NOT_A_MANIFEST.problem(text, origin)
    word, key = data.get("resource"), data.get("key")
    if not isinstance(word, str) or word not in BY_RESOURCE:
        hint = suggest_near(str(word), BY_RESOURCE) or f"known: {', '.join(BY_RESOURCE)}"
        text = f"`resource` is {kind_of(word)}, which is not a resource kind"
        return UNKNOWN_RESOURCE.problem(text, origin.at(("resource",)), hint)
    if not isinstance(key, str):
        text = "`key` is missing, so it is not clear which resource this overlay changes"
        return MISSING_FIELD.problem(text, origin, "add `key:`")
    if wrong := _wrong_word(data):
        text = f"`{PATCH}: {data[PATCH]}` {wrong}"
        return OVERLAY_PATCH.problem(text, origin.at((PATCH,)), f"write `{PATCH}: delete` alone")
    return Address(BY_RESOURCE[word].name, key), Patch(origin, data)


def _wrong_word(data: dict[str, Any]) -> str:
    """What is wrong with what an overlay says about a whole resource."""
    if PATCH not in data:
        return ""
    if data[PATCH] != "delete":
        return "has no meaning for a resource"
    rest = data.keys() - {PATCH, "resource", "key"}
    return f"removes the resource, but `{min(rest)}` changes it" if rest else ""
