"""Rules about clients, and about who holds which licenses."""

from ..problems import Rule

TITLE = "Clients and license assignments"

RULES = (
    Rule(
        "client-slug",
        "The slug has a character that the platform does not allow, or is too long.",
        "Use lowercase letters a to z, digits and hyphens, at most 255 characters.",
        source="spec 4",
    ),
    Rule(
        "client-slug-empty",
        "The client has no slug, and its name has no letter or digit to make one from.",
        "Add `slug`.",
        source="spec 7",
    ),
    Rule(
        "client-of-itself",
        "`cloneOf` is the key of the client itself.",
        "Name the client to clone. If you mean a client on the platform with the same slug, write "
        "its uuid.",
    ),
)
