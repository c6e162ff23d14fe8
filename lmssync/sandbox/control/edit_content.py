"""Edits of course groups and sessions by hand: any status, any field, deletion and back."""

from lmssync.vocabulary.enums import SessionStatus

from .. import checks
from ..checks import Rule, Wrong, at, check_changes, quote_value
from ..data.course_documents import TAKEN
from ..data.document_ids import Level
from ..handlers import course_fields
from ..people.license_effects import RESTARTS
from ..sandbox_documents import Doc, put_fields
from ..sandbox_platform import Platform

_BEFORE = "statusBefore"
"""The field that keeps the status of a session before its deletion."""
_STATUSES = [status for status in SessionStatus if status is not SessionStatus.DELETED]
GROUP_EDITS: dict[str, Rule] = {
    "title": checks.check_title,
    "slug": checks.text_up_to(255, least=1),
    **course_fields.GROUP_RULES,
}
SESSION_EDITS: dict[str, Rule] = {
    "title": checks.check_title,
    **course_fields.SESSION_RULES,
    "status": checks.one_of(_STATUSES),
    RESTARTS: checks.check_flag,
}
_NEVER_NULL = ("title", "slug", "status")


def set_fields(platform: Platform, list_: str, id_: str, fields: Doc) -> Doc:
    """Set fields; null removes one or resets it to its default."""
    doc = _find_content(platform, list_, id_)
    rules = GROUP_EDITS if list_ == "courseGroups" else SESSION_EDITS
    with at("set"):
        wanted = check_changes(fields, rules, _NEVER_NULL)
        _require_references(platform, list_, wanted, own=doc)
        put_fields(doc, wanted, defaults=course_fields.SESSION_DEFAULTS)
        return _save_content(platform, list_, doc)


def delete_content(platform: Platform, list_: str, id_: str) -> None:
    """A session becomes `deleted` (O38); a group takes its sessions with it."""
    doc = _find_content(platform, list_, id_)
    if list_ == "courseGroups":
        for session in platform.courses.of_group(doc["id"]):
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
            raise Wrong(f'the course group "{id_}" is not deleted', "id")
        _save_content(platform, list_, doc)
        for session in platform.courses.of_group(doc["id"], deleted=True):
            if session["status"] == SessionStatus.DELETED:
                restore_content(platform, "courses", session["id"])
        return doc
    if doc["status"] != SessionStatus.DELETED:
        raise Wrong(f'the course "{id_}" is not deleted', "id")
    if platform.groups.find_by_id(doc["courseGroupId"]) is None:
        raise Wrong("the course group of this course is deleted; restore that one", "id")
    doc["status"] = doc.pop(_BEFORE, SessionStatus.DRAFT)
    return _save_content(platform, list_, doc)


def refuse_addition(_platform: Platform, list_: str, _fields: Doc) -> Doc:
    """Refuses: course create and course update add these."""
    raise Wrong(f"use the platform's own routes to add {list_}", "add")


def _find_content(platform: Platform, list_: str, id_: str, *, deleted: bool = False) -> Doc:
    """The document of a group or session. Raises Wrong."""
    level = Level.GROUP if list_ == "courseGroups" else Level.COURSE
    documents = platform.groups if level is Level.GROUP else platform.courses
    doc = documents.find_by_id(id_, deleted=deleted)
    if doc is None:
        raise Wrong(f"no {level.level_word} has the id {quote_value(id_)}", "id")
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
        return {name: value for name, value in doc.items() if name not in ("sections", "criteria")}
    try:
        platform.groups.change_document(doc)
    except TAKEN:
        raise Wrong(f"{quote_value(doc['slug'])} is already used", "slug") from None
    return doc
