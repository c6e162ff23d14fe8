"""Which fields a kind of course takes, and which a type of topic (spec 2.2)."""

from ...kind import ByWord, Companion, Either, Together, Without, Word
from ...vocabulary.enums import CourseKind, TopicType
from ..body import ONE_WAY, WAYS
from .spec import PACKAGE_FIELDS, VIDEO_FIELDS, ArticleVariant, CourseSpec, Language, Topic

_BODY = frozenset(WAYS)
TOPIC_FIELDS = {
    TopicType.TEXT: _BODY,
    TopicType.EMBED: _BODY,
    TopicType.ARTICLE: _BODY | {"languages"},
    TopicType.VIDEO: VIDEO_FIELDS,
    TopicType.SHAREABLE_CONTENT_OBJECT: PACKAGE_FIELDS,
    TopicType.X_API_OBJECT: frozenset({"scormUrl"}),
    TopicType.PDF_VIEWER: frozenset({"pdfUrl"}),
}
KIND_FIELDS = {
    CourseKind.ARTICLE: frozenset({"articleVariant"}),
    CourseKind.VIDEO: VIDEO_FIELDS | {"articleVariant"},
    CourseKind.COURSE_GROUP: frozenset({"sections"}),
    CourseKind.MICRO_COURSE: frozenset({"topics"}),
    CourseKind.SHAREABLE_CONTENT_OBJECT: PACKAGE_FIELDS | {"resetSessionAfterComplete"},
}
URL_OR_ASSET = Either(
    "videoUrl",
    "videoAsset",
    none="A video needs `videoUrl` or `videoAsset`.",
    both="Keep one of `videoUrl` and `videoAsset`.",
    companions=[Companion("assetType", "videoAsset", "`assetType` belongs to `videoAsset`.")],
)
BODY_ONLY = Without(
    "articleVariant",
    ArticleVariant.model_fields.keys() - _BODY,
    "`{field}` does not belong to a video: its `articleVariant` is the text under the player.",
)
"""A video takes only the body of the fields of an article (O20)."""

BY_TYPE = ByWord(
    "type",
    {word: Word(TOPIC_FIELDS.get(word, frozenset())) for word in TopicType}
    | {TopicType.VIDEO: Word(VIDEO_FIELDS, further=[URL_OR_ASSET])},
    "a topic of type",
)
BY_KIND = ByWord(
    "kind",
    {word: Word(fields) for word, fields in KIND_FIELDS.items()}
    | {CourseKind.VIDEO: Word(KIND_FIELDS[CourseKind.VIDEO], further=[URL_OR_ASSET, BODY_ONLY])},
    "a course of kind",
)
TOGETHER: Together = {
    CourseSpec: [BY_KIND],
    Topic: [ONE_WAY, BY_TYPE],
    ArticleVariant: [ONE_WAY],
    Language: [ONE_WAY],
}
