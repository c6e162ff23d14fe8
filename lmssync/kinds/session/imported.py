"""A further session of the platform as a manifest (O26, O28)."""

from ...kind import ImportedManifest, Imports, NameOf, ReadRequest, Shown
from ...vocabulary.enums import CourseKind, SessionStatus
from ..course import WITHOUT_IDS, session_manifest, shows_part_ids
from .live import LIST


def further_session_manifest(shown: Shown, name_of: NameOf) -> ImportedManifest | str:
    item, answer = shown["item"], shown["course.full"]
    if answer is None or answer.get("status") == SessionStatus.DELETED:
        return "it has been deleted"
    if not shows_part_ids(answer):
        return WITHOUT_IDS
    if item.get("kind") not in {None, CourseKind.COURSE_GROUP}:
        return f"no manifest can say a further session of kind {item['kind']}"
    made = session_manifest(answer, name_of)
    course = name_of("course", item["courseGroupId"])
    return made._replace(data={"course": course, **made.data})


IMPORTS = Imports(
    owner="course",
    by=1,
    listed=ReadRequest(LIST, {"id": ""}, {}, "courses"),
    ids=lambda item: [item["id"]],
    name=lambda item: item["title"],
    details={"course.full": lambda item: ReadRequest("course.full", {"id": item["id"]})},
    manifest=further_session_manifest,
    answers=lambda shown: {"course.full": shown["course.full"]},
)
