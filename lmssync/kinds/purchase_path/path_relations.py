"""Checks that purchase paths lead somewhere and can be told apart (spec 2.6, 4, 7)."""

from collections.abc import Iterator, Mapping, Set

from ...kind import Groups, Json, Resources
from ...problems import Finding, Rule, warning_rule
from ...resource import Address, Reference, Resource
from ...vocabulary.enums import CreateStatus
from ..sibling_names import find_lookalikes

DEAD_END = Rule(
    "dead-end",
    "A course hides its own button, and its purchase paths lead to nothing that can be "
    "bought, or back to it in a circle.",
    "Show one of the buttons, or lead to a place where the course can be bought.",
    fixed=False,
    source="spec 2.6",
)
PATH_TWICE = Rule(
    "path-twice",
    "Two purchase paths of a course have the same label and target, so they cannot be told "
    "apart on the platform.",
    "Delete one of them, or change its label.",
    fixed=False,
    source="spec 2.6",
)
ORDER_TWICE = warning_rule(
    "order-twice",
    "Two purchase paths of a course have the same `displayOrder`; the older one is shown first.",
    "Give each a different number. It is 0 when left out.",
    source="spec 4",
)
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


def check_paths_differ(groups: Groups, _catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """Paths are found again by label and target (O11), so two with both the same count as one."""
    for path, first in find_lookalikes(groups, lambda path: path.facts["shown"]):
        message = (
            f"{first.address} has the same label and the same target, so neither people nor "
            "lmssync could tell the two apart"
        )
        yield path, PATH_TWICE.at((), message)


def check_order(groups: Groups, _catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """Paths with the same number are shown by age (spec 4), which no manifest can set."""
    for path, first in find_lookalikes(groups, lambda path: path.facts.get("order", 0)):
        if "order" not in path.facts and "order" not in first.facts:
            continue
        order = path.facts.get("order", 0)
        message = (
            f"{first.address} has the place {order} as well: the older of the two is shown first"
        )
        hint = "give each path of a course another `displayOrder`; it is 0 when left out"
        yield path, ORDER_TWICE.at(("displayOrder",), message, hint)


def dead_ends(groups: Groups, catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """One finding for each course, at the path that hides its button."""
    # Courses without a button of their own, with the first path that hides it.
    hiding = {
        course: hides[0]
        for course, paths in groups.items()
        if (hides := [path for path in paths if path.facts.get("hides")])
    }
    if not hiding:
        return
    reached = _where_something_is_sold(groups, hiding.keys(), catalog)
    for course, path in hiding.items():
        if course in reached or Address.parse(course) not in catalog:
            continue
        ways = sorted({other.facts["item"] for other in groups[course]})
        why = " and ".join(
            f"{way} {'hides its button as well' if way in hiding else 'is not for sale'}"
            for way in ways
        )
        message = (
            f"{course} hides its own button, and nothing can be bought where its paths lead: {why}"
        )
        hint = "show one of the buttons, or lead to where the course can be bought"
        yield path, DEAD_END.at(("hidePrimaryCta",), message, hint)


def _where_something_is_sold(groups: Groups, hiding: Set[str], catalog: Resources) -> Set[str]:
    """Pages with a button that sells, or an address outside, and all that lead to such a page."""
    leading: dict[str, list[str]] = {}
    waiting: list[str] = []
    for course, paths in groups.items():
        items = [path.facts.get("item") for path in paths]
        if None in items or _has_button(course, hiding, catalog):
            waiting.append(course)
        for item in filter(None, items):
            leading.setdefault(item, []).append(course)
    waiting += [item for item in leading if _has_button(item, hiding, catalog)]
    reached: set[str] = set()
    while waiting:  # backwards from where something is sold, so that a circle ends by itself
        item = waiting.pop()
        if item not in reached:
            reached.add(item)
            waiting += leading.get(item, ())
    return reached


def _has_button(course: str, hiding: Set[str], catalog: Resources) -> bool:
    # A course that is not in the catalog is taken to be for sale.
    if course in hiding:
        return False
    resource = catalog.get(Address.parse(course))
    if resource is None:
        return True
    sold = resource.facts
    is_public = sold.get("status") == CreateStatus.PUBLISHED
    return bool(is_public and sold.get("priceInCents") and sold.get("purchasable") is not False)


GROUP_RULES = (check_paths_differ, check_order, dead_ends)


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
    """Yields the reasons why a course cannot be the target of a path."""
    if course.get("futurePublishDate"):
        yield f"is not published before {course['futurePublishDate']}"
    elif course.get("status") != CreateStatus.PUBLISHED:
        yield "is a draft" if course.get("status") else "is not marked as published"
    if not course.get("priceInCents"):
        yield "costs nothing" if course.get("priceInCents") == 0 else "has no price"


def leads_on(path: Resource, reference: Reference, _course: Resource) -> Iterator[Finding]:
    """Yields a finding for a path that leads back to the page that it is on."""
    if path.facts.get("item") == path.facts["course"]:
        hint = "name another item, or delete the path: the course has a button of its own"
        yield PATH_TO_ITSELF.at(reference.path, "the path leads back to its own course", hint)


def is_needed(_path: Resource, reference: Reference, course: Resource) -> Iterator[Finding]:
    """A free course needs no other way to buy it."""
    if course.facts.get("freeWithRegistration") or course.facts.get("priceInCents") == 0:
        yield PATH_OF_FREE_COURSE.at((), f"`{reference.name}` is free, and this is a way to buy it")


REFERENCE_RULES = {"target": (target_is_sold, leads_on), "course": (is_needed,)}
