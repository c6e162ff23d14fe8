"""Which fields of a license assignment go together (spec 2.7; 4)."""

from ...kind import Either, SomeOf, Together
from .people import IDENTIFIERS
from .spec import EnrollmentOptions, LicenseAssignmentSpec, Person

USERS_OR_FILE = Either(
    "users",
    "usersFile",
    none="No people are named: add `users` or `usersFile`.",
    both="Name the people once: keep `users` or `usersFile`.",
)
SOME_OPTION = SomeOf(("preserveEnrollments", "preserveProgress"))
_LOSE = "Progress can only be deleted with `preserveEnrollments: false`."
_LOSES = {"properties": {"preserveProgress": {"const": False}}, "required": ["preserveProgress"]}
_LOST = {
    "properties": {"preserveEnrollments": {"const": False, "errorMessage": _LOSE}},
    "required": ["preserveEnrollments"],
    "errorMessage": _LOSE,
}
"""Progress goes only together with the enrollment (spec 4, sublicense rule 2)."""
TOGETHER: Together = {
    LicenseAssignmentSpec: [USERS_OR_FILE],
    Person: [SomeOf(IDENTIFIERS)],
    EnrollmentOptions: [{"if": _LOSES, "then": _LOST}, SOME_OPTION],
}
