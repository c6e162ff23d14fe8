"""How the status of a course is changed by a call, where the instance has one for it (O39)."""

from collections.abc import Callable

from ...kind import CallPart, FormChange, UpdatePlan
from ...vocabulary.enums import CreateStatus, ReleaseType
from ..references import own_node

RELEASE = "content.release"
_OPEN = (None, CreateStatus.DRAFT, CreateStatus.PUBLISHED)
_BY_HAND = "set the status in the admin interface{change}; "
STEP = f"{_BY_HAND}no route of the specification changes it"
"""What a person does about the status."""
_STEP_OR_CALL = f"{_BY_HAND}`--allow ADDRESS` lets lmssync do it by a call"
_REASON = "learners see the course once it is published"
_RETIRED = (
    "what learners who are inside still see is not evidenced, so they may lose it; licenses, "
    "purchase paths and completion criteria are not changed by it"
)
"""No read and no text of the platform shows more about a course that is a draft again."""


def choose_release(change: FormChange) -> ReleaseType | None:
    """Which call changes the status; None if none does, or nobody has allowed it.

    A course that is to be published on a date is pending: its status is left to a person.
    """
    if not _can_release(change):
        return None
    if change.after["status"] == CreateStatus.PUBLISHED:
        return ReleaseType.RELEASE
    return ReleaseType.UNRELEASE if change.allowed else None


def describe_status_step(change: FormChange) -> str:
    """What a person does about the status, and the call that may be allowed instead."""
    if _can_release(change) and _is_retired(change):
        return _STEP_OR_CALL.replace("ADDRESS", str(change.address))
    return STEP


def list_retirement_reasons(change: FormChange) -> tuple[str, ...]:
    """What is known of a course that becomes a draft again, whoever changes its status."""
    return (_RETIRED,) * _is_retired(change)


def _is_retired(change: FormChange) -> bool:
    before, after = change.before.get("status"), change.after.get("status")
    return after == CreateStatus.DRAFT != before


def _can_release(change: FormChange) -> bool:
    before, after = change.before, change.after
    dated = any(form.get("futurePublishDate") for form in (before, after))
    return (
        RELEASE in change.routes
        and before.get("kind") == after.get("kind")
        and before.get("status") in _OPEN
        and after.get("status") not in {None, before.get("status")}
        and not dated
    )


def describe_release(
    change: FormChange, way: ReleaseType, update: Callable[[FormChange], UpdatePlan]
) -> UpdatePlan:
    """The call, after all other changes where learners will see them, and before them where they
    no longer should; `update` describes the others."""
    status = {"status": change.after["status"]}
    if way is ReleaseType.UNRELEASE:
        hidden = {**change.before, **status}
        rest = update(change._replace(before=hidden))
        calls = [_release_call(change, way, hidden), *rest.calls]
        return rest._replace(calls=calls, reasons=list_retirement_reasons(change))
    unpublished = {key: value for key, value in change.after.items() if key != "status"}
    if "status" in change.before:
        unpublished["status"] = change.before["status"]
    rest = update(change._replace(after=unpublished))
    reached = change.before if rest.manual else unpublished
    if rest.calls:
        reached = rest.calls[-1].after
    call = _release_call(change, way, {**reached, **status})
    return rest._replace(calls=[*rest.calls, call], reasons=[_REASON])


def _release_call(change: FormChange, way: ReleaseType, after: dict[str, object]) -> CallPart:
    params = {"id": own_node(change.address, id="course")}
    return CallPart.describe_part(
        change.address, RELEASE, {"releaseType": way.value}, after, params=params
    )
