"""Reads back what an acknowledged call has made, and records it.

The answer of a create holds ids in no promised order (O16), and none of parts (O15), and a read
right after a write may lag (O31): so ids are matched by marker and structure, again and again for a
bounded time. Where nothing is uncertain, only as much is read at once as `platform.verify` says:
which id is whose may be read when something needs it.

An instance may accept a `position` and ignore it (O7). Then the record keeps the order on the
platform, so that every plan shows the difference until somebody sorts the parts by hand.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any, NamedTuple

from ...kind import CallPart, Ids, Kind, as_meant
from ...kinds import KINDS
from ...planning.diff import are_parts, compare_forms
from ...planning.plan import Action, Plan
from ...platform.client import JobEnd
from ...platform.live import carries_marker, read_live_states
from ...resource import Address, Form, load_form, pack_form
from ...state import CallStatus, JournaledCall, Record, UnpairedIds
from . import platform_work, proof_recording
from .result import ApplyOutcome
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
    if not session.taken_ids(kind.name).isdisjoint(ids):
        return None
    if {len({*ids}), len(ids)} != {len(call.parts)} or platform_work.left_behind(call.answer):
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
        record = session.make_record(call, part, unpaired)
        proof_recording.count_unread(session, record)
        yield record


def read_candidates(
    session: ApplySession, kind: Kind, candidates: Sequence[str], part: CallPart
) -> Iterator[Any]:
    """Reads each id that an answer has named, and yields what the platform shows of it."""
    reading = kind.reads.request(part.address, {})
    assert reading is not None
    (name,) = reading.params
    reader = session.reader
    return reader.ask_each(lambda id_: reader.read_route(reading.route, {name: id_}), candidates)


def _read_records(
    session: ApplySession, call: JournaledCall, parts: Sequence[CallPart]
) -> Iterator[Record]:
    """Records of the parts whose ids are known now, without those that no read shows yet."""
    for part in parts:
        own = None if part.adds else session.recorded_ids(part.address)
        if own:
            yield session.make_record(call, part, own)
    adding = [part for part in parts if part.adds]
    if not adding:
        return
    kind = KINDS[adding[0].address.kind]
    new = not session.is_recorded(adding[0].address)
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
    answers = read_candidates(session, kind, candidates, parts[0])
    for number, (id_, live) in enumerate(zip(candidates, answers, strict=True), 1):
        session.progress.reading(number, len(candidates))
        if live is None or live["id"] != id_:  # the answer is about something else
            continue
        known = Ids({kind.reads.id_name: id_}) if alone else None  # then it can be nothing else
        for part, form in _likeliest_first(waiting, live):
            ids = kind.reads.match(form, part.marker, live, frozenset(), known)
            if isinstance(ids, Ids):
                waiting.remove(part)
                record = session.make_record(call, part, ids)
                proof_recording.compare_created(session, record, form, live)
                yield record
                break


def _likeliest_first(parts: Sequence[CallPart], live: Any) -> Iterator[tuple[CallPart, Form]]:
    """Yields the parts, each with its form: those whose mark the answer carries come first."""
    # A call has a hundred parts, and each that is tried is unpacked. One that carries the mark is
    # tried once, and the others once for each answer.
    for part in parts:
        if carries_marker(live, part.marker):
            yield part, load_form(part.packed_after)
    yield from ((one, one.after) for one in parts if not carries_marker(live, one.marker))


def _one_by_one(
    session: ApplySession, call: JournaledCall, parts: Sequence[CallPart]
) -> Iterator[Record]:
    """Reads each through what its form names."""
    taken = {name: {*session.taken_ids(name)} for name in {part.address.kind for part in parts}}
    looker = session.looker()
    for part in parts:
        wanted = session.wanted_query(part)
        # A criterion is read by its course, a part by its own.
        look = looker.look_for(wanted, taken[part.address.kind])
        if look.ids:
            taken[part.address.kind].update(look.ids.own.values())
            record = session.make_record(call, part, look.ids)
            proof_recording.compare_created(session, record, wanted.form, look.answer)
            checked = wanted.ids and part.last
            yield as_it_stands(session, record, look.answer) if checked else record


PATIENCE = 10.0
"""Seconds for which a read-back may lag."""


class Confirmed(NamedTuple):
    """Members whose ids are now known, and members that no read shows."""

    records: list[Record]
    missing: list[CallPart]
    failed: Mapping[Address, str] = MappingProxyType({})
    """Members that were not done, or only in part, with the reason."""
    job: JobEnd | None = None
    """The job that did the work, or is still running."""


def confirm_call(
    session: ApplySession, call: JournaledCall, *, patience: float = PATIENCE
) -> Confirmed:
    """Records the parts of an acknowledged call; parts that no read shows stay open.

    If jobs do the work, it first waits for them to end.
    """
    job = platform_work.follow_call_jobs(session, call)
    lost = job is not None and job.is_lost
    readable = not any(part.repeatable for part in call.parts)  # a read shows what a lost job did
    if job and not job.is_over and not (lost and readable):
        return Confirmed([], list(call.parts), job=job)
    if job and job.is_over and not job.has_succeeded:
        return _not_done(session, call, job)
    call, left = _as_answered(session, call)
    records, missing = _read_until_shown(session, call, patience)
    after = CallStatus.JOB if platform_work.left_behind(call.answer) else CallStatus.SETTLED
    status = CallStatus.ACKNOWLEDGED if missing else after
    session.store.settle_call(call.op, records, status=status)
    proof_recording.write_many_proofs(session)
    return Confirmed(records, missing, left, job if missing or not lost else None)


def _read_until_shown(
    session: ApplySession, call: JournaledCall, patience: float
) -> tuple[list[Record], list[CallPart]]:
    """Returns records of the parts that reads show, and the parts that no read shows in time."""
    postponable = find_postponable(session, call)
    if postponable:
        try:
            read = read_expected(session, call, postponable.now, patience)
            if read is not None:
                # Of the others it may be read later which ids they have.
                return [*read, *postpone_ids(session, call, postponable.later)], []
            # One batch whose answer is in another order is enough: from now on every id is read
            # at once (O16).
            session.postpones = False
        finally:
            session.end_first_look()
    records: list[Record] = []
    missing = list(call.parts)
    for _ in session.reader.take_looks(patience):
        records += _read_records(session, call, missing)
        known = {record.address for record in records}
        missing = [part for part in missing if part.address not in known]
        if not missing:
            break
    return records, missing


def _not_done(session: ApplySession, call: JournaledCall, job: JobEnd) -> Confirmed:
    """Leaves the parts of a call as they were before."""
    reason = (
        f"its job failed, so nothing was done: {job.message or 'it does not say why'} ({job.id})"
    )
    why = dict.fromkeys((part.address for part in call.parts), reason)
    # A failed job has changed nothing (spec 3).
    session.store.drop_parts(call.op, why)
    session.store.settle_call(call.op)
    return Confirmed([], [], why, job)


def _as_answered(
    session: ApplySession, call: JournaledCall
) -> tuple[JournaledCall, dict[Address, str]]:
    """The call with its parts as its answer describes them, and what is left to do for them."""
    parts: list[CallPart] = []
    left: dict[Address, str] = {}
    for part in call.parts:
        kind = KINDS[part.address.kind]
        if kind.calls.result is as_meant:
            parts.append(part)
            continue
        before = session.store.find_record(part.address)
        after = part.after
        came = kind.calls.result(before.form if before else {}, after, call.answer)
        parts.append(part._replace(kept_after=pack_form(came.form)))
        if came.left:
            left[part.address] = came.left
        if came.note:
            session.note(f"{part.address}: {came.note}")
    return call._replace(parts=tuple(parts)), left


def why_unknown(job: JobEnd | None, part: CallPart) -> str:
    """Why no read shows yet what a call has made."""
    if job and job.is_lost:
        return (
            f"it is unknown how its job ended: {job.message} ({job.id}); run apply again, "
            f"or check in the admin interface and use `lmssync resolve {part.address}`"
        )
    if job and not job.is_over:
        return f"its job is {job.status} ({job.id}); run apply again"
    return "the platform said that it was done, but no read shows it yet; run apply again"


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
    """The form without the parts that somebody must delete."""
    return {
        key: [
            _form_without(item, deleting, f"{above}{item['id']}/")
            for item in value
            # Their position does not matter.
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
