"""Rules of a course that need more than one field (spec 2.2)."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from ...problems import Finding, Severity
from ...source import Path
from ...vocabulary.enums import CourseKind, CreateStatus, TopicType
from ..body import Body, one_way
from .spec import PACKAGE_FIELDS, VIDEO_FIELDS, CourseSpec, Language, Lesson, Section, Topic, Video

_BODY = frozenset({"body", "markdown", "bodyFile"})
_EVERY_TOPIC = frozenset({"id", "title", "type", "preTextBlock", "postTextBlock", "attested"})
_TOPIC_FIELDS = {
    TopicType.TEXT: _BODY,
    TopicType.EMBED: _BODY,
    TopicType.ARTICLE: _BODY | {"languages"},
    TopicType.VIDEO: VIDEO_FIELDS,
    TopicType.SHAREABLE_CONTENT_OBJECT: PACKAGE_FIELDS,
    TopicType.X_API_OBJECT: frozenset({"scormUrl"}),
    TopicType.PDF_VIEWER: frozenset({"pdfUrl"}),
}
_KIND_FIELDS = {
    CourseKind.COURSE_GROUP: frozenset({"sections"}),
    CourseKind.MICRO_COURSE: frozenset({"topics"}),
    CourseKind.ARTICLE: frozenset({"articleVariant"}),
    CourseKind.VIDEO: VIDEO_FIELDS | {"articleVariant"},
    CourseKind.SHAREABLE_CONTENT_OBJECT: PACKAGE_FIELDS | {"resetSessionAfterComplete"},
}
_STRUCTURE = frozenset().union(*_KIND_FIELDS.values())
_CONTENT = {
    CourseKind.COURSE_GROUP: "sections",
    CourseKind.MICRO_COURSE: "topics",
    CourseKind.ARTICLE: "articleVariant",
    CourseKind.SHAREABLE_CONTENT_OBJECT: "scormUrl",
}
_WINDOWS = (
    ("enrollmentStartDate", "enrollmentEndDate"),
    ("courseStartDate", "courseEndDate"),
    ("courseEndDate", "gracePeriodEndDate"),
    ("enrollmentStartDate", "courseEndDate"),
)


def fields_of_kind(course: CourseSpec) -> Iterator[Finding]:
    """Structure fields belong to one kind each."""
    allowed = _KIND_FIELDS[course.kind]
    for field in sorted(course.model_fields_set & _STRUCTURE - allowed):
        if getattr(course, field) is not None:
            yield Finding(
                "field-of-kind",
                (field,),
                f"`{field}` does not belong to the kind {course.kind}",
                f"this kind takes: {', '.join(sorted(allowed))}",
            )


def has_content(course: CourseSpec) -> Iterator[Finding]:
    """A course without content is accepted by the platform and can be finished by nobody."""
    field = _CONTENT.get(course.kind)
    if field and not getattr(course, field):
        yield Finding(
            "no-content",
            (),
            f"a course of kind {course.kind} has no `{field}`: learners would find nothing in it",
            f"add `{field}`",
            Severity.WARNING,
        )


def video_of_kind(course: CourseSpec) -> Iterator[Finding]:
    if course.kind is CourseKind.VIDEO:
        yield from _video((), course)


def publishing(course: CourseSpec) -> Iterator[Finding]:
    """futurePublishDate together with status published is a 400 (spec 2.2)."""
    if course.futurePublishDate and course.status is CreateStatus.PUBLISHED:
        yield Finding(
            "publish-twice",
            ("futurePublishDate",),
            "`futurePublishDate` and `status: published` are both given",
            "leave `status` out: the platform publishes at that date by itself",
        )


def windows(course: CourseSpec) -> Iterator[Finding]:
    """A window that ends before it starts lets nobody in."""
    for first, last in _WINDOWS:
        start, end = getattr(course, first), getattr(course, last)
        if start and end and _moment(end) < _moment(start):
            yield Finding(
                "window", (last,), f"`{last}` ({end}) is before `{first}` ({start})", "swap them?"
            )


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def topics(course: CourseSpec) -> Iterator[Finding]:
    """Every topic: its fields fit its type, its body is written once."""
    for path, topic in _topics(course):
        yield from _fields_of_type(path, topic)
        yield from _variants(path, topic, topic.languages)
        if topic.type is TopicType.VIDEO:
            yield from _video(path, topic)


def variants(course: CourseSpec) -> Iterator[Finding]:
    """The content of an article."""
    if course.articleVariant:
        path = ("articleVariant",)
        yield from _variants(path, course.articleVariant, course.articleVariant.languages)


def ids(course: CourseSpec) -> Iterator[Finding]:
    """Ids are unique among siblings."""
    for path, siblings in _families(course):
        taken: dict[str, int] = {}
        for position, item in enumerate(siblings):
            if item.id and item.id in taken:
                yield Finding(
                    "id-twice",
                    (*path, position, "id"),
                    f"the id `{item.id}` is used twice in `{path[-1]}`",
                    "ids must differ among siblings; they are how criteria name topics",
                )
            if item.id:
                taken[item.id] = position


def _families(course: CourseSpec) -> Iterator[tuple[Path, Sequence[Section | Lesson | Topic]]]:
    yield ("topics",), course.topics or ()
    yield ("sections",), course.sections or ()
    for s, section in enumerate(course.sections or ()):
        path: Path = ("sections", s, "lessons")
        yield path, section.lessons
        for n, lesson in enumerate(section.lessons):
            yield (*path, n, "topics"), lesson.topics


def _topics(course: CourseSpec) -> Iterator[tuple[Path, Topic]]:
    for path, siblings in _families(course):
        for position, item in enumerate(siblings):
            if isinstance(item, Topic):
                yield (*path, position), item


def _fields_of_type(path: Path, topic: Topic) -> Iterator[Finding]:
    allowed = _TOPIC_FIELDS.get(topic.type, frozenset())
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
        if language.language in seen:
            yield Finding(
                "language-twice", (*below, "language"), f"`{language.language}` is given twice"
            )
        seen.add(language.language)


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


RULES = (fields_of_kind, has_content, video_of_kind, publishing, windows, topics, variants, ids)
