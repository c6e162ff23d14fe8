"""Finds fields that git begins to manage: a look compares them too, since somebody may have set
them by hand."""

from collections.abc import Iterable, Mapping
from typing import Any

from ...kinds import KINDS
from ...resource import Form, pack_form
from ...state import Record
from .change import Change, Difference
from .fields import are_parts, is_plain_mapping
from .paths import ABSENT, put_value, value_at


def with_begun(change: Change) -> Record | None:
    """The record to look for: fields that only git has stand in it without a value."""
    record = change.recorded
    readable = KINDS[change.address.kind].reads.readings
    if record is None or not readable or change.difference is not Difference.CHANGED:
        return record
    form = _begun_fields(record.form, change.wanted)
    return record if form == record.form else record.with_form(pack_form(form))


def with_fields(record: Record, paths: Iterable[str]) -> Record:
    """The same for fields that a plan has named."""
    form = record.form
    for path in paths:
        above = path.rpartition(".")[0]
        if value_at(form, path) is ABSENT and is_plain_mapping(value_at(form, above)):
            form = put_value(form, path, None)
    return record.with_form(pack_form(form))


def _begun_fields(recorded: Mapping[str, Any], desired: Mapping[str, Any]) -> Form:
    form = dict(recorded)
    for key, value in desired.items():
        if key not in recorded:
            form |= {} if are_parts(value) and value else {key: None}
        elif are_parts(recorded[key]) and are_parts(value):
            wanted = {item["id"]: item for item in value}
            form[key] = [_begun_fields(item, wanted.get(item["id"], {})) for item in recorded[key]]
        elif is_plain_mapping(recorded[key]) and is_plain_mapping(value):
            form[key] = _begun_fields(recorded[key], value)
    return form
