"""Which shape the answer of which route has."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from . import commerce, content, jobs
from .words import Object, Shape


class Answer(NamedTuple):
    """What a route answers: one object, or a list of them."""

    shape: type[Shape] | type[Object]
    list: str = ""
    """Key of the list, for a list (O44)."""
    empty: bool = False
    """The answer may have no body."""


SHAPES: Mapping[str, Answer] = {
    "ping": Answer(commerce.Ping),
    "course.create": Answer(content.Created),
    "course.update": Answer(jobs.Jobs, empty=True),  # O6
    "course.read": Answer(content.Course),
    "course.structure": Answer(content.Course),
    "course.full": Answer(Object),  # O28: flat keys, or nested
    "topic.list": Answer(content.Topic, "topics"),
    "criteria.update": Answer(content.CriteriaUpdated),
    "criteria.list": Answer(content.Criterion, "completionCriteria"),
    "group.list": Answer(content.Group, "courseGroups"),
    "group.read": Answer(content.Group),
    "group.bySlug": Answer(content.Group),
    "group.courses": Answer(content.Session, "courses"),
    "group.displayCourse": Answer(content.Session),
    "content.search": Answer(content.Found, "contentItems"),
    "client.list": Answer(commerce.Client, "clients"),
    "client.clone": Answer(jobs.Cloned),
    "license.create": Answer(commerce.License),
    "license.update": Answer(commerce.License),
    "license.list": Answer(commerce.License, "licenses"),
    "user.read": Answer(commerce.User),
    "sublicense.assign": Answer(jobs.Assigned),
    "tag.list": Answer(commerce.Tag, "tags"),
    "location.list": Answer(commerce.Location, "locations"),
    "job.read": Answer(jobs.Job),
    "path.create": Answer(commerce.PathMade),
    "path.list": Answer(commerce.PurchasePath, "data"),
}
"""By name of the route; an answer that is not here is taken as it comes."""


@cache
def adapter(route: str) -> TypeAdapter[Any]:
    """What checks an answer of the route, or the items of its list."""
    answer = SHAPES[route]
    return TypeAdapter(list[answer.shape] if answer.list else answer.shape)  # type: ignore[name-defined]
