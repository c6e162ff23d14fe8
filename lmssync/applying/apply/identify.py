"""Finds the object whose id a person gives, and checks that it is the right one."""

from collections.abc import Iterator, Sequence, Set
from typing import Any, NamedTuple

from ...errors import LmssyncError, Refused, WrongUse
from ...kind import Ambiguity, CallPart, Ids, Json, Reading, ReadRequest, Search, declare_nothing
from ...kinds import KINDS, SOUGHT, Sought, is_uuid
from ...platform import live
from ...platform.live import LookupQuery, Unbound, ask_reading, form_patterns, is_declared
from ...resource import Address
from .session import ApplySession

UNCHECKED = "no route of this instance shows it, so its id and its fields were not checked"
_SUCCESSES = range(200, 300)
_SHOWN = 5
"""The most ids of a list that a message names."""


class IdentifiedObject(NamedTuple):
    """The resource that a person has found on the platform."""

    ids: Ids
    answer: Any = None
    """The answer to the read of this resource alone; None for kinds that have no such read."""
    checked: bool = True
    """False where no route of this instance shows it, so that a person was believed."""
    remark: str = ""
    """Notes for people about the id that they have given."""
    route: str = ""
    """The route of the reading that was made in the place of the read of this resource alone."""


class _NotShown(WrongUse):
    """No read shows anything with the id, or not yet."""


def identify_object(
    session: ApplySession,
    wanted: LookupQuery,
    platform_id: str,
    *,
    unverified: bool = False,
    sent: bool = False,
    patience: float = 0.0,
) -> IdentifiedObject:
    """The object with this id, once a read or a list has shown that it is the right one.

    What a call has `sent` carries its mark; what people have made need not. Where no route shows
    it, it is believed if a person passes `unverified`. What was made just now is looked for again
    for `patience` seconds, since reads lag (O31). Raises `WrongUse` and `LmssyncError`.
    """
    _refuse_taken(session, wanted, platform_id)
    waits = False
    for left in session.reader.take_looks(patience, pause=0.3):
        try:
            return _find_object(session, wanted, platform_id, unverified=unverified, sent=sent)
        except _NotShown:
            session.drop_answer()
            if left <= 0:
                raise
            if not waits:
                session.note(
                    f"the platform does not show {platform_id} yet: looking again for up to "
                    f"{left:.0f} s, since {wanted.address} was sent just now"
                )
            waits = True
    raise AssertionError("the last look returns or raises")


def _find_object(
    session: ApplySession, wanted: LookupQuery, platform_id: str, *, unverified: bool, sent: bool
) -> IdentifiedObject:
    kind = KINDS[wanted.address.kind]
    if kind.reads.request(wanted.address, wanted.form) is not None:
        return _read_object(session, wanted, platform_id)
    if kind.calls.created is declare_nothing:
        raise WrongUse(
            f"a {kind.noun} has no id on the platform", "confirm it with `resolve --done`"
        )
    ids = Ids({kind.reads.id_name: platform_id})
    search = kind.reads.search(wanted.form, wanted.marker)
    if search and search.request.route in session.routes:
        _check_listed(session, wanted, platform_id, search, sent=sent)
        return IdentifiedObject(ids)
    if not unverified:
        raise WrongUse(
            f"no route of this instance shows a {kind.noun}, so {platform_id} cannot be checked",
            "check it in the admin interface, then pass `--unverified`",
        )
    return IdentifiedObject(ids, checked=False, remark=UNCHECKED)


def shows_ids(part: CallPart, routes: Set[str]) -> bool:
    """True if a read or a list of an instance with these routes can check the id that a person
    gives for what a call makes."""
    reads = KINDS[part.address.kind].reads
    search = reads.search(part.after, part.marker)
    listed = search is not None and search.request.route in routes
    return listed or reads.request(part.address, part.after) is not None


def _read_object(session: ApplySession, wanted: LookupQuery, platform_id: str) -> IdentifiedObject:
    reading = KINDS[wanted.address.kind].reads.request(wanted.address, wanted.form)
    assert reading is not None
    if found := _read_everything(session, wanted, platform_id, reading):
        return found
    answer = _ask_with_id(session, _put_id(session, wanted.address, reading, platform_id))
    sought = _sought_by(reading, wanted.address)
    if sought and (answer is None or answer.get("id") != platform_id):
        return _read_confused(session, wanted, platform_id, reading, sought, answer)
    if not _shows_id(answer, platform_id):
        raise _not_shown(wanted.address, platform_id, answer if reading.list else ())
    ids = _match_answer(session, wanted, platform_id, answer)
    if ids is None or platform_id not in ids.own.values():
        raise _other_object(f"{platform_id} is not {wanted.address}", wanted)
    return IdentifiedObject(ids, answer)


