"""What an author writes of a course: the models of the manifest (spec 2.2).

An `Effect` says what a change of the field does to people; without one it is editorial. Parts
are structural, but for what the declaration of the kind names.
"""

from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from typing import Annotated

from pydantic import Field

from ...kind import Effect, Spec
from ...resource import Path
from ...texts.values import PictureSize
from ...vocabulary import limits
from ...vocabulary.enums import CourseKind, CreateStatus, OpenType, TopicType, VideoSource
from ..field_types import (
    FREE_FORM,
    Choice,
    Date,
    FreeForm,
    Html,
    ImageUrl,
    Isbn,
    LanguageTag,
    Line,
    MetaText,
    NeverNull,
    PackageUrl,
    PartId,
    PdfUrl,
    Positive,
    PosterUrl,
    Shown,
    Slug,
    Switch,
    Text,
    Title,
    Url,
    Uuid,
    VideoId,
    VideoUrl,
)
from ..shared_fields import BodyFields, Managed
from .course_form import PartList, list_pages, walk_parts

Price = Annotated[int, Field(ge=0, le=limits.PRICE_IN_CENTS)]
Sku = Annotated[Title, Field(max_length=limits.SKU)]


class Video(Spec):
    """The fields of a video, at course level for the kind, in a topic for the type."""

    videoUrl: VideoUrl | None = None
    """External video, uploaded by a background job; not together with videoAsset."""
    videoAsset: VideoId | None = None
    """Id of an existing hosted or generated video."""
    assetType: Annotated[
        Choice[VideoSource] | None, NeverNull(), Shown(("generated",), default="hosted")
    ] = None
    """Source of videoAsset; must be written for a generated video."""
    preAsset: VideoId | None = None
    """Id of a video that plays before it."""
    postAsset: VideoId | None = None
    """Id of a video that plays after it."""
    posterImageAsset: Annotated[PosterUrl | None, Effect.COSMETIC] = None
    """Picture that is shown until it plays."""


class Package(Spec):
    """The fields of a SCORM package."""

    scormUrl: Annotated[PackageUrl | None, Effect.PROGRESS] = None
    """Address of the package, fetched by a background job."""
    width: Annotated[Positive | None, Shown((1024,))] = None
    """Width in pixels."""
    height: Annotated[Positive | None, Shown((768,))] = None
    """Height in pixels."""
    embeddedEnabled: Switch = None
    """Show the package inside the page."""


class Variant(BodyFields):
    """One language of an article (O20)."""

    language: Annotated[LanguageTag | None, Shown(("en", "de-CH"))] = None
    """BCP 47 tag, quoted where YAML would read it as something else."""
    label: Annotated[Line | None, Shown(("English",))] = None
    """Name by which readers choose the language."""
    title: Annotated[Line | None, Shown(("Privacy at work",))] = None
    """Title above the article."""
    subtitle: Annotated[Line | None, Shown(("What we keep, and why",))] = None
    """Line below the title."""
    copyright: Annotated[Line | None, Shown(("Example Company",))] = None
    """Who owns the text."""
    externalUrl: Url | None = None
    """Address of a page with more about it."""
    externalUrlCallToAction: Annotated[Line | None, Shown(("Read the whole policy",))] = None
    """Text of the link to `externalUrl`."""


class Language(Variant):
    """A further language of an article."""

    language: Annotated[LanguageTag, Shown(("de", "fr"))]
    """BCP 47 tag; each language only once."""


class ArticleVariant(Variant):
    """Content of the one article topic of an article."""

    languages: list[Language] | None = None
    """The same article in further languages."""


class Attested(Spec):
    """Confirmation by a person that a topic, created as an empty shell, has its content now."""

    by: Annotated[Title, Shown(("Ingrid Sommer",))]
    """Who filled it."""
    on: Date
    """The day on which it was filled."""
    updatedAt: Date | None = None
    """When the platform says that it was changed last, as of that day; a later edit is noticed."""


class Topic(BodyFields, Video, Package):
    """A page of a lesson. Which content fields apply depends on its type."""

    id: Annotated[PartId | None, Shown(("hello",))] = None
    """Name within the lesson; by default a slug of the title."""
    title: Annotated[Title, Shown(("Hello",))]
    """What learners see above the page."""
    type: Choice[TopicType]
    """Type of the page; it decides which content fields apply."""
    preTextBlock: Annotated[Html | None, Shown(("<p>Six minutes.</p>",))] = None
    """HTML before the content."""
    postTextBlock: Annotated[Html | None, Shown(("<p>How many did you notice?</p>",))] = None
    """HTML after the content."""
    languages: list[Language] | None = None
    """Language variants of an article."""
    pdfUrl: PdfUrl | None = None
    """PDF, fetched by a background job."""
    attested: Attested | None = None
    """Who filled this topic in the authoring interface, and when; never sent."""


