"""Checks whether an answer has the shape that its route declares, and where it differs."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ...visible import visible
from ...vocabulary.enums import JobStatus
from .. import answers
from . import content
from .words import ABSENT, MAYBE, AnswerShape, Id, Object, PageInfo, Text, Uuid, shape


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


PAGE_INFO = TypeAdapter(PageInfo)
_SHOWN = 60


class Misfit(ValueError):
    """An answer of the wrong shape; the message says what was expected and where."""


def fit(route: str, answer: Any) -> Any:
    """The answer as it came, a bare list under its key (O44); raises `Misfit`."""
    declared = SHAPES.get(route)
    if declared is None or (answer is None and declared.empty):
        return answer
    if answer is None:
        raise Misfit(
            f"the answer is empty, but {'a list' if declared.list else 'an object'} is expected"
        )
    if not declared.list:
        _check(adapter(route), answer)
        return answer
    return _listed(route, declared.list, answer)


def _listed(route: str, key: str, answer: Any) -> Any:
    items = answers.items(answer, key)
    if items is None:
        raise Misfit(f"the answer has no list `{key}`")
    _check(adapter(route), items, key)
    if (info := answers.page_info(answer)) is not None:
        _check(PAGE_INFO, info, "pageInfo")
    return {key: answer} if isinstance(answer, list) else answer


def _check(shape: TypeAdapter[Any], value: Any, key: str = "") -> None:
    try:
        shape.validate_python(value)
    except ValidationError as error:
        raise Misfit(_in_words(error.errors(include_url=False), key)) from None


def _in_words(errors: Sequence[ErrorDetails], key: str) -> str:
    """The first difference in words, and how many more there are."""
    first, more = errors[0], len(errors) - 1
    place = _place(first["loc"], key)
    if first["type"] == "missing":
        text = f"{place} is missing"
    else:
        text = f"{place} is {_kind(first['input'])}, but {_wanted(first)} is expected"
    return f"{text} ({more} more)" if more else text


def _place(path: Sequence[int | str], key: str) -> str:
    """`sections[0].title`, with the key of the list before the position in it."""
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in path]
    place = (key + "".join(steps)).removeprefix(".")
    return f"`{visible(place)}`" if place else "the answer"


_WANTED: Mapping[str, str] = {
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "string_pattern_mismatch": "a uuid",
    "string_too_short": "an id",
}


def _wanted(error: ErrorDetails) -> str:
    if error["type"] == "enum":
        return f"one of {error['ctx']['expected']}"
    return _WANTED.get(error["type"], f"something else ({error['msg']})")


def _kind(value: Any) -> str:
    """The received value in words: its kind, or its text if it is short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"`{visible(value[:_SHOWN])}`" if value.strip() else "an empty text"
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else "an object"
