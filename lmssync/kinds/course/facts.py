"""What the rules of other resources ask of a course, without opening its form."""

from collections.abc import Mapping
from typing import Any

from ...resource import Form
from ...vocabulary.enums import CourseKind, CreateStatus, TopicType
from ..kind import Data, Json
from .finish import reach
from .tree import name, topics

_PLAIN = (
    "sku",
    "status",
    "futurePublishDate",
    "priceInCents",
    "purchasable",
    "freeWithRegistration",
    "enrollmentStartDate",
    "enrollmentEndDate",
    "courseStartDate",
    "courseEndDate",
    "gracePeriodEndDate",
)


def facts(data: Data, form: Form) -> dict[str, Json]:
    """The plain values that are given, and what stands in the way of learners."""
    found = {name: form[name] for name in _PLAIN if form.get(name) is not None}
    if _has_article(form):
        found["article"] = True
    return found | reach(form, _attested(data, form))


def _attested(data: Data, form: Form) -> frozenset[str]:
    """Paths of the topics that somebody vouches for: the document says so, the form does not."""
    both = zip(topics(form), topics(data), strict=True)
    return frozenset(name(row) for (_, row), (_, raw) in both if raw[-1].get("attested"))


def _has_article(form: Form) -> bool:
    """Whether the rules about reading an article have one to look at."""
    if form["kind"] == CourseKind.ARTICLE or form.get("articleVariant"):
        return True
    return any(row[-1]["type"] == TopicType.ARTICLE for _, row in topics(form))


def goes_live(course: Mapping[str, Any]) -> bool:
    """Whether the manifest opens the course to learners, now or at a date."""
    return course.get("status") == CreateStatus.PUBLISHED or bool(course.get("futurePublishDate"))
