"""Overlays, which change a manifest for one environment, and the defaults of the project file.

Files below `overlays/<environment>/` are read once and applied to each document. A value takes the
place of the one below it. Nothing is changed in place, since aliases share values.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from copy import deepcopy
from typing import Any, NamedTuple

from ...kind import Kind
from ...kinds import BY_RESOURCE, part_names
from ...problems import Problem, Rule, suggest_near
from ...resource import PROJECT_FILE, Address, Origin, Path
from .catalog_files import OVERLAYS, Listing
from .documents import NOT_A_MANIFEST, Document, Patch, Scope, read_manifest_file
from .validation_errors import MISSING_FIELD, UNKNOWN_RESOURCE, kind_of, sort_of

PATCH = "$patch"
"""What is to happen to an item, where it is not merged: `delete`, or `add` for a new one."""
ID_KEYS = ("id", "language")
Data = Mapping[str, Any]


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


class Spot(NamedTuple):
    """One place by its path: in the result, in the lower mapping, and in the one laid over it."""

    result: Path = ()
    below: Path = ()
    patch: Path = ()

    def spot_of_key(self, name: str) -> "Spot":
        return Spot((*self.result, name), (*self.below, name), (*self.patch, name))

    def spot_of_item(self, result: int, below: int, patch: int) -> "Spot":
        return Spot((*self.result, result), (*self.below, below), (*self.patch, patch))


_ROOT = Spot()


class Merge:
    """The overlay, and the result so far."""

    def __init__(self, below: Origin, patch: Origin) -> None:
        self.below, self.patch = below, patch
        self.elsewhere: dict[Path, Origin] = {}
        self.misfits: list[Problem] = []
        """What cannot be applied, without the address of the resource."""

    def take_patch(self, spot: Spot) -> None:
        """Notes that the value at a spot is the patch's."""
        self.elsewhere[self.below.path + spot.result] = self.patch.at(spot.patch)

    def keep_below(self, spot: Spot) -> None:
        """The value there is what lay below, at another place perhaps, with all that it holds."""
        before, now = self.below.path + spot.below, self.below.path + spot.result
        self.elsewhere[now] = self.below.at(spot.below)
        for path, home in self.below.elsewhere:
            # The home of the value itself has just been set; those of what is inside move along
            # with it.
            if path[: len(before)] == before != path:
                self.elsewhere.setdefault(now + path[len(before) :], home)

    @property
    def origin(self) -> Origin:
        """The path of the result."""
        # What was laid over has another home now, and so has everything inside it.
        kept = {
            path: home
            for path, home in self.below.elsewhere
            if not any(path[:end] in self.elsewhere for end in range(len(path) + 1))
        }
        return self.below._replace(elsewhere=tuple((kept | self.elsewhere).items()))


def lay_under(data: Data, defaults: Data, merge: Merge) -> dict[str, Any]:
    """`data` with what it leaves out taken from `defaults`; nulls of its own are kept."""
    merged = dict(data)
    spot = _ROOT
    for field, value in defaults.items():
        if field not in data:
            merged[field] = value
            merge.take_patch(spot.spot_of_key(field))
        elif isinstance(value, Mapping) and isinstance(data[field], Mapping):
            merged[field] = {**value, **data[field]}
            for key in value.keys() - data[field].keys():
                merge.take_patch(spot.spot_of_key(field).spot_of_key(key))
    return merged


def lay_over(data: Data, patch: Data, merge: Merge, spot: Spot = _ROOT) -> dict[str, Any]:
    """`data` with `patch` laid over it; both are what is at `spot`."""
    merged = dict(data)
    for key, value in patch.items():
        # The order what to do with an item is no field of it.
        if key != PATCH:
            merged[key] = _merge_value(data.get(key), value, merge, spot.spot_of_key(key))
    return merged


def _merge_value(below: Any, value: Any, merge: Merge, spot: Spot) -> Any:
    if isinstance(below, Mapping) and isinstance(value, Mapping):
        return lay_over(below, value, merge, spot)
    id_key = _id_key(below, value)
    if id_key:
        return _merge_list(below, value, id_key, merge, spot)
    merge.take_patch(spot)
    return value


def _id_key(below: Any, value: Any) -> str | None:
    """The field by which the items of two lists are paired, if they can be."""
    if not (isinstance(below, list) and isinstance(value, list) and value):
        return None
    if not all(isinstance(item, Mapping) for item in (*below, *value)):
        return None
    for key in ID_KEYS:
        # Every item of the patch has it; those below may leave it to the default.
        ours = all(isinstance(item.get(key), str) for item in value)
        if ours and all(isinstance(item.get(key), str | None) for item in below):
            return key
    return None


def _merge_list(
    below: Sequence[Data], patch: Sequence[Data], id_key: str, merge: Merge, spot: Spot
) -> list[Data]:
    # A part without an `id` is named by its title, as everywhere.
    known = part_names(below) if id_key == "id" else [str(item.get(id_key)) for item in below]
    changes = {item[id_key]: n for n, item in enumerate(patch)}
    merged: list[Data] = []
    for n, item in enumerate(below):
        # What is left in the end names no item below: it is new, or a slip.
        position = changes.pop(known[n], None)
        change = {} if position is None else patch[position]
        here = spot.spot_of_item(len(merged), n, position or 0)
        if PATCH in change and _is_misplaced(change, id_key, merge, here):
            change = {}
        if change.get(PATCH) == "delete":
            continue
        merge.keep_below(here)
        merged.append(lay_over(item, change, merge, here))
    for position in changes.values():
        here = spot.spot_of_item(len(merged), 0, position)
        merged += _new_item(patch[position], str(patch[position][id_key]), known, merge, here)
    return merged


def _is_misplaced(change: Data, id_key: str, merge: Merge, spot: Spot) -> bool:
    """True if `$patch` cannot be applied to an item that exists; notes what is wrong."""
    rest = change.keys() - {PATCH, id_key}
    if change[PATCH] == "delete" and not rest:
        return False
    fault = f"removes the item, but `{min(rest)}` changes it" if rest else "has no meaning here"
    if change[PATCH] != "delete":
        there = "the item is there already" if change[PATCH] == "add" else "there is no such word"
        fault = f"is not possible: {there}"
    text = f"`{PATCH}: {change[PATCH]}` {fault}"
    remedy = f"write `{PATCH}: delete` alone in an item, or `{PATCH}: add` in a new one"
    origin = merge.patch.at((*spot.patch, PATCH))
    merge.misfits.append(OVERLAY_PATCH.problem(text, origin, remedy))
    return True


def _new_item(item: Data, name: str, known: Sequence[str], merge: Merge, spot: Spot) -> list[Data]:
    if item.get(PATCH) == "add":
        merge.take_patch(spot)
        return [{key: value for key, value in item.items() if key != PATCH}]
    hint = suggest_near(name, known) or f"it has: {', '.join(known[:8]) or 'nothing'}"
    text = f"there is no `{name}` in what the overlay changes"
    remedy = f"{hint}; write `{PATCH}: add` in it to add it"
    origin = merge.patch.at(spot.patch)
    merge.misfits.append(OVERLAY_PART.problem(text, origin, remedy))
    return []


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
        # A copy: what is merged is changed later on, and the patch stays in the scope.
        data = lay_over(data, deepcopy(patch.data), merge)
        origin = merge.origin
        problems += [misfit._replace(address=address) for misfit in merge.misfits]
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