class Lesson(Spec):
    """A unit of a section."""

    id: Annotated[PartId | None, Shown(("welcome",))] = None
    """Name within the section; by default a slug of the title."""
    title: Annotated[Title, Shown(("Welcome",))]
    """What learners see in the outline."""
    openType: Choice[OpenType]
    """Who may open it."""
    topics: list[Topic]
    """Its pages, in their order."""


class Section(Spec):
    """A module of a course."""

    id: Annotated[PartId | None, Shown(("start",))] = None
    """Name within the course; by default a slug of the title."""
    title: Annotated[Title, Shown(("Start here",))]
    """What learners see in the outline."""
    releaseDate: Date | None = None
    """Hidden until this date."""
    lessons: list[Lesson]
    """Its lessons, in their order."""


class Group(Spec):
    """The catalog item: what the tile and the detail page show."""

    title: Annotated[Title, Shown(("Workplace safety 101",))]
    """Name on the tile, and of the session."""
    description: Annotated[
        Annotated[Text, Field(max_length=limits.DESCRIPTION)] | None,
        Shown(("What everyone on site must know.",)),
    ] = None
    """What the course is about, on the detail page."""
    tags: Annotated[
        Annotated[list[Title], Field(max_length=limits.TAGS)] | None,
        Shown((["Safety", "Compliance"],), wire="tagIds"),
    ] = None
    """Labels of tags that exist on the platform."""
    authors: Annotated[list[Title] | None, Shown((["Ingrid Sommer", "Tomas Reyes"],))] = None
    """Names of the authors."""
    source: Annotated[Line | None, Shown(("Site safety team",)), Effect.COSMETIC] = None
    """Label on the tile; cannot be changed after creation."""
    contentType: Annotated[Title | None, Shown(("Course",))] = None
    """Label of a content type of the company; derived from kind when left out."""
    ribbon: Annotated[Slug | None, Shown(("mandatory",)), Effect.COSMETIC] = None
    """Slug of a ribbon of the company."""
    isbn: Annotated[Isbn | None, Shown(("978-3-16-148410-0",))] = None
    """ISBN of a book behind the course."""
    publishDate: Annotated[Date | None, Effect.COSMETIC] = None
    """For search and ordering; it does not publish anything (see futurePublishDate)."""
    asset: Annotated[ImageUrl | None, PictureSize(*limits.THUMBNAIL), Effect.COSMETIC] = None
    """Thumbnail, ideally 800 by 385 pixels."""
    assetAltText: Annotated[
        Text | None, Shown(("Two colleagues checking a guard",), default=""), Effect.COSMETIC
    ] = None
    """What the thumbnail shows, for people who cannot see it."""
    detailAsset: Annotated[ImageUrl | None, PictureSize(*limits.DETAIL_IMAGE), Effect.COSMETIC] = (
        None
    )
    """Image of the detail page, ideally 800 by 450 pixels."""
    detailAssetAltText: Annotated[Text | None, Shown(("A yellow walkway",)), Effect.COSMETIC] = None
    """What that image shows, for people who cannot see it."""
    metaTitle: Annotated[
        Annotated[MetaText, Field(max_length=limits.META_TITLE)] | None,
        Shown(("Workplace safety 101",)),
        Effect.COSMETIC,
    ] = None
    """Title for search engines; the platform removes HTML from it."""
    metaDescription: Annotated[
        Annotated[MetaText, Field(max_length=limits.META_DESCRIPTION)] | None,
        Shown(("An introduction to safety for everybody on site.",)),
        Effect.COSMETIC,
    ] = None
    """Description for search engines; the platform removes HTML from it."""
    customFields: Annotated[
        FreeForm | None,
        Shown(({"owner": "Site safety team", "audience": ["everyone"]},), type=FREE_FORM),
    ] = None
    """Custom fields of the catalog item, by slug."""
    relatedCourses: Annotated[
        list[Title] | None, Shown((["first-aid"],), wire="relatedCourseGroupIds")
    ] = None
    """Keys or uuids of course groups; two courses may name each other."""


