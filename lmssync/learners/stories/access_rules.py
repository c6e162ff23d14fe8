"""When a course, and each page of it, is open to a learner: dates, prerequisites, order."""

from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from ...kinds import node_address
from ...resource import Address, Origin, Resource
from ...vocabulary.enums import CreateStatus, OpenType
from ...vocabulary.iso_dates import parse_last_moment, parse_moment
from .completion_rules import CourseProgress, StepRefusal, is_behind_learner
from .story_catalog import StoryCourse, StoryPage


class Enrollment(NamedTuple):
    """Since when a learner is in a course, and by which license, if by any."""

    at: datetime
    license: Resource | None = None

    def find_end(self) -> tuple[datetime, str, str] | None:
        """The last moment of access, the field that decides it, and its value."""
        if self.license is None:
            return None
        form, ends = self.license.form, []
        # Days beyond the last possible date never end.
        days = form.get("accessDays")
        if days and days < (datetime.max.replace(tzinfo=UTC) - self.at).days:
            last = self.at + timedelta(days=days) - timedelta.resolution
            ends.append((last, "accessDays", f"{days} days"))
        if date := form.get("expirationDate"):
            ends.append((parse_last_moment(date), "expirationDate", date))
        return min(ends, default=None)


def refuse_draft(course: StoryCourse, at: datetime) -> StepRefusal | None:
    """A course must be published, by its status or at a date that has come."""
    form = course.form
    if form.get("status") == CreateStatus.PUBLISHED:
        return None
    if date := form.get("futurePublishDate"):
        if parse_moment(date) <= at:
            return None
        text = f"`{course.key}` is published on {date}"
        return StepRefusal(text, course.locate_field("futurePublishDate"))
    text = f"`{course.key}` is a draft (a story with `published: true` counts it as published)"
    return StepRefusal(text, course.locate_field("status"))


def refuse_dates(course: StoryCourse, at: datetime) -> StepRefusal | None:
    """The content is open from the start to the end, or to the end of the time of grace."""
    form = course.form
    # A time of grace that ends before the course does takes nothing away.
    ends = [name for name in ("courseEndDate", "gracePeriodEndDate") if form.get(name)]
    last = max(ends, key=lambda name: parse_last_moment(form[name]), default="")
    return _refuse_outside(course, f"`{course.key}`", ("courseStartDate", last), at)


def refuse_enrollment(course: StoryCourse, at: datetime, taken: int) -> StepRefusal | None:
    """Enrollment is open between its dates and while there are places."""
    fields = "enrollmentStartDate", "enrollmentEndDate"
    if refusal := _refuse_outside(course, f"enrollment in `{course.key}`", fields, at):
        return refusal
    limit = course.form.get("enrollmentLimit")
    if limit and taken >= limit:
        text = f"all {limit} places of `{course.key}` are taken"
        return StepRefusal(text, course.locate_field("enrollmentLimit"))
    return None


def _refuse_outside(
    course: StoryCourse, what: str, fields: tuple[str, str], at: datetime
) -> StepRefusal | None:
    """Before the date of the first field, and after that of the second."""
    start, end = (course.form.get(field) for field in fields)
    if start and at < parse_moment(start):
        return StepRefusal(f"{what} begins on {start}", course.locate_field(fields[0]))
    if end and at > parse_last_moment(end):
        return StepRefusal(f"{what} has ended on {end}", course.locate_field(fields[1]))
    return None


def refuse_expired(enrollments: Collection[Enrollment], at: datetime) -> StepRefusal | None:
    """Access by a license ends with it, or some days after the enrollment."""
    refusal = None
    for enrollment in enrollments:
        end = enrollment.find_end()
        # One way that still leads to the course is enough, whatever the others do.
        if end is None or end[0] >= at:
            return None
        _, field, value = end
        license_ = enrollment.license
        assert license_ is not None
        since = enrollment.at.date()
        text = (
            f"access by {license_.address} is for {value} and began on {since}"
            if field == "accessDays"
            else f"{license_.address} has expired on {value}"
        )
        refusal = StepRefusal(text, license_.origin.at((field,)))
    return refusal


_PREREQUISITES = ("prerequisiteCourses", "prerequisiteLearningPaths")


def list_prerequisites(course: StoryCourse) -> Iterator[Address | str]:
    """What must be completed before a course: addresses, and uuids."""
    for field in _PREREQUISITES:
        for node in course.form.get(field) or ():
            yield node_address(node) or str(node)


def refuse_prerequisites(
    course: StoryCourse, finished: Callable[[str], bool]
) -> StepRefusal | None:
    """Courses and learning paths that must be completed first; `finished` gets keys or uuids."""
    for field in _PREREQUISITES:
        for number, node in enumerate(course.form.get(field) or ()):
            address = node_address(node)
            name = address.key if address else str(node)
            if not finished(name):
                text = f"`{name}` must be completed first"
                return StepRefusal(text, course.locate_field(field, number))
    return None


def refuse_page(
    course: StoryCourse, page: StoryPage, at: datetime, progress: CourseProgress
) -> StepRefusal | None:
    """A page is open once its section is released and, where pages are taken in order, once all
    before it are behind the learner."""
    if page.release_date and at < parse_moment(page.release_date):
        text = f"the section of `{page.path}` opens on {page.release_date}"
        return StepRefusal(text, course.locate_field(*page.place[:2], "releaseDate"))
    if course.form.get("forceLinearProgress"):
        for earlier in course.pages[: course.pages.index(page)]:
            if not is_behind_learner(earlier, progress):
                text = f"pages are taken in order, and `{earlier.path}` comes before `{page.path}`"
                return StepRefusal(text, course.locate_field("forceLinearProgress"))
    return None


def is_open_to_all(course: StoryCourse, page: StoryPage) -> bool:
    """Whether somebody who is not enrolled can look at a page; it does not count for them."""
    tasters = (OpenType.OPEN, OpenType.EMAIL_CAPTURE_OPEN)
    return bool(course.form.get("availableToPublic")) or page.open_type in tasters


def list_deciding_fields(course: StoryCourse, pages: Collection[StoryPage]) -> Iterator[Origin]:
    """The fields that let a learner open pages, the most exact first, the course last."""
    for page in pages:
        # The date that has come lets the learner in; without one, nothing ever kept them out.
        if page.release_date:
            yield course.locate_field(*page.place[:2], "releaseDate")
        elif page.place:
            yield course.locate_field(*page.place)
    yield course.resource.origin
