"""Reads the object whose id a person gives, and checks that it is the right one."""

from typing import Any

from ..address import Address
from ..errors import LmssyncError, WrongUse
from ..kind import Ambiguity, Ids
from ..kinds import KINDS, is_uuid
from ..live import LookupQuery, Unbound, ask
from .session import ApplySession


def identified(session: ApplySession, wanted: LookupQuery, platform_id: str) -> tuple[Ids, Any]:
    """The ids of the object with this id, and the answer of a read: None where no read shows it.

    Raises `WrongUse` and `LmssyncError` if it does not match the form.
    """
    address, form, marker, known = wanted.address, wanted.form, wanted.marker, wanted.ids
    kind = KINDS[address.kind]
    _refuse_taken(session, wanted, platform_id)
    reading = kind.reads.request(address, form)
    if reading is None:
        return Ids({kind.reads.id_name: platform_id}), None
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
    taken = session.taken(address.kind)
    bound = session.binder.bind_known(form)
    ids = kind.reads.match(bound, marker, answer, taken, known)
    if isinstance(ids, Ambiguity) and platform_id in ids.candidates:  # the person knows
        ids = Ids({kind.reads.id_name: platform_id})
    if not isinstance(ids, Ids) or platform_id not in ids.own.values():
        raise LmssyncError(
            f"{platform_id} is not {address}: its mark, title or structure differs",
            f"it should carry {marker or 'the same title and structure'}",
        )
    return ids, answer


def _refuse_taken(session: ApplySession, wanted: LookupQuery, platform_id: str) -> None:
    """Refuses a malformed id, and the id of another resource."""
    own = wanted.ids.own.values() if wanted.ids else ()
    kind = wanted.address.kind
    if not is_uuid(platform_id):
        raise WrongUse(f"`{platform_id}` is not a uuid", "copy the id from the admin interface")
    if platform_id in session.taken(kind) - set(own):
        raise WrongUse(
            f"{platform_id} is recorded for another {kind} already",
            "`lmssync state list` shows for which; copy the id again",
        )


def _is_own(value: object, address: Address) -> bool:
    return isinstance(value, dict) and value.get("$ref") == str(address)
