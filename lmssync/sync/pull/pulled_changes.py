"""Collects what a pull takes of a resource: fields and parts, on their way into a manifest and a
record."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from ...errors import LmssyncError
from ...kind import LivePart, PartDrift, part_name
from ...kinds import KINDS
from ...planning import diff
from ...planning.diff import Drift
from ...planning.plan import list_part_titles
from ...planning.workspace import Workspace
from ...platform import live
from ...platform.client import Reader
from ...resource import Address, Form, Resource, is_within, pack_form
from ...state import Record, Store
from ..platform_import import UnwritablePart, write_new_part
from .list_edits import (
    ListChange,
    ListSources,
    Unpullable,
    find_document_path,
    order_inner_first,
    split_part_path,
    wrap_part,
)
from .pulled_files import PulledFiles


class PullContext(NamedTuple):
    """The catalog on disk, the state, and a reader of the platform."""

    workspace: Workspace
    store: Store
    reader: Reader

    @property
    def routes(self) -> Set[str]:
        return self.workspace.platform.routes

    def make_binder(self, desired: Mapping[Address, Resource]) -> live.Binder:
        id_of_name = partial(live.id_of_name, live.IdsByName(self.reader))
        return live.Binder(self.store.find_ids, id_of_name, desired.__contains__)


class PulledField(NamedTuple):
    """A field that was pulled."""

    address: Address
    drift: Drift
    value: Any
    """The value in its manifest now."""


class PulledPart(NamedTuple):
    """A part that came, went or was moved."""

    address: Address
    path: str
    change: str
    """`added`, `removed` or `moved`."""
    text: str
    """The change of the part, in words."""
    was: str = ""
    """The former place, if it was moved."""


class Pulled(NamedTuple):
    """Everything that a pull did."""

    taken: Sequence[PulledField]
    parts: Sequence[PulledPart]
    refused: Sequence[tuple[Address, str, str]]
    """Address, field and reason of what has to be done by hand."""
    files: Sequence[str]
    dry: bool = False
    titles: Mapping[Address, Mapping[str, str]] = MappingProxyType({})
    """The titles of the resources, and by its path that of each part."""


ORDER = ".order"
_BY_HAND = (
    "write it into the manifest yourself, with the same title and type: the next plan takes it over"
)


@dataclass
class PulledParts:
    """The changes to the lists of parts of one resource."""

    resource: Resource
    lists: dict[str, ListChange] = field(default_factory=dict)
    """By path of the list."""
    came: dict[str, LivePart] = field(default_factory=dict)
    """By path."""
    gone: dict[str, str] = field(default_factory=dict)
    """Paths of deleted parts, with their titles."""
    whole: dict[str, Any] = field(default_factory=dict)
    """By path of a new part, a document with nothing else in it."""
    forms: dict[str, Form] = field(default_factory=dict)
    """The forms of these documents."""
    notes: dict[str, list[str]] = field(default_factory=dict)
    """The values of new parts that no manifest can have, by path."""
    orders: dict[str, Drift] = field(default_factory=dict)
    """By path of the list."""

    def moved_names(self, names: Iterable[str]) -> dict[str, str]:
        """The parts among these names that are elsewhere now, each with its new name."""
        moves = {part_name(one.was): one.name for one in self.came.values() if one.was}
        inside = {name: [was for was in moves if is_inside(name, was)] for name in names}
        # The innermost part that moved decides: it may have moved out of another one that moved.
        nearest = {name: max(holders, key=len) for name, holders in inside.items() if holders}
        return {name: f"{moves[was]}{name.removeprefix(was)}" for name, was in nearest.items()}

    @property
    def needs_another_look(self) -> bool:
        """Whether a second look is needed: at what was moved, or what was moved into a new part."""
        return any(one.was or not one.whole for one in self.came.values())

    def take_order(self, drift: Drift) -> None:
        path = drift.path.removesuffix(ORDER)
        self.orders[path] = drift
        self._find_list_change(path).order = drift.live

    def add_part(self, part: LivePart) -> None:
        path, name = split_part_path(part.path)
        self.came[part.path] = part
        self._find_list_change(path).came[name] = part.ahead
        if part.was:
            before, old = split_part_path(part.was)
            self._find_list_change(before).gone.add(old)

    def remove_part(self, path: str, title: str) -> None:
        outer, name = split_part_path(path)
        self.gone[path] = title
        self._find_list_change(outer).gone.add(name)

    def _find_list_change(self, path: str) -> ListChange:
        return self.lists.setdefault(path, ListChange())

    def plan_edits(self, files: PulledFiles) -> None:
        """Plans the edits of the manifest; raises `Unpullable`, and then nothing is planned."""
        new = {path: part.data for path, part in self.came.items() if not part.was}
        was = {path: part.was for path, part in self.came.items() if part.was}
        files.arrange_parts(self.resource, self.lists, ListSources(new, was))
        for whole in self.whole.values():
            files.put_bodies_beside(self.resource, whole)

    def describe_parts(self) -> Iterator[PulledPart]:
        address = self.resource.address
        for path, part in self.came.items():
            if part.was:
                yield PulledPart(address, path, "moved", "moved here", part.was)
            else:
                yield PulledPart(address, path, "added", "; ".join(["added", *self.notes[path]]))
        for path in self.gone:
            text = "taken out of the manifest: it was deleted on the platform"
            yield PulledPart(address, path, "removed", text)

    def list_titles(self) -> dict[str, str]:
        """The titles of the parts that the manifest had, that came and that went."""
        came = {path: part.title for path, part in self.came.items()}
        return {**dict(list_part_titles(self.resource.form)), **self.gone, **came}

    def list_paths(self) -> list[str]:
        """The paths of all parts and orders that the pull changes."""
        return [*self.came, *self.gone, *(f"{path}{ORDER}" for path in self.orders)]


def is_inside(name: str, part: str) -> bool:
    """Whether a part is another one or stands in it; both as in `Ids.parts`."""
    return name == part or name.startswith(f"{part}/")


def is_selected(path: str, wanted: str) -> bool:
    """Whether a path is that of a field or part that somebody named, or lies within it."""
    return is_within(path, wanted) or wanted == part_name(path)


def write_added_part(parts: PulledParts, files: PulledFiles, part: LivePart) -> None:
    """Makes a manifest's words of a part that was added; raises `Unpullable`."""
    resource, whole = parts.resource, wrap_part(part.path, part.data)
    document = files.read_document(resource.origin)
    try:
        place = find_document_path(document, split_part_path(part.path)[0])
        notes = write_new_part(resource.address, document, place, part.data, whole)
    except (LookupError, TypeError):
        raise Unpullable(
            "its manifest does not have the section or lesson that it belongs to"
        ) from None
    except UnwritablePart as error:
        raise Unpullable(f"{error}; {_BY_HAND}") from None
    normalise = KINDS[resource.address.kind].authoring.normalise
    parts.whole[part.path], parts.notes[part.path] = whole, notes
    parts.forms[part.path] = normalise(resource.address.key, whole)


