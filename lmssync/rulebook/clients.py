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
    Rule(
        "table-ending",
        "By its name, the file of people is not a CSV file.",
        "Name it `.csv`.",
    ),
    Rule(
        "table-syntax",
        "The file is not valid CSV.",
        'Put text that contains a comma, a quote or a line break in "quotes".',
    ),
    Rule(
        "table-header",
        "The first line of a table is missing, or has a column that the table does not have.",
        "Name the columns: `id,email,externalCustomerId`, or some of them.",
    ),
    Rule(
        "table-row-blank",
        "A row of a table names nobody.",
        "Delete it.",
    ),
    Rule(
        "table-row-cells",
        "A row of a table has more or fewer cells than the first line.",
        "Separate cells by commas, and leave a cell empty where there is no value.",
    ),
)
