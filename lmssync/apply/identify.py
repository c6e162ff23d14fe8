"""Finds the object whose id a person gives, and checks that it is the right one."""

from collections.abc import Iterator, Set
from typing import Any, NamedTuple

from ..address import Address
from ..errors import LmssyncError, WrongUse
from ..kind import Ambiguity, CallPart, Ids, Json, Search, declare_nothing
from ..kinds import KINDS, is_uuid
from ..live import LookupQuery, Unbound, ask_reading
from .session import ApplySession

_SHOWN = 5
"""The most ids of a list that a message names."""


class IdentifiedObject(NamedTuple):
    """What a person has found on the platform."""

    ids: Ids
    answer: Any = None
    """What a read of it alone brought; None for kinds that have no such read."""
    checked: bool = True
    """False where no route of this instance shows it, so that a person was believed."""


def identify_object(
    session: ApplySession,
    wanted: LookupQuery,
    platform_id: str,
    *,
    unverified: bool = False,
    sent: bool = False,
) -> IdentifiedObject:
    """The object with this id, once a read or a list has shown that it is the right one.

    What a call has `sent` carries its mark; what people have made need not. Where no route shows
    it, it is believed if a person passes `unverified`. Raises `WrongUse` and `LmssyncError`.
    """
    kind = KINDS[wanted.address.kind]
    _refuse_taken(session, wanted, platform_id)
    if kind.reads.request(wanted.address, wanted.form) is not None:
        return _read_object(session, wanted, platform_id)
    if kind.calls.created is declare_nothing:
        raise WrongUse(
            f"a {kind.noun} has no id on the platform", "say with `resolve --done` that it was done"
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
    return IdentifiedObject(ids, checked=False)


def shows_ids(part: CallPart, routes: Set[str]) -> bool:
    """True if a read or a list of an instance with these routes can check the id that a person
    gives for what a call makes."""
    reads = KINDS[part.address.kind].reads
    search = reads.search(part.after, part.marker)
    listed = search is not None and search.request.route in routes
    return listed or reads.request(part.address, part.after) is not None


def _read_object(session: ApplySession, wanted: LookupQuery, platform_id: str) -> IdentifiedObject:
    address, form, marker, known = wanted.address, wanted.form, wanted.marker, wanted.ids
    kind = KINDS[address.kind]
    reading = kind.reads.request(address, form)
    assert reading is not None
    try:
        params = {
            name: platform_id if _is_own(value, address) else session.binder.bind_value(value)
            for name, value in reading.params.items()
        }
    except Unbound as missing:
        raise WrongUse(str(missing), f"adopt {missing.address} first") from None
    answer = ask_reading(session.reader, reading, params)
    if answer is None:
        raise WrongUse(f"the platform has nothing with the id {platform_id}", "copy the id again")
    taken = session.taken_ids(address.kind)
    bound = session.binder.bind_known(form)
    ids = kind.reads.match(bound, marker, answer, taken, known)
    if isinstance(ids, Ambiguity) and platform_id in ids.candidates:  # the person knows
        ids = Ids({kind.reads.id_name: platform_id})
    if not isinstance(ids, Ids) or platform_id not in ids.own.values():
        raise LmssyncError(
            f"{platform_id} is not {address}: its mark, title or structure differs",
            f"it should carry {marker or 'the same title and structure'}",
        )
    return IdentifiedObject(ids, answer)


def _check_listed(
    session: ApplySession, wanted: LookupQuery, id_: str, search: Search, *, sent: bool
) -> None:
    """Refuses an id that is not in the list that shows such things, and what is something else."""
    items = session.looker().list_items(search.request)
    if isinstance(items, Ambiguity):
        raise WrongUse(f"the list cannot be read: {items.text}", "try again later")
    item = next((one for one in items if one["id"] == id_), None)
    if item is None:
        raise WrongUse(
            f"the platform shows nothing with the id {id_} where {wanted.address} would be",
            f"it shows: {_name_ids([one['id'] for one in items])}",
        )
    if wanted.ids or search.fits(item):  # an id that is recorded is this resource's own
        return
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
    """What else has an open call that may have made this item of a list."""
    search = KINDS[address.kind].reads.search
    for call in session.store.open_calls():
        for part in call.parts:
            if part.address.kind == address.kind and part.address != address:
                sought = search(part.after, part.marker)
                if sought and sought.fits(item):
                    yield part.address


def _name_ids(ids: list[str]) -> str:
    more = f" and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else ""
    return ", ".join(ids[:_SHOWN]) + more if ids else "nothing"


def _refuse_taken(session: ApplySession, wanted: LookupQuery, platform_id: str) -> None:
    """Refuses a malformed id, and the id of another resource."""
    own = wanted.ids.own.values() if wanted.ids else ()
    kind = wanted.address.kind
    if not is_uuid(platform_id):
        raise WrongUse(f"`{platform_id}` is not a uuid", "copy the id from the admin interface")
    if platform_id in session.taken_ids(kind) - set(own):
        raise WrongUse(
            f"{platform_id} is recorded for another {kind} already",
            "`lmssync state list` shows for which; copy the id again",
        )


def _is_own(value: object, address: Address) -> bool:
    return isinstance(value, dict) and value.get("$ref") == str(address)
