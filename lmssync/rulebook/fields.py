"""Rules about single fields and keys, whatever the kind."""

from ..problems import Rule, Severity

TITLE = "Fields"

RULES = (
    Rule(
        "blank",
        "A text that people read is blank.",
        "Write some text.",
    ),
    Rule(
        "date",
        "The value is not a date that exists.",
        "Write `2027-01-31` or `2027-01-31T09:00:00Z`.",
    ),
    Rule(
        "url",
        "The value is not an http or https address.",
        "Write the full address. No route takes a file: upload it in the admin interface, or put "
        "it on a web server.",
    ),
    Rule(
        "language-tag",
        "The value is not a language tag (BCP 47).",
        "Write `de` or `de-CH`; not `german`, not `de_CH`.",
        source="spec 2.4",
    ),
    Rule(
        "isbn",
        "The value is not an ISBN, or its check digit is wrong.",
        "Compare it with the book.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "date-zone",
        "A time is given without a time zone, so the platform decides which zone it is in.",
        "Add `Z` for UTC, or an offset such as `+02:00`.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "date-form",
        "There is a space between the day and the time.",
        "Write a `T`, as ISO 8601 does.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "date-far",
        "The year is before 1970 or after 2099.",
        "Check the digits of the year.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "url-private",
        "The platform cannot fetch the file: the address works only in your own network.",
        "Put it where everyone can fetch it.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "url-secret",
        "An address holds a password, a key or a signature.",
        "Use an address that needs none: everyone who can read the repository can read this one.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "url-ending",
        "The address ends like that of a file of another type.",
        "Use the address of the file itself: PNG, JPEG or GIF for pictures, .zip for packages.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
)
