"""What a course costs, and whether that can be paid (spec 2.2)."""

from collections.abc import Iterator

from ...problems import Finding, Rule, warning_rule
from .course_manifest import CourseSpec
from .course_relations import goes_live

PRICE_AND_FREE = Rule(
    "price-and-free",
    "A course has a price and is free with registration, so learners get it for nothing.",
    "Delete `freeWithRegistration`, or write `priceInCents: 0`.",
    fixed=False,
    wrong="priceInCents: 1900\nfreeWithRegistration: true",
    right="freeWithRegistration: true",
)
PURCHASABLE_WITHOUT_PRICE = warning_rule(
    "purchasable-without-price",
    "A course can be bought but has no price.",
    "Add `priceInCents`, or write `purchasable: false`.",
    wrong="purchasable: true",
    right="purchasable: true\npriceInCents: 1900",
)
PRICE_WITHOUT_PURCHASE = warning_rule(
    "price-without-purchase",
    "A published course has a price but cannot be bought.",
    "Add `purchasable: true`, or delete the price.",
    source="spec 2.2",
    wrong="status: published\npriceInCents: 1900",
    right="status: published\npriceInCents: 1900\npurchasable: true",
)


def price_and_free(course: CourseSpec) -> Iterator[Finding]:
    """A course is free for everybody who registers, or for sale: both together are a mistake."""
    if course.priceInCents and course.freeWithRegistration:
        yield PRICE_AND_FREE.at(
            ("freeWithRegistration",),
            f"`priceInCents` is {course.priceInCents} and the course is free with registration: "
            "learners would get it for nothing",
        )


def nothing_to_pay(course: CourseSpec) -> Iterator[Finding]:
    """Yields a finding for a course that can be bought and has no price."""
    if course.purchasable and not course.priceInCents and not course.freeWithRegistration:
        message = "the course can be bought but has no price"
        yield PURCHASABLE_WITHOUT_PRICE.at(("purchasable",), message)


def no_way_to_pay(course: CourseSpec) -> Iterator[Finding]:
    """A price that nobody can pay; reported once published, since a draft may be unfinished."""
    if goes_live(vars(course)) and course.priceInCents and not course.purchasable:
        yield PRICE_WITHOUT_PURCHASE.at(
            ("priceInCents",),
            f"`priceInCents` is {course.priceInCents}, but the course cannot be bought: "
            "`purchasable` is false unless it is written",
        )


SALE_RULES = (price_and_free, nothing_to_pay, no_way_to_pay)
