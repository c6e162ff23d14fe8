"""Checks that a course's purchase paths lead somewhere and can be told apart (spec 2.6, 4, 7)."""

from collections.abc import Iterator, Mapping

from ...kind import Json
from ...problems import Finding, Rule, warning_rule
from ...resource import Reference, Resource
from ...vocabulary.enums import CreateStatus

TARGET_NOT_SOLD = Rule(
    "target-not-sold",
    "A purchase path leads to a course that is not published or has no price.",
    "Write `status: published` and `priceInCents` there, or choose another target.",
    fixed=False,
    source="spec 4",
)
PATH_TO_ITSELF = Rule(
    "path-to-itself",
    "A purchase path leads back to its own course.",
    "Name another item, or delete the path.",
    fixed=False,
)
PATH_OF_FREE_COURSE = warning_rule(
    "path-of-free-course",
    "A course that is free has a purchase path.",
    "Delete the path, or give the course a price.",
)


def target_is_sold(path: Resource, reference: Reference, course: Resource) -> Iterator[Finding]:
    """The platform only takes an active item with a price as a target (spec 4)."""
    wrong = list(_why_unsold(course.facts))
    if wrong and path.facts.get("item") != path.facts["course"]:
        yield TARGET_NOT_SOLD.at(
            reference.path,
            f"`{reference.name}` {' and '.join(wrong)}; the platform takes a target that is "
            "published and has a price",
            f"write `status: published` and `priceInCents` in `{reference.name}`, "
            "or choose another target",
        )


def _why_unsold(course: Mapping[str, Json]) -> Iterator[str]:
    """What keeps a course from being a target."""
    if course.get("futurePublishDate"):
        yield f"is not published before {course['futurePublishDate']}"
    elif course.get("status") != CreateStatus.PUBLISHED:
        yield "is a draft" if course.get("status") else "is not marked as published"
    if not course.get("priceInCents"):
        yield "costs nothing" if course.get("priceInCents") == 0 else "has no price"


def leads_on(path: Resource, reference: Reference, _course: Resource) -> Iterator[Finding]:
    """A path that leads back to its own page."""
    if path.facts.get("item") == path.facts["course"]:
        hint = "name another item, or delete the path: the course has a button of its own"
        yield PATH_TO_ITSELF.at(reference.path, "the path leads back to its own course", hint)


def is_needed(_path: Resource, reference: Reference, course: Resource) -> Iterator[Finding]:
    """A free course needs no other way to buy it."""
    if course.facts.get("freeWithRegistration") or course.facts.get("priceInCents") == 0:
        yield PATH_OF_FREE_COURSE.at((), f"`{reference.name}` is free, and this is a way to buy it")


REFERENCE_RULES = {"target": (target_is_sold, leads_on), "course": (is_needed,)}
