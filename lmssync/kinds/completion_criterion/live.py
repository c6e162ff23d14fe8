"""A completion criterion as it is read with its course (O22, O25)."""

from collections.abc import Set

from ...address import Address
from ...resource import Form
from ..kind import Ambiguity, Ids, Json, ReadRequest
from .calls import READ, fields


def request(_address: Address, form: Form) -> ReadRequest:
    """A criterion is read with its course (O22, O25)."""
    return ReadRequest(READ, {"id": form["course"]})


def match(
    form: Form, _marker: str | None, live: Json, taken: Set[str], *_: object
) -> Ids | Ambiguity | None:
    """The criterion of the same type and value; `form` has its nodes bound to ids."""
    criteria = live.get("completionCriteria")
    if criteria is None:
        return Ambiguity("the read of its course does not list completion criteria")
    wanted = fields(form)
    for criterion in criteria:
        same = all(criterion.get(field) == value for field, value in wanted.items())
        if criterion["type"] == form["type"] and same and criterion["id"] not in taken:
            return Ids({"id": criterion["id"]})
    return None


def observed(form: Form, ids: Ids, live: Json) -> Form | None:
    """Its type and number; nothing if its course has it no longer."""
    criteria = live.get("completionCriteria")
    if criteria is None:
        return {}
    mine = next((one for one in criteria if one["id"] == ids.own["id"]), None)
    if mine is None:
        return None
    number = "seconds" if "seconds" in form else "percent"
    shown = mine.get(mine["type"])
    return {"type": mine["type"]} | ({number: shown} if isinstance(shown, int) else {})
