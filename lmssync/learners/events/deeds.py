"""What happened, as far as it is counted: the words of the feeds in our own."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from ...vocabulary.enums import AssignmentActivityStatus, EventKind, FurtherEventKind


class Deed(StrEnum):
    """What a learner did, or what was done to one."""

    ENROLLED = "enrolled"
    LEFT = "left"
    STARTED = "started"
    WORKED = "worked"
    COMPLETED = "completed"
    TRIED = "tried"
    PASSED = "passed"
    FORGIVEN = "forgiven"
    """A failed attempt that somebody has turned into a passed one."""
    UNDONE = "undone"
    """An assignment is not handed in any more."""
    BOUGHT = "bought"
    OTHER = "other"


OF_LEARNERS = frozenset(
    {Deed.STARTED, Deed.WORKED, Deed.COMPLETED, Deed.TRIED, Deed.PASSED, Deed.UNDONE}
)
"""Done by learners there and then; the others are done to them."""
OLDER: Mapping[str, str] = {
    EventKind.COURSE_ENROLLMENT: "enrolled",
    EventKind.COURSE_COMPLETION: "completed",
}
"""Feeds that show again what courseAction shows (spec 6), and the type that it has there."""
_BY_KIND: Mapping[str, Deed] = {
    EventKind.COURSE_ENROLLMENT: Deed.ENROLLED,
    EventKind.COURSE_COMPLETION: Deed.COMPLETED,
    EventKind.COURSE_CERTIFICATE: Deed.OTHER,
    EventKind.LEARNING_PATH_ENROLLMENT: Deed.ENROLLED,
    FurtherEventKind.COURSE_VIEW: Deed.WORKED,
    FurtherEventKind.COURSE_PURCHASE: Deed.BOUGHT,
    FurtherEventKind.DISCOUNT_GROUP_PURCHASE: Deed.BOUGHT,
    FurtherEventKind.PRODUCT_PURCHASE: Deed.BOUGHT,
    FurtherEventKind.BUNDLE_PURCHASE: Deed.BOUGHT,
}
_BY_TYPE = (
    ("unenrol", Deed.LEFT),
    ("revo", Deed.LEFT),
    ("enrol", Deed.ENROLLED),
    ("certificate", Deed.OTHER),
    ("complet", Deed.COMPLETED),
    ("progress", Deed.WORKED),
    ("start", Deed.STARTED),
)
"""Parts of the words in `type`, the first that fits: the specification says what is typed, not in
which words (spec 6)."""


def deed_of(kind: str, event: Mapping[str, Any]) -> Deed:
    """What an event of the feed `kind` says."""
    if kind in _BY_KIND:
        return _BY_KIND[kind]
    if kind == EventKind.QUIZ_ATTEMPT:
        forgiven = event.get("forgiven") is True
        passed = Deed.FORGIVEN if forgiven else Deed.PASSED
        return passed if forgiven or event.get("passed") is True else Deed.TRIED
    if kind == EventKind.ASSIGNMENT_SUBMISSION:
        undone = event.get("status") == AssignmentActivityStatus.INCOMPLETE
        return Deed.UNDONE if undone else Deed.PASSED
    type_ = str(event.get("type")).lower()
    return next((deed for part, deed in _BY_TYPE if part in type_), Deed.OTHER)