def doubt_deletions(drift: PartDrift, again: PartDrift | None) -> Mapping[str, str]:
    """Why parts that look deleted may be there all the same, by their paths."""
    unsure = dict.fromkeys(
        drift.unsure, "the read does not show the list that it belongs to, so it may still be there"
    )
    if again is None:
        return unsure
    sure = set(again.gone) - set(again.unsure)
    other = "a second read shows it, or does not show the part around it: look again later"
    return dict.fromkeys((path for path in drift.gone if path not in sure), other) | unsure


class PullRecorder:
    """Makes records of what the manifests say now, if that is what the platform has."""

    def __init__(
        self, store: Store, desired: Mapping[Address, Resource], bind: Callable[[Any], Any]
    ) -> None:
        self._store, self._desired, self._bind = store, desired, bind

    def make_records(
        self, fields: Iterable[PulledField], parts: Mapping[Address, PulledParts]
    ) -> list[Record]:
        """The new records; raises `LmssyncError` for what a manifest would say otherwise."""
        records = {one.address: self._require_record(one.address) for one in fields}
        records |= {address: self._require_record(address) for address in parts}
        for address, drift, _ in fields:
            if not drift.path.endswith(ORDER):
                value = self._read_value(address, drift)
                form = diff.put_value(records[address].form, drift.path, value)
                records[address] = records[address].with_form(pack_form(form))
        for address, pulled in parts.items():
            records[address] = self._with_parts(records[address], pulled)
        return self._with_referring_records(records, parts)

    def _require_record(self, address: Address) -> Record:
        record = self._store.find_record(address)
        assert record is not None
        return record

    def _read_value(self, address: Address, drift: Drift) -> Any:
        """What the manifest says of a field now; raises `LmssyncError` if that is not live."""
        value = diff.value_at(self._desired[address].form, drift.path)
        if not live.values_equal(
            KINDS[address.kind].reads, self._bind, drift.path, value, drift.live
        ):
            raise _difference_error(address, drift.path)
        return value

    def _with_parts(self, record: Record, pulled: PulledParts) -> Record:
        form = before = record.form
        depth = 0
        for path in order_inner_first(pulled.lists):
            if path.count("[") != depth:  # what moves at this depth has its inner lists by now
                before, depth = form, path.count("[")
            items = {item["id"]: item for item in diff.value_at(form, path) or ()}
            items |= {
                split_part_path(part.path)[1]: self._make_part_form(
                    record.address, before, pulled, part
                )
                for part in pulled.came.values()
                if split_part_path(part.path)[0] == path
            }
            names = [item["id"] for item in diff.value_at(form, path) or ()]
            arranged = [items[name] for name in pulled.lists[path].arrange_names(names)]
            form = diff.put_value(form, path, arranged)
        ids = record.ids._replace(parts=_rename_part_ids(record.ids.parts, pulled))
        return record.with_form(pack_form(form), ids)

    def _make_part_form(
        self, address: Address, before: Form, pulled: PulledParts, part: LivePart
    ) -> Form:
        """The form of a part that came: as it is recorded, or as the manifest has it now."""
        if part.was:
            moved: Form = diff.value_at(before, part.was)
            return {**moved, "id": split_part_path(part.path)[1]}
        value: Form = diff.value_at(self._desired[address].form, part.path)
        # The manifest was read again: an overlay or a default may say something else of the part.
        if value != diff.value_at(pulled.forms[part.path], part.path):
            raise _difference_error(address, part.path)
        return value

    def _with_referring_records(
        self, records: dict[Address, Record], parts: Mapping[Address, PulledParts]
    ) -> list[Record]:
        """Adds the records of resources that name parts which were moved."""
        known = {address: self._require_record(address).ids.parts for address in parts}
        moved = {address: pulled.moved_names(known[address]) for address, pulled in parts.items()}
        paths = {address: names for address, names in moved.items() if names}
        for record in self._store.list_records() if paths else ():
            current = records.get(record.address, record)
            # A record keeps the names of parts that it refers to, and these names are new.
            today = diff.point_to_parts(current, paths)
            if today is not current:
                records[record.address] = today
        return list(records.values())


def _rename_part_ids(known: Mapping[str, str], pulled: PulledParts) -> dict[str, str]:
    """Ids by the names that parts have now; without those of parts that were deleted."""
    gone = [part_name(path) for path in pulled.gone]
    left = {name: id_ for name, id_ in known.items() if not any(is_inside(name, g) for g in gone)}
    moved = pulled.moved_names(left)
    left = {moved.get(name, name): id_ for name, id_ in left.items()}
    for part in pulled.came.values():
        left |= {} if part.was else part.ids
    return left


def _difference_error(address: Address, path: str) -> LmssyncError:
    return LmssyncError(
        f"{address}: {path} would still differ from the platform",
        "nothing was changed; write the value by hand",
    )
