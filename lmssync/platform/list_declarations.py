"""Every list that can be asked for, in the words of the specification (spec 2, 4).

The words of a declaration come first, then the lists.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..vocabulary import limits
from ..vocabulary.enums import AssetType, CourseKind, CriterionType

NONE: Mapping[str, str] = MappingProxyType({})


class Filter(NamedTuple):
    """A filter that a route takes for a list."""

    name: str
    meaning: str
    words: tuple[str, ...] = ()
    """All values that it takes; empty: any text."""
    most: int = 0
    """The most characters of its value; 0: no limit is stated."""
    query: str = ""
    """The query parameter, if it has another name."""
    lookup: str = ""
    """A kind of things whose ids it takes; they can be named as well."""
    many: bool = False
    """The filter may be given several times."""
    field: str = ""
    """A field that holds its text, whatever the case. Items are compared here once more: it is not
    shown how the route takes this filter, and one that is not understood is ignored (O43)."""

    @property
    def parameter(self) -> str:
        return self.query or self.name


class Named(NamedTuple):
    """The things that the words after the name of a list name, and the parameter that takes their
    ids."""

    noun: str
    param: str = "id"
    kinds: Mapping[str, str] = NONE
    """The kinds of the recorded resources that can be named by their addresses, the most usual one
    first, and which of its ids each is named for."""
    part: bool = False
    """They are parts of these: `course.safety-101/start/welcome`."""
    lookup: str = ""
    """A kind of things that can be named by the field that `LOOKUPS` says."""
    anything: bool = False
    """The route takes words of other forms too."""
    field: str = ""
    """The field under which items say whose they are."""
    hint: str = ""
    """The list to look at if there is no such thing."""


class PlatformList(NamedTuple):
    """A list of the platform, with what is shown of it first."""

    meaning: str
    columns: tuple[str, ...]
    """Fields of the table, in the order of their weight; a dot leads into a field, or into each
    item of one."""
    further: tuple[str, ...] = ()
    """Fields that CSV has besides."""
    route: str = ""
    """Empty where no route lists them."""
    key: str = ""
    """Key of the list in the answer."""
    filters: tuple[Filter, ...] = ()
    sort: str = ""
    """Query parameter for the order, where the route has one."""
    fixed: tuple[tuple[str, str], ...] = ()
    """The parameters that the query always has."""
    page: tuple[str, int] | None = None
    """Query parameter for the size of a page, and the largest one that is stated."""
    owner: Named | None = None
    """The kind of owner, each of which has a list of its own."""
    single: str = ""
    """The route that reads one by its id."""
    named: Named = Named("")
    """The filters that the route takes."""
    about: Mapping[str, str] = NONE
    """Kinds of recorded resources that items name, and the field with their ids. No route narrows
    its list by one of these: the items are compared here."""

    @property
    def takes(self) -> Named:
        """The things that the words after its name name."""
        return self.owner or self.named

    @property
    def addresses(self) -> list[str]:
        """The forms of the addresses that it takes: `course.KEY`, `course.KEY/start/welcome`."""
        end = "/start/welcome" if self.takes.part else ""
        kinds = dict.fromkeys((*self.takes.kinds, *self.about))
        return [f"{kind}.KEY{end}" for kind in kinds]


_COURSES = {"course": "course", "session": "course"}
"""Both have sections, lessons and an id of a course; only the first has its course group."""
_COURSE = Named(
    "course",
    kinds=_COURSES,
    field="courseId",
    hint="give the id of the course, which is not that of its course group (`get courses`)",
)
_GROUP = Named(
    "course group",
    kinds={"course": "courseGroup"},
    field="courseGroupId",
    hint="give the id of the course group, which is not that of its course (`get courseGroups`)",
)
_STAMPS = ("createdAt", "updatedAt")
_REFS = tuple(f"ref{number}" for number in range(1, limits.REFS + 1))
_SEARCH = Filter("query", "words to search for, or `slug:x`")
_PER_PAGE = ("perPage", 200)
_PLACE = ("address1", "address2", "city", "state", "zipCode", "country")

LISTS: Mapping[str, PlatformList] = {
    "tags": PlatformList(
        "tags, which courses can carry",
        ("id", "label"),
        route="tag.list",
        key="tags",
        filters=(Filter("label", "part of the label", query="filters[label]", field="label"),),
    ),
    "locations": PlatformList(
        "locations of meetings and assets",
        ("id", "name", "room", "city", "country", "timeZone"),
        ("address1", "address2", "state", "zipCode"),
        route="location.list",
        key="locations",
    ),
    "clients": PlatformList(
        "clients of the company",
        ("id", "slug", "name", "disabled", "sku", "tags.label"),
        _STAMPS,
        route="client.list",
        key="clients",
        filters=(Filter("query", "words to search for: a slug, a name"),),
        sort="sort",
        about={"client": "id"},
    ),
    "users": PlatformList(
        "accounts of people",
        ("id", "email", "firstName", "lastName", "roleKey", "disabled", "lastActiveAt"),
        (
            *("externalCustomerId", "clientId", "language", "createdAt", "telephone", *_PLACE),
            *(*_REFS, "customFields", "allocatedLicenses.licenseId"),
            *("allocatedLearningPaths", "purchasedCourses", "balance"),
        ),
        route="user.list",
        key="users",
        single="user.read",
        named=Named("user", anything=True),
        about={"client": "clientId", "license": "allocatedLicenses.licenseId"},
    ),
    "licenses": PlatformList(
        "licenses, of all clients or of some",
        ("id", "name", "clientId", "seatsLimit", "expirationDate", "sku", "isDefault"),
        (
            *("label", "courseIds", "learningPathIds", "courseTagIds", "parentLicenseId"),
            *("accessDays", "enableBranding", *_REFS),
        ),
        route="license.list",
        key="licenses",
        owner=Named("client", kinds={"client": "id"}, lookup="client", field="clientId"),
        about={"license": "id", "course": "courseIds"},
    ),
    "courses": PlatformList(
        "courses, by the search index",
        ("id", "title", "status", "kind", "sku", "slug", "tags.label"),
        ("courseGroupId", "language", "priceInCents", *_STAMPS, "url"),
        route="content.search",
        key="contentItems",
        filters=(_SEARCH,),
        fixed=(("types[]", "courses"),),
        page=_PER_PAGE,
        single="course.read",
        named=_COURSE,
    ),
    "courseGroups": PlatformList(
        "course groups",
        ("id", "title", "kind", "status", "slug", "displayCourseId", "ribbon"),
        ("archived", "courseCount", "source", "contentType", "description", *_STAMPS),
        route="group.list",
        key="courseGroups",
        filters=(
            Filter("kind", "kind of their courses", words=tuple(CourseKind)),
            Filter("archived", "archived or not", words=("true", "false")),
        ),
        page=_PER_PAGE,
        single="group.read",
        named=_GROUP,
    ),
    "sessions": PlatformList(
        "the sessions of a course group",
        ("id", "title", "status", "sku", "priceInCents", "seatsLimit"),
        ("courseGroupId", "kind", "courseStartDate", "courseEndDate", *_STAMPS),
        route="group.courses",
        key="courses",
        owner=_GROUP,
    ),
    "learningPaths": PlatformList(
        "learning paths, by the search index",
        ("id", "title", "status", "sku", "slug"),
        ("language", "priceInCents", *_STAMPS, "url"),
        route="content.search",
        key="contentItems",
        filters=(_SEARCH,),
        fixed=(("types[]", "learningPaths"),),
        page=_PER_PAGE,
        single="learningPath.full",
        named=Named("learning path"),
    ),
    "sections": PlatformList(
        "the sections of a course",
        ("id", "title", "status", "releaseAt", "lessonCount", "slug"),
        route="section.list",
        key="sections",
        owner=_COURSE,
    ),
    "lessons": PlatformList(
        "the lessons of a course",
        ("id", "title", "sectionTitle", "accessLevel", "topicCount", "slug"),
        ("sectionId",),
        route="lesson.list",
        key="lessons",
        owner=_COURSE,
    ),
    "topics": PlatformList(
        "the topics of a lesson",
        ("id", "title", "type", "updatedAt"),
        ("preTextBlock", "postTextBlock"),
        route="topic.list",
        key="topics",
        owner=Named("lesson", "lessonId", kinds=_COURSES, part=True, field="lessonId"),
    ),
    "criteria": PlatformList(
        "the completion criteria of a course",
        ("id", "type", "description"),
        ("course", "videoTopicId", *CriterionType),
        route="criteria.list",
        key="completionCriteria",
        owner=_COURSE,
    ),
    "paths": PlatformList(
        "the purchase paths of a course",
        ("id", "label", "targetType", "targetUrl", "targetId", "displayOrder", "hidePrimaryCta"),
        ("courseId", "targetUrlTitle", *_STAMPS),
        route="path.list",
        key="data",
        owner=_COURSE._replace(param="contentId"),
    ),
    "assets": PlatformList(
        "items of the asset library, newest first",
        ("id", "title", "assetType", "processingStatus", "version", "updatedAt", "fileName"),
        (
            *("description", "body", "contentType", "tagIds", "locationIds", "isNew", "createdAt"),
            *("imageAltText", "imageCaption", "imageLink", "imageTitle", "imageNewTab"),
        ),
        route="asset.list",
        key="items",
        filters=(
            Filter("assetType", "type of asset", words=tuple(AssetType)),
            Filter("search", "part of the title", most=limits.ASSET_SEARCH),
            Filter("tagIds", "a tag, by its label or uuid", lookup="tag", many=True),
            Filter("updatedAfter", "changed after this time, as ISO 8601"),
        ),
        page=("limit", limits.ASSET_PAGE_MOST),
    ),
    "attempts": PlatformList(
        "attempts at assessments",
        ("id", "user.email", "course.title", "assessment.title", "grade", "passed", "forgiven"),
        (
            *("user.id", "user.firstName", "user.lastName", "user.externalCustomerId"),
            *("course.id", "assessment.id", "assessment.type", "status", "timeElapsedInSeconds"),
        ),
        route="attempt.list",
        key="assessmentAttempts",
        about=dict.fromkeys(_COURSES, "course.id"),
    ),
    "meetings": PlatformList(
        "meetings",
        ("id", "title", "startDate", "endDate", "attendeesLimit", "courseId"),
        ("topicId", "locationId", "timeZone", "url", *_STAMPS),
        route="meeting.list",
        key="meetings",
        about=dict.fromkeys(_COURSES, "courseId"),
    ),
    "coupons": PlatformList(
        "coupons",
        ("id", "code", "percentOff", "amountOffInCents", "usageCount", "usageLimit", "endDate"),
        ("description", "startDate", "courseIds", "disabled", *_STAMPS),
        route="coupon.list",
        key="coupons",
        about=dict.fromkeys(_COURSES, "courseIds"),
    ),
    "jobs": PlatformList(
        "background jobs, by their ids",
        ("id", "status", "description", "errorMessage"),
        single="job.read",
        named=Named("job", hint="`lmssync jobs list` shows those that the state waits for"),
    ),
}
"""By the name that people type."""
