"""Reads what the platform holds of some resources, several at a time."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..address import Address
from ..client import Reader
from ..kind import ReadRequest
from ..kinds import KINDS
from ..resource import Form
from ..state import Record
from .binding import Binder, Unbound


class LiveState(NamedTuple):
    """What a read showed of a resource."""

    present: bool
    proven: Form
    """The part of the form that the read proves; empty where the kind shows nothing."""
    answer: Any = None
    """What the read brought."""


def ask(reader: Reader, reading: ReadRequest, params: Mapping[str, str]) -> Any:
    """What one reading brings, its params bound: an answer, or all items of a list in pages."""
    if reading.list:
        return list(reader.pages(reading.route, reading.list, reading.query, params))
    return reader.read(reading.route, params, reading.query)


def read(reader: Reader, binder: Binder, records: Iterable[Record]) -> dict[Address, LiveState]:
    """What is live of each record whose kind can be read."""
    asked = [(record, request) for record in records if (request := _request(binder, record))]
    answers = reader.each(lambda pair: ask(reader, *pair[1]), asked)
    return {
        record.address: _seen(binder, record, answer)
        for (record, _), answer in zip(asked, answers, strict=True)
    }


def _request(binder: Binder, record: Record) -> tuple[ReadRequest, Mapping[str, str]] | None:
    reading = KINDS[record.address.kind].reads.request(record.address, record.form)
    if reading is None:
        return None
    try:
        return reading, binder.bind(reading.params)
    except Unbound:
        return None


def _seen(binder: Binder, record: Record, answer: Any) -> LiveState:
    kind = KINDS[record.address.kind]
    if answer is None:
        return LiveState(present=False, proven={})
    proven = kind.reads.observed(binder.bind_known(record.form), record.ids, answer)
    return LiveState(present=proven is not None, proven=proven or {}, answer=answer)
