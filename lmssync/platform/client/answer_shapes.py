"""What an answer of each route must hold, declared with pydantic (spec 2 to 4).

Fields that are not declared here are ignored: only what the package relies on is declared. A whole
course comes with flat dotted keys or nested, depending on the instance (O28).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from ...vocabulary.enums import TOPIC_CRITERIA, CriterionType, JobStatus


class AnswerShape(BaseModel):
    """An object of an answer: values are not converted, and undeclared fields are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, defer_build=True)


def make_shape(base: type[AnswerShape] = AnswerShape, /, **fields: Any) -> type[AnswerShape]:
    """A shape by its fields; the value of one that may be left out is a type and a default."""
    given: dict[str, Any] = {
        name: kind if isinstance(kind, tuple) else (kind, ...) for name, kind in fields.items()
    }
    return create_model("Answer", __base__=base, **given)


Id = Annotated[str, Field(min_length=1)]
"""An id whose form the specification does not say."""
Uuid = Annotated[
    str, Field(pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", strict=True)
]
Text = str
Number = float
"""A whole number too."""
Object = dict[str, Any]
ABSENT: Any = None
"""The default of a value that may be left out but not be null."""
MAYBE = (Text | None, None)
"""A text that may be left out or null."""


def _cursor_text(given: Any) -> Any:
    """Some cursors are numbers (O47)."""
    return str(given) if type(given) is int else given


class PageInfo(AnswerShape):
    """Whether a list goes on; only `hasMore` says so (spec 4, O42)."""

    hasMore: bool
    cursor: Annotated[Text | None, BeforeValidator(_cursor_text)] = None
    """Opaque, and passed back unchanged."""
    currentPage: int | None = None
    total: int | None = None


class Topic(AnswerShape):
    id: Uuid
    title: Text
    type: Text
    updatedAt: Text | None = None


class Lesson(AnswerShape):
    id: Uuid
    title: Text
    accessLevel: Text | None = None
    """Null where it is not known (O23)."""
    topics: list[Topic]


class Section(AnswerShape):
    id: Id
    title: Text
    releaseAt: Text | None = None
    lessons: list[Lesson]


def _value_fields() -> dict[str, Any]:
    """The values of a criterion of any type, so that they can be compared (O25)."""
    topics = {*(kind.value for kind in TOPIC_CRITERIA), "videoTopicId"}
    numbers = {kind.value for kind in CriterionType} - topics
    return dict.fromkeys(sorted(topics), (Uuid | None, None)) | dict.fromkeys(
        sorted(numbers), (Number | None, None)
    )


Criterion = make_shape(id=Uuid, type=Text, course=(Uuid | None, None), **_value_fields())


class Session(AnswerShape):
    """A course as lists of a group show it (O26)."""

    id: Uuid
    courseGroupId: Id
    title: Text


class Course(Session):
    """O22. Where `completionCriteria` is absent, the read says nothing about criteria."""

    status: Text | None = None
    sku: Text | None = None
    sections: list[Section]
    completionCriteria: list[Criterion] = ABSENT  # type: ignore[valid-type]


class TagMention(AnswerShape):
    """A tag of an item that content search shows (O48)."""

    id: Id = ABSENT
    label: Text | None = None


class Refusal(AnswerShape):
    """An entry that a bulk update of criteria did not take (spec 4)."""

    courseId: Text | None = None
    type: Text | None = None
    error: Text
    record: Text | None = None


class CriteriaUpdated(AnswerShape):
    createdCount: int = Field(ge=0)
    updatedCount: int = Field(ge=0)
    errors: list[Refusal]
    warnings: list[Text] = ABSENT


class _Held(AnswerShape):
    licenseId: Id


class User(AnswerShape):
    """Spec 2.4."""

    id: Uuid
    email: Text | None = None
    externalCustomerId: Text | None = None
    allocatedLicenses: list[_Held] = ABSENT


class _Mentioned(AnswerShape):
    id: Uuid | None = None


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [] if value is None else [value]


Queued = Annotated[list[_Mentioned], BeforeValidator(_as_list)]
"""Jobs that go on: none, one or several; an answer may mention jobs without their ids (O15)."""


class Jobs(AnswerShape):
    """The jobs that a call may leave behind (O6, O15)."""

    backgroundJob: Queued = ABSENT
    backgroundJobs: Queued = ABSENT


_LISTS = {"section": "sections", "lesson": "lessons", "topic": "topics", "language": "languages"}
"""The word before a number in a dotted key, and the list that it counts."""
_STEP = re.compile(rf"({'|'.join(_LISTS)})\.([0-9]+)\.")
_PLACE = re.compile(rf"(?:{_STEP.pattern})*")
"""What a dotted key begins with: the part that its last name belongs to."""


def nest_full_course(answer: Object) -> Object:
    """The course with its lists: `section.0.lesson.0.title` stands in the first lesson of the first
    section. What is nested already stays as it is."""
    if "sections" in answer:
        return answer
    course: dict[str, Any] = {"sections": []}
    parts: dict[str, dict[str, Any]] = {}
    for key, value in answer.items():
        end = key.rfind(".") + 1
        part = parts.get(key[:end])
        if part is None:  # the first field of a part, or one whose own name has a dot
            end = found.end() if (found := _PLACE.match(key)) else 0
            part = _part_at(course, key[:end])
            if part is None:
                continue
            parts[key[:end]] = part
        part[key[end:]] = value
    return course


def _part_at(course: dict[str, Any], place: str) -> dict[str, Any] | None:
    """The part at a place such as `section.0.lesson.1.`, which may be a new one."""
    part = course
    for word, digits in _STEP.findall(place):
        items, number = part.setdefault(_LISTS[word], []), int(digits)
        if number > len(items):
            return None  # a gap: what comes after it would have another place
        if number == len(items):
            items.append({level: [] for level in _empty_list_below(word)})
        part = items[number]
    return part


def _empty_list_below(word: str) -> Iterator[str]:
    """The list that is empty where nothing is said of it."""
    below = {"section": "lessons", "lesson": "topics"}.get(word)
    if below:
        yield below


class _Page(AnswerShape):
    """The texts that learners see, in one language."""

    body: Text | None = None
    preTextBlock: Text | None = None
    postTextBlock: Text | None = None


class _Part(_Page):
    """What is said of a part has its type, but nothing has to be said."""

    id: Uuid = ABSENT
    title: Text = ABSENT
    languages: list[_Page] | None = None


class _Topic(_Part):
    type: Text = ABSENT
    updatedAt: Text | None = None


class _Lesson(_Part):
    accessLevel: Text | None = None
    topics: list[_Topic]


class _Section(_Part):
    releaseAt: Text | None = None
    lessons: list[_Lesson]


class FullCourse(AnswerShape):
    """O28, nested."""

    id: Uuid
    title: Text
    courseGroupId: Text = ABSENT
    status: Text | None = None
    sku: Text | None = None
    sections: list[_Section]


class Answer(NamedTuple):
    """The shape of a route's answer: one object, or a list of them."""

    shape: type[AnswerShape] | type[Object]
    list: str = ""
    """Key of the list, for a list (O44)."""
    empty: bool = False
    """The answer may have no body."""
    regular: Callable[[Object], Object] = lambda answer: answer
    """Turns every spelling of an answer into the one that its shape describes."""


_NEW = make_shape(id=Uuid)
_IDS = (list[Id], ABSENT)
_GROUP = make_shape(id=Id, title=Text, slug=MAYBE)  # O26
_LICENSE = make_shape(id=Uuid, name=MAYBE, courseIds=_IDS, learningPathIds=_IDS, courseTagIds=_IDS)
"""Spec 2.5; the lists of a client show what it assigns (O33)."""
_STATUS = Annotated[JobStatus, Field(strict=False)]
_MAYBE_ID = (Id | None, None)
_TARGET = {"targetType": Text, "targetId": _MAYBE_ID, "targetUrl": MAYBE, "targetUrlTitle": MAYBE}
_DISPLAY = {"displayOrder": (int | None, None), "hidePrimaryCta": (bool | None, None)}

SHAPES: Mapping[str, Answer] = {
    "ping": Answer(make_shape(valid=bool)),
    "course.create": Answer(make_shape(Jobs, courseIds=list[Uuid], courseGroupIds=_IDS)),  # O15
    "course.update": Answer(Jobs, empty=True),  # O6
    "course.read": Answer(Course),
    "course.structure": Answer(Course),
    "content.release": Answer(Object, empty=True),  # O39: not shown
    "course.full": Answer(FullCourse, regular=nest_full_course),
    "learningPath.full": Answer(make_shape(id=Uuid, title=Text)),  # O50: flat keys, or nested
    "topic.list": Answer(Topic, "topics"),
    "criteria.update": Answer(CriteriaUpdated),
    "criteria.list": Answer(Criterion, "completionCriteria"),
    "group.list": Answer(_GROUP, "courseGroups"),
    "group.read": Answer(_GROUP),
    "group.bySlug": Answer(_GROUP),
    "group.courses": Answer(Session, "courses"),
    "group.displayCourse": Answer(Session),
    "content.search": Answer(  # O27, O48
        make_shape(_GROUP, sku=MAYBE, tags=(list[TagMention], ABSENT)), "contentItems"
    ),
    "client.list": Answer(make_shape(id=Uuid, name=Text, slug=Text), "clients"),
    "client.read": Answer(_NEW),  # O63
    "client.clone": Answer(
        make_shape(data=make_shape(APICloneClient=_NEW))
    ),  # a job (spec 4, clone rule 3)
    "client.status": Answer(Object, empty=True),  # O34: not shown
    "license.create": Answer(_LICENSE),
    "license.update": Answer(_LICENSE),
    "license.list": Answer(_LICENSE, "licenses"),
    "user.read": Answer(User),
    "user.list": Answer(User, "users"),
    "sublicense.assign": Answer(  # a job (spec 4, sublicense rule 6)
        make_shape(data=make_shape(jobId=Uuid, unresolvedIdentifiers=list[Text]))
    ),
    "tag.list": Answer(make_shape(id=Uuid, label=Text), "tags"),
    "section.list": Answer(make_shape(id=Uuid, title=Text), "sections"),  # O45
    "lesson.list": Answer(make_shape(id=Uuid, title=Text), "lessons"),
    "attempt.list": Answer(_NEW, "assessmentAttempts"),  # O54
    "meeting.list": Answer(make_shape(id=Id), "meetings"),
    "coupon.list": Answer(make_shape(id=Id), "coupons"),
    "asset.list": Answer(make_shape(id=Uuid, title=Text, assetType=Text), "items"),
    "location.list": Answer(make_shape(id=Uuid, name=Text), "locations"),
    "job.read": Answer(make_shape(id=Uuid, status=_STATUS, description=MAYBE)),
    "attempt.forgive": Answer(make_shape(id=Uuid, passed=bool, forgiven=bool)),  # spec 2.6
    "activity.learningPath": Answer(Object, empty=True),
    "activity.course": Answer(Object, empty=True),
    "activity.assignment": Answer(Object, empty=True),  # done is what redirects (spec 7)
    "path.create": Answer(make_shape(data=_NEW)),
    "path.list": Answer(make_shape(id=Uuid, label=Text, **_TARGET, **_DISPLAY), "data"),  # spec 2.6
}
"""By name of the route; an answer that is not here is taken as it comes."""
