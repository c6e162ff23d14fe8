"""What the state says once something was pulled: the forms of the manifests, and ids of parts."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...errors import LmssyncError
from ...kind import LivePart, part_name
from ...kinds import KINDS
from ...planning import diff
from ...planning.diff import Drift
from ...platform import live
from ...resource import Address, Form, Resource, pack_form
from ...state import Record, Store
from ..pull import nested_first, split
from .context import PulledField
from .parts import ORDER, PartsPull, is_inside


class Recording:
    """Makes records of what the manifests say now, if that is what the platform has."""

    def __init__(
        self,
        store: Store,
        desired: Mapping[Address, Resource],
        bind: Callable[[Any], Any],
    ) -> None:
        self._store, self._desired, self._bind = store, desired, bind

    def records(
        self, fields: Iterable[PulledField], parts: Mapping[Address, PartsPull]
    ) -> list[Record]:
        """The new records; raises `LmssyncError` for what a manifest would say otherwise."""
        records = {one.address: self._record(one.address) for one in fields}
        records |= {address: self._record(address) for address in parts}
        for address, drift, _ in fields:
            if not drift.path.endswith(ORDER):
                value = self._value(address, drift)
                form = diff.put_value(records[address].form, drift.path, value)
                records[address] = records[address].with_form(pack_form(form))
        for address, pulled in parts.items():
            records[address] = self._with_parts(records[address], pulled)
        return self._pointing(records, parts)

    def _record(self, address: Address) -> Record:
        record = self._store.find_record(address)
        assert record is not None
        return record

    def _value(self, address: Address, drift: Drift) -> Any:
        """What the manifest says of a field now; raises `LmssyncError` if that is not live."""
        value = diff.value_at(self._desired[address].form, drift.path)
        if not live.values_equal(
            KINDS[address.kind].reads, self._bind, drift.path, value, drift.live
        ):
            raise _not_live(address, drift.path)
        return value

    def _with_parts(self, record: Record, pulled: PartsPull) -> Record:
        form = before = record.form
        depth = 0
        for path in nested_first(pulled.lists):
            if path.count("[") != depth:  # what moves at this depth has its inner lists by now
                before, depth = form, path.count("[")
            items = {item["id"]: item for item in diff.value_at(form, path) or ()}
            items |= {
                split(part.path)[1]: self._item(record.address, before, pulled, part)
                for part in pulled.came.values()
                if split(part.path)[0] == path
            }
            names = [item["id"] for item in diff.value_at(form, path) or ()]
            arranged = [items[name] for name in pulled.lists[path].arrange_names(names)]
            form = diff.put_value(form, path, arranged)
        ids = record.ids._replace(parts=_ids(record.ids.parts, pulled))
        return record.with_form(pack_form(form), ids)

    def _item(self, address: Address, before: Form, pulled: PartsPull, part: LivePart) -> Form:
        """The form of a part that came: as it is recorded, or as the manifest has it now."""
        if part.was:
            moved: Form = diff.value_at(before, part.was)
            return {**moved, "id": split(part.path)[1]}
        value: Form = diff.value_at(self._desired[address].form, part.path)
        if value != diff.value_at(pulled.forms[part.path], part.path):
            raise _not_live(address, part.path)
        return value

    def _pointing(
        self, records: dict[Address, Record], parts: Mapping[Address, PartsPull]
    ) -> list[Record]:
        """With the records of what names parts that were moved."""
        known = {address: self._record(address).ids.parts for address in parts}
        moved = {address: pulled.moved_names(known[address]) for address, pulled in parts.items()}
        paths = {address: names for address, names in moved.items() if names}
        for record in self._store.list_records() if paths else ():
            current = records.get(record.address, record)
            today = diff.point_to_parts(current, paths)
            if today is not current:
                records[record.address] = today
        return list(records.values())


def _ids(known: Mapping[str, str], pulled: PartsPull) -> dict[str, str]:
    """Ids by the names that parts have now; without those of parts that were deleted."""
    gone = [part_name(path) for path in pulled.gone]
    left = {name: id_ for name, id_ in known.items() if not any(is_inside(name, g) for g in gone)}
    moved = pulled.moved_names(left)
    left = {moved.get(name, name): id_ for name, id_ in left.items()}
    for part in pulled.came.values():
        left |= {} if part.was else part.ids
    return left


def _not_live(address: Address, path: str) -> LmssyncError:
    return LmssyncError(
        f"{address}: {path} would not say what the platform says",
        "nothing was changed; write it by hand",
    )
