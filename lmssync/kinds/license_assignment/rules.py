"""Checks of an assignment that need more than one field."""

from collections.abc import Iterator, Sequence
from typing import Any

from ...problems import Finding, Severity
from ...texts import quality
from ..siblings import named_twice
from .people import IDENTIFIERS, identified, repeats
from .spec import LicenseAssignmentSpec


def one_list(assignment: LicenseAssignmentSpec) -> Iterator[Finding]:
    """The people are named once: here, or in a file."""
    given = [name for name in ("users", "usersFile") if getattr(assignment, name) is not None]
    if not given:
        yield Finding(
            "users-missing",
            (),
            "no people are named: there is neither `users` nor `usersFile`",
            "add `users: [{email: ...}]`, or `usersFile: staff.csv`",
        )
    elif len(given) > 1:
        yield Finding(
            "users-twice",
            ("usersFile",),
            "the people are named in both `users` and `usersFile`",
            "keep one of the two",
        )


def named(assignment: LicenseAssignmentSpec) -> Iterator[Finding]:
    for finding in everyone([person.model_dump() for person in assignment.users or ()]):
        yield Finding(
            finding.code, ("users", *finding.path), finding.message, finding.hint, finding.severity
        )


def everyone(people: Sequence[Any]) -> Iterator[Finding]:
    """Each has an identifier, and none is there twice (spec 2.7; 4, sublicense rule 4)."""
    for position, person in enumerate(people):
        if not identified(person):
            yield Finding(
                "person-unnamed",
                (position,),
                "this person has no identifier",
                f"write one of {', '.join(IDENTIFIERS)}",
            )
    for position, before, (name, _) in repeats(people):
        yield Finding(
            "person-twice",
            (position, name),
            f"this `{name}` is in the list already, {position - before} further up",
            "delete one of the two: the platform refuses a request that names a person twice",
        )


def options(assignment: LicenseAssignmentSpec) -> Iterator[Finding]:
    """What the platform refuses (spec 3; 4, sublicense rule 2)."""
    given = assignment.enrollmentOptions
    if given is None:
        return
    if given.preserveEnrollments is None and given.preserveProgress is None:
        yield Finding(
            "options-empty",
            ("enrollmentOptions",),
            "`enrollmentOptions` sets neither of its options",
            "write `preserveEnrollments` and `preserveProgress`, or delete it",
        )
    if given.preserveProgress is False and given.preserveEnrollments is not False:
        yield Finding(
            "options-contradict",
            ("enrollmentOptions", "preserveProgress"),
            "progress cannot be deleted while enrollments are kept (`preserveEnrollments` is true"
            f"{'' if given.preserveEnrollments else ' when it is left out'})",
            "keep progress, or write `preserveEnrollments: false` as well",
        )


def gives(assignment: LicenseAssignmentSpec) -> Iterator[Finding]:
    """An empty list takes a license away from everybody, which should be meant."""
    for field in ("licenses", "users"):
        if getattr(assignment, field) == []:
            yield Finding(
                "assignment-empty",
                (field,),
                f"`{field}` is empty: everybody who holds these licenses through this manifest "
                "loses them",
                f"name {'licenses' if field == 'licenses' else 'people'}, unless you intend that",
                Severity.WARNING,
            )


RULES = (one_list, named, options, gives, named_twice("licenses"), quality)
