"""The plain fields of a course that a table or front matter may name, and their values."""

from typing import Any

from ...kinds import KINDS
from .document import KIND

_STRUCTURE = {
    "resource",
    "key",
    "title",
    "kind",
    "sections",
    "topics",
    "articleVariant",
    "completionCriteria",
    "purchasePaths",
    "customFields",
    "sessionCustomFields",
    "moved",
    "lifecycle",
}
PLAIN = frozenset(KINDS[KIND].spec.model_fields) - _STRUCTURE
LISTS = frozenset(
    {"tags", "authors", "relatedCourses", "prerequisiteCourses", "prerequisiteLearningPaths"}
)
REFERENCES = frozenset({"relatedCourses", "prerequisiteCourses"})
"""Lists of keys of other courses."""
IN_ORDER = "prerequisiteCourses"
"""The one of them in which courses may not need each other in a circle."""
SWITCHES = frozenset(
    {
        "freeWithRegistration",
        "purchasable",
        "discussionsEnabled",
        "availableToPublic",
        "forceLinearProgress",
        "showProgress",
        "embeddedEnabled",
        "resetSessionAfterComplete",
    }
)
NUMBERS = frozenset({"priceInCents", "enrollmentLimit", "width", "height"})


def as_list(field: str, value: Any) -> Any:
    """A value of front matter; one text stands for a list of one."""
    if field not in LISTS:
        return value
    values = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(str(item) for item in values if item is not None))