def _read_everything(
    session: ApplySession, wanted: LookupQuery, platform_id: str, plain: ReadRequest
) -> IdentifiedObject | None:
    """The resource as the reading shows it that proves most; None if the plain one shows more."""
    reading = _find_richer_reading(session, wanted, plain) if session.kept else None
    if session.kept is None or reading is None:
        return None
    asked = _put_id(
        session, wanted.address, reading.request(wanted.address, wanted.form), platform_id
    )
    answer = _ask_with_id(session, asked)
    if answer is None or answer.get("id") != platform_id:
        return None
    # The comparison after this asks for the same read: it finds the answer here.
    session.kept.keep_answer(asked, answer)
    shaped = reading.shape and reading.shape(answer)
    ids = _match_answer(session, wanted, platform_id, shaped) if shaped else None
    if ids is None or not _shows_as_plain(session, wanted, reading, plain, ids, answer):
        return None
    return IdentifiedObject(ids, shaped, route=reading.route)


def _find_richer_reading(
    session: ApplySession, wanted: LookupQuery, plain: ReadRequest
) -> Reading | None:
    """The reading that proves most of the resource alone, by the same id as the plain one."""
    for reading in KINDS[wanted.address.kind].reads.readings:
        if reading.route == plain.route:
            return None
        request = reading.request(wanted.address, wanted.form)
        alone = not reading.listed and request.params == plain.params
        if alone and reading.route in session.routes:
            return reading
    return None


def _shows_as_plain(
    session: ApplySession,
    wanted: LookupQuery,
    richer: Reading,
    plain: ReadRequest,
    ids: Ids,
    answer: Json,
) -> bool:
    """Whether an answer has each field of the manifest that the plain read can show."""
    form, readings = wanted.form, KINDS[wanted.address.kind].reads.readings
    proven = next((one.proves for one in readings if one.route == plain.route), frozenset())
    shown = richer.shows(session.binder.bind_fields(form), ids, answer)
    needed = {name for name in form_patterns(form) if is_declared(proven, name)}
    return shown is not None and needed <= form_patterns(shown)


def _put_id(
    session: ApplySession, address: Address, reading: ReadRequest, platform_id: str
) -> ReadRequest:
    """A reading with this id in the place of the resource's own."""
    try:
        params = {
            name: platform_id if _is_own(value, address) else session.binder.bind_value(value)
            for name, value in reading.params.items()
        }
    except Unbound as missing:
        raise WrongUse(str(missing), f"adopt {missing.address} first") from None
    return reading._replace(params=params)


def _ask_with_id(session: ApplySession, asked: ReadRequest) -> Json:
    """What a reading brings; None if it is nothing, or the id of something else (O29)."""
    try:
        return session.ask_once(asked, lambda: ask_reading(session.reader, asked, asked.params))
    except Refused as error:
        if error.status in _SUCCESSES:
            return None
        raise


def _sought_by(reading: ReadRequest, address: Address) -> Sought | None:
    """The lookup whose id a reading takes, if people confuse that id with another (O30)."""
    if not any(_is_own(value, address) for value in reading.params.values()):
        return None
    return next((s for s in SOUGHT.values() if s.confused and s.read == reading.route), None)


def _read_confused(
    session: ApplySession,
    wanted: LookupQuery,
    platform_id: str,
    reading: ReadRequest,
    sought: Sought,
    answer: Json,
) -> IdentifiedObject:
    """What is meant by the id of what people take for it, if that is the right one."""
    assert sought.confused
    noun, other = sought.noun, sought.confused.noun
    meant = live.find_meant_id(session.reader, session.routes, sought, platform_id, answer)
    if not meant:
        raise _NotShown(
            f"the platform has no {noun} with the id {platform_id}",
            f"copy the id of the {noun}, not that of its {other}",
        )
    said = f"{platform_id} is the id of a {other}; the id of its {noun} is {meant}"
    answer = answer or _ask_with_id(session, _put_id(session, wanted.address, reading, meant))
    ids = _match_answer(session, wanted, platform_id, answer) if answer else None
    if ids is None:
        raise _other_object(f"{said}, which is not {wanted.address}", wanted)
    if platform_id not in ids.own.values():
        raise WrongUse(said, f"use {meant} if that is the id of {wanted.address}")
    return IdentifiedObject(ids, answer, remark=said)


