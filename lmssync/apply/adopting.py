"""Records what a person has found on the platform for a resource of the catalog."""

from ..address import Address
from ..errors import WrongUse
from ..kind import Ambiguity
from ..kinds import KINDS
from ..live import LookupQuery
from ..resource import Resource, pack_form
from . import by_person, proving
from .identify import identified
from .session import ApplySession


def take_over(
    session: ApplySession,
    desired: Resource,
    platform_id: str,
    marker: str | None,
    routes: frozenset[str],
    *,
    unverified: bool,
) -> str:
    """Records the object with this id as the resource; returns in words how it was checked.

    Raises `WrongUse` and `LmssyncError` if it is something else, or cannot be read.
    """
    address, form, id_ = desired.address, desired.form, platform_id.lower()
    if address in session.store.waiting():
        by_person.adopt(session, address, id_)
        return "recorded as it was sent"
    _not_recorded(session, address, id_)
    wanted, reads = (
        LookupQuery(address, lambda: form, marker, session.ids(address)),
        KINDS[address.kind].reads,
    )
    ids, answer = identified(session, wanted, id_)
    if answer is None:
        _check_listed(session, wanted, id_, routes, unverified=unverified)
    elif reads.observed(session.binder.bind_known(form), ids, answer) is None:
        raise WrongUse(
            f"{id_} has been deleted on the platform", "copy the id of one that still exists"
        )
    known = form if answer is None else reads.adopted(form, ids, answer)
    record = session.recorded(address, ids, pack_form(known))
    session.store.put([record], reason=f"a person says: it is {id_}")
    if answer is not None:
        proving.compare(session, record, known, answer)
        proving.write(session)
    unchecked = "; no route shows it, so its fields were not checked"
    return f"adopted{unchecked if answer is None else ''}"


def _not_recorded(session: ApplySession, address: Address, id_: str) -> None:
    record = session.store.record(address)
    if record is not None and id_ not in record.ids.own.values():
        raise WrongUse(
            f"{address} is recorded already, with {', '.join(record.ids.own.values())}",
            f"if that is wrong: `lmssync state forget --drop-ids {address}`",
        )


def _check_listed(
    session: ApplySession,
    wanted: LookupQuery,
    id_: str,
    routes: frozenset[str],
    *,
    unverified: bool,
) -> None:
    """Refuses an id that is not in the list that shows such things, or that nothing can show."""
    listed = _listed(session, wanted, routes)
    if listed is not None and id_ not in listed:
        raise WrongUse(
            f"the platform shows nothing with the id {id_} where {wanted.address} would be",
            f"it shows: {', '.join(listed) or 'nothing'}",
        )
    if listed is None and not unverified:
        raise WrongUse(
            f"no route of this instance shows a {wanted.address.kind}, so {id_} cannot be checked",
            "check it in the admin interface, then pass `--unverified`",
        )


def _listed(session: ApplySession, wanted: LookupQuery, routes: frozenset[str]) -> list[str] | None:
    """Returns all ids in the list that it belongs to; None where there is no list."""
    search = KINDS[wanted.address.kind].reads.search(wanted.form, wanted.marker)
    if search is None or search.request.route not in routes:
        return None
    items = session.looker().items(search.request)
    if isinstance(items, Ambiguity):
        raise WrongUse(f"the list cannot be read: {items.text}", "try again later")
    return [str(item["id"]) for item in items]
