"""Rules about single fields and keys, whatever the kind."""

from ..problems import Severity
from .rule import Rule

TITLE = "Fields"

RULES = (
    Rule(
        "missing-field",
        "A required field is missing.",
        "Add it.",
    ),
    Rule(
        "unknown-field",
        "There is no such field at this place.",
        "Take the field that the hint names, or delete it.",
    ),
    Rule(
        "unknown-resource",
        "`resource:` names no kind of resource.",
        "Take one of the kinds that the hint lists.",
    ),
    Rule(
        "blank",
        "A text that people read is blank.",
        "Write it.",
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
        "The value is not the id of a video: such an id is letters and digits.",
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
        "Two resources of a kind have the same key.",
        "Give one of them another key.",
    ),
    Rule(
        "short-form",
        "Resources inside a course are not written as a list.",
        "Write one item a line, after `-`.",
    ),
    Rule(
        "short-form-field",
        "A short form says again what its place says: its course, its key, its kind.",
        "Delete the field, or write the item as a document of its own.",
    ),
    Rule(
        "short-form-id",
        "A resource inside a course has no `id`.",
        "Add one: it is the last part of its address.",
    ),
    Rule(
        "slug",
        "The value is not a slug: it has a blank, or a letter that no address has.",
        "Copy the slug from the platform; a label is not one.",
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
        "The value is no ISBN, or its check digit does not fit.",
        "Compare it with the book.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "date-zone",
        "A time is given without a zone; whose time it is, is for the platform to say.",
        "Add `Z` for UTC, or an offset such as `+02:00`.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "date-form",
        "A blank stands between the day and the time.",
        "Write a `T`, as ISO 8601 does.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "date-far",
        "The year is before 1970 or after 2099.",
        "Look at its digits again.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "url-private",
        "The platform cannot fetch the file: only your own network finds the address.",
        "Put it where everybody can fetch it.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "url-secret",
        "An address holds a password, a key or a signature.",
        "Name one that needs none: what is in git is known to all who read it.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "url-ending",
        "The address ends as files of another type do.",
        "Name the file itself: PNG, JPEG or GIF for pictures, .zip for packages.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "related-to-itself",
        "A course is related to itself.",
        "Name other courses.",
        severity=Severity.WARNING,
        fixed=False,
    ),
)
