"""The command `edit`: a change in the admin interface, which the rules of the routes do not limit.

`{"list", "id", "set": {...}}` changes fields, `{"list", "id", "delete": true}` deletes and
`"delete": "restore"` undoes that, `{"list", "add": {...}}` adds. It makes no event (O41);
`updatedAt` changes, as with any change (O24). A course group, a session and the parts of a course
are edited here, everything else in `object_edits`.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...vocabulary.enums import SessionStatus
from .. import value_checks
from ..data.course_tables import TAKEN, CoursePart, list_families
from ..data.object_documents import Level
from ..handlers import course_fields, course_update, criteria_routes
from ..handlers.course_create import keep_changed_part, move_sibling
from ..http_messages import Answer, Query
from ..people.license_effects import RESTARTS
from ..running_sandbox import Sandbox
from ..sandbox_documents import Doc, drop_fields, put_fields
from ..sandbox_platform import Platform
from ..value_checks import (
    InvalidValue,
    Rule,
    check_changes,
    check_document,
    error_path,
    new_fields,
    quote_value,
    require_fields,
)
from . import object_edits
from .object_edits import EDITED

_BEFORE = "statusBefore"
"""The field that keeps the status of a session before its deletion."""
_STATUSES = [status for status in SessionStatus if status is not SessionStatus.DELETED]
GROUP_EDITS: dict[str, Rule] = {
    "title": value_checks.check_title,
    "slug": value_checks.text_up_to(255, least=1),
    **course_fields.GROUP_RULES,
}
SESSION_EDITS: dict[str, Rule] = {
    "title": value_checks.check_title,
    **course_fields.SESSION_RULES,
    "status": value_checks.one_of(_STATUSES),
    RESTARTS: value_checks.check_flag,
}
_NEVER_NULL_CONTENT = ("title", "slug", "status")


def set_content_fields(platform: Platform, list_: str, id_: str, fields: Doc) -> Doc:
    """Set fields; null removes one or resets it to its default."""
    doc = _find_content(platform, list_, id_)
    rules = GROUP_EDITS if list_ == "courseGroups" else SESSION_EDITS
    with error_path("set"):
        wanted = check_changes(fields, rules, _NEVER_NULL_CONTENT)
        _require_references(platform, list_, wanted, own=doc)
        put_fields(doc, wanted, defaults=course_fields.SESSION_DEFAULTS)
        return _save_content(platform, list_, doc)


def delete_content(platform: Platform, list_: str, id_: str) -> None:
    """A session becomes `deleted` (O38); a group takes its sessions with it."""
    doc = _find_content(platform, list_, id_)
    if list_ == "courseGroups":
        # Sessions first: each keeps the status that it had, for a restore.
        for session in platform.courses.list_sessions(doc["id"]):
            delete_content(platform, "courses", session["id"])
        doc["deleted"] = True
    else:
        doc.update({_BEFORE: doc["status"], "status": SessionStatus.DELETED})
    _save_content(platform, list_, doc)


def restore_content(platform: Platform, list_: str, id_: str) -> Doc:
    """A session gets its status back; a group gets all its sessions back."""
    doc = _find_content(platform, list_, id_, deleted=True)
    if list_ == "courseGroups":
        if not doc.pop("deleted", False):
            raise InvalidValue(f'the course group "{id_}" is not deleted', "id")
        _save_content(platform, list_, doc)
        for session in platform.courses.list_sessions(doc["id"], deleted=True):
            if session["status"] == SessionStatus.DELETED:
                restore_content(platform, "courses", session["id"])
        return doc
    if doc["status"] != SessionStatus.DELETED:
        raise InvalidValue(f'the course "{id_}" is not deleted', "id")
    # A session without its group would be in lists and lead nowhere.
    if platform.groups.find_by_id(doc["courseGroupId"]) is None:
        raise InvalidValue("the course group of this course is deleted; restore that one", "id")
    doc["status"] = doc.pop(_BEFORE, SessionStatus.DRAFT)
    return _save_content(platform, list_, doc)


def refuse_addition(_platform: Platform, list_: str, _fields: Doc) -> Doc:
    """Refuses: course create and course update add these."""
    raise InvalidValue(f"use the platform's own routes to add {list_}", "add")


def _find_content(platform: Platform, list_: str, id_: str, *, deleted: bool = False) -> Doc:
    """The document of a group or session. Raises InvalidValue."""
    level = Level.GROUP if list_ == "courseGroups" else Level.COURSE
    documents = platform.groups if level is Level.GROUP else platform.courses
    doc = documents.find_by_id(id_, deleted=deleted)
    if doc is None:
        raise InvalidValue(f"no {level.level_word} has the id {quote_value(id_)}", "id")
    return doc


def _require_references(platform: Platform, list_: str, wanted: Doc, *, own: Doc) -> None:
    company = platform.read_company()
    if list_ == "courseGroups":
        course_fields.require_group_references(platform, company, wanted)
    else:
        course_fields.require_session_references(platform, company, wanted)
        course_fields.require_free_sku(platform, wanted.get("sku"), own=own)


def _save_content(platform: Platform, list_: str, doc: Doc) -> Doc:
    if list_ == "courses":
        platform.courses.change_document(doc)
        return drop_fields(doc, "sections", "criteria")
    try:
        platform.groups.change_document(doc)
    except TAKEN:
        raise InvalidValue(f"{quote_value(doc['slug'])} is already used", "slug") from None
    return doc


LEVELS = {
    "sections": Level.SECTION,
    "lessons": Level.LESSON,
    "topics": Level.TOPIC,
    "completionCriteria": Level.CRITERION,
}
PARENTS = {"lessons": "sectionId", "topics": "lessonId"}
"""The field that moves a child to another parent; no route can do that (O11)."""
FILLED = "filled"
"""True once a person filled the shell of a quiz, test, survey and so on (spec 2.2)."""
_NEVER_NULL = ("title", "openType", "position", FILLED, *PARENTS.values())
_ADDERS: Mapping[str, Callable[[Platform, Doc], object]] = {
    "sections": course_update.add_section,
    "lessons": course_update.add_lesson,
    "topics": course_update.add_topic,
    "completionCriteria": lambda platform, entry: criteria_routes.update_one(platform, entry, []),
}


def set_part_fields(platform: Platform, list_: str, id_: str, fields: Doc) -> Doc:
    """Set fields; `position` and the parent's id move, `filled` fills a topic's shell."""
    part = _find_part(platform, list_, id_)
    if list_ == "completionCriteria":
        with error_path("set"):
            # Criteria are kept beside the tree: their route has all the rules, and no position to
            # move.
            criteria_routes.update_one(platform, {**fields, "id": part.doc["id"]}, [])
        return _find_part(platform, list_, id_).doc
    with error_path("set"):
        wanted = check_changes(fields, _part_rules(list_, part.doc), _NEVER_NULL)
        _move_part(part, list_, wanted)
    put_fields(part.doc, wanted)
    if list_ == "topics":
        part.doc["updatedAt"] = platform.clock.format_now()
    keep_changed_part(platform, part.course)
    return part.doc


def delete_part(platform: Platform, list_: str, id_: str) -> None:
    """Remove it with its children; criteria that name one of its topics stay unchanged."""
    part = _find_part(platform, list_, id_)
    index = part.siblings.index(part.doc)
    part.siblings.remove(part.doc)
    object_edits.put_in_trash(platform, list_, part.doc, parent=part.parent["id"], index=index)
    keep_changed_part(platform, part.course)


def restore_part(platform: Platform, list_: str, id_: str) -> Doc:
    """Put it back in its old place, under its old id."""
    entry = object_edits.take_from_trash(platform, list_, id_)
    course = platform.courses.find_course_of(entry["parentId"])
    siblings = _find_siblings(course, entry["parentId"], list_) if course else None
    if course is None or siblings is None:
        raise InvalidValue("its parent is deleted too; restore the parent first", "id")
    siblings.insert(entry["index"], entry["doc"])
    keep_changed_part(platform, course)
    return dict(entry["doc"])


def add_part(platform: Platform, list_: str, fields: Doc) -> Doc:
    """Adds a part as the two update routes do, with the parent's id among the fields."""
    with error_path("add"):
        _ADDERS[list_](platform, {**fields, "id": None})
    course = platform.courses.find_course_of(fields[PARENTS.get(list_, "courseId")])
    assert course is not None  # it was added to
    serial = platform.courses.serial_of(course)
    # Adders return addresses for jobs, not ids; the newest part has the last number of its course.
    id_ = platform.ids.make_id(LEVELS[list_], serial, course["lastNumber"])
    return _find_part(platform, list_, id_).doc


