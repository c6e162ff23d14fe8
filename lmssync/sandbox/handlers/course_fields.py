"""The fields of course groups and sessions: what each takes, and what must exist (spec 2.2)."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import CourseKind, CreateStatus

from .. import checks
from ..checks import Rule, Rules, Wrong, at
from ..data.object_documents import Company
from ..plain_text import stripped_up_to
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform

GROUP_RULES: dict[str, Rule] = {
    "description": checks.text_up_to(limits.DESCRIPTION),
    "tagIds": checks.uuids_up_to(limits.TAGS),
    "authors": checks.check_names,
    "source": checks.check_text,
    "customFields": checks.custom_values,
    "asset": checks.check_url,
    "assetAltText": checks.check_text,
    "detailAsset": checks.check_url,
    "detailAssetAltText": checks.check_text,
    "ribbon": checks.check_text,
    "metaTitle": stripped_up_to(limits.META_TITLE),
    "metaDescription": stripped_up_to(limits.META_DESCRIPTION),
    "contentType": checks.check_text,
    "isbn": checks.check_text,
    "relatedCourseGroupIds": checks.check_uuids,
    "publishDate": checks.check_date,
}
SESSION_RULES: dict[str, Rule] = {
    "priceInCents": checks.whole_number_between(0, limits.PRICE_IN_CENTS),
    "freeWithRegistration": checks.check_flag,
    "purchasable": checks.check_flag,
    "status": checks.one_of(CreateStatus),
    "futurePublishDate": checks.check_date,
    "sku": checks.text_up_to(limits.SKU, least=1),
    "discussionsEnabled": checks.check_flag,
    "availableToPublic": checks.check_flag,
    "enrollmentLimit": checks.whole_number_between(0),
    "enrollmentStartDate": checks.check_date,
    "enrollmentEndDate": checks.check_date,
    "courseStartDate": checks.check_date,
    "courseEndDate": checks.check_date,
    "gracePeriodEndDate": checks.check_date,
    "sessionCustomFields": checks.custom_values,
    "forceLinearProgress": checks.check_flag,
    "showProgress": checks.check_flag,
    "prerequisiteCourseIds": checks.check_uuids,
    "prerequisiteLearningPathIds": checks.check_uuids,
}
SESSION_DEFAULTS: Doc = {
    "freeWithRegistration": False,
    "purchasable": False,
    "discussionsEnabled": False,
    "availableToPublic": False,
    "forceLinearProgress": False,
    "showProgress": True,
}
"""What a session has where nothing was said (spec 2.2; the third and fourth are not shown)."""

CONTENT_TYPES = {
    CourseKind.COURSE_GROUP: "Course",
    CourseKind.ARTICLE: "Article",
    CourseKind.VIDEO: "Video",
    CourseKind.MICRO_COURSE: "Micro course",
    CourseKind.SHAREABLE_CONTENT_OBJECT: "Package",
}
"""The label derived from the kind; kept only where the company has it."""

_VARIANT_TEXTS = (
    "language", "label", "title", "subtitle", "body", "copyright", "externalUrl",
    "externalUrlCallToAction",
)  # fmt: skip
LANGUAGE_RULES: dict[str, Rule] = dict.fromkeys(_VARIANT_TEXTS, checks.check_text)


def check_languages(value: Any) -> list[Doc]:
    """Variants of an article in other languages (O20)."""
    kept = []
    for index, item in enumerate(checks.check_list(value)):
        if not isinstance(item, dict):
            raise Wrong(f"[{index}] is {checks.quote_value(item)}; it must be an object")
        with at(index):
            kept.append(checks.new_fields(item, LANGUAGE_RULES))
    return kept


def article_variant(value: Any) -> Doc:
    """The content of an article (O20): its texts and, besides, `languages`."""
    rules = {**LANGUAGE_RULES, "languages": check_languages}
    variant = checks.json_object(value)
    with at("articleVariant"):
        return checks.new_fields(variant, rules)


def new_entry(platform: Platform, entry: Doc, rules: Rules, needed: Iterable[str] = ()) -> Doc:
    """The fields of a new thing; one without a rule is refused or left out (switch
    `unknownFields`)."""
    ignore = platform.switches.unknownFields == "ignore"
    return checks.new_fields(entry, rules, needed, ignore=ignore)


def changed_entry(platform: Platform, entry: Doc, rules: Rules, never_null: Iterable[str]) -> Doc:
    """The fields of a change, of which one without a rule is refused or left out as well."""
    ignore = platform.switches.unknownFields == "ignore"
    return checks.check_changes(entry, rules, never_null, ignore=ignore)


def require_group_references(platform: Platform, company: Company, fields: Doc) -> None:
    """Raise Wrong where a group's field names what the company has not."""
    lookups: dict[str, Rule] = {
        "tagIds": partial(company.require_configured, "tags"),
        "customFields": partial(company.require_custom, level="group"),
        "contentType": company.require_content_type,
        "relatedCourseGroupIds": partial(_require_groups, platform),
    }
    checks.require_references(fields, lookups)
    if fields.get("ribbon") is not None:
        company.require_ribbon(fields["ribbon"])


def require_session_references(platform: Platform, company: Company, fields: Doc) -> None:
    """Raise Wrong where a session's field names what the company has not."""
    lookups: dict[str, Rule] = {
        "sessionCustomFields": partial(company.require_custom, level="session"),
        "prerequisiteCourseIds": partial(require_courses, platform),
        "prerequisiteLearningPathIds": partial(company.require_configured, "learningPaths"),
    }
    checks.require_references(fields, lookups)


def _require_groups(platform: Platform, ids: list[str]) -> None:
    for id_ in ids:
        if not platform.groups.has_id(id_):
            raise Wrong(f'"{id_}" is not a course group of this company')


def require_courses(platform: Platform, ids: list[str]) -> None:
    """Raise Wrong unless every id is a course's; the id of a group is told apart (O30)."""
    for id_ in ids:
        if platform.courses.has_id(id_):
            continue
        hint = " (it is the id of a course group)" if platform.groups.has_id(id_) else ""
        raise Wrong(f'"{id_}" is not a course of this company{hint}')


def require_free_sku(platform: Platform, sku: str | None, *, own: Doc | None = None) -> None:
    """Raise Wrong if another course than `own` has the sku (O18)."""
    holder = platform.courses.find_value_holder(sku) if sku is not None else None
    if holder is not None and (own is None or holder != platform.courses.serial_of(own)):
        raise Wrong(f"{checks.quote_value(sku)} is already used by another course", "sku")
