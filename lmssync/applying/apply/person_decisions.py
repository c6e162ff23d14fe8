"""Lists the calls that wait for the decision of a person, and settles one by what they say."""

import time
from collections.abc import Mapping, Set
from typing import Any, NamedTuple

from ...errors import WrongUse
from ...kind import CallPart, Ids, declare_nothing
from ...kinds import KINDS
from ...platform.live import may_be_shown
from ...resource import Address
from ...state import CallStatus, JournaledCall, Store
from . import call_lateness
from .confirm import PATIENCE
from .evidence import look_for_part
from .identify import identify_object, shows_ids
from .own_updates import settle_updates
from .session import ApplySession


def adopt_outcome(
    session: ApplySession, address: Address, platform_id: str, *, unverified: bool = False
) -> str:
    """Takes over what a person has found, once a read or a list has shown that it is the right
    object; returns what people should know about the id. Where no route shows it, a person who says
    `unverified` is believed."""
    call, part = _find_open(session, address)
    wanted, id_ = session.wanted_query(part), platform_id.lower()
    patience = min(PATIENCE, call_lateness.seconds_left(session, call))
    found = identify_object(
        session, wanted, id_, unverified=unverified, sent=True, patience=patience
    )
    _settle_part(session, call, part, found.ids, {"adopted": platform_id, "checked": found.checked})
    return found.remark


def believe_not_created(session: ApplySession, address: Address) -> None:
    """Trusts a person who says the platform does not have it; the next plan creates it.

    Waits until the call can no longer take effect. Raises `WrongUse` if a read shows it after all.
    """
    call, part = _find_open(session, address)
    left = call_lateness.seconds_left(session, call)
    if left > 0:
        call_lateness.announce_wait(session, left)
        time.sleep(left)
    if part.adds and look_for_part(session, session.looker(), part).paths:
        raise WrongUse(
            f"the platform has {address} after all: a read shows it",
            "run `lmssync apply` to take it over",
        )
    settle_updates(session, call, [part])
    session.store.drop_parts(call.op, {address: "a person says: not created"})
    if len(call.parts) == 1:
        session.store.settle_call(call.op, because={"notCreated": str(part.address)})


def believe_done(session: ApplySession, address: Address) -> None:
    """Trusts a person who says that a call which creates nothing with an id has worked.

    Raises `WrongUse` if it created something with an id: then the id must be given.
    """
    call, part = _find_open(session, address)
    if makes_id(part):
        raise WrongUse(
            f"a call for {address} waits for a decision, and the resource that it creates has "
            f"an id",
            "give the id with `--adopt ID`, or use `--not-created` if it is not there",
        )
    _settle_part(
        session, call, part, session.recorded_ids(address) or Ids({}), {"done": str(address)}
    )


def makes_id(part: CallPart) -> bool:
    """True if a part makes something with an id, which whoever has found it must give."""
    kind = KINDS[part.address.kind]
    read = kind.reads.request(part.address, part.after)
    return part.adds and (kind.calls.created is not declare_nothing or read is not None)


def _settle_part(
    session: ApplySession, call: JournaledCall, part: CallPart, ids: Ids, because: Mapping[str, Any]
) -> None:
    record = session.make_record(call, part, ids)
    status = call.status if call.parts != (part,) else CallStatus.SETTLED
    session.store.settle_call(call.op, [record], status=status, because=because)


def _find_open(session: ApplySession, address: Address) -> tuple[JournaledCall, CallPart]:
    waiting = [(call, part) for call in session.store.open_calls() for part in call.parts]
    for call, part in waiting:
        if part.address == address:
            return call, part
    others = ", ".join(str(part.address) for _, part in waiting)
    take_over = f"`lmssync adopt {address}=ID` takes over what is on the platform"
    raise WrongUse(
        f"no call for {address} waits for a decision",
        f"these do: {others}" if others else take_over,
    )


class Undecided(NamedTuple):
    """One resource in a call with an unknown outcome."""

    address: Address
    title: str
    call: JournaledCall
    mark: str
    """The mark of the resource if it was made, as `field=value`; empty if it has none."""
    place: str
    """The list of the admin interface in which to look."""
    id: str
    """The id of the resource, if it was there before the call."""
    makes_id: bool
    """True if the call makes something with an id: whoever has found it gives that."""
    checkable: bool
    """A route of the instance shows what has that id."""
    findable: bool
    """The next apply may settle it: reads may show whether it was done."""


def list_undecided(store: Store, routes: Set[str]) -> list[Undecided]:
    """Everything that waits for a decision, oldest call first; the instance has these `routes`."""
    return [
        _describe_undecided(store, call, part, routes)
        for call in store.open_calls()
        for part in call.parts
    ]


def _describe_undecided(
    store: Store, call: JournaledCall, part: CallPart, routes: Set[str]
) -> Undecided:
    kind, record = KINDS[part.address.kind], store.find_record(part.address)
    shown = may_be_shown(part, routes, recorded=record is not None)
    return Undecided(
        part.address,
        kind.authoring.title(part.after),
        call,
        part.marker or "",
        kind.reads.place(part.after) or f"the list of {kind.nouns}",
        record.known_ids.own.get(kind.reads.id_name, "") if record else "",
        makes_id(part),
        shows_ids(part, routes),
        shown or call.status is CallStatus.ACKNOWLEDGED,
    )