class Session(Spec):
    """A session of the course, here or in `sessions`: price, dates, limits, progress."""

    status: Annotated[
        Choice[CreateStatus] | None,
        NeverNull(),
        Shown(("published",), default="draft"),
        Effect.ACCESS,
    ] = None
    """Whether learners see it; draft when left out."""
    futurePublishDate: Annotated[Date | None, Effect.ACCESS] = None
    """Publishes the session at this time; not together with status published."""
    sku: Annotated[Sku | None, Shown(("SAF-101",))] = None
    """Unique on the platform."""
    priceInCents: Annotated[Price | None, Shown((1900,)), Effect.COMMERCE] = None
    """Price in hundredths of the currency: 1900 is 19.00."""
    freeWithRegistration: Annotated[Switch, Shown(default=False), Effect.COMMERCE] = None
    """Free for everybody who has registered."""
    purchasable: Annotated[Switch, Shown(default=False), Effect.COMMERCE] = None
    """Can be bought in the catalog."""
    discussionsEnabled: Switch = None
    """Learners can discuss."""
    availableToPublic: Annotated[Switch, Effect.ACCESS] = None
    """Open without login."""
    enrollmentLimit: Annotated[Positive | None, Shown((40,)), Effect.ACCESS] = None
    """How many learners can enrol; turns seat limits on."""
    enrollmentStartDate: Annotated[Date | None, Effect.ACCESS] = None
    """Nobody can enrol before this date; the day of creation when left out."""
    enrollmentEndDate: Annotated[Date | None, Effect.ACCESS] = None
    """Nobody can enrol after this date."""
    courseStartDate: Annotated[Date | None, Effect.ACCESS] = None
    """Content is closed before this date; the day of creation when left out."""
    courseEndDate: Annotated[Date | None, Effect.ACCESS] = None
    """Content is closed after this date."""
    gracePeriodEndDate: Annotated[Date | None, Effect.ACCESS] = None
    """Until this date, enrolled learners can still finish after the end."""
    sessionCustomFields: Annotated[
        FreeForm | None, Shown(({"room": "North plant"},), type=FREE_FORM)
    ] = None
    """Custom fields of the session, by slug; separate from `customFields`."""
    forceLinearProgress: Annotated[Switch, Shown(default=False), Effect.PROGRESS] = None
    """Learners must take the pages in order."""
    showProgress: Annotated[Switch, Shown(default=True), Effect.COSMETIC] = None
    """Learners see their progress."""
    prerequisiteCourses: Annotated[
        list[Title] | None, Shown((["first-aid"],), wire="prerequisiteCourseIds"), Effect.ACCESS
    ] = None
    """Keys or uuids of courses that must be completed first."""
    prerequisiteLearningPaths: Annotated[
        list[Uuid] | None, Shown(wire="prerequisiteLearningPathIds"), Effect.ACCESS
    ] = None
    """Uuids of learning paths that must be completed first."""

    @cached_property
    def lists(self) -> Sequence[PartList]:
        """Every list of its parts: many rules look at them, and the tree is walked once."""
        return walk_parts(self)

    @cached_property
    def shapes(self) -> Set[tuple[TopicType, frozenset[str]]]:
        """The types of its topics, each with the fields that are written: rules see from these few
        whether they must look at the topics."""
        topics = (topic for path, _, items in self.lists if path[-1] == "topics" for topic in items)
        return {(topic.type, frozenset(topic.__pydantic_fields_set__)) for topic in topics}

    @cached_property
    def pages(self) -> Sequence[tuple[Path, "Topic"]]:
        """Its topics, each with its path, in the order of learning."""
        return list_pages(self.lists)


class CourseSpec(Managed, Group, Session, Video, Package):
    """A course with everything in it."""

    kind: Annotated[Choice[CourseKind], Effect.PROGRESS]
    """Kind of the course; it decides which fields hold its content, and can never change."""
    sections: Annotated[list[Section] | None, Effect.STRUCTURAL] = None
    """Of a courseGroup: its sections, in their order."""
    topics: Annotated[list[Topic] | None, Effect.STRUCTURAL] = None
    """Of a microCourse: its pages, in their order."""
    articleVariant: ArticleVariant | None = None
    """Of an article; of a video, the text under the player."""
    resetSessionAfterComplete: Annotated[Switch, Effect.PROGRESS] = None
    """Of a shareableContentObject: it starts again after it was completed."""


GROUP_FIELDS = frozenset(Group.model_fields)
SESSION_FIELDS = frozenset(Session.model_fields)
VIDEO_FIELDS = frozenset(Video.model_fields)
PACKAGE_FIELDS = frozenset(Package.model_fields)
DATE_FIELDS = frozenset(name for name in SESSION_FIELDS | GROUP_FIELDS if name.endswith("Date"))
KIND_FIELDS: Mapping[str, frozenset[str]] = {
    CourseKind.ARTICLE: frozenset({"articleVariant"}),
    CourseKind.VIDEO: VIDEO_FIELDS | {"articleVariant"},
    CourseKind.COURSE_GROUP: frozenset({"sections"}),
    CourseKind.MICRO_COURSE: frozenset({"topics"}),
    CourseKind.SHAREABLE_CONTENT_OBJECT: PACKAGE_FIELDS | {"resetSessionAfterComplete"},
}
"""The fields that hold the content of each kind."""
