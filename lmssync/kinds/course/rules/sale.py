"""What a course costs, and whether that can be paid (spec 2.2)."""

from collections.abc import Iterator

from ....problems import Finding, Severity
from ..facts import goes_live
from ..spec import CourseSpec


def price_and_free(course: CourseSpec) -> Iterator[Finding]:
    """Free for everybody who registers, and for sale: one of the two is a mistake."""
    if course.priceInCents and course.freeWithRegistration:
        yield Finding(
            "price-and-free",
            ("freeWithRegistration",),
            f"the course costs {course.priceInCents} cents and is free with registration: "
            "learners would get it for nothing",
            "delete `freeWithRegistration`, or write `priceInCents: 0`",
        )


def nothing_to_pay(course: CourseSpec) -> Iterator[Finding]:
    """A button to buy what has no price."""
    if course.purchasable and not course.priceInCents and not course.freeWithRegistration:
        yield Finding(
            "purchasable-without-price",
            ("purchasable",),
            "the course can be bought but has no price",
            "add `priceInCents`, or write `purchasable: false`",
            Severity.WARNING,
        )


def no_way_to_pay(course: CourseSpec) -> Iterator[Finding]:
    """A price that nobody can pay; reported once published, since a draft may be unfinished."""
    if goes_live(vars(course)) and course.priceInCents and not course.purchasable:
        yield Finding(
            "price-without-purchase",
            ("priceInCents",),
            f"the course has a price of {course.priceInCents} cents but cannot be bought: "
            "`purchasable` is false unless it is written",
            "add `purchasable: true`, or delete the price",
            Severity.WARNING,
        )


RULES = (price_and_free, nothing_to_pay, no_way_to_pay)