def _match_answer(
    session: ApplySession, wanted: LookupQuery, platform_id: str, answer: Json
) -> Ids | None:
    reads, own = KINDS[wanted.address.kind].reads, session.possible_ids(wanted.address)
    # Its own recorded id is no obstacle to finding the resource again.
    taken = session.taken_ids(wanted.address.kind, own)
    form = session.binder.bind_known(wanted.form)
    ids = reads.match(form, wanted.marker, answer, taken, wanted.ids)
    if isinstance(ids, Ambiguity):  # the person knows
        return Ids({reads.id_name: platform_id}) if platform_id in ids.candidates else None
    return ids


def _shows_id(answer: Json, platform_id: str) -> bool:
    if isinstance(answer, dict):
        answer = list(answer.values())
    if isinstance(answer, list):
        return any(_shows_id(one, platform_id) for one in answer)
    return bool(answer == platform_id)


def _not_shown(address: Address, platform_id: str, items: Sequence[Json]) -> _NotShown:
    ids = [one["id"] for one in items]
    return _NotShown(
        f"the platform shows nothing with the id {platform_id} where {address} would be",
        f"it shows: {_name_ids(ids)}" if ids else "copy the id again",
    )


def _other_object(what: str, wanted: LookupQuery) -> LmssyncError:
    return LmssyncError(
        f"{what}: its mark, title or structure differs",
        f"it should carry {wanted.marker or 'the same title and structure'}",
    )


def _check_listed(
    session: ApplySession, wanted: LookupQuery, id_: str, search: Search, *, sent: bool
) -> None:
    """Refuses an id that is not in the list that shows such things, and what is something else."""
    request = search.request
    items = session.ask_once(request, lambda: session.looker().list_items(request))
    if isinstance(items, Ambiguity):
        session.drop_answer()
        raise WrongUse(f"the list cannot be read: {items.text}", "try again later")
    item = next((one for one in items if one["id"] == id_), None)
    if item is None:
        raise _not_shown(wanted.address, id_, items)
    if wanted.ids or search.fits(item):  # an id that is recorded is this resource's own
        return
    # Two open calls of one kind: an answer to the wrong one would exchange them.
    for other in _others_waiting_for(session, wanted.address, item):
        raise WrongUse(
            f"{id_} is not {wanted.address}: it carries what was sent for {other}",
            f"`lmssync resolve {other} --adopt {id_}` takes it over",
        )
    if sent:
        raise LmssyncError(
            f"{id_} is not {wanted.address}: its mark or name differs",
            f"it should carry {wanted.marker or 'the same name'}",
        )


def _others_waiting_for(session: ApplySession, address: Address, item: Json) -> Iterator[Address]:
    """Another resource with an open call that may have made this item of a list."""
    search = KINDS[address.kind].reads.search
    for call in session.store.open_calls():
        for part in call.parts:
            if part.address.kind == address.kind and part.address != address:
                sought = search(part.after, part.marker)
                if sought and sought.fits(item):
                    yield part.address


def _name_ids(ids: list[str]) -> str:
    more = f" and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else ""
    return ", ".join(ids[:_SHOWN]) + more


def _refuse_taken(session: ApplySession, wanted: LookupQuery, platform_id: str) -> None:
    """Refuses a malformed id, and the id of another resource."""
    own, kind = session.possible_ids(wanted.address), wanted.address.kind
    if not is_uuid(platform_id):
        raise WrongUse(f"`{platform_id}` is not a uuid", "copy the id from the admin interface")
    if platform_id in session.taken_ids(kind, own):
        what = _name_owner(session, kind, platform_id)
        raise WrongUse(f"{platform_id} is {what}, which is recorded already", "copy the id again")


def _name_owner(session: ApplySession, kind: str, platform_id: str) -> str:
    """Which id of which resource it is, by the records of a kind and of those with the same ids."""
    for address in session.store.fingerprints():
        same = address.kind in KINDS[kind].with_same_ids
        record = session.store.find_record(address) if same else None
        for name, own in record.known_ids.own.items() if record else ():
            if own == platform_id:
                noun = f"of the {SOUGHT[name].noun} " if name in SOUGHT else ""
                return f"the id {noun}of {address}"
    return f"the id of another {kind}"


def _is_own(value: object, address: Address) -> bool:
    return isinstance(value, dict) and value.get("$ref") == str(address)
