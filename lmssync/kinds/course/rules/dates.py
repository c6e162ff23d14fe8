"""When a course can be seen, joined and taken (spec 2.2)."""

from collections.abc import Iterator

from ....problems import Finding, Severity
from ....vocabulary.enums import CreateStatus
from ...moments import after
from ..facts import access_end
from ..spec import CourseSpec

_WINDOWS = (
    ("enrollmentStartDate", "enrollmentEndDate"),
    ("courseStartDate", "courseEndDate"),
    ("courseEndDate", "gracePeriodEndDate"),
    ("enrollmentStartDate", "courseEndDate"),
)
_ENDS = ("enrollmentEndDate", "courseEndDate")


def publishing(course: CourseSpec) -> Iterator[Finding]:
    """futurePublishDate together with status published is a 400 (spec 2.2)."""
    if course.futurePublishDate and course.status is CreateStatus.PUBLISHED:
        yield Finding(
            "publish-twice",
            ("futurePublishDate",),
            "`futurePublishDate` and `status: published` are both given",
            "leave `status` out: the platform publishes at that date by itself",
        )


def windows(course: CourseSpec) -> Iterator[Finding]:
    """A window that ends before it starts lets nobody in."""
    for first, last in _WINDOWS:
        start, end = getattr(course, first), getattr(course, last)
        if after(start, end):
            yield Finding(
                "window",
                (last,),
                f"`{last}` ({end}) is before `{first}` ({start}): nobody would get in",
                "correct one of the two dates",
            )


def grace(course: CourseSpec) -> Iterator[Finding]:
    """Access is extended after an end; without one there is nothing to extend."""
    if course.gracePeriodEndDate and not course.courseEndDate:
        yield Finding(
            "grace-without-end",
            ("gracePeriodEndDate",),
            "`gracePeriodEndDate` extends access after `courseEndDate`, which is not given",
            "add `courseEndDate`, or delete `gracePeriodEndDate`",
            Severity.WARNING,
        )


def joining(course: CourseSpec) -> Iterator[Finding]:
    """A learner who enrols after the end pays for a course that is over."""
    if after(course.enrollmentEndDate, course.courseEndDate):
        yield Finding(
            "enrollment-after-end",
            ("enrollmentEndDate",),
            f"people can enrol until {course.enrollmentEndDate}, "
            f"and the course ends on {course.courseEndDate}",
            "end enrollment with the course or before it",
            Severity.WARNING,
        )


def opening(course: CourseSpec) -> Iterator[Finding]:
    """A course that publishes itself when it is over, or when nobody can join any more."""
    for last in _ENDS:
        end = getattr(course, last)
        if after(course.futurePublishDate, end):
            yield Finding(
                "publish-after-end",
                ("futurePublishDate",),
                f"the course is published on {course.futurePublishDate}, after `{last}` ({end}): "
                "nobody would ever take it",
                "correct one of the two dates",
            )


def releases(course: CourseSpec) -> Iterator[Finding]:
    """A section that opens after access has ended is never seen."""
    end = access_end(vars(course))
    for position, section in enumerate(course.sections or ()):
        if after(section.releaseDate, end):
            yield Finding(
                "release-after-end",
                ("sections", position, "releaseDate"),
                f"the section opens on {section.releaseDate}, and access to the course ends on "
                f"{end}: nobody will ever see it",
                "release it earlier, or end the course later",
            )


RULES = (publishing, windows, grace, joining, opening, releases)
