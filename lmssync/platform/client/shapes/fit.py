"""Checks whether an answer has the shape that its route declares, and where it differs."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ....support.visible import escape_invisible
from ....vocabulary.enums import JobStatus
from .. import answers
from . import content
from .full import FullCourse, nest_full_course
from .words import ABSENT, MAYBE, AnswerShape, Id, Object, PageInfo, Text, Uuid, make_shape


class Answer(NamedTuple):
    """What a route answers: one object, or a list of them."""

    shape: type[AnswerShape] | type[Object]
    list: str = ""
    """Key of the list, for a list (O44)."""
    empty: bool = False
    """The answer may have no body."""
    regular: Callable[[Object], Object] = lambda answer: answer
    """What its shape describes, where an answer may be spelled in several ways."""


_NEW = make_shape(id=Uuid)
_IDS = (list[Id], ABSENT)
_GROUP = make_shape(id=Id, title=Text, slug=MAYBE)  # O26
_LICENSE = make_shape(id=Uuid, name=MAYBE, courseIds=_IDS, learningPathIds=_IDS, courseTagIds=_IDS)
"""Spec 2.5; the lists of a client show what it assigns (O33)."""
_STATUS = Annotated[JobStatus, Field(strict=False)]
_MAYBE_ID = (Id | None, None)
_TARGET = {"targetType": Text, "targetId": _MAYBE_ID, "targetUrl": MAYBE, "targetUrlTitle": MAYBE}
_PLACE = {"displayOrder": (int | None, None), "hidePrimaryCta": (bool | None, None)}

SHAPES: Mapping[str, Answer] = {
    "ping": Answer(make_shape(valid=bool)),
    "course.create": Answer(
        make_shape(content.Jobs, courseIds=list[Uuid], courseGroupIds=_IDS)
    ),  # O15
    "course.update": Answer(content.Jobs, empty=True),  # O6
    "course.read": Answer(content.Course),
    "course.structure": Answer(content.Course),
    "content.release": Answer(Object, empty=True),  # O39: not shown
    "course.full": Answer(FullCourse, regular=nest_full_course),
    "learningPath.full": Answer(make_shape(id=Uuid, title=Text)),  # O50: flat keys, or nested
    "topic.list": Answer(content.Topic, "topics"),
    "criteria.update": Answer(content.CriteriaUpdated),
    "criteria.list": Answer(content.Criterion, "completionCriteria"),
    "group.list": Answer(_GROUP, "courseGroups"),
    "group.read": Answer(_GROUP),
    "group.bySlug": Answer(_GROUP),
    "group.courses": Answer(content.Session, "courses"),
    "group.displayCourse": Answer(content.Session),
    "content.search": Answer(  # O27, O48
        make_shape(_GROUP, sku=MAYBE, tags=(list[content.TagMention], ABSENT)), "contentItems"
    ),
    "client.list": Answer(make_shape(id=Uuid, name=Text, slug=Text), "clients"),
    "client.clone": Answer(
        make_shape(data=make_shape(APICloneClient=_NEW))
    ),  # a job (spec 4, clone rule 3)
    "client.status": Answer(Object, empty=True),  # O34: not shown
    "license.create": Answer(_LICENSE),
    "license.update": Answer(_LICENSE),
    "license.list": Answer(_LICENSE, "licenses"),
    "user.read": Answer(content.User),
    "user.list": Answer(content.User, "users"),
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
    "path.list": Answer(make_shape(id=Uuid, label=Text, **_TARGET, **_PLACE), "data"),  # spec 2.6
}
"""By name of the route; an answer that is not here is taken as it comes."""


@cache
def shape_adapter(route: str) -> TypeAdapter[Any]:
    """What checks an answer of the route, or the items of its list."""
    answer = SHAPES[route]
    return TypeAdapter(list[answer.shape] if answer.list else answer.shape)  # type: ignore[name-defined]


PAGE_INFO = TypeAdapter(PageInfo)
_SHOWN = 60


class Misfit(ValueError):
    """An answer of the wrong shape; the message says what was expected and where."""


def fit_shape(route: str, answer: Any) -> Any:
    """The answer as it came, a bare list under its key (O44), a whole course nested (O28); raises
    `Misfit`."""
    declared = SHAPES.get(route)
    if declared is None or (answer is None and declared.empty):
        return answer
    if answer is None:
        raise Misfit(
            f"the answer is empty, but {'a list' if declared.list else 'an object'} is expected"
        )
    if not declared.list:
        regular = declared.regular(answer) if isinstance(answer, dict) else answer
        _check_shape(shape_adapter(route), regular)
        return regular
    return _items_under_key(route, declared.list, answer)


def _items_under_key(route: str, key: str, answer: Any) -> Any:
    items = answers.find_items(answer, key)
    if items is None:
        raise Misfit(f"the answer has no list `{key}`")
    _check_shape(shape_adapter(route), items, key)
    if (info := answers.page_info(answer)) is not None:
        _check_shape(PAGE_INFO, info, "pageInfo")
    return {key: answer} if isinstance(answer, list) else answer


def _check_shape(shape: TypeAdapter[Any], value: Any, key: str = "") -> None:
    try:
        shape.validate_python(value)
    except ValidationError as error:
        raise Misfit(_in_words(error.errors(include_url=False), key)) from None


def _in_words(errors: Sequence[ErrorDetails], key: str) -> str:
    """The first difference in words, and how many more there are."""
    first, more = errors[0], len(errors) - 1
    place = _describe_path(first["loc"], key)
    if first["type"] == "missing":
        text = f"{place} is missing"
    else:
        found, wanted = _describe_kind(first["input"]), _describe_wanted(first)
        text = f"{place} is {found}, but {wanted} is expected"
    return f"{text} ({more} more)" if more else text


def _describe_path(path: Sequence[int | str], key: str) -> str:
    """`sections[0].title`, with the key of the list before the position in it."""
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in path]
    place = (key + "".join(steps)).removeprefix(".")
    return f"`{escape_invisible(place)}`" if place else "the answer"


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


def _describe_wanted(error: ErrorDetails) -> str:
    if error["type"] == "enum":
        return f"one of {error['ctx']['expected']}"
    return _WANTED.get(error["type"], f"something else ({error['msg']})")


def _describe_kind(value: Any) -> str:
    """The received value in words: its kind, or its text if it is short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"`{escape_invisible(value[:_SHOWN])}`" if value.strip() else "an empty text"
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else "an object"
