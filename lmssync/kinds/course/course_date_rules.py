"""When a course can be seen, joined and taken (spec 2.2)."""

from collections.abc import Iterator

from ...problems import Finding, Rule, warning_rule
from ...vocabulary.enums import CreateStatus
from ..platform_values import begins_after
from .course_manifest import CourseSpec
from .course_relations import access_end

PUBLISH_TWICE = Rule(
    "publish-twice",
    "`futurePublishDate` and `status: published` are both given.",
    "Leave `status` out.",
    source="spec 2.2",
    wrong="status: published\nfuturePublishDate: 2027-01-31",
    right="futurePublishDate: 2027-01-31",
)
WINDOW = Rule(
    "window",
    "A period ends before it begins.",
    "Correct one of the two dates.",
    fixed=False,
    wrong="courseStartDate: 2027-03-01\ncourseEndDate: 2027-02-01",
    right="courseStartDate: 2027-02-01\ncourseEndDate: 2027-03-01",
)
GRACE_WITHOUT_END = warning_rule(
    "grace-without-end",
    "`gracePeriodEndDate` is given without the `courseEndDate` that it extends.",
    "Add `courseEndDate`, or delete `gracePeriodEndDate`.",
    source="spec 2.2",
    wrong="gracePeriodEndDate: 2027-03-31",
    right="courseEndDate: 2027-03-01\ngracePeriodEndDate: 2027-03-31",
)
ENROLLMENT_AFTER_END = warning_rule(
    "enrollment-after-end",
    "People can enrol after the course has ended.",
    "End the enrollment with the course or before it.",
    wrong="courseEndDate: 2027-03-01\nenrollmentEndDate: 2027-04-01",
    right="courseEndDate: 2027-03-01\nenrollmentEndDate: 2027-02-01",
)
PUBLISH_AFTER_END = Rule(
    "publish-after-end",
    "The course is published only after it has ended, or after enrollment has closed.",
    "Correct one of the two dates.",
    fixed=False,
    wrong="courseEndDate: 2027-03-01\nfuturePublishDate: 2027-04-01",
    right="courseEndDate: 2027-03-01\nfuturePublishDate: 2027-02-01",
)
RELEASE_AFTER_END = Rule(
    "release-after-end",
    "A section opens only after access to the course has ended.",
    "Release it earlier, or end the course later.",
    fixed=False,
    source="spec 2.2",
)


_WINDOWS = (
    ("enrollmentStartDate", "enrollmentEndDate"),
    ("courseStartDate", "courseEndDate"),
    ("courseEndDate", "gracePeriodEndDate"),
    ("enrollmentStartDate", "courseEndDate"),
)
_ENDS = ("enrollmentEndDate", "courseEndDate")


def check_publishing(course: CourseSpec) -> Iterator[Finding]:
    """futurePublishDate together with status published is a 400 (spec 2.2)."""
    if course.futurePublishDate and course.status is CreateStatus.PUBLISHED:
        message = "`futurePublishDate` and `status: published` are both given"
        hint = "leave `status` out: the platform publishes at that date by itself"
        yield PUBLISH_TWICE.at(("futurePublishDate",), message, hint)


def check_windows(course: CourseSpec) -> Iterator[Finding]:
    """A window that ends before it starts lets nobody in."""
    for first, last in _WINDOWS:
        start, end = getattr(course, first), getattr(course, last)
        if begins_after(start, end):
            yield WINDOW.at(
                (last,), f"`{last}` ({end}) is before `{first}` ({start}): nobody could enroll"
            )


def check_grace(course: CourseSpec) -> Iterator[Finding]:
    """Access is extended after an end; without one there is nothing to extend."""
    if course.gracePeriodEndDate and not course.courseEndDate:
        message = "`gracePeriodEndDate` extends access after `courseEndDate`, which is not given"
        yield GRACE_WITHOUT_END.at(("gracePeriodEndDate",), message)


def check_joining(course: CourseSpec) -> Iterator[Finding]:
    """A learner who enrols after the end pays for a course that is over."""
    if begins_after(course.enrollmentEndDate, course.courseEndDate):
        yield ENROLLMENT_AFTER_END.at(
            ("enrollmentEndDate",),
            f"people can enrol until {course.enrollmentEndDate}, "
            f"and the course ends on {course.courseEndDate}",
            "end enrollment with the course or before it",
        )


def check_opening(course: CourseSpec) -> Iterator[Finding]:
    """A course that publishes itself when it is over, or when nobody can join any more."""
    for last in _ENDS:
        end = getattr(course, last)
        if begins_after(course.futurePublishDate, end):
            yield PUBLISH_AFTER_END.at(
                ("futurePublishDate",),
                f"the course is published on {course.futurePublishDate}, after `{last}` ({end}): "
                "nobody would ever take it",
            )


def check_releases(course: CourseSpec) -> Iterator[Finding]:
    """A section that opens after access has ended is never seen."""
    end = access_end(vars(course))
    for position, section in enumerate(course.sections or ()):
        if begins_after(section.releaseDate, end):
            yield RELEASE_AFTER_END.at(
                ("sections", position, "releaseDate"),
                f"the section opens on {section.releaseDate}, and access to the course ends on "
                f"{end}: nobody will ever see it",
            )


DATE_RULES = (
    check_publishing,
    check_windows,
    check_grace,
    check_joining,
    check_opening,
    check_releases,
)
