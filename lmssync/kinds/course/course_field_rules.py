"""Which fields a kind of course takes, and a type of topic, and what the words mean (spec 2.2)."""

from collections.abc import Iterator, Set

from ...kind import ByWord, Companion, Either, Meanings, Together, Without, Word
from ...problems import Finding, Rule, warning_rule
from ...resource import Path
from ...vocabulary.enums import (
    FILLED_TOPICS,
    SHELL_TOPICS,
    CourseKind,
    CreateStatus,
    OpenType,
    TopicType,
    VideoSource,
)
from ..shared_fields import ONE_WAY, WAYS, one_way
from ..sibling_names import find_repeated
from .course_manifest import (
    KIND_FIELDS,
    PACKAGE_FIELDS,
    VIDEO_FIELDS,
    ArticleVariant,
    CourseSpec,
    Language,
    Topic,
    Video,
)

NO_ALT_TEXT = warning_rule(
    "no-alt-text",
    "A picture of the course has no alternative text for people who cannot see it.",
    'Add it, or write `""` if the picture is only decoration.',
    wrong="asset: https://media.example.com/tile.png",
    right="asset: https://media.example.com/tile.png\nassetAltText: A guard on a press",
)
ALT_TEXT_ALONE = warning_rule(
    "alt-text-alone",
    "An alternative text is given without its picture.",
    "Add the picture, or delete the text.",
    source="spec 2.2",
    wrong="assetAltText: A guard on a press",
    right="asset: https://media.example.com/tile.png\nassetAltText: A guard on a press",
)
RELATED_TO_ITSELF = warning_rule(
    "related-to-itself",
    "A course is related to itself.",
    "Name other courses.",
    wrong="key: safety\nrelatedCourses: [safety]",
    right="key: safety\nrelatedCourses: [first-aid]",
)
FIELD_OF_KIND = Rule(
    "field-of-kind",
    "The field belongs to another kind of course.",
    "See the [kinds of course](manifests.md#kinds-of-course).",
    source="spec 2.2",
    wrong="videoUrl: https://media.example.com/a.mp4",
    right="kind: courseGroup",
)
FIELD_OF_TYPE = Rule(
    "field-of-type",
    "The field belongs to another type of topic, or a person fills topics of this type in the "
    "authoring interface.",
    "See the [topic types](manifests.md#topic-types).",
    source="spec 2.2",
    within="a topic",
    wrong="type: text\npdfUrl: https://media.example.com/a.pdf",
    right="type: pdfViewer\npdfUrl: https://media.example.com/a.pdf",
)
NO_VIDEO = Rule(
    "no-video",
    "A video has neither `videoUrl` nor `videoAsset`.",
    "Add `videoUrl` or `videoAsset`.",
    source="spec 2.2",
    within="a topic",
    wrong="type: video",
    right="type: video\nvideoUrl: https://media.example.com/a.mp4",
)
ONE_VIDEO = Rule(
    "one-video",
    "A video has both `videoUrl` and `videoAsset`.",
    "Keep `videoAsset` for a video in the library, `videoUrl` for any other.",
    source="spec 2.2",
    within="a course of kind video",
    wrong="videoUrl: https://media.example.com/a.mp4\n"
    "videoAsset: 7d1c0000-0000-4000-8000-000000000102",
    right="videoAsset: 7d1c0000-0000-4000-8000-000000000102",
)
ASSET_TYPE_WITH_URL = Rule(
    "asset-type-with-url",
    "`assetType` is given with `videoUrl`.",
    "Delete it: it belongs to `videoAsset`.",
    source="spec 2.2",
    within="a course of kind video",
    wrong="videoUrl: https://media.example.com/a.mp4\nassetType: hosted",
    right="videoUrl: https://media.example.com/a.mp4",
)
TEXT_OF_VIDEO = Rule(
    "text-of-video",
    "The text under the player of a video has a field besides its body. That field would be lost.",
    "Delete the field.",
    fixed=False,
    source="O20",
    within="a course of kind video",
    wrong="videoUrl: https://media.example.com/a.mp4\n"
    "articleVariant: {body: <p>Hi.</p>, label: Hi}",
    right="videoUrl: https://media.example.com/a.mp4\narticleVariant: {body: <p>Hi.</p>}",
)
LANGUAGE_TWICE = Rule(
    "language-twice",
    "A page has the same language twice.",
    "Keep one of them.",
    within="a topic",
    wrong="type: article\nlanguages:\n  - {language: de}\n  - {language: de}",
    right="type: article\nlanguages:\n  - {language: de}\n  - {language: fr}",
)


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


_PAIRS = (("asset", "assetAltText"), ("detailAsset", "detailAssetAltText"))


def alternative_texts(course: CourseSpec) -> Iterator[Finding]:
    """Each picture has a text, and each text its picture."""
    for picture, words in _PAIRS:
        shown, described = getattr(course, picture), getattr(course, words)
        if described and not shown:
            message = f"`{words}` describes `{picture}`, which is not given"
            yield ALT_TEXT_ALONE.at((words,), message, f"add `{picture}`, or delete `{words}`")
        if shown and described is None:
            yield NO_ALT_TEXT.at(
                (picture,),
                f"`{picture}` has no `{words}` for people who cannot see the picture",
                f'add `{words}` to describe the picture, or `{words}: ""` if it is only decoration',
            )


def not_itself(course: CourseSpec) -> Iterator[Finding]:
    """A course related to itself is shown beside itself; a course that needs itself is a circle."""
    for position, name in enumerate(course.relatedCourses or ()):
        if name == course.key:
            message = "the course is related to itself"
            hint = "name other courses, or delete it"
            yield RELATED_TO_ITSELF.at(("relatedCourses", position), message, hint)


