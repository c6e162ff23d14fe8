"""Rules about clients, and about who holds which licenses."""

from ..problems import Rule, Severity

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
        "users-missing",
        "A license assignment names no people.",
        "Add `users` or `usersFile`.",
    ),
    Rule(
        "users-twice",
        "A license assignment has both `users` and `usersFile`.",
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
        "A list names the same person twice, by any identifier.",
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
        "An enrollment option is a text or a number. The platform would treat any text that is "
        'not empty as true, even `"false"`.',
        "Write true or false without quotes.",
        source="spec 4",
    ),
    Rule(
        "options-empty",
        "`enrollmentOptions` sets neither of its options.",
        "Write both options, or delete it.",
        source="spec 4",
    ),
    Rule(
        "options-contradict",
        "The options delete progress but keep enrollments, which the platform refuses.",
        "Keep progress, or write `preserveEnrollments: false` as well.",
        source="spec 3",
    ),
    Rule(
        "assignment-empty",
        "A license assignment names no licenses or no people: everybody who holds a license "
        "through it loses that license.",
        "Name licenses and people, unless you intend that.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "license-given-twice",
        "Two license assignments give the same license to the same person. Removing the person "
        "from one of them would take the license away, although the other one still gives it.",
        "Name each person for a license in one assignment only.",
        fixed=False,
    ),
    Rule(
        "licenses-of-two-clients",
        "The licenses of one assignment belong to two clients. No learner is in both, and the "
        "platform gives learners only licenses of their own client.",
        "Write an assignment for each client.",
        source="spec 4",
    ),
    Rule(
        "seats-exceeded",
        "A license is assigned to more people than it has seats. The whole job would fail.",
        "Raise `seatsLimit` of the license, or name fewer people.",
        fixed=False,
        source="spec 4",
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
