"""What a plan's resources hold once it is done, computed on demand."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ..address import Address
from ..diff import FieldChange
from ..kind import CallPart
from ..kinds import KINDS
from ..resource import Form
from .plan import Action, Plan, PlannedChange


@lru_cache(maxsize=1)
def _last_calls(plan: Plan) -> Mapping[Address, CallPart]:
    """The last call about each resource."""
    return {part.address: part for part in plan.parts}


def outcome(plan: Plan, address: Address) -> Form:
    """The form after the last call; empty if no call is made."""
    last = _last_calls(plan).get(address)
    return last.after if last and last.kept_after else {}


def fields(plan: Plan, planned: PlannedChange) -> Sequence[FieldChange]:
    """The fields that differ; for something new, everything that its calls make.

    A plan may create thousands, so new forms are opened here and not kept.
    """
    if planned.action is not Action.CREATE:
        return planned.fields
    written = KINDS[planned.address.kind].spec.model_fields  # a call may know more than that
    form = {p: v for p, v in outcome(plan, planned.address).items() if p in written}
    return [FieldChange(path, None, value) for path, value in form.items() if value is not None]