def _topic_meaning(word: TopicType) -> str:
    if word in SHELL_TOPICS:
        return "An empty shell: a person fills it."
    if word not in FILLED_TOPICS:
        return "A placeholder page: a person fills it."
    fields = sorted(TOPIC_FIELDS.get(word, ()))
    return f"Filled from the manifest: {', '.join(fields)}." if fields else "Works as it is."


MEANINGS: Meanings = {
    CourseKind: {
        CourseKind.ARTICLE: "An article, in one language or several.",
        CourseKind.VIDEO: "One video.",
        CourseKind.COURSE_GROUP: "A standard course: sections, lessons, topics.",
        CourseKind.MICRO_COURSE: "A small course: topics without sections or lessons.",
        CourseKind.SHAREABLE_CONTENT_OBJECT: "One SCORM package.",
    },
    CreateStatus: {
        CreateStatus.DRAFT: "Learners do not see it yet.",
        CreateStatus.PUBLISHED: "Learners see it as soon as it is made.",
    },
    OpenType: {
        OpenType.STUDENTS_ONLY: "For enrolled learners.",
        OpenType.OPEN: "For everybody.",
        OpenType.EMAIL_CAPTURE_OPEN: "For everybody who leaves an e-mail address.",
    },
    VideoSource: {
        VideoSource.HOSTED: "A video of the library.",
        VideoSource.GENERATED: "A generated video; this word must be written for one.",
    },
    TopicType: {word: _topic_meaning(word) for word in TopicType},
}


def fields_of_kind(course: CourseSpec) -> Iterator[Finding]:
    """Yields a finding for each field that belongs to another kind of course."""
    for field in BY_KIND.stray_fields(course):
        message = f"`{field}` does not belong to the kind {course.kind}"
        hint = f"this kind takes: {', '.join(sorted(KIND_FIELDS[course.kind]))}"
        yield FIELD_OF_KIND.at((field,), message, hint)


def text_of_video(course: CourseSpec) -> Iterator[Finding]:
    """A video takes only the body of the fields of an article: the text under its player (O20)."""
    variant = course.articleVariant
    if course.kind is not CourseKind.VIDEO or variant is None:
        return
    for field in sorted(variant.model_fields_set & BODY_ONLY.fields):
        if getattr(variant, field) is not None:
            yield TEXT_OF_VIDEO.at(
                ("articleVariant", field),
                f"`{field}` does not belong to a video, whose `articleVariant` is the text under "
                "the player",
                f"delete it; it takes one of {', '.join(WAYS)}",
            )


def video_of_kind(course: CourseSpec) -> Iterator[Finding]:
    if course.kind is CourseKind.VIDEO:
        yield from _check_video((), course)


def check_topics(course: CourseSpec) -> Iterator[Finding]:
    """Every topic: its fields fit its type, its body is written once."""
    if all(_is_plain(*shape) for shape in course.shapes):
        return
    for path, topic in course.pages:
        if _is_plain(topic.type, topic.__pydantic_fields_set__):
            continue
        yield from _fields_of_type(path, topic)
        yield from _check_variant_list(path, topic)
        if topic.type is TopicType.VIDEO:
            yield from _check_video(path, topic)


def _is_plain(type_: TopicType, written: Set[str]) -> bool:
    """Whether no rule can be broken in a topic of this type that has these fields."""
    if type_ is TopicType.VIDEO or "languages" in written or len(written & _BODY) > 1:
        return False
    return BY_TYPE.refused_fields[type_].isdisjoint(written)


def check_variants(course: CourseSpec) -> Iterator[Finding]:
    """Yields the findings about the content of an article."""
    if course.articleVariant:
        yield from _check_variant_list(("articleVariant",), course.articleVariant)


def _fields_of_type(path: Path, topic: Topic) -> Iterator[Finding]:
    allowed = TOPIC_FIELDS.get(topic.type, frozenset())
    for field in BY_TYPE.stray_fields(topic):
        yield FIELD_OF_TYPE.at(
            (*path, field),
            f"`{field}` does not belong to a topic of type {topic.type}",
            f"this type takes: {', '.join(sorted(allowed))}"
            if allowed
            else "topics of this type are filled in the authoring interface",
        )


def _check_variant_list(path: Path, holder: Topic | ArticleVariant) -> Iterator[Finding]:
    yield from one_way(path, holder)
    if not holder.languages:
        return
    tags = [language.language for language in holder.languages]
    for position, language in enumerate(holder.languages):
        yield from one_way((*path, "languages", position), language)
    for position, _ in find_repeated(tags, str.lower):  # BCP 47 knows no capitals
        where = (*path, "languages", position, "language")
        yield LANGUAGE_TWICE.at(where, f"`{tags[position]}` is given twice", "")


def _check_video(path: Path, video: Video) -> Iterator[Finding]:
    """videoUrl or videoAsset, never both; assetType goes with videoAsset (spec 2.2)."""
    given = URL_OR_ASSET.given_fields(video)
    if len(given) > 1:
        yield ONE_VIDEO.at(
            (*path, "videoAsset"),
            "`videoUrl` and `videoAsset` are both given; the platform takes one of them",
            "keep `videoAsset` for a video that is in the library, `videoUrl` for an external one",
        )
    if video.videoUrl and video.assetType:
        message = "`assetType` cannot be combined with `videoUrl`"
        hint = "it says where `videoAsset` comes from: delete it"
        yield ASSET_TYPE_WITH_URL.at((*path, "assetType"), message, hint)
    if not given:
        yield NO_VIDEO.at(path, "a video needs `videoUrl` or `videoAsset`", "add one of them")


FIELD_RULES = (
    fields_of_kind,
    text_of_video,
    video_of_kind,
    check_topics,
    check_variants,
    alternative_texts,
    not_itself,
)
