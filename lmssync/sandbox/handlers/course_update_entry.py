"""Updates of course groups and sessions: partial, where null clears (O2, O8)."""

from collections.abc import Callable

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import CourseKind, SessionStatus

from .. import checks
from ..checks import Rule, Wrong, drop_nulls, quote_value
from ..data.course_documents import TAKEN
from ..data.document_ids import Level
from ..sandbox_documents import Doc, put_fields
from ..sandbox_platform import Platform
from . import course_create, course_fields
from .course_tree import Builder
from .lookup import wrong_id

_SLUG = checks.text_up_to(limits.SLUG, least=1)
UPDATE_GROUP_RULES: dict[str, Rule] = {
    "id": checks.check_uuid,
    "title": checks.check_title,
    "slug": _SLUG,
    **{name: rule for name, rule in course_fields.GROUP_RULES.items() if name != "source"},
}
UPDATE_SESSION_RULES: dict[str, Rule] = {
    "id": checks.check_uuid,
    "title": checks.check_title,
    **course_fields.SESSION_RULES,
}
NEW_SESSION_RULES: dict[str, Rule] = {
    "courseGroupId": checks.check_uuid,
    "title": checks.check_title,
    **course_fields.SESSION_RULES,
}
_FIXED = {"source": "cannot be changed after creation", "articleVariant": "is set at creation only"}
_NEVER_NULL = ("title", "slug")


class Unnamed(Wrong):
    """Wrong in a way for which the platform has only its general words (O14)."""


def change_group(platform: Platform, entry: Doc) -> list[str]:
    """Change a course group; an entry may also bring `source`, which is refused (O8)."""
    for name, why in _FIXED.items():
        if name in entry:
            raise Wrong(why, name)
    fields = course_fields.changed_entry(platform, entry, UPDATE_GROUP_RULES, _NEVER_NULL)
    group = _find_group(platform, fields.pop("id"), "id")
    if fields.get("ribbon") is not None:
        platform.read_company().require_ribbon(fields["ribbon"])
    _require_references(course_fields.require_group_references, platform, fields)
    _apply_fields(platform, group, fields, custom="customFields")
    if group.get("asset") is not None:
        group.setdefault("assetAltText", "")
    try:
        platform.groups.change_document(group)
    except TAKEN:
        raise Wrong(f"{quote_value(group['slug'])} is already used", "slug") from None
    return [fields[name] for name in ("asset", "detailAsset") if fields.get(name)]


def change_session(platform: Platform, entry: Doc) -> list[str]:
    """Change a session; its status moves through futurePublishDate only (O39)."""
    fields = course_fields.changed_entry(platform, entry, UPDATE_SESSION_RULES, _NEVER_NULL)
    if "status" in fields and not platform.switches.statusOnUpdate:
        raise Wrong("cannot be set by an update", "status")
    id_ = fields.pop("id")
    course = platform.courses.find_by_id(id_)
    if course is None:
        raise wrong_id(platform, id_, Level.COURSE, "id")
    _require_references(course_fields.require_session_references, platform, fields)
    course_fields.require_free_sku(platform, fields.get("sku"), own=course)
    _apply_fields(platform, course, fields, custom="sessionCustomFields")
    _schedule_publishing(course, fields)
    platform.courses.change_document(course)
    return []


def add_session(platform: Platform, entry: Doc) -> list[str]:
    """A new session of an existing group (O3); its tree is added by later updates."""
    fields = drop_nulls(
        course_fields.changed_entry(platform, entry, NEW_SESSION_RULES, _NEVER_NULL)
    )
    checks.require_fields(fields, ("courseGroupId", "title"))
    group = _find_group(platform, fields["courseGroupId"], "courseGroupId")
    _require_references(course_fields.require_session_references, platform, fields)
    course_fields.require_free_sku(platform, fields.get("sku"))
    course = course_create.session_of(
        platform, fields, kind=CourseKind.COURSE_GROUP, group=group["id"]
    )
    builder = Builder(platform, platform.courses.new_serial())
    course = course_create.finish_course(builder, course, [])
    platform.courses.add_course(builder.serial, course, group=platform.courses.serial_of(group))
    return []


def _find_group(platform: Platform, id_: str, field: str) -> Doc:
    group = platform.groups.find_by_id(id_)
    if group is None:
        raise wrong_id(platform, id_, Level.GROUP, field)
    return group


def _require_references(require: Callable[..., None], platform: Platform, fields: Doc) -> None:
    """Unknown tags, custom fields and prerequisites are refused in general words (O14)."""
    try:
        require(platform, platform.read_company(), fields)
    except Wrong as wrong:
        raise Unnamed(str(wrong)) from None


def _apply_fields(platform: Platform, doc: Doc, fields: Doc, *, custom: str) -> None:
    """Set what was sent; null gives a field its default back or takes it away (O2)."""
    if platform.switches.customFields == "merge" and fields.get(custom) is not None:
        fields = {**fields, custom: {**doc.get(custom, {}), **fields[custom]}}
    put_fields(
        doc, fields, defaults={**course_fields.SESSION_DEFAULTS, "status": doc.get("status")}
    )


def _schedule_publishing(course: Doc, fields: Doc) -> None:
    """A date makes a draft pending, its removal makes it a draft again; nothing unpublishes."""
    if "futurePublishDate" not in fields:
        return
    if fields["futurePublishDate"] is None:
        if course["status"] == SessionStatus.PENDING:
            course["status"] = SessionStatus.DRAFT
    elif course["status"] in (SessionStatus.DRAFT, SessionStatus.PENDING):
        course["status"] = SessionStatus.PENDING
    else:
        raise Wrong(f"the session is already {course['status']}", "futurePublishDate")
