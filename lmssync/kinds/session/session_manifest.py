"""What an author may write of a further session, and its form (spec 2.1, 2.2; O3)."""

from collections.abc import Iterator
from typing import Annotated

from ...kind import Data, Effect, Json
from ...problems import Finding, warning_rule
from ...resource import Form
from ..course import (
    REFERENCES as OF_COURSE,
    Section,
    Session,
    course_facts,
    goes_live,
    make_regular,
)
from ..field_types import PartId, Shown, Title
from ..reference_fields import ReferenceField, points_at
from ..shared_fields import Managed, with_nodes

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
    """Those of a course, and which course it belongs to under which title."""
    title = " ".join(form["title"].split()).casefold()
    return course_facts(data, form) | {"course": points_at(form["course"]), "title": title}


def check_session_content(session: SessionSpec) -> Iterator[Finding]:
    if goes_live(vars(session)) and not session.sections:
        message = "the session has no `sections`: learners may find it empty"
        yield SESSION_EMPTY.at((), message)
