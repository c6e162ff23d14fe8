"""Finds by reading back which ids belong to which part of an acknowledged call.

The answer of a create holds ids in no promised order (O16) and none of parts (O15).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from ...kind import CallPart, Ids, Kind
from ...kinds import KINDS
from ...state import JournaledCall, Record
from .order import as_it_stands
from .proving import compare_created
from .session import ApplySession


def read_back(
    session: ApplySession, call: JournaledCall, parts: Sequence[CallPart]
) -> Iterator[Record]:
    """Records of the parts whose ids are known now, without those that no read shows yet."""
    for part in parts:
        ids = None if part.adds else session.recorded_ids(part.address)
        if ids:
            yield session.make_record(call, part, ids)
    adding = [part for part in parts if part.adds]
    if not adding:
        return
    kind = KINDS[adding[0].address.kind]
    new = session.recorded_ids(adding[0].address) is None
    candidates = list(kind.calls.created(call.answer)) if new else []
    if new and not kind.calls.readback:
        yield from _from_answer(session, kind, call, adding)
    elif candidates:
        yield from _pair_candidates(session, kind, call, candidates, adding)
    else:
        yield from _one_by_one(session, call, adding)


def _from_answer(
    session: ApplySession, kind: Kind, call: JournaledCall, parts: Sequence[CallPart]
) -> Iterator[Record]:
    for part in parts:
        ids = kind.reads.match(part.after, part.marker, call.answer, frozenset())
        if isinstance(ids, Ids):
            yield session.make_record(call, part, ids)


def _pair_candidates(
    session: ApplySession,
    kind: Kind,
    call: JournaledCall,
    candidates: Sequence[str],
    parts: Sequence[CallPart],
) -> Iterator[Record]:
    """Pairs what was made with what was meant, using each only once."""
    waiting = list(parts)
    alone = len(call.parts) == len(candidates) == 1
    answers = _read_all(session, kind, candidates, parts[0])
    for number, (id_, live) in enumerate(zip(candidates, answers, strict=True), 1):
        session.progress.reading(number, len(candidates))
        if live is None or live["id"] != id_:  # the answer is about something else
            continue
        known = Ids({kind.reads.id_name: id_}) if alone else None  # then it can be nothing else
        for part in _likeliest_first(waiting, live):
            form = part.after
            ids = kind.reads.match(form, part.marker, live, frozenset(), known)
            if isinstance(ids, Ids):
                waiting.remove(part)
                record = session.make_record(call, part, ids)
                compare_created(session, record, form, live)
                yield record
                break


def _likeliest_first(parts: Sequence[CallPart], live: Any) -> Iterator[CallPart]:
    """Those whose mark the answer carries come first: a call has a hundred parts, and each that is
    tried is unpacked."""
    for carries in (True, False):
        yield from [part for part in parts if _carries_marker(live, part.marker) is carries]


def _carries_marker(live: Any, marker: str | None) -> bool:
    field, _, value = (marker or "").partition("=")
    return bool(field) and live.get(field) == value


def _read_all(
    session: ApplySession, kind: Kind, candidates: Sequence[str], part: CallPart
) -> Iterator[Any]:
    reading = kind.reads.request(part.address, {})
    assert reading is not None
    (name,) = reading.params
    reader = session.reader
    return reader.ask_each(lambda id_: reader.read_route(reading.route, {name: id_}), candidates)


def _one_by_one(
    session: ApplySession, call: JournaledCall, parts: Sequence[CallPart]
) -> Iterator[Record]:
    """Reads each through what its form names: a criterion by its course, a part by its own."""
    taken = {name: session.taken_ids(name) for name in {part.address.kind for part in parts}}
    looker = session.looker()
    for part in parts:
        wanted = session.wanted_query(part)
        look = looker.look_for(wanted, taken[part.address.kind])
        if look.ids:
            taken[part.address.kind].update(look.ids.own.values())
            record = session.make_record(call, part, look.ids)
            compare_created(session, record, wanted.form, look.answer)
            checked = wanted.ids and part.last
            yield as_it_stands(session, record, look.answer) if checked else record
