"""The closed sets of words that the platform uses, and how it words what a learner must do."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class CourseKind(StrEnum):
    """The kinds that course create accepts (spec 2.2)."""

    ARTICLE = "article"
    VIDEO = "video"
    COURSE_GROUP = "courseGroup"
    MICRO_COURSE = "microCourse"
    SHAREABLE_CONTENT_OBJECT = "shareableContentObject"


class RefusedKind(StrEnum):
    """Kinds of the platform's schema that course create refuses (spec 2.2)."""

    WEBINAR = "webinar"
    X_API_OBJECT = "xApiObject"
    IN_PERSON_EVENT = "inPersonEvent"
    WEBINAR_COURSE = "webinarCourse"
    IN_PERSON_EVENT_COURSE = "inPersonEventCourse"


class TopicType(StrEnum):
    """What a topic can be (spec 2.2)."""

    AD = "ad"
    ARTICLE = "article"
    IMAGE = "image"
    SLIDESHOW = "slideshow"
    PRESENTATION = "presentation"
    QUIZ = "quiz"
    TEST = "test"
    SURVEY = "survey"
    TEXT = "text"
    VIDEO = "video"
    RECIPE = "recipe"
    ASSIGNMENT = "assignment"
    LIST_ROLL = "listRoll"
    LTI = "lti"
    TALLY = "tally"
    FLIP_CARD_SET = "flipCardSet"
    NOTEBOOK = "notebook"
    HIGHLIGHT_ZONE_SET = "highlightZoneSet"
    SHAREABLE_CONTENT_OBJECT = "shareableContentObject"
    X_API_OBJECT = "xApiObject"
    AUDIO = "audio"
    MATCH_PAIR_SET = "matchPairSet"
    HIGHLIGHT_ZONE_QUIZ = "highlightZoneQuiz"
    SOCIAL_SHARE_CARD_SET = "socialShareCardSet"
    SURVEY_TOOL = "surveyTool"
    DISCUSSION_BOARD = "discussionBoard"
    EMBED = "embed"
    WORKBOOK = "workbook"
    PDF_VIEWER = "pdfViewer"
    IN_PERSON_EVENT = "inPersonEvent"
    MEETING_INFO = "meetingInfo"
    PARTNER = "partner"


FILLED_TOPICS = frozenset(
    {
        TopicType.TEXT, TopicType.ARTICLE, TopicType.VIDEO, TopicType.SHAREABLE_CONTENT_OBJECT,
        TopicType.X_API_OBJECT, TopicType.PDF_VIEWER, TopicType.EMBED, TopicType.DISCUSSION_BOARD,
    }
)  # fmt: skip
"""Types whose content can be filled at creation (spec 2.2)."""

SHELL_TOPICS = frozenset(
    {
        TopicType.QUIZ, TopicType.TEST, TopicType.SURVEY, TopicType.WORKBOOK, TopicType.ASSIGNMENT,
        TopicType.PARTNER, TopicType.AUDIO,
    }
)  # fmt: skip
"""Types created as empty shells and filled by a person in the authoring interface (spec 2.2)."""

_TYPE_WORDS: Mapping[str, str] = {
    TopicType.SHAREABLE_CONTENT_OBJECT: "SCORM package",
    TopicType.X_API_OBJECT: "xAPI package",
    TopicType.PDF_VIEWER: "PDF",
    TopicType.LTI: "LTI",
}
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def spell_type(type_: str) -> str:
    """`highlight zone set` for `highlightZoneSet`, the type of a topic or the kind of a course."""
    return _TYPE_WORDS.get(type_) or _HUMP.sub(" ", type_).lower()


class OpenType(StrEnum):
    """Access level of a lesson (spec 2.2; the last two O37)."""

    STUDENTS_ONLY = "studentsOnly"
    OPEN = "open"
    EMAIL_CAPTURE_OPEN = "emailCaptureOpen"


OPEN_TYPES: Mapping[str, str] = {
    OpenType.STUDENTS_ONLY: "Enrolled learners",
    OpenType.OPEN: "Open to everyone",
    OpenType.EMAIL_CAPTURE_OPEN: "Open for an e-mail address",
}
"""What people call the access levels of lessons."""


class CreateStatus(StrEnum):
    """Statuses that course create accepts (spec 2.2)."""

    DRAFT = "draft"
    PUBLISHED = "published"


class SessionStatus(StrEnum):
    """Status of a course session as read (spec 3, O38)."""

    ARCHIVED = "archived"
    AUTHORING = "authoring"
    DELETED = "deleted"
    DRAFT = "draft"
    LOGIN_RESTRICTION = "loginRestriction"
    PENDING = "pending"
    PUBLISHED = "published"


class ReleaseType(StrEnum):
    """What the release route does (O39)."""

    RELEASE = "release"
    UNRELEASE = "unrelease"


class VideoSource(StrEnum):
    """`assetType` of a video (spec 2.2)."""

    HOSTED = "hosted"
    GENERATED = "generated"


