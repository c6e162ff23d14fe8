"""The fields of course groups, sessions, sections, lessons and topics (spec 2.2).

Each field has a rule for its value, and some name what must exist. Texts for search engines are
kept without their HTML. This uses a parser of the HTML standard, not
`vocabulary.normalisers.strip_markup`, which the client uses: two implementations show each other's
mistakes.
"""

import html
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import nh3

from ...vocabulary import limits
from ...vocabulary.enums import CourseKind, CreateStatus, OpenType, TopicType, VideoSource
from ...vocabulary.markup import measure_markup
from .. import value_checks
from ..data.object_documents import Company
from ..sandbox_documents import Doc, drop_fields
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
"""What a new session has unless the request says more (spec 2.2, which does not show the third
and the fourth)."""

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


SECTION_RULES: dict[str, Rule] = {
    "title": value_checks.check_title,
    "lessons": value_checks.check_list,
    "releaseDate": value_checks.check_date,
    "position": value_checks.whole_number_between(0),
}
LESSON_RULES: dict[str, Rule] = {
    "title": value_checks.check_title,
    "openType": value_checks.one_of(OpenType),
    "topics": value_checks.check_list,
    "position": value_checks.whole_number_between(0),
}
TOPIC_RULES: dict[str, Rule] = {
    "title": value_checks.check_text,
    "type": value_checks.one_of(TopicType),
    "preTextBlock": value_checks.check_text,
    "postTextBlock": value_checks.check_text,
    "caption": value_checks.check_text,
    "preventProgression": value_checks.check_flag,
    "searchDisabled": value_checks.check_flag,
    "position": value_checks.whole_number_between(0),
}
"""What a topic of any type takes (O9)."""

VIDEO_RULES: dict[str, Rule] = {
    "videoUrl": value_checks.check_url,
    "videoAsset": value_checks.video_id,
    "assetType": value_checks.one_of(VideoSource),
    "preAsset": value_checks.video_id,
    "postAsset": value_checks.video_id,
    "posterImageAsset": value_checks.check_url,
}
PACKAGE_RULES: dict[str, Rule] = {
    "scormUrl": value_checks.check_url,
    "width": value_checks.whole_number_between(1),
    "height": value_checks.whole_number_between(1),
    "embeddedEnabled": value_checks.check_flag,
    "resetSessionAfterComplete": value_checks.check_flag,
}
CONTENT_RULES: dict[str, dict[str, Rule]] = {
    TopicType.TEXT: {"body": value_checks.check_text},
    TopicType.ARTICLE: {
        "body": value_checks.check_text,
        "languages": check_languages,
        "label": value_checks.check_text,
        "subtitle": value_checks.check_text,
        "copyright": value_checks.check_text,
        "externalUrl": value_checks.check_text,
        "externalUrlCallToAction": value_checks.check_text,
        "language": value_checks.check_text,
    },
    TopicType.VIDEO: VIDEO_RULES,
    TopicType.SHAREABLE_CONTENT_OBJECT: PACKAGE_RULES,
    TopicType.X_API_OBJECT: {"scormUrl": value_checks.check_url},
    TopicType.PDF_VIEWER: {"pdfUrl": value_checks.check_url},
    TopicType.EMBED: {"body": value_checks.check_text},
}
"""What can be filled at creation (spec 2.2); every other type is a shell or a placeholder."""

UPDATE_ONLY_RULES: dict[str, dict[str, Rule]] = {
    TopicType.SHAREABLE_CONTENT_OBJECT: {"restartProgress": value_checks.check_flag},
    TopicType.X_API_OBJECT: {"restartProgress": value_checks.check_flag},
    TopicType.AUDIO: {"audioUrl": value_checks.check_url},
}
"""What an update takes besides (O9, O10)."""

QUEUED_URLS = ("videoUrl", "scormUrl", "pdfUrl", "asset", "detailAsset")
"""Addresses that a background job fetches (spec 2.2)."""

TOPIC_CREATE_RULES: dict[str, dict[str, Rule]] = {
    kind: {**TOPIC_RULES, **CONTENT_RULES.get(kind, {})} for kind in TopicType
}
TOPIC_UPDATE_RULES: dict[str, dict[str, Rule]] = {
    kind: {**TOPIC_CREATE_RULES[kind], **UPDATE_ONLY_RULES.get(kind, {})} for kind in TopicType
}


def ease_entry(
    platform: Platform, entry: Doc, rules: Mapping[str, Mapping[str, Rule]], *, type_: Any = None
) -> Doc:
    """An entry as the switch `carelessClients` has it (O56): with a type, and without an empty
    body where topics of that type hold none. `type_` is that of an existing topic."""
    if platform.switches.carelessClients != "taken":
        return entry
    type_ = type_ or entry.get("type") or TopicType.TEXT
    if type_ not in list(rules):
        return entry
    is_empty = entry.get("body") == "" and "body" not in rules[type_]
    given = entry if entry.get("type") is not None else {**entry, "type": type_}
    return drop_fields(given, "body") if is_empty else given


def require_video(platform: Platform, fields: Doc) -> None:
    """Raise InvalidValue unless the video fields go together and their assets exist (spec 2.2)."""
    video, source = fields.get("videoAsset"), fields.get("assetType")
    if fields.get("videoUrl") is not None and video is not None:
        raise InvalidValue("cannot be combined with videoUrl; send one of the two", "videoAsset")
    if fields.get("videoUrl") is not None and source is not None:
        raise InvalidValue("cannot be combined with videoUrl", "assetType")
    if video is not None:
        _require_source(platform, video, source or VideoSource.HOSTED)
    for name in ("preAsset", "postAsset"):
        if fields.get(name) is not None and not platform.objects.has_object(
            "videoAssets", fields[name]
        ):
            raise InvalidValue(f'"{fields[name]}" is not a video of this company', name)


def _require_source(platform: Platform, video: str, source: str) -> None:
    asset = platform.objects.get_object("videoAssets", video)
    if asset is None or asset["source"] != source:
        raise InvalidValue(
            f'"{video}" is not a {source} video of this company;'
            " assetType says where it comes from",
            "videoAsset",
        )
