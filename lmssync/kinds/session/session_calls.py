"""How a further session is added, changed, found, read and imported (O3, O26, O28)."""

from collections.abc import Iterable, Set

from ...kind import (
    Ambiguity,
    CallPart,
    Effect,
    FormChange,
    Ids,
    ImportedManifest,
    Imports,
    Json,
    NameOf,
    ReadRequest,
    Removal,
    Search,
    Shown,
    UpdatePlan,
)
from ...resource import Address, Form
from ...vocabulary.enums import CourseKind, CreateStatus, SessionStatus
from ..course import (
    BY_ID,
    FULL,
    PARTS_BY_HAND,
    SESSION_FIELDS,
    SESSION_LEVEL,
    UNWRITABLE,
    UPDATE,
    WITHOUT_IDS,
    course_appearance,
    is_this,
    observe_course,
    pair_parts,
    read_session_form,
    session_manifest,
    shows_part_ids,
    update_course,
)
from ..reference_fields import left_in_course, points_at, rename_references
from .session_manifest import REFERENCES

BY_HAND = {
    "course": "a session cannot move to another course: give it a new key",
    "status": UNWRITABLE["status"],
    **PARTS_BY_HAND,
}


def create_session_part(address: Address, form: Form, marker: str | None) -> CallPart:
    """The session without its sections, which `update_session` adds once its id is known (O4).

    Until they are there it stays a draft, so that nobody finds it empty.
    """
    first = {name: value for name, value in form.items() if name != "sections"}
    waits = bool(form.get("sections"))
    if waits and first.get("status") == CreateStatus.PUBLISHED:
        first["status"] = CreateStatus.DRAFT.value
    entry = {name: v for name, v in rename_references(REFERENCES, first).items() if v is not None}
    field, _, value = (marker or "").partition("=")
    if field:
        # An author who writes the sku has it as they wrote it.
        entry.setdefault(field, value)
    body = {"courseAttributes": {"courses": [entry]}}
    after = {**first, "sections": []} if waits else None
    return CallPart.describe_part(address, UPDATE, body, after, adds=True, repeatable=False)


def update_session(change: FormChange) -> UpdatePlan:
    """The update of a session: made as that of the first session of a course, through the id of
    this one."""
    if change.before["course"] != change.after["course"]:
        return UpdatePlan(undecided=BY_HAND["course"])
    return update_course(change, SESSION_LEVEL)


def remove_session(form: Form) -> Removal:
    """What stays of a session that leaves the catalog: no route deletes one (O11)."""
    what = f"session “{form['title']}”"
    return left_in_course(what, form, Effect.ACCESS, "learners still find it, and can still enrol")


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
    # A form that leaves out its sections has none to be paired, which is not unknown.
    paired = pair_parts({"sections": [], **form}, live, known.parts if known else {})
    if paired.ambiguity:
        return Ambiguity(paired.ambiguity)
    if known and paired.absent:
        return None
    return Ids({"course": live["id"]}, paired.ids)


def _of_course(form: Form, live: Json) -> bool:
    """Whether a session belongs to the course, as far as the id of that is known."""
    return live["courseGroupId"] == form["course"] or not isinstance(form["course"], str)


def adopt_session(form: Form, ids: Ids, live: Json) -> Form:
    """The form that a read of the session proves: the rest is sent again."""
    return {"course": form["course"]} | (observe_course(form, ids, live) or {})


def session_appearance(form: Form) -> str:
    """The look of a session: its course and its title. Reads show it beside the sessions of its
    course alone."""
    return f"{points_at(form['course'])} {course_appearance(form)}"


def _show_live_session(form: Form, ids: Ids, live: Json) -> Form | None:
    shown = read_session_form(form, ids, live)
    if shown is None:
        return None
    course = {"course": live["courseGroupId"]} if "courseGroupId" in live else {}
    return {name: value for name, value in shown.items() if name != "kind"} | course


def _of_session(fields: Iterable[str]) -> frozenset[str]:
    """The fields that a further session has, of those that a read shows of a course."""
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


def further_session_manifest(shown: Shown, name_of: NameOf) -> ImportedManifest | str:
    item, answer = shown["item"], shown["course.full"]
    if answer is None or answer.get("status") == SessionStatus.DELETED:
        return "it has been deleted"
    if not shows_part_ids(answer):
        return WITHOUT_IDS
    if item.get("kind") not in {None, CourseKind.COURSE_GROUP}:
        return f"manifests cannot express a further session of kind {item['kind']}"
    made = session_manifest(answer, name_of)
    course = name_of("course", item["courseGroupId"])
    return made._replace(data={"course": course, **made.data})


def _may_have_further_sessions(group: Json) -> bool:
    # A group that counts one session has none but the one that it displays (O46).
    return group.get("courseCount") != 1 or not group.get("displayCourseId")


IMPORTS = Imports(
    owner="course",
    may_have=_may_have_further_sessions,
    by=1,
    listed=ReadRequest(LIST, {"id": ""}, {}, "courses"),
    ids=lambda item: [item["id"]],
    name=lambda item: item["title"],
    details={"course.full": lambda item: ReadRequest("course.full", {"id": item["id"]})},
    manifest=further_session_manifest,
    answers=lambda shown: {"course.full": shown["course.full"]},
)
