"""The fields of sections, lessons and topics, and which content a topic of each type can hold."""

from collections.abc import Mapping
from typing import Any

from lmssync.vocabulary.enums import OpenType, TopicType, VideoSource

from .. import value_checks
from ..sandbox_documents import Doc, drop_fields
from ..sandbox_platform import Platform
from ..value_checks import InvalidValue, Rule
from . import course_fields

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
        "languages": course_fields.check_languages,
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

CREATE_RULES: dict[str, dict[str, Rule]] = {
    kind: {**TOPIC_RULES, **CONTENT_RULES.get(kind, {})} for kind in TopicType
}
UPDATE_RULES: dict[str, dict[str, Rule]] = {
    kind: {**CREATE_RULES[kind], **UPDATE_ONLY_RULES.get(kind, {})} for kind in TopicType
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
