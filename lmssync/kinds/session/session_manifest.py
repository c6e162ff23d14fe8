"""What an author may write of a further session, and its form (spec 2.1, 2.2; O3).

Its rules check whether its course can have further sessions, and whether they can be told apart.
"""

from collections.abc import Iterator
from typing import Annotated

from ...kind import Data, Effect, Groups, Json, Resources
from ...problems import Finding, Rule, warning_rule
from ...resource import Form, Reference, Resource
from ...vocabulary.enums import CourseKind
from ..course import (
    REFERENCE_RULES as COURSE_REFERENCE_RULES,
    REFERENCES as OF_COURSE,
    Section,
    Session,
    course_appearance,
    course_facts,
    goes_live,
    make_regular,
)
from ..field_types import PartId, Shown, Title
from ..reference_fields import ReferenceField, points_at
from ..shared_fields import Managed, with_nodes
from ..sibling_names import find_lookalikes

SESSION_OF_KIND = Rule(
    "session-of-kind",
    "A course that is no courseGroup has a further session. Nothing shows what such a session "
    "of an article, a video, a package or a micro course would contain.",
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
    "prerequisiteCourses": COURSE_REFERENCE_RULES["prerequisiteCourses"],
}
GROUP_RULES = (check_session_titles,)


SESSION_EMPTY = warning_rule(
    "session-empty",
    "A further session goes live without `sections`. Nothing shows that a new session gets the "
    "content of the first one, so learners may find it empty.",
    "Give it its own `sections`, or keep it a draft until a person has filled it.",
    source="O3",
    within="a session",
    wrong="status: published",
    right="status: draft",
)


class SessionSpec(Managed, Session):
    """A further session of a course: its price, dates and limits, and its content."""

    course: Annotated[Title, Shown(("first-aid",), wire="courseGroupId")]
    """Key of the course, or the uuid of a course group."""
    id: Annotated[PartId | None, Shown(("autumn",))] = None
    """Name within the course, in the short form."""
    title: Annotated[Title, Shown(("First aid, autumn",))]
    """What learners see of it beside the other sessions of the course."""
    sections: Annotated[list[Section] | None, Effect.STRUCTURAL] = None
    """Its own sections, in their order: those of the first session are not copied."""


REFERENCES = {
    "course": ReferenceField("course", "courseGroupId", id="courseGroup"),
    **{field: OF_COURSE[field] for field in ("prerequisiteCourses", "prerequisiteLearningPaths")},
}


def normalise_session(_key: str, data: Data) -> Form:
    form = make_regular(with_nodes(REFERENCES, data))
    form.pop("id", None)
    return form


def session_facts(data: Data, form: Form) -> dict[str, Json]:
    """The facts of a session: those of a course, and which course it belongs to, by which title."""
    own = {"course": points_at(form["course"]), "title": course_appearance(form)}
    return course_facts(data, form) | own


def check_session_content(session: SessionSpec) -> Iterator[Finding]:
    if goes_live(vars(session)) and not session.sections:
        message = "the session has no `sections`: learners may find it empty"
        yield SESSION_EMPTY.at((), message)
