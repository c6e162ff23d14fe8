"""`path.create`, `path.list`: alternate purchase paths of a course (spec 2.6, 4, 7)."""

import re
from typing import Any

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import SessionStatus, TargetType
from lmssync.vocabulary.normalisers import is_web_address, label_excess, sanitize_label

from .. import value_checks
from ..data.object_kinds import make_blank
from ..http_messages import Answer, bad_request, not_found, validation_error
from ..sandbox_documents import Doc, pick_fields
from ..sandbox_platform import Call, Platform
from ..value_checks import InvalidValue, Rule, collect_fields, quote_value
from .content_routes import ITEM_KINDS

_TAG = re.compile(r"<[^<>]*>|&nbsp;|\xa0")


def _target_url(value: Any) -> str:
    if not isinstance(value, str) or not is_web_address(value):
        raise InvalidValue(f"is {quote_value(value)}; it must be an http or https address")
    return str(value_checks.text_up_to(limits.PATH_TARGET_URL)(value))


def _check_label(value: Any) -> str:
    if excess := label_excess(text := value_checks.check_text(value)):
        raise InvalidValue(excess)
    label = sanitize_label(text)
    return str(value_checks.text_up_to(limits.PATH_LABEL)(label))


RULES: dict[str, Rule] = {
    "label": _check_label,
    "targetType": value_checks.one_of(TargetType),
    "targetId": value_checks.check_uuid,
    "targetUrl": _target_url,
    "targetUrlTitle": value_checks.text_up_to(limits.PATH_TARGET_TITLE),
    "displayOrder": value_checks.whole_number_between(0),
    "hidePrimaryCta": value_checks.check_flag,
}
SHOWN = (
    "id", "courseId", "displayOrder", "label", "targetType", "targetId", "targetUrl",
    "targetUrlTitle", "hidePrimaryCta", "createdAt", "updatedAt",
)  # fmt: skip


def create_path(platform: Platform, call: Call) -> Answer:
    course = _find_course(platform, call)
    fields, errors = collect_fields(call.body, RULES, needed=("label", "targetType"))
    if errors:
        raise bad_request(*errors)
    if errors := _check_target(platform, fields):
        raise validation_error(*errors)
    begun = make_blank("purchasePaths", platform.clock.format_now())
    fields["targetUrlTitle"] = fields.get("targetUrlTitle") or None
    path = platform.objects.add_object(
        "purchasePaths", {"courseId": course["id"], **begun, **fields}
    )
    return Answer({"data": pick_fields(path, SHOWN)}, 201)


def list_paths(platform: Platform, call: Call) -> Answer:
    """All of a course, by displayOrder and then by age."""
    course = _find_course(platform, call)
    paths = platform.objects.list_owned("purchasePaths", course["id"])
    paths.sort(key=path_order)
    return Answer({"data": [pick_fields(path, SHOWN) for path in paths]})


def path_order(path: Doc) -> tuple[int, str]:
    """By displayOrder and then by age (spec 4)."""
    return path["displayOrder"], path["createdAt"]


def _find_course(platform: Platform, call: Call) -> Doc:
    content_id = call.path["contentId"]
    course = platform.courses.find_by_id(content_id)
    if course is None:
        raise not_found("course", content_id)
    return course


def _check_target(platform: Platform, fields: Doc) -> list[str]:
    """What is wrong with label and target together: VALIDATION_ERROR (spec 7)."""
    leads_out = fields["targetType"] == TargetType.EXTERNAL_URL
    errors = []
    if not _TAG.sub("", fields["label"]).strip():
        errors.append("label is empty after sanitizing")
    if leads_out and fields.get("targetId") is not None:
        errors.append("targetId must be empty for external_url")
    for name in ("targetUrl", "targetUrlTitle"):
        given = fields.get(name) or ""
        if leads_out and not given.strip():
            errors.append(f"{name} is required for external_url")
        if not leads_out and given:
            errors.append(f"{name} must be empty for catalog_item")
    if not leads_out and fields.get("targetId") is None:
        errors.append("targetId is required for catalog_item")
    elif not leads_out and not is_purchasable(platform, fields["targetId"]):
        errors.append("targetId is not an active, priced catalog item")
    return errors


def is_purchasable(platform: Platform, id_: str) -> bool:
    """An active, priced course (or its group), learning path, subscription or collection."""
    course = platform.courses.find_by_id(id_)
    for one in [course] if course else platform.courses.list_sessions(id_):
        if one["status"] == SessionStatus.PUBLISHED and one.get("priceInCents"):
            return True
    items = (platform.objects.get_object(kind, id_) for kind in ITEM_KINDS)
    return any(item.get("active") and item.get("priceInCents") for item in items if item)
