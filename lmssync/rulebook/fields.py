"""Rules about single fields and keys, whatever the kind."""

from ..problems import Rule, Severity

TITLE = "Fields"

RULES = (
    Rule(
        "missing-field",
        "A required field is missing.",
        "Add it.",
    ),
    Rule(
        "unknown-field",
        "There is no such field here.",
        "Use the field that the hint names, or delete it.",
    ),
    Rule(
        "unknown-resource",
        "`resource:` does not name a resource kind.",
        "Use one of the kinds that the hint lists.",
    ),
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
        "uuid",
        "The value is not a uuid.",
        "Copy the id from the platform.",
    ),
    Rule(
        "video-id",
        "The value is not the id of a video: such an id has only letters and digits.",
        "Copy the id from the platform; an address goes under `videoUrl`.",
        source="O49",
    ),
    Rule(
        "url",
        "The value is not an http or https address.",
        "Write the full address. No route takes a file: upload it in the admin interface, or put "
        "it on a web server.",
    ),
    Rule(
        "key-twice",
        "Two resources of the same kind have the same key.",
        "Give one of them another key.",
    ),
    Rule(
        "short-form",
        "Resources inside a course are not written as a list.",
        "Write one item per line, after `-`.",
    ),
    Rule(
        "short-form-field",
        "A short form repeats what its place already says: its course, its key or its kind.",
        "Delete the field, or write the item as a document of its own.",
    ),
    Rule(
        "short-form-id",
        "A resource inside a course has no `id`.",
        "Add one: it is the last part of its address.",
    ),
    Rule(
        "slug",
        "The value is not a slug: it has a space, or a character that is not allowed in an "
        "address.",
        "Copy the slug from the platform; a label is not a slug.",
        source="spec 2.2",
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
