"""The fields of course groups and sessions: what each takes, and what must exist (spec 2.2).

Texts for search engines are kept without their HTML. This uses a parser of the HTML standard, not
`vocabulary.normalisers.strip_markup`, which the client uses: two implementations show each other's
mistakes.
"""

import html
from collections.abc import Iterable
from functools import partial
from typing import Any

import nh3

from ...vocabulary import limits
from ...vocabulary.enums import CourseKind, CreateStatus
from ...vocabulary.markup import measure_markup
from .. import value_checks
from ..data.object_documents import Company
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform
from ..value_checks import (
    InvalidValue,
    Rule,
    Rules,
    check_changes,
    error_path,
    new_fields,
    quote_value,
)

RAW_MOST = 50_000
"""Characters of a text with its markup."""
_ROUNDS_MOST = 20


def stripped_up_to(most: int) -> Rule:
    """Text that is kept without its HTML; counted as it is kept."""
    return partial(check_stripped_text, most=most)


def check_stripped_text(value: Any, *, most: int) -> str:
    return value_checks.check_length(plain_text(value_checks.check_text(value)), least=0, most=most)


def plain_text(written: str) -> str:
    """The text without tags and comments, character references read, blanks at its ends cut off.

    The result has no markup, even if it is parsed again: `&lt;b&gt;` is removed as `<b>` is.
    Raises InvalidValue.
    """
    if len(written) > RAW_MOST:
        raise InvalidValue(f"has {len(written)} characters with its markup; the most is {RAW_MOST}")
    if excess := measure_markup(written).excess:
        raise InvalidValue(excess)
    for _ in range(_ROUNDS_MOST):
        kept = written
        if "<" in written or "&" in written:
            kept = html.unescape(nh3.clean(written, tags=set(), clean_content_tags=set()))
        kept = kept.strip()
        if kept == written:
            return kept
        written = kept
    raise InvalidValue(f"is markup in markup, more than {_ROUNDS_MOST} deep; write the text itself")


GROUP_RULES: dict[str, Rule] = {
    "description": value_checks.text_up_to(limits.DESCRIPTION),
    "tagIds": value_checks.uuids_up_to(limits.TAGS),
    "authors": value_checks.check_names,
    "source": value_checks.check_text,
    "customFields": value_checks.custom_values,
    "asset": value_checks.check_url,
    "assetAltText": value_checks.check_text,
    "detailAsset": value_checks.check_url,
    "detailAssetAltText": value_checks.check_text,
    "ribbon": value_checks.check_text,
    "metaTitle": stripped_up_to(limits.META_TITLE),
    "metaDescription": stripped_up_to(limits.META_DESCRIPTION),
    "contentType": value_checks.check_text,
    "isbn": value_checks.check_text,
    "relatedCourseGroupIds": value_checks.check_uuids,
    "publishDate": value_checks.check_date,
}
SESSION_RULES: dict[str, Rule] = {
    "priceInCents": value_checks.whole_number_between(0, limits.PRICE_IN_CENTS),
    "freeWithRegistration": value_checks.check_flag,
    "purchasable": value_checks.check_flag,
    "status": value_checks.one_of(CreateStatus),
    "futurePublishDate": value_checks.check_date,
    "sku": value_checks.text_up_to(limits.SKU, least=1),
    "discussionsEnabled": value_checks.check_flag,
    "availableToPublic": value_checks.check_flag,
    "enrollmentLimit": value_checks.whole_number_between(0),
    "enrollmentStartDate": value_checks.check_date,
    "enrollmentEndDate": value_checks.check_date,
    "courseStartDate": value_checks.check_date,
    "courseEndDate": value_checks.check_date,
    "gracePeriodEndDate": value_checks.check_date,
    "sessionCustomFields": value_checks.custom_values,
    "forceLinearProgress": value_checks.check_flag,
    "showProgress": value_checks.check_flag,
    "prerequisiteCourseIds": value_checks.check_uuids,
    "prerequisiteLearningPathIds": value_checks.check_uuids,
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
LANGUAGE_RULES: dict[str, Rule] = dict.fromkeys(_VARIANT_TEXTS, value_checks.check_text)


def check_languages(value: Any) -> list[Doc]:
    """Variants of an article in other languages (O20)."""
    kept = []
    for index, item in enumerate(value_checks.check_list(value)):
        if not isinstance(item, dict):
            raise InvalidValue(f"[{index}] is {quote_value(item)}; it must be an object")
        with error_path(index):
            kept.append(new_fields(item, LANGUAGE_RULES))
    return kept


def article_variant(value: Any) -> Doc:
    """The content of an article (O20): its texts and, besides, `languages`."""
    rules = {**LANGUAGE_RULES, "languages": check_languages}
    variant = value_checks.json_object(value)
    with error_path("articleVariant"):
        return new_fields(variant, rules)


def new_entry(platform: Platform, entry: Doc, rules: Rules, needed: Iterable[str] = ()) -> Doc:
    """The fields of a new thing; one without a rule is refused or left out (switch
    `unknownFields`)."""
    ignore = platform.switches.unknownFields == "ignore"
    return new_fields(entry, rules, needed, ignore=ignore)


def changed_entry(platform: Platform, entry: Doc, rules: Rules, never_null: Iterable[str]) -> Doc:
    """The fields of a change, of which one without a rule is refused or left out as well."""
    ignore = platform.switches.unknownFields == "ignore"
    return check_changes(entry, rules, never_null, ignore=ignore)


def require_group_references(platform: Platform, company: Company, fields: Doc) -> None:
    """Raise InvalidValue where a group's field names what the company has not."""
    lookups: dict[str, Rule] = {
        "tagIds": partial(company.require_configured, "tags"),
        "customFields": partial(company.require_custom, level="group"),
        "contentType": company.require_content_type,
        "relatedCourseGroupIds": partial(_require_groups, platform),
    }
    value_checks.require_references(fields, lookups)
    if fields.get("ribbon") is not None:
        company.require_ribbon(fields["ribbon"])


def require_session_references(platform: Platform, company: Company, fields: Doc) -> None:
    """Raise InvalidValue where a session's field names what the company has not."""
    lookups: dict[str, Rule] = {
        "sessionCustomFields": partial(company.require_custom, level="session"),
        "prerequisiteCourseIds": partial(require_courses, platform),
        "prerequisiteLearningPathIds": partial(company.require_configured, "learningPaths"),
    }
    value_checks.require_references(fields, lookups)


def _require_groups(platform: Platform, ids: list[str]) -> None:
    for id_ in ids:
        if not platform.groups.has_id(id_):
            raise InvalidValue(f'"{id_}" is not a course group of this company')


def require_courses(platform: Platform, ids: list[str]) -> None:
    """Raise InvalidValue unless every id is a course's; it says where one is a group's (O30)."""
    for id_ in ids:
        if platform.courses.has_id(id_):
            continue
        hint = " (it is the id of a course group)" if platform.groups.has_id(id_) else ""
        raise InvalidValue(f'"{id_}" is not a course of this company{hint}')


def require_free_sku(platform: Platform, sku: str | None, *, own: Doc | None = None) -> None:
    """Raise InvalidValue if another course than `own` has the sku (O18)."""
    holder = platform.courses.find_value_holder(sku) if sku is not None else None
    if holder is not None and (own is None or holder != platform.courses.serial_of(own)):
        raise InvalidValue(f"{quote_value(sku)} is already used by another course", "sku")
