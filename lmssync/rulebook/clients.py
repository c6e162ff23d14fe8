"""Rules about clients, and about who holds which licenses."""

from ..problems import Severity
from .rule import Rule

TITLE = "Clients and license assignments"

RULES = (
    Rule(
        "client-slug",
        "The slug has a character that the platform does not allow, or too many.",
        "Use small letters a to z, digits and hyphens, 255 at most.",
        source="spec 4",
    ),
    Rule(
        "client-slug-empty",
        "The client has no slug, and its name has no letter or digit to make one of.",
        "Write `slug`.",
        source="spec 7",
    ),
    Rule(
        "client-of-itself",
        "`cloneOf` is the key of the client itself.",
        "Name the client to clone. One of the platform with the same slug is named by its uuid.",
    ),
    Rule(
        "name-of-catalog",
        "A client of the catalog is named by its slug. It would not be made before what needs it.",
        "Name it by its key.",
        fixed=False,
    ),
    Rule(
        "users-missing",
        "A license assignment names nobody.",
        "Add `users` or `usersFile`.",
    ),
    Rule(
        "users-twice",
        "A license assignment has `users` and `usersFile`.",
        "Keep one of the two.",
    ),
    Rule(
        "person-unnamed",
        "A person has no identifier.",
        "Write `id`, `email` or `externalCustomerId`.",
        source="spec 2.7",
    ),
    Rule(
        "person-twice",
        "A list names a person twice, by any identifier.",
        "Delete one of the two.",
        source="spec 4",
    ),
    Rule(
        "email",
        "The text is not an e-mail address.",
        "Write it as ann@example.com. Other names go under `externalCustomerId`.",
        fixed=False,
    ),
    Rule(
        "option-not-boolean",
        "An enrollment option is a text or a number. The platform would take every text that is "
        'not empty for true, `"false"` too.',
        "Write true or false without quotes.",
        source="spec 4",
    ),
    Rule(
        "options-empty",
        "`enrollmentOptions` decides nothing.",
        "Write both options, or delete it.",
        source="spec 4",
    ),
    Rule(
        "options-contradict",
        "Progress would be deleted where enrollments are kept.",
        "Keep progress, or write `preserveEnrollments: false` as well.",
        source="spec 3",
    ),
    Rule(
        "assignment-empty",
        "A license assignment names no license or nobody: whoever holds something by it loses it.",
        "Name licenses and people, unless that is meant.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "license-given-twice",
        "Two license assignments give the same license to the same person. Who leaves one of "
        "them would lose the license, whatever the other says.",
        "Name each person for a license in one assignment only.",
        fixed=False,
    ),
    Rule(
        "licenses-of-two-clients",
        "The licenses of one assignment are of two clients. Nobody is in both, and the platform "
        "gives a learner licenses of their own client only.",
        "Write an assignment for each client.",
        source="spec 4",
    ),
    Rule(
        "seats-exceeded",
        "More people are to have a license than it has seats. The whole job would fail.",
        "Raise `seatsLimit` of the license, or name fewer people.",
        fixed=False,
        source="spec 4",
    ),
    Rule(
        "table-ending",
        "The file of people is no CSV file by its name.",
        "Name it `.csv`.",
    ),
    Rule(
        "table-syntax",
        "The file is not CSV.",
        'Put a text with a comma, a quote or a line end in it in "quotes".',
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
        "Separate cells by commas, and leave an empty one where there is nothing.",
    ),
)
