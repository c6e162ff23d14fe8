"""The kinds of objects: one table of what is known of each list besides the courses.

A kind bears the name of its list in the dump, so that a dump can be a seed.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import orjson

from ..checks import Wrong, quote_value
from ..documents import Doc
from . import blanks

_NAMING = ("label", "slug", "title", "name")
_MADE = ("createdAt", "updatedAt")
_OF_COURSE = ("userId", "courseId")
_OF_PATH = ("userId", "learningPathId")
_AT = ("at",)
_ENROLLED = {"source": "direct", "licenseId": None, "learningPathId": None, "status": "active"}
_ON_PATH = {"licenseId": None, "status": "active"}
_GRADED = {"grade": 0, "passed": False, "forgiven": False}
_SUBMITTED = {"status": "completed", "grade": None, "gradeFeedback": None}


class Kind(NamedTuple):
    """The fields of a kind: `name`, `owner` and `moment` are indexed, as what a document is called,
    whose it is, and when."""

    name: str | None = None
    owner: str | None = None
    moment: str | None = None
    needs: tuple[str, ...] = ()
    """What an item of a seed must have; where nothing is said, what it is called by."""
    dates: tuple[str, ...] = ()
    """The moment at which a document is made, where a seed says nothing."""
    blank: Mapping[str, Any] = {}
    """What else a document holds at first, so that handlers find every field."""
    unique: tuple[str, ...] = ()
    """Fields besides the id that no two items share, all of them together."""
    exact: bool = False
    """Its ids need not be uuids, so every letter of them counts as it is (O49)."""

    @property
    def needed_fields(self) -> tuple[str, ...]:
        """The fields that an item of a seed must have."""
        return self.needs or ((self.name,) if self.name in _NAMING else ())


_of_user = partial(Kind, owner="userId")

KINDS: Mapping[str, Kind] = {
    "tags": Kind("label"),
    "ribbons": Kind("slug", unique=("slug",)),
    "contentTypes": Kind("label", unique=("label",)),
    "customFields": Kind(
        "slug", "level", needs=("slug", "level", "type"), unique=("level", "slug")
    ),
    "clients": Kind(
        "slug", needs=("name", "slug"), dates=_MADE, blank=blanks.CLIENT, unique=("slug",)
    ),
    "licenses": Kind(
        "name", "clientId", needs=("name", "clientId"), dates=_MADE, blank=blanks.LICENSE
    ),
    "users": Kind(
        "email", "clientId", needs=("email",), dates=("createdAt",), blank=blanks.ACCOUNT
    ),
    "locations": Kind("name", blank=blanks.LOCATION),
    "learningPaths": Kind("title"),
    "collections": Kind("title"),
    "subscriptions": Kind("title"),
    "videoAssets": Kind("title", needs=("title", "source"), exact=True),
    "assets": Kind(
        "title",
        moment="updatedAt",
        needs=("title", "assetType"),
        dates=_MADE,
        blank={**blanks.ASSET, "deletedAt": None, "revisionOf": None},
    ),
    "purchasePaths": Kind(
        owner="courseId",
        needs=("courseId", "label", "targetType"),
        dates=_MADE,
        blank=blanks.PURCHASE_PATH,
    ),
    "meetings": Kind("title", dates=_MADE, blank=blanks.MEETING),
    "coupons": Kind("code", needs=("code",), dates=_MADE, blank=blanks.COUPON),
    "enrollments": _of_user(needs=_OF_COURSE, dates=("createdAt",), blank=_ENROLLED),
    "learningPathEnrollments": _of_user(needs=_OF_PATH, blank=_ON_PATH),
    "learningPathActivities": _of_user(needs=_OF_PATH, dates=_AT, blank={"status": "completed"}),
    "progress": _of_user(
        needs=_OF_COURSE,
        dates=("startedAt", "updatedAt"),
        blank={"percent": 0, "completedAt": None},
    ),
    "transcripts": _of_user(needs=_OF_COURSE, dates=("completedAt",)),
    "certificates": _of_user(needs=_OF_COURSE, dates=("grantedAt",)),
    "attempts": _of_user(needs=(*_OF_COURSE, "assessmentId"), dates=_AT, blank=_GRADED),
    "scormAttempts": _of_user(
        needs=(*_OF_COURSE, "topicId"), dates=_AT, blank={"status": "incomplete"}
    ),
    "submissions": Kind(
        owner="learnerId",
        needs=("learnerId", "courseId", "assignmentId"),
        dates=_AT,
        blank=_SUBMITTED,
    ),
    "events": Kind(owner="kind", moment="timestamp", needs=("kind", "timestamp")),
    "notifications": Kind("url", needs=("url",)),
    "deliveries": Kind(owner="state", moment="dueAt"),
    "jobs": Kind(moment="dueAt", dates=("acceptedAt", "startsAt"), blank=blanks.JOB),
    "trash": Kind(owner="list", needs=("list", "doc")),
}
"""Every kind; a handler that needs another adds a line."""

WORDS = {
    "learningPaths": "learning path",
    "collections": "collection",
    "subscriptions": "subscription",
    "clients": "client",
    "licenses": "license",
    "users": "user",
    "tags": "tag",
}
"""What one of a kind is called, where its id is told apart from those of content."""

_SPELLED = {name: orjson.dumps(kind.blank) for name, kind in KINDS.items()}
"""Reading one is many times faster than copying one."""
_WORDS = {bool: "true or false", int: "a number", str: "text", list: "a list", dict: "an object"}


def make_blank(kind: str, stamp: str) -> Doc:
    """The fields that a document of that kind has at first, made at `stamp`.

    `isShadow`, `secondaryEmails`, `deletedAt` and `revisionOf` are the sandbox's own: routes
    decide by them and show none of them.
    """
    fields: Doc = orjson.loads(_SPELLED[kind])
    return fields | dict.fromkeys(KINDS[kind].dates, stamp)


def fill_blanks(kind: str, item: Doc, *, stamp: str) -> Doc:
    """The item with every field that its kind has at first.

    Raises Wrong where a field is not of the type that handlers rely on.
    """
    begun = make_blank(kind, stamp)
    doc = {**begun, **item}
    for name, value in begun.items():
        if value is not None and doc[name] is None:
            doc[name] = value
        elif value is not None and not _fits_blank(doc[name], value):
            raise Wrong(f"is {quote_value(doc[name])}; it must be {_WORDS[type(value)]}", name)
    return doc


def _fits_blank(given: Any, value: Any) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return isinstance(given, int | float) and not isinstance(given, bool)
    return isinstance(given, type(value))
