"""Every list that can be asked for, in the words of the specification (spec 2, 4)."""

from collections.abc import Mapping

from ...vocabulary import limits
from ...vocabulary.enums import AssetType, CourseKind, CriterionType
from .declaration import Filter, Named, PlatformList

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
