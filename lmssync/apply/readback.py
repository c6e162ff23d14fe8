"""Which ids belong to which member of a call that was acknowledged, by reading back.

The answer of a create holds ids in no promised order (O16) and none of parts (O15).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..kinds import KINDS
from ..kinds.kind import Ids, Kind
from ..live import Wanted
from ..resource import unpack
from ..state import Member, Operation, Record
from .order import as_it_stands
from .session import Session


def shown(session: Session, operation: Operation, members: Sequence[Member]) -> Iterator[Record]:
    """Records of the members whose ids are known now; what no read shows yet is left out."""
    for member in members:
        ids = None if member.adds else session.ids(member.address)
        if ids:
            yield session.record(operation, member, ids)
    adding = [member for member in members if member.adds]
    if not adding:
        return
    kind = KINDS[adding[0].address.kind]
    new = session.ids(adding[0].address) is None
    candidates = list(kind.calls.created(operation.answer)) if new else []
    if new and not kind.calls.readback:
        yield from _from_answer(session, kind, operation, adding)
    elif candidates:
        yield from _among(session, kind, operation, candidates, adding)
    else:
        yield from _one_by_one(session, kind, operation, adding)


def _from_answer(
    session: Session, kind: Kind, operation: Operation, members: Sequence[Member]
) -> Iterator[Record]:
    for member in members:
        ids = kind.reads.match(unpack(member.packed), member.marker, operation.answer, frozenset())
        if isinstance(ids, Ids):
            yield session.record(operation, member, ids)


def _among(
    session: Session,
    kind: Kind,
    operation: Operation,
    candidates: Sequence[str],
    members: Sequence[Member],
) -> Iterator[Record]:
    """Pairs what was made with what was meant; each is used once."""
    waiting = [(member, unpack(member.packed)) for member in members]
    alone = len(operation.members) == len(candidates) == 1
    for id_, live in zip(candidates, _read_all(session, kind, candidates, members[0]), strict=True):
        if live is None:
            continue
        known = Ids({kind.reads.id_name: id_}) if alone else None  # then it can be nothing else
        for position, (member, form) in enumerate(waiting):
            ids = kind.reads.match(form, member.marker, live, frozenset(), known)
            if isinstance(ids, Ids):
                del waiting[position]
                yield session.record(operation, member, ids)
                break


def _read_all(
    session: Session, kind: Kind, candidates: Sequence[str], member: Member
) -> Iterable[Any]:
    reading = kind.reads.request(member.address, {})
    assert reading is not None
    (name,) = reading.params
    reader = session.reader
    answers = reader.each(lambda id_: reader.read(reading.route, {name: id_}), candidates)
    return list(_tell(session, answers, len(candidates)))


def _tell(session: Session, answers: Iterable[Any], total: int) -> Iterator[Any]:
    for number, answer in enumerate(answers, 1):
        session.progress.reading(number, total)
        yield answer


def _one_by_one(
    session: Session, kind: Kind, operation: Operation, members: Sequence[Member]
) -> Iterator[Record]:
    """Each by a read that its form leads to: a criterion by its course, a part by its own."""
    taken = session.store.ids_of(kind.name)
    looker = session.looker()
    for member in members:
        form, known = unpack(member.packed), session.ids(member.address)
        wanted = Wanted(member.address, form, member.marker, known)
        ids = looker.look(wanted, taken)
        if isinstance(ids, Ids):
            taken.update(ids.own.values())
            record = session.record(operation, member, ids)
            checked = known and member.last
            yield as_it_stands(session, record, looker.read(wanted)) if checked else record
