"""Compares the order of parts that a read shows with the order that was sent (O7).

An instance may accept a `position` and ignore it. Then the record keeps the order on the platform,
so that every plan shows the difference until somebody sorts the parts by hand.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any

from ...kinds import KINDS
from ...planning.diff import are_parts, compare_forms
from ...planning.plan import Action, Plan
from ...platform.live import read_live_states
from ...resource import Form, pack_form
from ...state import Record
from .result import ApplyOutcome
from .session import ApplySession

_ORDER = ".order"
_LEFT = (
    "the platform accepted the call but left {lists} in the old order: "
    "put them in order in the authoring interface"
)


def check_order(session: ApplySession, plan: Plan) -> None:
    """Reads back what was reordered, and keeps the order that the platform shows."""
    moved = [
        planned.address
        for planned in (*plan.with_action(Action.UPDATE), *plan.with_action(Action.MOVE))
        if any(field.path.endswith(_ORDER) for field in planned.fields)
        and session.report.done.get(planned.address) in {ApplyOutcome.UPDATED, ApplyOutcome.MOVED}
    ]
    records = [record for address in moved if (record := session.store.find_record(address))]
    seen = list(read_live_states(session.reader, session.binder, records))
    now = [as_it_stands(session, record, state.answer) for record, state in seen]
    changed = [after for before, after in zip(records, now, strict=True) if before != after]
    if changed:
        session.store.put_records(changed, reason="in the order that the platform shows")


def as_it_stands(session: ApplySession, record: Record, answer: Any) -> Record:
    """The record, with its parts in the order that a read of it shows."""
    kind = KINDS[record.address.kind]
    form = record.form
    asked = _form_without(form, session.deleting.get(record.address, frozenset()))
    proven = kind.reads.observed(session.binder.bind_known(asked), record.ids, answer)
    if not proven:
        return record
    shared = {key: value for key, value in asked.items() if key in proven}
    paths = (change.path for change in compare_forms(shared, proven))
    wrong = [path.removesuffix(_ORDER) for path in paths if path.endswith(_ORDER)]
    if not wrong:
        return record
    session.report.leave_for_person(
        record.address, _LEFT.format(lists=" and ".join(f"`{path}`" for path in wrong))
    )
    return record.with_form(pack_form(_ordered_form(form, proven)))


def _form_without(form: Mapping[str, Any], deleting: Set[str], above: str = "") -> Form:
    """The form without the parts that somebody must delete: their position does not matter."""
    return {
        key: [
            _form_without(item, deleting, f"{above}{item['id']}/")
            for item in value
            if f"{above}{item['id']}" not in deleting
        ]
        if are_parts(value)
        else value
        for key, value in form.items()
    }


def _ordered_form(form: Form, proven: Mapping[str, Any]) -> Form:
    return {
        key: _list_in_order(value, proven[key])
        if isinstance(value, list) and isinstance(proven.get(key), list)
        else value
        for key, value in form.items()
    }


def _list_in_order(items: Sequence[Any], proven: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Items that the read does not show keep their order after those that it shows."""
    shown = {item["id"]: (place, item) for place, item in enumerate(proven)}
    ordered = sorted(items, key=lambda item: shown.get(item["id"], (len(items), {}))[0])
    return [_ordered_form(item, shown.get(item["id"], (0, {}))[1]) for item in ordered]