def _part_rules(list_: str, doc: Doc) -> dict[str, Rule]:
    rules = course_update.rules_of(LEVELS[list_], doc)
    if list_ == "topics":
        rules[FILLED] = value_checks.check_flag
    return {**rules, PARENTS[list_]: value_checks.check_uuid} if list_ in PARENTS else rules


def _move_part(part: CoursePart, list_: str, wanted: Doc) -> None:
    """Move a child to the place that its fields name, and drop those fields."""
    position, parent = wanted.pop("position", None), wanted.pop(PARENTS.get(list_, ""), None)
    siblings: list[Doc] | None = part.siblings
    if parent is not None and parent != part.parent["id"]:
        siblings = _find_siblings(part.course, parent, list_)
        if siblings is None:
            raise InvalidValue(f"{quote_value(parent)} is not in the same course", PARENTS[list_])
        part.siblings.remove(part.doc)
        siblings.append(part.doc)
    if position is not None and siblings is not None:
        move_sibling(siblings, part.doc, position)


def _find_part(platform: Platform, list_: str, id_: str) -> CoursePart:
    part = platform.courses.find_part(id_, LEVELS[list_])
    if part is None:
        raise InvalidValue(f"no {LEVELS[list_].level_word} has the id {quote_value(id_)}", "id")
    return part


