"""Checks whether learners can get through what a course requires first (spec 2.2)."""

from collections.abc import Iterator

from ...problems import Finding, Rule, warning_rule
from ...resource import Reference, Resource
from ...vocabulary.enums import CreateStatus
from ..moments import begins_after, latest_date
from .facts import access_end, goes_live

PREREQUISITE_DRAFT = Rule(
    "prerequisite-draft",
    "A published course has a prerequisite that is a draft, so nobody can take the course.",
    "Publish the prerequisite first, or keep both as drafts.",
    fixed=False,
)
PREREQUISITE_LATE = Rule(
    "prerequisite-late",
    "A course has a prerequisite that opens only after the course has ended.",
    "Open the prerequisite earlier, or end the course later.",
    fixed=False,
)
PREREQUISITE_CLOSED = warning_rule(
    "prerequisite-closed",
    "A course has a prerequisite that ends before the course opens. Learners who have not "
    "completed it by then can never start.",
    "End the prerequisite later if new learners should be able to join.",
)

OPENS = ("enrollmentStartDate", "courseStartDate", "futurePublishDate")
_JOINED = ("enrollmentStartDate", "futurePublishDate")


def can_be_taken(course: Resource, reference: Reference, first: Resource) -> Iterator[Finding]:
    """No learner can take a draft, so nobody gets past it."""
    is_draft = first.facts.get("status") == CreateStatus.DRAFT and not goes_live(first.facts)
    if is_draft and goes_live(course.facts):
        yield PREREQUISITE_DRAFT.at(
            reference.path,
            f"learners must complete `{reference.name}` first, but it is a draft: "
            "nobody can take it",
            f"publish `{reference.name}` first, or keep this course a draft as well",
        )


def comes_too_late(course: Resource, reference: Reference, first: Resource) -> Iterator[Finding]:
    """It only opens after this course has ended."""
    opens, end = latest_date(first.facts, OPENS), access_end(course.facts)
    if begins_after(opens, end):
        yield PREREQUISITE_LATE.at(
            reference.path,
            f"`{reference.name}` opens on {opens}, but this course ends on {end}: "
            "nobody can complete it first",
            "open it earlier, or end this course later",
        )


def is_closed(course: Resource, reference: Reference, first: Resource) -> Iterator[Finding]:
    """It ends before anybody can join this course, so new learners can never start."""
    opens, end = latest_date(course.facts, _JOINED), access_end(first.facts)
    if begins_after(opens, end):
        yield PREREQUISITE_CLOSED.at(
            reference.path,
            f"`{reference.name}` ends on {end}, before anybody can join this course on {opens}: "
            "learners who have not completed it by then can never start",
            "end it later if new learners should be able to join",
        )


REFERENCE_RULES = {"prerequisiteCourses": (can_be_taken, comes_too_late, is_closed)}
