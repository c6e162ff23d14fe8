"""Reads the object whose id a person gives, and checks that it is the right one."""

from typing import Any, NamedTuple

from ..address import Address
from ..errors import LmssyncError, WrongUse
from ..kind import Ambiguity, Ids
from ..kinds import KINDS, is_uuid
from ..live import Unbound, ask
from ..resource import Form
from .session import Session


class Identified(NamedTuple):
    """Returns the ids of the object and the answer of a read; None where no read shows it."""

    ids: Ids
    answer: Any = None


def identified(
    session: Session, address: Address, form: Form, marker: str | None, platform_id: str
) -> Identified:
    """The object with this id, if it matches the form; raises `WrongUse` and `LmssyncError`."""
    kind = KINDS[address.kind]
    _free(session, address, platform_id)
    reading = kind.reads.request(address, form)
    if reading is None:
        return Identified(Ids({kind.reads.id_name: platform_id}))
    try:
        params = {
            name: platform_id if _is_own(value, address) else session.binder.bind(value)
            for name, value in reading.params.items()
        }
    except Unbound as missing:
        raise WrongUse(str(missing), f"adopt {missing.address} first") from None
    answer = ask(session.reader, reading, params)
    if answer is None:
        raise WrongUse(f"the platform has nothing with the id {platform_id}", "copy the id again")
    taken = session.store.ids_of(address.kind)
    bound = session.binder.bind_known(form)
    ids = kind.reads.match(bound, marker, answer, taken, session.ids(address))
    if isinstance(ids, Ambiguity) and platform_id in ids.candidates:  # the person knows
        ids = Ids({kind.reads.id_name: platform_id})
    if not isinstance(ids, Ids) or platform_id not in ids.own.values():
        raise LmssyncError(
            f"{platform_id} is not {address}: its mark, title or structure differs",
            f"it should carry {marker or 'the same title and structure'}",
        )
    return Identified(ids, answer)


def _free(session: Session, address: Address, platform_id: str) -> None:
    """Refuses a malformed id, and the id of another resource."""
    if not is_uuid(platform_id):
        raise WrongUse(f"`{platform_id}` is not a uuid", "copy the id from the admin interface")
    own = session.ids(address)
    if platform_id in session.store.ids_of(address.kind) - set(own.own.values() if own else ()):
        raise WrongUse(
            f"{platform_id} is recorded for another {address.kind} already",
            "`lmssync state list` shows for which; copy the id again",
        )


def _is_own(value: object, address: Address) -> bool:
    return isinstance(value, dict) and value.get("$ref") == str(address)
