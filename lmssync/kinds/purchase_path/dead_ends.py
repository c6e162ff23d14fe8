"""Finds courses that hide their own button and lead nowhere that sells, or in a circle."""

from collections.abc import Iterator, Mapping, Set

from ...address import Address
from ...kind import Groups, Resources
from ...problems import Finding, Rule
from ...resource import Resource
from ...vocabulary.enums import CreateStatus

DEAD_END = Rule(
    "dead-end",
    "A course hides its own button, and its purchase paths lead to nothing that can be "
    "bought, or back to it in a circle.",
    "Show one of the buttons, or lead to a place where the course can be bought.",
    fixed=False,
    source="spec 2.6",
)


def dead_ends(groups: Groups, catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """One finding for each course, at the path that hides its button."""
    hiding = _hiding(groups)
    if not hiding:
        return
    reached = _where_something_is_sold(groups, hiding.keys(), catalog)
    for course, path in hiding.items():
        if course in reached or Address.parse(course) not in catalog:
            continue
        ways = sorted({other.facts["item"] for other in groups[course]})
        told = " and ".join(
            f"{way} {'hides its button as well' if way in hiding else 'is not for sale'}"
            for way in ways
        )
        message = (
            f"{course} hides its own button, and nothing can be bought where its paths lead: {told}"
        )
        hint = "show one of the buttons, or lead to where the course can be bought"
        yield path, DEAD_END.at(("hidePrimaryCta",), message, hint)


def _hiding(groups: Groups) -> Mapping[str, Resource]:
    """Courses without a button of their own, with the first path that hides it."""
    return {
        course: hides[0]
        for course, paths in groups.items()
        if (hides := [path for path in paths if path.facts.get("hides")])
    }


def _where_something_is_sold(groups: Groups, hiding: Set[str], catalog: Resources) -> Set[str]:
    """Pages with a button that sells, or an address outside, and all that lead to such a page."""
    leading: dict[str, list[str]] = {}
    reached: list[str] = []
    for course, paths in groups.items():
        items = [path.facts.get("item") for path in paths]
        if None in items or _has_button(course, hiding, catalog):
            reached.append(course)
        for item in filter(None, items):
            leading.setdefault(item, []).append(course)
    reached += [item for item in leading if _has_button(item, hiding, catalog)]
    found = set(reached)
    while reached:
        for course in leading.get(reached.pop(), ()):
            if course not in found:
                found.add(course)
                reached.append(course)
    return found


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
