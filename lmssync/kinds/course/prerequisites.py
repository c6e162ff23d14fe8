"""Whether learners can get through what a course asks for first (spec 2.2)."""

from collections.abc import Iterator

from ...problems import Finding, Severity
from ...resource import Reference, Resource
from ...vocabulary.enums import CreateStatus
from ..moments import after, latest
from .facts import goes_live
from .finish import access_end

FIELD = "prerequisiteCourses"
OPENS = ("enrollmentStartDate", "courseStartDate", "futurePublishDate")
_JOINED = ("enrollmentStartDate", "futurePublishDate")


def is_draft(course: Resource, reference: Reference, first: Resource) -> Iterator[Finding]:
    """Nobody can take a draft, so nobody gets past it."""
    if reference.path[0] != FIELD or not goes_live(course.facts):
        return
    if first.facts.get("status") == CreateStatus.DRAFT and not goes_live(first.facts):
        yield Finding(
            "prerequisite-draft",
            reference.path,
            f"learners must complete `{reference.name}` first, and it is a draft: "
            "nobody can take it",
            f"publish `{reference.name}` first, or keep this course a draft as well",
        )


def comes_too_late(course: Resource, reference: Reference, first: Resource) -> Iterator[Finding]:
    """It opens only when this course is over."""
    if reference.path[0] != FIELD:
        return
    opens, end = latest(first.facts, OPENS), access_end(course.facts)
    if after(opens, end):
        yield Finding(
            "prerequisite-late",
            reference.path,
            f"`{reference.name}` opens on {opens}, and this course is over on {end}: "
            "nobody can complete the one before the other",
            "open it earlier, or end this course later",
        )


def is_closed(course: Resource, reference: Reference, first: Resource) -> Iterator[Finding]:
    """It is over before anybody can join this course: late-comers stay outside."""
    if reference.path[0] != FIELD:
        return
    opens, end = latest(course.facts, _JOINED), access_end(first.facts)
    if after(opens, end):
        yield Finding(
            "prerequisite-closed",
            reference.path,
            f"`{reference.name}` is over on {end}, before anybody can join this course on {opens}: "
            "who has not completed it by then can never begin",
            "end it later, if new learners are to join",
            Severity.WARNING,
        )


RULES = (is_draft, comes_too_late, is_closed)