class CriterionType(StrEnum):
    """The thirteen rules of completion (spec 2.3)."""

    COURSE_PERCENT_VIEWED = "coursePercentViewed"
    ARTICLE_PERCENT_VIEWED = "articlePercentViewed"
    VIDEO_PERCENT_VIEWED = "videoPercentViewed"
    ARTICLE_TIME_VIEWED_IN_SECONDS = "articleTimeViewedInSeconds"
    COURSE_TOPIC_VIEWED = "courseTopicViewed"
    COURSE_ASSESSMENT_PASSED = "courseAssessmentPassed"
    COURSE_ASSIGNMENT_COMPLETE = "courseAssignmentComplete"
    COURSE_MEETING_ATTENDED = "courseMeetingAttended"
    SCORM_COMPLETE = "scormComplete"
    X_API_COMPLETE = "xApiComplete"
    SURVEY_TOOL_COMPLETE = "surveyToolComplete"
    PARTNER_ASSIGNMENT_COMPLETED = "partnerAssignmentCompleted"
    PROCTORED_TOPIC_COMPLETE = "proctoredTopicComplete"


PERCENT_CRITERIA = frozenset(type_ for type_ in CriterionType if type_.endswith("PercentViewed"))
"""Criteria that hold a percentage (spec 2.3)."""

TOPIC_CRITERIA = (
    frozenset(CriterionType) - PERCENT_CRITERIA - {CriterionType.ARTICLE_TIME_VIEWED_IN_SECONDS}
)
"""Criteria whose own field holds the id of a topic (spec 2.3)."""


class JobStatus(StrEnum):
    """Life of a background job (spec 3)."""

    QUEUED = "queued"
    PROCESSING = "processing"
    COMPLETE = "complete"
    FAILED = "failed"


class TargetType(StrEnum):
    """Where an alternate purchase path leads (spec 2.6)."""

    CATALOG_ITEM = "catalog_item"
    EXTERNAL_URL = "external_url"


class AssetType(StrEnum):
    """Types of the asset library (spec 2.6)."""

    IMAGE = "image"
    WYSIWYG = "wysiwyg"
    RESOURCE_FILE = "resource_file"
    SCORM = "scorm"
    XAPI = "xapi"
    CERTIFICATE_TEMPLATE = "certificateTemplate"


class ProcessingStatus(StrEnum):
    """State of an asset (spec 2.6)."""

    PENDING = "pending"
    PROCESSING = "processing"
    READY = "ready"
    FAILED = "failed"


class PathActivityStatus(StrEnum):
    """External activity on a learning path (spec 4)."""

    NOT_STARTED = "not-started"
    COMPLETED = "completed"
    STARTED = "started"
    NOT_COMPLETED = "not-completed"


class AssignmentActivityStatus(StrEnum):
    """External activity on an assignment (spec 4)."""

    COMPLETED = "completed"
    INCOMPLETE = "incomplete"


class EventKind(StrEnum):
    """The eight polled event feeds (spec 6)."""

    COURSE_ACTION = "courseAction"
    COURSE_ENROLLMENT = "courseEnrollment"
    COURSE_COMPLETION = "courseCompletion"
    COURSE_CERTIFICATE = "courseCertificate"
    LEARNING_PATH_ACTION = "learningPathAction"
    LEARNING_PATH_ENROLLMENT = "learningPathEnrollment"
    QUIZ_ATTEMPT = "quizAttempt"
    ASSIGNMENT_SUBMISSION = "assignmentSubmission"


class FurtherEventKind(StrEnum):
    """Feeds that are polled on other instances (O53, O57)."""

    COURSE_VIEW = "courseView"
    COURSE_PURCHASE = "coursePurchase"
    DISCOUNT_GROUP_PURCHASE = "discountGroupPurchase"
    LOGIN = "login"
    VISIT = "visit"
    EMAIL_CAPTURE = "emailCapture"
    PRODUCT_PURCHASE = "productPurchase"
    BUNDLE_PURCHASE = "bundlePurchase"
    REDEMPTION_CODE_REDEEM = "redemptionCodeRedeem"


class Feature(StrEnum):
    """Account features and flags that routes depend on (spec 4, 8)."""

    EXTERNAL_ACTIVITY = "externalActivity"
    ADVANCED_CLIENTS = "advancedClients"
    BULK_MIGRATION = "bulkMigration"
    INCREASED_API_RATE_LIMITS = "increasedAPIRateLimits"


_SENTENCES = {
    CriterionType.COURSE_PERCENT_VIEWED: "View {value}% of the course",
    CriterionType.ARTICLE_PERCENT_VIEWED: "View {value}% of the article",
    CriterionType.VIDEO_PERCENT_VIEWED: "View {value}% of the video",
    CriterionType.ARTICLE_TIME_VIEWED_IN_SECONDS: "View the article for {value} seconds",
    CriterionType.COURSE_TOPIC_VIEWED: "View a page",
    CriterionType.COURSE_ASSESSMENT_PASSED: "Pass an assessment",
    CriterionType.COURSE_ASSIGNMENT_COMPLETE: "Complete an assignment",
    CriterionType.COURSE_MEETING_ATTENDED: "Attend a meeting",
    CriterionType.SCORM_COMPLETE: "Complete a SCORM package",
    CriterionType.X_API_COMPLETE: "Complete an xAPI package",
    CriterionType.SURVEY_TOOL_COMPLETE: "Complete a survey",
    CriterionType.PARTNER_ASSIGNMENT_COMPLETED: "Complete a partner assignment",
    CriterionType.PROCTORED_TOPIC_COMPLETE: "Complete a proctored page",
}


def criterion_sentence(type_: str, value: Any) -> str:
    """What a criterion of a type asks for; `value` is its percentage or its seconds."""
    return _SENTENCES[CriterionType(type_)].format(value=value)
