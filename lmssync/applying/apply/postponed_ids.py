"""Reads back as much of what a call has made as `platform.verify` says; the rest is read later.

The ids of an answer are those of what the call has made, in no promised order (O16). Where nothing
is uncertain, which is whose may be read when something needs it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ...kind import CallPart, Ids, Kind
from ...kinds import KINDS
from ...platform.live import carries_marker
from ...state import JournaledCall, Record, UnpairedIds
from . import jobs, proof_recording
from .session import ApplySession

Expected = Sequence[tuple[CallPart, str]]
"""Parts of a call, each with the id that it has if the answer is in order."""


class Postponable(NamedTuple):
    """A call whose ids need not all be read at once."""

    now: Expected
    later: Expected


def find_postponable(session: ApplySession, call: JournaledCall) -> Postponable | None:
    """How much of what a call has made is read at once; None if all of it is.

    That is so where anything is uncertain: without a mark that the platform takes once, with other
    ids than were to come, after a stop, or where something still goes on.
    """
    kind = KINDS[call.parts[0].address.kind]
    marked = all(part.creates and part.marker for part in call.parts)
    if not (session.postpones and kind.reads.pair and kind.calls.marker_unique and marked):
        return None
    ids = list(kind.calls.created(call.answer))
    if len({*ids} - session.taken_ids(call.parts[0].address.kind)) != len(call.parts):
        return None
    if len(ids) != len(call.parts) or jobs.left_behind(call.answer):
        return None
    reading = kind.reads.request(call.parts[0].address, {})
    assert reading is not None
    # The first batch of a run reads one back in any case: an instance that drops our marks is
    # noticed before a thousand resources depend on them.
    counted = session.read_back.count_now(session.reader, reading.route, len(ids))
    if not (counted or session.await_first_look()):
        return None
    number = max(counted, 0 if session.marks_shown else 1)
    if number >= len(ids):
        return None
    session.begin_first_look()
    expected = list(zip(call.parts, ids, strict=True))
    now = [pair for n, pair in enumerate(expected) if n < number or not pair[0].last]
    return Postponable(now, [pair for pair in expected if pair not in now])


def read_expected(
    session: ApplySession, call: JournaledCall, expected: Expected, patience: float
) -> list[Record] | None:
    """Records of parts that have the ids that they are expected to have; None if the answer is in
    another order, or no read shows their marks."""
    shown: dict[str, Any] = {id_: None for _, id_ in expected}
    for _ in session.reader.take_looks(patience) if expected else ():
        unseen = [id_ for id_, live in shown.items() if live is None]
        kind = KINDS[expected[0][0].address.kind]
        shown.update(
            zip(unseen, read_candidates(session, kind, unseen, expected[0][0]), strict=True)
        )
        if None not in shown.values():
            break
    records = list[Record]()
    for part, id_ in expected:
        live, match = shown[id_], KINDS[part.address.kind].reads.match
        if live is None or live["id"] != id_ or not carries_marker(live, part.marker):
            return None
        ids = match(part.after, part.marker, live, frozenset(), None)
        if not isinstance(ids, Ids):
            return None
        records.append(session.make_record(call, part, ids))
    for record, (part, id_) in zip(records, expected, strict=True):
        proof_recording.compare_created(session, record, part.after, shown[id_])
    return records


def postpone_ids(
    session: ApplySession, call: JournaledCall, expected: Expected
) -> Iterator[Record]:
    """Records of what is read later, once what was read at once has shown its marks."""
    session.marks_shown = True
    for part, id_ in expected:
        assert part.marker
        find = session.store.find_pair
        unpaired = UnpairedIds(part.address, call.op, id_, part.marker, find)
        session.report.unread.add(part.address)
        yield session.make_record(call, part, unpaired)


def read_candidates(
    session: ApplySession, kind: Kind, candidates: Sequence[str], part: CallPart
) -> Iterator[Any]:
    """What a read shows of each id that an answer has named."""
    reading = kind.reads.request(part.address, {})
    assert reading is not None
    (name,) = reading.params
    reader = session.reader
    return reader.ask_each(lambda id_: reader.read_route(reading.route, {name: id_}), candidates)
