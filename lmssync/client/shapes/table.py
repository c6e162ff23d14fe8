"""Which shape the answer of which route has."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import Field, TypeAdapter

from ...vocabulary.enums import JobStatus
from . import content
from .words import ABSENT, MAYBE, AnswerShape, Id, Object, Text, Uuid, shape


class Answer(NamedTuple):
    """What a route answers: one object, or a list of them."""

    shape: type[AnswerShape] | type[Object]
    list: str = ""
    """Key of the list, for a list (O44)."""
    empty: bool = False
    """The answer may have no body."""


_NEW = shape(id=Uuid)
_IDS = (list[Id], ABSENT)
_GROUP = shape(id=Id, title=Text, slug=MAYBE)  # O26
_LICENSE = shape(id=Uuid, name=MAYBE, courseIds=_IDS, learningPathIds=_IDS, courseTagIds=_IDS)
"""Spec 2.5; the lists of a client show what it assigns (O33)."""
_STATUS = Annotated[JobStatus, Field(strict=False)]
_MAYBE_ID = (Id | None, None)
_TARGET = {"targetType": Text, "targetId": _MAYBE_ID, "targetUrl": MAYBE, "targetUrlTitle": MAYBE}
_PLACE = {"displayOrder": (int | None, None), "hidePrimaryCta": (bool | None, None)}

SHAPES: Mapping[str, Answer] = {
    "ping": Answer(shape(valid=bool)),
    "course.create": Answer(shape(content.Jobs, courseIds=list[Uuid], courseGroupIds=_IDS)),  # O15
    "course.update": Answer(content.Jobs, empty=True),  # O6
    "course.read": Answer(content.Course),
    "course.structure": Answer(content.Course),
    "content.release": Answer(Object, empty=True),  # O39: not shown
    "course.full": Answer(Object),  # O28: flat keys, or nested
    "learningPath.full": Answer(shape(id=Uuid, title=Text)),  # O50: flat keys, or nested
    "topic.list": Answer(content.Topic, "topics"),
    "criteria.update": Answer(content.CriteriaUpdated),
    "criteria.list": Answer(content.Criterion, "completionCriteria"),
    "group.list": Answer(_GROUP, "courseGroups"),
    "group.read": Answer(_GROUP),
    "group.bySlug": Answer(_GROUP),
    "group.courses": Answer(content.Session, "courses"),
    "group.displayCourse": Answer(content.Session),
    "content.search": Answer(  # O27, O48
        shape(_GROUP, sku=MAYBE, tags=(list[Object], ABSENT)), "contentItems"
    ),
    "client.list": Answer(shape(id=Uuid, name=Text, slug=Text), "clients"),
    "client.clone": Answer(shape(data=shape(APICloneClient=_NEW))),  # a job (spec 4, clone rule 3)
    "client.status": Answer(Object, empty=True),  # O34: not shown
    "license.create": Answer(_LICENSE),
    "license.update": Answer(_LICENSE),
    "license.list": Answer(_LICENSE, "licenses"),
    "user.read": Answer(content.User),
    "user.list": Answer(content.User, "users"),
    "sublicense.assign": Answer(  # a job (spec 4, sublicense rule 6)
        shape(data=shape(jobId=Uuid, unresolvedIdentifiers=list[Text]))
    ),
    "tag.list": Answer(shape(id=Uuid, label=Text), "tags"),
    "section.list": Answer(shape(id=Uuid, title=Text), "sections"),  # O45
    "lesson.list": Answer(shape(id=Uuid, title=Text), "lessons"),
    "attempt.list": Answer(_NEW, "assessmentAttempts"),  # O54
    "meeting.list": Answer(shape(id=Id), "meetings"),
    "coupon.list": Answer(shape(id=Id), "coupons"),
    "asset.list": Answer(shape(id=Uuid, title=Text, assetType=Text), "items"),
    "location.list": Answer(shape(id=Uuid, name=Text), "locations"),
    "job.read": Answer(shape(id=Uuid, status=_STATUS, description=MAYBE)),
    "attempt.forgive": Answer(shape(id=Uuid, passed=bool, forgiven=bool)),  # spec 2.6
    "activity.learningPath": Answer(Object, empty=True),
    "activity.course": Answer(Object, empty=True),
    "activity.assignment": Answer(Object, empty=True),  # done is what redirects (spec 7)
    "path.create": Answer(shape(data=_NEW)),
    "path.list": Answer(shape(id=Uuid, label=Text, **_TARGET, **_PLACE), "data"),  # spec 2.6
}
"""By name of the route; an answer that is not here is taken as it comes."""


@cache
def adapter(route: str) -> TypeAdapter[Any]:
    """What checks an answer of the route, or the items of its list."""
    answer = SHAPES[route]
    return TypeAdapter(list[answer.shape] if answer.list else answer.shape)  # type: ignore[name-defined]
