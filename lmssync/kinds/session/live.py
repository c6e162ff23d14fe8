"""How a further session is found in the list of its course (O26), read and known again."""

from collections.abc import Iterable, Set

from ...kind import Ambiguity, Ids, Json, ReadRequest, Search
from ...resource import Form
from ...vocabulary.enums import SessionStatus
from ..course import (
    BY_ID,
    FULL,
    SESSION_FIELDS,
    course_appearance,
    is_this,
    observe_course,
    pair_parts,
    read_session_form,
)
from ..references import points_at

LIST = "group.courses"
WITHOUT = (
    f"no route of this instance lists the sessions of a course (`{LIST}`), and no answer names the "
    "id of a new one"
)
"""O6."""


def search_session(form: Form, marker: str | None) -> Search:
    """All sessions of the course; where the list does not show the mark, the title decides."""

    def session_fits(item: Json) -> str | None:
        mine = item.get("status") != SessionStatus.DELETED and is_this(form, marker, item)
        return str(item["id"]) if mine else None

    request = ReadRequest(LIST, {"id": form["course"]}, {}, "courses")
    return Search(request, session_fits, exact=True, without=WITHOUT)


def match_session(
    form: Form, marker: str | None, live: Json, _taken: Set[str], known: Ids | None = None
) -> Ids | Ambiguity | None:
    """The ids of the session and its parts, if `live` is this session.

    One that is found may lack sections that are still to be added; one that is known may not.
    """
    if known and known.own["course"] != live["id"]:
        return None
    if not known and not (_of_course(form, live) and is_this(form, marker, live)):
        return None
    paired = pair_parts({"sections": [], **form}, live, known.parts if known else {})
    if paired.ambiguity:
        return Ambiguity(paired.ambiguity)
    if known and paired.absent:
        return None
    return Ids({"course": live["id"]}, paired.ids)


def _of_course(form: Form, live: Json) -> bool:
    """Whether it belongs to the course, as far as the id of that is known."""
    return live["courseGroupId"] == form["course"] or not isinstance(form["course"], str)


def adopt_session(form: Form, ids: Ids, live: Json) -> Form:
    """What the read proves: the rest is sent again."""
    return {"course": form["course"]} | (observe_course(form, ids, live) or {})


def session_appearance(form: Form) -> str:
    """Its course and its title: reads show it beside the sessions of its course alone."""
    return f"{points_at(form['course'])} {course_appearance(form)}"


def _show_live_session(form: Form, ids: Ids, live: Json) -> Form | None:
    shown = read_session_form(form, ids, live)
    if shown is None:
        return None
    course = {"course": live["courseGroupId"]} if "courseGroupId" in live else {}
    return {name: value for name, value in shown.items() if name != "kind"} | course


def _of_session(fields: Iterable[str]) -> frozenset[str]:
    """Of what a read shows of a course, the fields that a further session has."""
    mine = SESSION_FIELDS | {"title"}
    return frozenset(name for name in fields if name in mine or name.startswith("*."))


READINGS = tuple(
    reading._replace(
        shows=_show_live_session,
        proves=_of_session(reading.proves) | {"course"},
        notices=_of_session(reading.notices),
    )
    for reading in (FULL, BY_ID)
)
