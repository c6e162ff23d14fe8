"""Which fields a kind of course takes, and which a type of topic (spec 2.2)."""

from collections.abc import Iterable, Iterator

from ....problems import Finding
from ....source import Path
from ....vocabulary.enums import CourseKind, TopicType
from ...body import WAYS, Body, one_way
from .. import tree
from ..spec import PACKAGE_FIELDS, VIDEO_FIELDS, CourseSpec, Language, Topic, Video

_BODY = frozenset(WAYS)
_EVERY_TOPIC = frozenset({"id", "title", "type", "preTextBlock", "postTextBlock", "attested"})
TOPIC_FIELDS = {
    TopicType.TEXT: _BODY,
    TopicType.EMBED: _BODY,
    TopicType.ARTICLE: _BODY | {"languages"},
    TopicType.VIDEO: VIDEO_FIELDS,
    TopicType.SHAREABLE_CONTENT_OBJECT: PACKAGE_FIELDS,
    TopicType.X_API_OBJECT: frozenset({"scormUrl"}),
    TopicType.PDF_VIEWER: frozenset({"pdfUrl"}),
}
_TAKES = {word: _EVERY_TOPIC | TOPIC_FIELDS.get(word, frozenset()) for word in TopicType}
KIND_FIELDS = {
    CourseKind.COURSE_GROUP: frozenset({"sections"}),
    CourseKind.MICRO_COURSE: frozenset({"topics"}),
    CourseKind.ARTICLE: frozenset({"articleVariant"}),
    CourseKind.VIDEO: VIDEO_FIELDS | {"articleVariant"},
    CourseKind.SHAREABLE_CONTENT_OBJECT: PACKAGE_FIELDS | {"resetSessionAfterComplete"},
}
_STRUCTURE = frozenset().union(*KIND_FIELDS.values())


def fields_of_kind(course: CourseSpec) -> Iterator[Finding]:
    """Structure fields belong to one kind each."""
    allowed = KIND_FIELDS[course.kind]
    for field in sorted(course.model_fields_set & _STRUCTURE - allowed):
        if getattr(course, field) is not None:
            yield Finding(
                "field-of-kind",
                (field,),
                f"`{field}` does not belong to the kind {course.kind}",
                f"this kind takes: {', '.join(sorted(allowed))}",
            )


def text_of_video(course: CourseSpec) -> Iterator[Finding]:
    """Of the fields of an article, a video takes the body: the text under its player (O20)."""
    variant = course.articleVariant
    if course.kind is not CourseKind.VIDEO or variant is None:
        return
    for field in sorted(variant.model_fields_set - _BODY):
        if getattr(variant, field) is not None:
            yield Finding(
                "text-of-video",
                ("articleVariant", field),
                f"`{field}` does not belong to a video, whose `articleVariant` is the text under "
                "the player",
                f"delete it; it takes one of {', '.join(WAYS)}",
            )


def video_of_kind(course: CourseSpec) -> Iterator[Finding]:
    if course.kind is CourseKind.VIDEO:
        yield from _video((), course)


def topics(course: CourseSpec) -> Iterator[Finding]:
    """Every topic: its fields fit its type, its body is written once."""
    for path, (*_, topic) in tree.topics(course):
        if not topic.model_fields_set <= _TAKES[topic.type]:
            yield from _fields_of_type(path, topic)
        yield from _variants(path, topic, topic.languages)
        if topic.type is TopicType.VIDEO:
            yield from _video(path, topic)


def variants(course: CourseSpec) -> Iterator[Finding]:
    """The content of an article."""
    if course.articleVariant:
        path = ("articleVariant",)
        yield from _variants(path, course.articleVariant, course.articleVariant.languages)


def _fields_of_type(path: Path, topic: Topic) -> Iterator[Finding]:
    allowed = TOPIC_FIELDS.get(topic.type, frozenset())
    for field in sorted(topic.model_fields_set - _EVERY_TOPIC - allowed):
        if getattr(topic, field) is None:
            continue
        yield Finding(
            "field-of-type",
            (*path, field),
            f"`{field}` does not belong to a topic of type {topic.type}",
            f"this type takes: {', '.join(sorted(allowed))}"
            if allowed
            else "topics of this type are filled in the authoring interface",
        )


def _variants(path: Path, holder: Body, languages: Iterable[Language] | None) -> Iterator[Finding]:
    yield from one_way(path, holder)
    seen: set[str] = set()
    for position, language in enumerate(languages or ()):
        below = (*path, "languages", position)
        yield from one_way(below, language)
        if language.language.lower() in seen:  # BCP 47 knows no capitals
            yield Finding(
                "language-twice", (*below, "language"), f"`{language.language}` is given twice"
            )
        seen.add(language.language.lower())


def _video(path: Path, video: Video) -> Iterator[Finding]:
    """videoUrl or videoAsset, never both; assetType goes with videoAsset (spec 2.2)."""
    if video.videoUrl and video.videoAsset:
        yield Finding(
            "one-video",
            (*path, "videoAsset"),
            "`videoUrl` and `videoAsset` are both given; the platform takes one of them",
            "keep `videoAsset` for a video that is in the library, `videoUrl` for an external one",
        )
    if video.videoUrl and video.assetType:
        yield Finding(
            "asset-type-with-url",
            (*path, "assetType"),
            "`assetType` cannot be combined with `videoUrl`",
            "it says where `videoAsset` comes from: delete it",
        )
    if not video.videoUrl and not video.videoAsset:
        yield Finding(
            "no-video", path, "a video needs `videoUrl` or `videoAsset`", "add one of them"
        )


RULES = (fields_of_kind, text_of_video, video_of_kind, topics, variants)
