"""Shapes with lists of other shapes in them: courses, criteria, users, jobs (spec 2.1 to 3)."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ....vocabulary.enums import TOPIC_CRITERIA, CriterionType
from .words import ABSENT, AnswerShape, Id, Number, Text, Uuid, make_shape


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
    """What a call may leave to background jobs (O6, O15)."""

    backgroundJob: Queued = ABSENT
    backgroundJobs: Queued = ABSENT
