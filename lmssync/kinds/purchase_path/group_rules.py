"""Checks that a course's purchase paths differ and lead to what is sold (spec 2.6, 4)."""

from collections.abc import Iterator, Mapping, Set

from ...kind import Groups, Resources
from ...problems import Finding, Rule, warning_rule
from ...resource import Address, Resource
from ...vocabulary.enums import CreateStatus
from ..siblings import find_lookalikes

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


def told_apart(groups: Groups, _catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
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
    hiding = _hiding_paths(groups)
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


def _hiding_paths(groups: Groups) -> Mapping[str, Resource]:
    """Courses without a button of their own, with the first path that hides it."""
    return {
        course: hides[0]
        for course, paths in groups.items()
        if (hides := [path for path in paths if path.facts.get("hides")])
    }


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
    while waiting:
        item = waiting.pop()
        if item not in reached:
            reached.add(item)
            waiting += leading.get(item, ())
    return reached


def _has_button(course: str, hiding: Set[str], catalog: Resources) -> bool:
    """A course that is not in the catalog is taken to be for sale."""
    if course in hiding:
        return False
    resource = catalog.get(Address.parse(course))
    if resource is None:
        return True
    sold = resource.facts
    return bool(
        sold.get("status") == CreateStatus.PUBLISHED
        and sold.get("priceInCents")
        and sold.get("purchasable") is not False
    )


GROUP_RULES = (told_apart, check_order, dead_ends)
