"""Rules about prices, buttons and licenses."""

from ..problems import Rule, Severity

TITLE = "Prices, purchase paths, licenses together"

RULES = (
    Rule(
        "price-and-free",
        "A course has a price and is free with registration, so learners get it for nothing.",
        "Delete `freeWithRegistration`, or write `priceInCents: 0`.",
        fixed=False,
    ),
    Rule(
        "purchasable-without-price",
        "A course can be bought but has no price.",
        "Add `priceInCents`, or write `purchasable: false`.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "price-without-purchase",
        "A published course has a price but cannot be bought.",
        "Add `purchasable: true`, or delete the price.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "target-not-sold",
        "A purchase path leads to a course that is not published or has no price.",
        "Write `status: published` and `priceInCents` there, or choose another target.",
        fixed=False,
        source="spec 4",
    ),
    Rule(
        "path-to-itself",
        "A purchase path leads back to its own course.",
        "Name another item, or delete the path.",
        fixed=False,
    ),
    Rule(
        "path-of-free-course",
        "A course that is free has a purchase path.",
        "Delete the path, or give the course a price.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "path-twice",
        "Two purchase paths of a course have the same label and target, so they cannot be told "
        "apart on the platform.",
        "Delete one of them, or change its label.",
        fixed=False,
        source="spec 2.6",
    ),
    Rule(
        "order-twice",
        "Two purchase paths of a course have the same `displayOrder`; the older one is shown "
        "first.",
        "Give each a different number. It is 0 when left out.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 4",
    ),
    Rule(
        "dead-end",
        "A course hides its own button, and its purchase paths lead to nothing that can be "
        "bought, or back to it in a circle.",
        "Show one of the buttons, or lead to a place where the course can be bought.",
        fixed=False,
        source="spec 2.6",
    ),
    Rule(
        "license-before-course",
        "A license expires before a course in it opens.",
        "Let it expire later, or take the course out of it.",
        fixed=False,
        source="spec 2.5",
    ),
    Rule(
        "license-ends-early",
        "A license expires while a course in it is still running.",
        "Let it expire later, unless you intend that.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.5",
    ),
    Rule(
        "access-before-start",
        "Counted from the first day of enrollment, access through a license ends before the "
        "course starts.",
        "Raise `accessDays`, or open the enrollment later.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.5",
    ),
    Rule(
        "license-of-drafts",
        "Every course of a license is a draft, and the license opens nothing else.",
        "Publish one of them, or assign the license later.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "parent-of-other-client",
        "A license has a parent license of another client.",
        "Name a license of the same client.",
        fixed=False,
        source="spec 2.5",
    ),
    Rule(
        "seats-over-parent",
        "A license has more seats than its parent license.",
        "Write at most as many as the parent has.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.5",
    ),
    Rule(
        "default-twice",
        "A client has two default licenses.",
        "Keep `isDefault: true` in one of them.",
        fixed=False,
        source="spec 2.5",
    ),
    Rule(
        "license-name-twice",
        "Two licenses of a client have the same name.",
        "Give one of them another name.",
        severity=Severity.WARNING,
        fixed=False,
    ),
)
