"""What reads prove about a call: before it is sent, and when nobody knows what it has done.

The state may be older than the platform, and people work in the admin interface. So before a call
adds to something that this run has not made itself, the exact list of it is read once more, and
nothing is created a second time.

What an update of ours may have done is not somebody's edit: a field that reads as it was sent is
recorded, a part that it may have changed is not noticed, and a field that may hold either value is
sent again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from ...kind import Ambiguity, CallPart, Ids
from ...kinds import KINDS
from ...planning.diff import (
    FieldChange,
    Instance,
    SentChange,
    UpdateTrace,
    compare_forms,
    read_with_own_writes,
    trace_update,
    with_fields,
    with_trace,
)
from ...planning.plan import Step
from ...platform.live import (
    EXACTNESS,
    NOTICED,
    LiveState,
    LookupQuery,
    ResourceFinder,
    is_noticed,
    list_named,
    parents_of,
    parse_change_mark,
)
from ...resource import Address, pack_form
from ...state import JoinedIds, JournaledCall, Proof, Record
from . import platform_work
from .result import ApplyOutcome
from .session import ApplySession


class Evidence(NamedTuple):
    """How much of one part of a call exists on the platform."""

    paths: Sequence[str] = ()
    """The paths of the parts that exist; an empty path is the resource itself."""
    ids: Ids | None = None
    """Those of the resource and of all its parts that exist, if a read shows it."""
    packed: bytes = b""
    """The form that is recorded or proven of the resource: the next plan sends the rest."""
    whole: bool = False
    """Everything that the part had to do has been done."""
    doubt: str = ""
    """Why a read cannot tell."""


def look_for_part(
    session: ApplySession, looker: ResourceFinder, part: CallPart, claimed: Set[str] = frozenset()
) -> Evidence:
    """Looks for what a part makes: a resource, or parts of a recorded one.

    `claimed` are ids that were found for others and are not recorded yet.
    """
    wanted, record = session.wanted_query(part), session.store.find_record(part.address)
    if record is not None:
        return _of_parts(looker, wanted, record)
    taken = JoinedIds([session.taken_ids(part.address.kind), claimed])
    look = looker.look_for(wanted, taken)
    if look.doubt:  # a list that proves no absence may still show that it is there
        listed = looker.look_in_list(wanted, taken)
        look = listed if listed.ids else look
    if look.ids is None:
        return Evidence(doubt=look.doubt)
    form = KINDS[part.address.kind].reads.adopted(wanted.form, look.ids, look.answer)
    return Evidence(("",), look.ids, pack_form(form), whole=True)


def _of_parts(looker: ResourceFinder, wanted: LookupQuery, record: Record) -> Evidence:
    answer, kind = looker.read_resource(wanted), KINDS[wanted.address.kind]
    if isinstance(answer, Ambiguity):
        return Evidence(doubt=answer.text)
    shown = kind.reads.reconcile(record.form, wanted.form, record.ids, answer)
    if shown is None:
        return Evidence(doubt="no read shows whether the change was made")
    if shown.ambiguity:
        return Evidence(ids=record.ids, doubt=shown.ambiguity)
    # Some of the parts prove that the call was carried out, and not that it was carried out whole.
    every = shown.ids.parts.keys() >= kind.authoring.parts(wanted.form).keys()
    whole = (
        bool(shown.found)
        and every
        and all(map(_adds_part, compare_forms(record.form, wanted.form)))
    )
    return Evidence(shown.found, shown.ids, pack_form(shown.form), whole)


def _adds_part(change: FieldChange) -> bool:
    return change.before is None and change.path.endswith("]")


def make_evidence_record(
    session: ApplySession, call: JournaledCall, part: CallPart, shown: Evidence
) -> Record:
    """The record of what a call has done of a part, if any of it exists."""
    record = session.store.find_record(part.address)
    assert shown.ids is not None
    if shown.whole or record is None:
        return session.make_record(call, part, shown.ids)
    return record.with_form(shown.packed, shown.ids)


_APPEARED = (
    "{parts} appeared on the platform since the plan was made: plan again; the new plan takes "
    "them over"
)
_DOUBT = (
    "nothing was sent, since it may be there already: {text}; "
    "if it is, `lmssync adopt {address}=ID` takes it over; if not, `--allow {address}` creates it"
)


def before_sending(session: ApplySession, step: Step) -> tuple[CallPart, ...]:
    """Returns the parts of a step that may be sent, because what they make does not exist yet.

    It is asked immediately before a call, since a call of an earlier run may land after it was
    believed to be lost. What is in no exact list is looked for where a list may show it, if such a
    call has been sent before.
    """
    looker = session.looker()
    known = session.store.find_recorded(part.address for part in step.parts)
    looked_for = [part for part in step.parts if _others_may_have_added(session, part, known)]
    # All lists are asked for at once, and several at a time. Below, each part finds its answer
    # there.
    looker.prefetch_answers(session.wanted_query(part) for part in looked_for)
    again = session.sent_before() if any(part.creates for part in step.parts) else frozenset()
    free = []
    for part in step.parts:
        if part in looked_for:
            may_go = _is_free(session, looker, part)
        elif part.address in again:
            may_go = _is_unlisted(session, looker, part)
        else:
            may_go = True
        if may_go and not _is_doubtful(session, part):
            free.append(part)
    return tuple(free)


def _is_doubtful(session: ApplySession, part: CallPart) -> bool:
    """True, and reported, for what could be made a second time unnoticed, once there is a sign."""
    if not session.sign or not part.creates or part.address in session.allowed:
        return False
    wanted = session.wanted_query(part)
    if is_noticed(wanted, session.routes) or parents_of(wanted) & session.made:
        return False
    text = f"{session.sign}, so the state may be out of date"
    session.report.note(
        part.address, ApplyOutcome.SKIPPED, _DOUBT.format(text=text, address=part.address)
    )
    return True


def _others_may_have_added(session: ApplySession, part: CallPart, recorded: Set[Address]) -> bool:
    """True if it is added to something older than this run and a list shows what exists there."""
    if not part.adds or part.repeatable or session.report.has_failed(part.address):
        return False
    if part.address in recorded:
        # Nobody but this run can have added to what it has just made.
        return part.address not in session.made
    reads = KINDS[part.address.kind].reads
    reading = reads.lookup_request(part, known=False)
    around = set() if reading is None else list_named(reading.params)
    if reading is None or part.address in around or around & session.made:
        return False
    return all(map(session.is_recorded, around))  # else it is skipped


def _is_free(session: ApplySession, looker: ResourceFinder, part: CallPart) -> bool:
    """False if it already exists or may exist."""
    address, is_new = part.address, not session.is_recorded(part.address)
    shown = look_for_part(session, looker, part)
    if is_new and shown.ids:
        # It is there already: so it is taken over, not created a second time.
        _take_over(session, address, shown.ids, shown.packed)
    elif shown.paths:
        paths = " and ".join(f"`{path}`" for path in shown.paths)
        session.report.note_shortfall(address, ApplyOutcome.FAILED, _APPEARED.format(parts=paths))
    elif shown.doubt and not (is_new and address in session.allowed):
        why = shown.doubt if shown.ids else _DOUBT.format(text=shown.doubt, address=address)
        session.report.note_shortfall(address, ApplyOutcome.FAILED, why)
    else:
        return True
    return False


def _is_unlisted(session: ApplySession, looker: ResourceFinder, part: CallPart) -> bool:
    """False if a list shows that an earlier call has made it after all, or may have."""
    if session.is_recorded(part.address) or not part.creates:
        return True
    wanted, kind = session.wanted_query(part), KINDS[part.address.kind]
    look = looker.look_in_list(wanted, session.taken_ids(part.address.kind))
    if look.ids:
        form = kind.reads.adopted(wanted.form, look.ids, look.answer)
        _take_over(session, part.address, look.ids, pack_form(form))
    elif look.doubt and part.address not in session.allowed:
        why = _DOUBT.format(text=look.doubt, address=part.address)
        session.report.note(part.address, ApplyOutcome.FAILED, why)
    else:
        return True
    return False


def _take_over(session: ApplySession, address: Address, ids: Ids, packed: bytes) -> None:
    # What an earlier run has sent is no sign that the state lacks something.
    if address not in session.sent_before():
        session.note_sign(f"the platform has {address}, which the state does not know")
    record = session.record_without_call(address, ids, packed)
    session.store.put_records([record], reason="it was there before it was to be made")
    session.report.note(address, ApplyOutcome.ADOPTED)


_AHEAD = 45.0
"""The most seconds that a record is dated ahead: less than what a look takes for ours before it."""


def settle_updates(
    session: ApplySession, call: JournaledCall, parts: Sequence[CallPart], *, refused: bool = False
) -> None:
    """Records what a read shows of these parts of a call that has no known outcome.

    One that was `refused` has done nothing unless a read shows it (O16, O29).
    """
    left = 0.0 if refused else platform_work.seconds_left(session, call)
    sent = _changes_sent(session, parts)
    looked = [with_fields(record, change.sent_paths) for record, change in sent.values()]

    def until() -> datetime:
        """When it can take effect at the latest, by the clock of the platform that was read."""
        ahead = session.writer.ahead + min(left, _AHEAD)
        return datetime.now(UTC) + timedelta(seconds=ahead)

    def may_have_done(mark: str) -> bool:
        when = parse_change_mark(mark)
        return when is None or when <= until() + EXACTNESS

    for one, seen in _read_closely(session, looked):
        record, change = sent[one.address]
        trace = trace_update(one, seen, change, session.binder, may_have_done, may_land=left > 0)
        if trace.is_shown or (trace.unread and not refused):
            _put_marks(session, one, seen, change, trace.by_others)
            _note_trace(session, call, record, trace, until())


def keep_marks(session: ApplySession, call: JournaledCall) -> None:
    """Remembers what a look shows of parts that a call of an earlier run has not touched.

    Its records are dated anew: afterwards nobody could tell any more when these were changed.
    """
    sent = _changes_sent(session, call.parts)
    for record, seen in _read_closely(session, [record for record, _ in sent.values()]):
        _, change = sent[record.address]
        others = [part for part in seen.noticed if not change.may_touch(part)]
        _put_marks(session, record, seen, change, others)


def _changes_sent(
    session: ApplySession, parts: Sequence[CallPart]
) -> Mapping[Address, tuple[Record, SentChange]]:
    """The changes that parts of a call ask for, of resources that are recorded."""
    sent = dict[Address, tuple[Record, SentChange]]()
    for part in parts:
        record = session.store.find_record(part.address)
        if record and part.packed_after:
            sent[part.address] = record, SentChange.from_forms(record, part.after)
    return sent


def _read_closely(
    session: ApplySession, records: Sequence[Record]
) -> Iterator[tuple[Record, LiveState]]:
    """The live state of these records, including whatever open calls may have done."""
    if not records:
        return
    instance = Instance(session.reader, session.binder, session.store, session.routes)
    yield from (
        (record, seen) for record, seen in read_with_own_writes(instance, records) if seen.present
    )


def _note_trace(
    session: ApplySession, call: JournaledCall, record: Record, trace: UpdateTrace, until: datetime
) -> None:
    settled = with_trace(record, trace)
    # The call may still take effect. Its record is dated ahead, so that what it does then is not
    # taken for somebody's edit.
    latest = max(until.strftime("%Y-%m-%dT%H:%M:%S.%fZ"), record.applied_at)
    session.store.put_records(
        [settled._replace(applied_at=latest)], reason=f"as {call.op} may have left it"
    )


def _put_marks(
    session: ApplySession,
    record: Record,
    seen: LiveState,
    sent: SentChange,
    by_others: Iterable[str],
) -> None:
    """Keeps the marks of parts that a call has not touched, and what people have changed."""
    before = session.store.find_proofs([record.address]).get(record.address)
    proof = before or Proof(record.address, "")
    noticed = [part for part, mark in proof.marks.items() if mark == NOTICED]
    marks = {part: mark for part, mark in seen.marks.items() if not sent.may_touch(part)}
    marks |= dict.fromkeys([*noticed, *by_others], NOTICED)
    session.store.keep_proofs([proof._replace(marks=marks)])
