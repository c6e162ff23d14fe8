"""Whether learners can get through what a course asks for first (spec 2.2)."""

from collections.abc import Iterator

from ...problems import Finding, Severity
from ...resource import Reference, Resource
from ...vocabulary.enums import CreateStatus
from ..moments import after, latest
from .facts import access_end, goes_live

FIELD = "prerequisiteCourses"
OPENS = ("enrollmentStartDate", "courseStartDate", "futurePublishDate")
_JOINED = ("enrollmentStartDate", "futurePublishDate")


def is_draft(course: Resource, reference: Reference, first: Resource) -> Iterator[Finding]:
    """No learner can take a draft, so none gets past it."""
    if reference.path[0] != FIELD or not goes_live(course.facts):
        return
    if first.facts.get("status") == CreateStatus.DRAFT and not goes_live(first.facts):
        yield Finding(
            "prerequisite-draft",
            reference.path,
            f"learners must complete `{reference.name}` first, but it is a draft: "
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
            f"`{reference.name}` opens on {opens}, but this course ends on {end}: "
            "nobody can complete it first",
            "open it earlier, or end this course later",
        )


def is_closed(course: Resource, reference: Reference, first: Resource) -> Iterator[Finding]:
    """It ends before anybody can join this course, so new learners can never start."""
    if reference.path[0] != FIELD:
        return
    opens, end = latest(course.facts, _JOINED), access_end(first.facts)
    if after(opens, end):
        yield Finding(
            "prerequisite-closed",
            reference.path,
            f"`{reference.name}` ends on {end}, before anybody can join this course on {opens}: "
            "learners who have not completed it by then can never start",
            "end it later if new learners should be able to join",
            Severity.WARNING,
        )


REFERENCE_RULES = (is_draft, comes_too_late, is_closed)
