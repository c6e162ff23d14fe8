"""Lays one mapping over another, and remembers where each part of the result stands.

Mappings are merged key by key. Lists whose items have ids are merged item by item; any other
value takes the place of the one below it. Nothing is changed in place: aliases share values.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ....kinds import part_names
from ....problems import suggest_near
from ....resource import Origin, Path

PATCH = "$patch"
"""What is to happen to an item, where it is not merged: `delete`, or `add` for a new one."""
ID_KEYS = ("id", "language")
Data = Mapping[str, Any]


class OverlayMismatch(NamedTuple):
    """A part of an overlay that cannot be applied: where it stands, and what is wrong."""

    origin: Origin
    message: str
    hint: str
    word: bool = False
    """It is `$patch` that does not fit."""


class Spot(NamedTuple):
    """One place by its path: in the result, in the lower mapping, and in the one laid over it."""

    result: Path = ()
    below: Path = ()
    patch: Path = ()

    def spot_of_key(self, name: str) -> "Spot":
        return Spot((*self.result, name), (*self.below, name), (*self.patch, name))

    def spot_of_item(self, result: int, below: int, patch: int) -> "Spot":
        return Spot((*self.result, result), (*self.below, below), (*self.patch, patch))


class Merge:
    """What is laid over, and what came of it."""

    def __init__(self, below: Origin, patch: Origin) -> None:
        self.below, self.patch = below, patch
        self.elsewhere: dict[Path, Origin] = {}
        self.misfits: list[OverlayMismatch] = []

    def take_patch(self, spot: Spot) -> None:
        """The value there is the patch's."""
        self.elsewhere[self.below.path + spot.result] = self.patch.at(spot.patch)

    def keep_below(self, spot: Spot) -> None:
        """The value there is what lay below, at another place perhaps, with all that it holds."""
        before, now = self.below.path + spot.below, self.below.path + spot.result
        self.elsewhere[now] = self.below.at(spot.below)
        for path, home in self.below.elsewhere:
            if path[: len(before)] == before != path:
                self.elsewhere.setdefault(now + path[len(before) :], home)

    @property
    def origin(self) -> Origin:
        """Where the result stands."""
        kept = {
            path: home
            for path, home in self.below.elsewhere
            if not any(path[:end] in self.elsewhere for end in range(len(path) + 1))
        }
        return self.below._replace(elsewhere=tuple((kept | self.elsewhere).items()))


def lay_over(data: Data, patch: Data, merge: Merge) -> dict[str, Any]:
    """`data` with `patch` laid over it."""
    return _merge_mapping(data, patch, merge, Spot())


def lay_under(data: Data, defaults: Data, merge: Merge) -> dict[str, Any]:
    """`data` with what it leaves out taken from `defaults`; nulls of its own are kept."""
    merged = dict(data)
    spot = Spot()
    for field, value in defaults.items():
        if field not in data:
            merged[field] = value
            merge.take_patch(spot.spot_of_key(field))
        elif isinstance(value, Mapping) and isinstance(data[field], Mapping):
            merged[field] = {**value, **data[field]}
            for key in value.keys() - data[field].keys():
                merge.take_patch(spot.spot_of_key(field).spot_of_key(key))
    return merged


def _merge_mapping(data: Data, patch: Data, merge: Merge, spot: Spot) -> dict[str, Any]:
    merged = dict(data)
    for key, value in patch.items():
        if key != PATCH:
            merged[key] = _merge_value(data.get(key), value, merge, spot.spot_of_key(key))
    return merged


def _merge_value(below: Any, value: Any, merge: Merge, spot: Spot) -> Any:
    if isinstance(below, Mapping) and isinstance(value, Mapping):
        return _merge_mapping(below, value, merge, spot)
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
    known = part_names(below) if id_key == "id" else [str(item.get(id_key)) for item in below]
    changes = {item[id_key]: n for n, item in enumerate(patch)}
    merged: list[Data] = []
    for n, item in enumerate(below):
        position = changes.pop(known[n], None)
        change = {} if position is None else patch[position]
        here = spot.spot_of_item(len(merged), n, position or 0)
        if PATCH in change and _is_misplaced(change, id_key, merge, here):
            change = {}
        if change.get(PATCH) == "delete":
            continue
        merge.keep_below(here)
        merged.append(_merge_mapping(item, change, merge, here))
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
    merge.misfits.append(OverlayMismatch(origin, text, remedy, word=True))
    return True


def _new_item(item: Data, name: str, known: Sequence[str], merge: Merge, spot: Spot) -> list[Data]:
    if item.get(PATCH) == "add":
        merge.take_patch(spot)
        return [{key: value for key, value in item.items() if key != PATCH}]
    hint = suggest_near(name, known) or f"it has: {', '.join(known[:8]) or 'nothing'}"
    text = f"there is no `{name}` in what the overlay changes"
    remedy = f"{hint}; write `{PATCH}: add` in it to add it"
    merge.misfits.append(OverlayMismatch(merge.patch.at(spot.patch), text, remedy))
    return []
