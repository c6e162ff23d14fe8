"""Checks an assignment where more than one field is needed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...problems import Finding, Rule, warning_rule
from ..siblings import named_twice
from .combinations import SOME_OPTION, USERS_OR_FILE
from .people import IDENTIFIERS, find_repeated_people, given_identifiers
from .spec import LicenseAssignmentSpec

USERS_MISSING = Rule(
    "users-missing",
    "A license assignment names no people.",
    "Add `users` or `usersFile`.",
    within="a license assignment",
    wrong="licenses: [acme-all]",
    right="users: [{email: ann@example.com}]",
)
USERS_TWICE = Rule(
    "users-twice",
    "A license assignment has both `users` and `usersFile`.",
    "Keep one of the two.",
    within="a license assignment",
    wrong="users: [{email: ann@example.com}]\nusersFile: staff.csv",
    right="users: [{email: ann@example.com}]",
)
PERSON_UNNAMED = Rule(
    "person-unnamed",
    "A person has no identifier.",
    "Write `id`, `email` or `externalCustomerId`.",
    source="spec 2.7",
    within="a license assignment",
    wrong="users: [{}]",
    right="users: [{email: ann@example.com}]",
)
PERSON_TWICE = Rule(
    "person-twice",
    "A list names the same person twice, by any identifier.",
    "Delete one of the two.",
    source="spec 4",
    within="a license assignment",
    wrong="users: [{email: ann@example.com}, {email: Ann@example.com}]",
    right="users: [{email: ann@example.com}]",
)
OPTIONS_EMPTY = Rule(
    "options-empty",
    "`enrollmentOptions` sets neither of its options.",
    "Write both options, or delete it.",
    source="spec 4",
    within="a license assignment",
    wrong="users: [{email: ann@example.com}]\nenrollmentOptions: {}",
    right="users: [{email: ann@example.com}]\nenrollmentOptions: {preserveEnrollments: true}",
)
OPTIONS_CONTRADICT = Rule(
    "options-contradict",
    "The options delete progress but keep enrollments, which the platform refuses.",
    "Keep progress, or write `preserveEnrollments: false` as well.",
    source="spec 3",
    within="a license assignment",
    wrong="users: [{email: ann@example.com}]\nenrollmentOptions: {preserveProgress: false}",
    right="users: [{email: ann@example.com}]\n"
    "enrollmentOptions: {preserveProgress: false, preserveEnrollments: false}",
)
ASSIGNMENT_EMPTY = warning_rule(
    "assignment-empty",
    "A license assignment names no licenses or no people: everybody who holds a license "
    "through it loses that license.",
    "Name licenses and people, unless you intend that.",
    within="a license assignment",
    wrong="users: []",
    right="users: [{email: ann@example.com}]",
)


def one_list(assignment: LicenseAssignmentSpec) -> Iterator[Finding]:
    """The people are named in one place: here, or in a file."""
    given = USERS_OR_FILE.given_fields(assignment)
    if not given:
        message = "no people are named: there is neither `users` nor `usersFile`"
        hint = "add `users: [{email: ...}]`, or `usersFile: staff.csv`"
        yield USERS_MISSING.at((), message, hint)
    elif len(given) > 1:
        yield USERS_TWICE.at(("usersFile",), "the people are named in both `users` and `usersFile`")


def check_names_given(assignment: LicenseAssignmentSpec) -> Iterator[Finding]:
    for finding in check_everyone([person.model_dump() for person in assignment.users or ()]):
        yield replace(finding, path=("users", *finding.path))


def check_everyone(people: Sequence[Any]) -> Iterator[Finding]:
    """Everybody has an identifier, and nobody is listed twice (spec 2.7; 4, sublicense rule 4)."""
    for position, person in enumerate(people):
        if not given_identifiers(person):
            message = "this person has no identifier"
            yield PERSON_UNNAMED.at((position,), message, f"write one of {', '.join(IDENTIFIERS)}")
    for position, before, (name, _) in find_repeated_people(people):
        message = f"this `{name}` is in the list already, {position - before} further up"
        hint = "delete one of the two: the platform refuses a request that names a person twice"
        yield PERSON_TWICE.at((position, name), message, hint)


def check_options(assignment: LicenseAssignmentSpec) -> Iterator[Finding]:
    """What the platform refuses (spec 3; 4, sublicense rule 2)."""
    given = assignment.enrollmentOptions
    if given is None:
        return
    if SOME_OPTION.lacks_all(given):
        message = "`enrollmentOptions` sets neither of its options"
        hint = "write `preserveEnrollments` and `preserveProgress`, or delete it"
        yield OPTIONS_EMPTY.at(("enrollmentOptions",), message, hint)
    if given.preserveProgress is False and given.preserveEnrollments is not False:
        yield OPTIONS_CONTRADICT.at(
            ("enrollmentOptions", "preserveProgress"),
            "progress cannot be deleted while enrollments are kept (`preserveEnrollments` is true"
            f"{'' if given.preserveEnrollments else ' when it is left out'})",
        )


def check_gives(assignment: LicenseAssignmentSpec) -> Iterator[Finding]:
    """An empty list takes a license away from everybody, which should be meant."""
    for field in ("licenses", "users"):
        if getattr(assignment, field) == []:
            yield ASSIGNMENT_EMPTY.at(
                (field,),
                f"`{field}` is empty: everybody who holds these licenses through this manifest "
                "loses them",
                f"name {'licenses' if field == 'licenses' else 'people'}, unless you intend that",
            )


RULES = (one_list, check_names_given, check_options, check_gives, named_twice("licenses"))
