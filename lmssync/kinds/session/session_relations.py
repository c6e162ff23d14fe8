"""Checks whether a course can have further sessions, and whether they can be told apart."""

from collections.abc import Iterator

from ...kind import Groups, Resources
from ...problems import Finding, Rule, warning_rule
from ...resource import Reference, Resource
from ...vocabulary.enums import CourseKind
from ..course import REFERENCE_RULES as OF_COURSE, course_appearance
from ..sibling_names import find_lookalikes

SESSION_OF_KIND = Rule(
    "session-of-kind",
    "A course that is no courseGroup has a further session. Nothing shows what such a session of "
    "an article, a video, a package or a micro course would hold.",
    "Write `sessions` in a course of kind courseGroup.",
    fixed=False,
    source="O3",
)
SESSION_TITLE = warning_rule(
    "session-title",
    "Two sessions of a course have the same title. Learners choose between them by it, and where "
    "the list of an instance shows no skus, lmssync cannot tell the two apart either.",
    "Say in the title when or where it is held.",
    source="O18",
)


def has_sessions(session: Resource, reference: Reference, course: Resource) -> Iterator[Finding]:
    """Only standard courses are known to take another session."""
    kind = course.form["kind"]
    if kind != CourseKind.COURSE_GROUP:
        message = f"`{reference.name}` is a course of kind {kind}, which takes no further session"
        yield SESSION_OF_KIND.at(reference.path, message)
    if session.facts["title"] == course_appearance(course.form):
        message = f"the first session of `{reference.name}` has this title already"
        yield SESSION_TITLE.at(("title",), message)


def check_session_titles(groups: Groups, _catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """Further sessions of one course differ in their titles."""
    for session, first in find_lookalikes(groups, lambda one: one.facts["title"]):
        yield session, SESSION_TITLE.at(("title",), f"{first.address} has this title already")


REFERENCE_RULES = {
    "course": (has_sessions,),
    "prerequisiteCourses": OF_COURSE["prerequisiteCourses"],
}
GROUP_RULES = (check_session_titles,)
