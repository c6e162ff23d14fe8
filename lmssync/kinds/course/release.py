"""How the status of a course is changed by a call, where the instance has one for it (O39)."""

from collections.abc import Callable

from ...kind import CallPart, FormChange, UpdatePlan
from ...vocabulary.enums import CreateStatus, ReleaseType
from ..references import own_node

RELEASE = "content.release"
_OPEN = (None, CreateStatus.DRAFT, CreateStatus.PUBLISHED)
_REASONS = {
    ReleaseType.RELEASE: "learners see the course once it is published",
    ReleaseType.UNRELEASE: "learners no longer see the course",
}
HIDING = "; `--allow {address}` lets lmssync take it back to draft by a call"
"""What the step for a person says more, where learners would no longer see the course."""


def choose_release(change: FormChange) -> ReleaseType | None:
    """Which call changes the status; None if none does, or nobody has allowed it.

    A course that is to be published on a date is pending: its status is left to a person.
    """
    if not _can_release(change):
        return None
    if change.after["status"] == CreateStatus.PUBLISHED:
        return ReleaseType.RELEASE
    return ReleaseType.UNRELEASE if change.allowed else None


def would_hide(change: FormChange) -> bool:
    """True if a call would take it back to draft, once somebody allows it."""
    return (
        _can_release(change) and change.after["status"] == CreateStatus.DRAFT and not change.allowed
    )


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
    status, reasons = {"status": change.after["status"]}, [_REASONS[way]]
    if way is ReleaseType.UNRELEASE:
        hidden = {**change.before, **status}
        rest = update(change._replace(before=hidden))
        return rest._replace(
            calls=[_release_call(change, way, hidden), *rest.calls], reasons=reasons
        )
    unpublished = {key: value for key, value in change.after.items() if key != "status"}
    if "status" in change.before:
        unpublished["status"] = change.before["status"]
    rest = update(change._replace(after=unpublished))
    reached = change.before if rest.manual else unpublished
    if rest.calls:
        reached = rest.calls[-1].after
    call = _release_call(change, way, {**reached, **status})
    return rest._replace(calls=[*rest.calls, call], reasons=reasons)


def _release_call(change: FormChange, way: ReleaseType, after: dict[str, object]) -> CallPart:
    params = {"id": own_node(change.address, id="course")}
    return CallPart.of(change.address, RELEASE, {"releaseType": way.value}, after, params=params)
