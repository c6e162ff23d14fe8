"""What an author writes of a course: the models of the manifest (spec 2.2)."""

from typing import Annotated

from pydantic import Field

from ...vocabulary import limits
from ...vocabulary.enums import CourseKind, CreateStatus, OpenType, TopicType, VideoSource
from ..body import Body
from ..kind import Spec
from ..managed import Managed
from ..types import Choice, Date, FreeForm, PartId, Positive, Text, Title, Url, Uuid

Price = Annotated[int, Field(ge=0, le=limits.PRICE_IN_CENTS)]


class Video(Spec):
    """The fields of a video, at course level for the kind, in a topic for the type."""

    videoUrl: Url | None = None
    """External video, uploaded by a background job; excludes videoAsset."""
    videoAsset: Uuid | None = None
    """Id of an existing hosted or generated video."""
    assetType: Choice[VideoSource] | None = None
    """Source of videoAsset; write it for a generated one."""
    preAsset: Uuid | None = None
    """Pre-roll video."""
    postAsset: Uuid | None = None
    """Post-roll video."""
    posterImageAsset: Url | None = None
    """Poster image."""


class Package(Spec):
    """The fields of a SCORM package."""

    scormUrl: Url | None = None
    """Address of the package, fetched by a background job."""
    width: Positive | None = None
    """Pixels."""
    height: Positive | None = None
    """Pixels."""
    embeddedEnabled: bool | None = None
    """Show the package inside the page."""


class Variant(Body):
    """One language of an article (O20)."""

    language: Text | None = None
    """BCP 47 tag, quoted where YAML would read it as something else."""
    label: Text | None = None
    title: Text | None = None
    subtitle: Text | None = None
    copyright: Text | None = None
    externalUrl: Url | None = None
    externalUrlCallToAction: Text | None = None


class Language(Variant):
    """A further language of an article."""

    language: Title


class ArticleVariant(Variant):
    """Content of the one article topic of an article."""

    languages: list[Language] | None = None


class Attested(Spec):
    """Somebody's word that a topic, made as an empty shell, has its content now."""

    by: Title
    """Who filled it."""
    on: Date
    """The day on which it was filled."""


class Topic(Body, Video, Package):
    """A page of a lesson. Which content fields apply depends on its type."""

    id: PartId | None = None
    """Name within the lesson; default a slug of the title."""
    title: Title
    type: Choice[TopicType]
    preTextBlock: Text | None = None
    """HTML before the content."""
    postTextBlock: Text | None = None
    """HTML after the content."""
    languages: list[Language] | None = None
    """Language variants of an article."""
    pdfUrl: Url | None = None
    """PDF, fetched by a background job."""
    attested: Attested | None = None
    """Who filled this topic in the authoring interface, and when; never sent."""


class Lesson(Spec):
    """A unit of a section."""

    id: PartId | None = None
    """Name within the section; default a slug of the title."""
    title: Title
    openType: Choice[OpenType]
    """Who may open it."""
    topics: list[Topic]


class Section(Spec):
    """A module of a course."""

    id: PartId | None = None
    """Name within the course; default a slug of the title."""
    title: Title
    releaseDate: Date | None = None
    """Hidden until then."""
    lessons: list[Lesson]


class Group(Spec):
    """The catalog item: what the tile and the detail page show."""

    title: Title
    description: Annotated[Text, Field(max_length=limits.DESCRIPTION)] | None = None
    tags: Annotated[list[Title], Field(max_length=limits.TAGS)] | None = None
    """Labels of tags that exist on the platform."""
    authors: list[Title] | None = None
    source: Text | None = None
    """Label on the tile; cannot be changed after creation (O8)."""
    customFields: FreeForm | None = None
    asset: Url | None = None
    """Thumbnail, best 800 by 385."""
    assetAltText: Text | None = None
    detailAsset: Url | None = None
    """Image of the detail page, best 800 by 450."""
    detailAssetAltText: Text | None = None
    ribbon: Title | None = None
    """Slug of a ribbon of the company."""
    metaTitle: Annotated[Text, Field(max_length=limits.META_TITLE)] | None = None
    metaDescription: Annotated[Text, Field(max_length=limits.META_DESCRIPTION)] | None = None
    contentType: Title | None = None
    """Label of a content type of the company; derived from kind when left out."""
    isbn: Text | None = None
    relatedCourses: list[Title] | None = None
    """Keys or uuids of course groups; two courses may name each other."""
    publishDate: Date | None = None
    """For search and ordering; it publishes nothing (see futurePublishDate)."""


class Session(Spec):
    """The one session of the course: price, dates, limits, progress."""

    priceInCents: Price | None = None
    freeWithRegistration: bool | None = None
    purchasable: bool | None = None
    status: Choice[CreateStatus] | None = None
    """draft when left out."""
    futurePublishDate: Date | None = None
    """Publishes the session then; not together with status published."""
    sku: Annotated[Title, Field(max_length=limits.SKU)] | None = None
    """Unique on the platform (O18)."""
    discussionsEnabled: bool | None = None
    availableToPublic: bool | None = None
    enrollmentLimit: Positive | None = None
    """Turns seat limits on."""
    enrollmentStartDate: Date | None = None
    enrollmentEndDate: Date | None = None
    courseStartDate: Date | None = None
    courseEndDate: Date | None = None
    gracePeriodEndDate: Date | None = None
    sessionCustomFields: FreeForm | None = None
    forceLinearProgress: bool | None = None
    showProgress: bool | None = None
    prerequisiteCourses: list[Title] | None = None
    """Keys or uuids of courses that must be completed first."""
    prerequisiteLearningPaths: list[Uuid] | None = None


class CourseSpec(Managed, Group, Session, Video, Package):
    """A course with everything in it."""

    kind: Choice[CourseKind]
    sections: list[Section] | None = None
    topics: list[Topic] | None = None
    """Of a microCourse."""
    articleVariant: ArticleVariant | None = None
    """Of an article; of a video, the text under the player."""
    resetSessionAfterComplete: bool | None = None


GROUP_FIELDS = frozenset(Group.model_fields)
SESSION_FIELDS = frozenset(Session.model_fields)
VIDEO_FIELDS = frozenset(Video.model_fields)
PACKAGE_FIELDS = frozenset(Package.model_fields)
