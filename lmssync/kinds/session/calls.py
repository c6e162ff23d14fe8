"""The calls that add a session to a course and change it (O3), and what no call does."""

from functools import partial

from ...kind import CallPart, Effect, FormChange, Removal, UpdatePlan
from ...resource import Address, Form
from ...vocabulary.enums import CreateStatus
from ..course import PARTS_BY_HAND, SESSION_LEVEL, UNWRITABLE, UPDATE, update_course
from ..references import left_in_course, rename_references
from .spec import REFERENCES

BY_HAND = {
    "course": "a session cannot move to another course: give it a new key",
    "status": UNWRITABLE["status"],
    **PARTS_BY_HAND,
}
_changed = partial(update_course, levels=SESSION_LEVEL)


def create_session_part(address: Address, form: Form, marker: str | None) -> CallPart:
    """The session without its sections, which `update_session` adds once its id is known (O4).

    Until they are there it stays a draft, so that nobody finds it empty.
    """
    first = {name: value for name, value in form.items() if name != "sections"}
    waits = bool(form.get("sections"))
    if waits and first.get("status") == CreateStatus.PUBLISHED:
        first["status"] = CreateStatus.DRAFT.value
    entry = {name: v for name, v in rename_references(REFERENCES, first).items() if v is not None}
    field, _, value = (marker or "").partition("=")
    if field:
        entry.setdefault(field, value)
    body = {"courseAttributes": {"courses": [entry]}}
    after = {**first, "sections": []} if waits else None
    return CallPart.describe_part(address, UPDATE, body, after, adds=True, repeatable=False)


def update_session(change: FormChange) -> UpdatePlan:
    """As for the first session, through the id of this one."""
    if change.before["course"] != change.after["course"]:
        return UpdatePlan(undecided=BY_HAND["course"])
    return _changed(change)


def remove_session(form: Form) -> Removal:
    """No route deletes one (O11)."""
    what = f"session “{form['title']}”"
    return left_in_course(what, form, Effect.ACCESS, "learners still find it, and can still enrol")
