"""Names that people bring from the platform or out of habit, and the names used here."""

from collections.abc import Mapping

from ..vocabulary.enums import TOPIC_CRITERIA

NAMES: Mapping[str, tuple[str, ...]] = {
    **{criterion.value: ("topic: {value}",) for criterion in sorted(TOPIC_CRITERIA)},
    "accessLevel": ("openType",),
    "alt": ("assetAltText",),
    "altText": ("assetAltText",),
    "articlePercentViewed": ("percent: {value}",),
    "articleTimeViewedInSeconds": ("seconds: {value}",),
    "assetId": ("videoAsset",),
    "clientId": ("client",),
    "completionCriterion": ("completionCriteria",),
    "criteria": ("completionCriteria",),
    "content": ("body", "markdown"),
    "contentId": ("course",),
    "courseGroupId": ("course",),
    "courseGroupIds": ("relatedCourses", "courses"),
    "courseId": ("course",),
    "courseIds": ("courses",),
    "coursePercentViewed": ("percent: {value}",),
    "courseTagIds": ("courseTags",),
    "enrollmentLimit": ("seatsLimit",),
    "file": ("bodyFile",),
    "html": ("body",),
    "icon": ("asset",),
    "image": ("asset",),
    "imageUrl": ("asset",),
    "lang": ("language",),
    "learningPathIds": ("learningPaths",),
    "licenseIds": ("licenses",),
    "md": ("markdown",),
    "modules": ("sections",),
    "name": ("title", "key", "id"),
    "pages": ("topics",),
    "parentLicenseId": ("parentLicense",),
    "poster": ("posterImageAsset",),
    "prerequisiteCourseIds": ("prerequisiteCourses",),
    "prerequisiteLearningPathIds": ("prerequisiteLearningPaths",),
    "prerequisites": ("prerequisiteCourses",),
    "price": ("priceInCents",),
    "related": ("relatedCourses",),
    "relatedCourseGroupIds": ("relatedCourses",),
    "relatedCourseIds": ("relatedCourses",),
    "releaseAt": ("releaseDate",),
    "seats": ("seatsLimit", "enrollmentLimit"),
    "seatsLimit": ("enrollmentLimit",),
    "sourceClientId": ("cloneOf",),
    "tagIds": ("tags", "courseTags"),
    "targetId": ("target.item", "item"),
    "targetUrl": ("target.url", "url"),
    "targetUrlTitle": ("target.title", "title"),
    "text": ("body", "markdown"),
    "thumbnail": ("asset",),
    "title": ("name", "label"),
    "topicId": ("topic",),
    "units": ("lessons",),
    "video": ("videoUrl",),
    "videoPercentViewed": ("percent: {value}",),
    "videoTopicId": ("topic",),
    "visibility": ("openType",),
}
"""For a name that was written, the names to use; the first one that the place has is taken."""

NEEDLESS: Mapping[str, str] = {
    "courseAttributes": "delete it: each course is a document of its own",
    "courseGroupId": "delete it: ids of the platform are kept in the state",
    "createdAt": "delete it: the platform sets it",
    "position": "delete it: the order is that of the list",
    "targetType": "delete it: the field inside `target` already says it",
    "updatedAt": "delete it: the platform sets it",
}
"""Names for which there is nothing to write instead."""

WORDS: Mapping[str, str] = {
    "course": "courseGroup",
    "exam": "test",
    "generatedVideo": "generated",
    "html": "text",
    "iframe": "embed",
    "markdown": "text",
    "micro": "microCourse",
    "page": "text",
    "pdf": "pdfViewer",
    "private": "studentsOnly",
    "public": "open",
    "scorm": "shareableContentObject",
    "standard": "courseGroup",
    "xapi": "xApiObject",
}
"""For a word in lower case, the platform's word."""

NOT_HERE: Mapping[str, str] = {
    "archived": "archive it in the admin interface: no route does that",
    "deleted": "delete it in the admin interface: no route does that",
    "inPersonEvent": "in-person content comes from the bulk import of the platform",
    "inPersonEventCourse": "in-person content comes from the bulk import of the platform",
    "pending": "leave `status` out and write `futurePublishDate`: the platform sets it then",
    "webinar": "webinars come from the bulk import of the platform",
    "webinarCourse": "webinars come from the bulk import of the platform",
    "xApiObject": "write a course with a topic of type xApiObject",
}
"""Words that the platform has but a manifest cannot use (spec 2.2, 3)."""