def _find_siblings(course: Doc, parent: str, list_: str) -> list[Doc] | None:
    lists = list_families(course, LEVELS[list_])
    return next((docs for around, docs in lists if around["id"] == parent), None)


class Editor(NamedTuple):
    """What a person can do with the things of a list; each raises InvalidValue."""

    set: Callable[[Platform, str, str, Doc], Doc]
    delete: Callable[[Platform, str, str], None]
    restore: Callable[[Platform, str, str], Doc]
    add: Callable[[Platform, str, Doc], Doc]


_CONTENT = Editor(set_content_fields, delete_content, restore_content, refuse_addition)
_TREE = Editor(set_part_fields, delete_part, restore_part, add_part)
_OBJECT = Editor(
    object_edits.set_object_fields,
    object_edits.delete_object,
    object_edits.restore_object,
    object_edits.add_object,
)
EDITORS: Mapping[str, Editor] = {
    **dict.fromkeys(("courseGroups", "courses"), _CONTENT),
    **dict.fromkeys(("sections", "lessons", "topics", "completionCriteria"), _TREE),
    **dict.fromkeys(EDITED, _OBJECT),
}
RESTORE = "restore"


def _check_deletion(value: Any) -> Any:
    if value is True or value == RESTORE:
        return value
    raise InvalidValue(f'is {quote_value(value)}; it must be true or "{RESTORE}"')


RULES: Mapping[str, Rule] = {
    "list": value_checks.one_of(EDITORS),
    "id": value_checks.check_text,
    **dict.fromkeys(("set", "add"), check_document),
    "delete": _check_deletion,
}


def apply_edit(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """One edit; answers `{"list", "id", "doc"}`, where `doc` is null after a deletion."""
    with error_path("body"):
        command = new_fields(body, RULES, ("list",))
        verbs = [verb for verb in ("set", "delete", "add") if verb in command]
        if len(verbs) != 1:
            raise InvalidValue('it must hold one of "set", "delete" and "add"')
        if verbs != ["add"]:
            require_fields(command, ("id",))
    with sandbox.platform.store.open_change():
        doc = _perform_edit(sandbox.platform, command)
    return Answer({"list": command["list"], "id": doc["id"] if doc else command["id"], "doc": doc})


def show_trash(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """What was deleted by hand and can be restored; the lists that can be edited."""
    return Answer({"lists": list(EDITORS), "trash": sandbox.platform.objects.list_objects("trash")})


def _perform_edit(platform: Platform, command: Doc) -> Doc | None:
    name, editor = command["list"], EDITORS[command["list"]]
    if "add" in command:
        return editor.add(platform, name, command["add"])
    if "set" in command:
        return editor.set(platform, name, command["id"], command["set"])
    if command["delete"] == RESTORE:
        return editor.restore(platform, name, command["id"])
    editor.delete(platform, name, command["id"])
    return None
