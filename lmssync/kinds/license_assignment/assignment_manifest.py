"""What an author may write of a license assignment, and the form that it becomes (spec 2.7, 4).

The form is regular: a set of licenses and a set of people. A row may say `holds` if a person has
other licenses than the rest: while a change is under way, or if the platform did not know the
person. No manifest can say it. The last rules look at all assignments together, and at the licenses
that they name.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated, Any

from pydantic import BeforeValidator

from ...kind import Data, Either, Groups, Json, Resources, SomeOf, Spec, Table, Together
from ...problems import Finding, Rule, warning_rule
from ...resource import Address, Form, Place, Resource, canonical_text
from ...texts.values import refusal_error
from ..field_types import NeverNull, Shown, Title
from ..reference_fields import ReferenceField, points_at
from ..shared_fields import Managed, with_nodes
from ..sibling_names import named_twice
from .assigned_people import (
    IDENTIFIERS,
    Person,
    Row,
    check_everyone,
    given_identifiers,
    identifier_marks,
    order_people,
    person_place,
    person_rank,
)

OPTION_NOT_BOOLEAN = Rule(
    "option-not-boolean",
    "An enrollment option is a text or a number. The platform would treat any text that is "
    'not empty as true, even `"false"`.',
    "Write true or false without quotes.",
    source="spec 4",
    within="a license assignment",
    wrong='users: [{email: ann@example.com}]\nenrollmentOptions: {preserveProgress: "false"}',
    right="users: [{email: ann@example.com}]\nenrollmentOptions: {preserveProgress: true}",
)
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


REFERENCES = {"licenses": ReferenceField("license", "licenseIds")}
HOLDS = "holds"
LINES = "$lines"
"""The file of the people and its lines, on the way from the file to the facts."""


def people_tables(data: Data) -> list[Table]:
    """The table of people that an assignment may name: one file."""
    assert isinstance(data, dict)
    return [Table((), data, "usersFile", "users", Person, (check_everyone,), LINES)]


def normalise_assignment(_key: str, data: Data) -> Form:
    """The order of licenses and people means nothing, nor does the file that names them."""
    form = with_nodes(REFERENCES, {k: v for k, v in data.items() if k not in ("usersFile", LINES)})
    people = order_people(map(_person_row, data.get("users") or ()))
    return form | {"licenses": sorted_set(form["licenses"]), "users": people}


def _person_row(person: Mapping[str, Any]) -> Row:
    held = {HOLDS: sorted_set(person[HOLDS])} if HOLDS in person else {}
    return given_identifiers(person) | held


def sorted_set(licenses: Iterable[Json]) -> list[Json]:
    """The items of a list, each once, in a fixed order."""
    return [once[1] for once in sorted({spell_node(one): one for one in licenses}.items())]


def spell_node(license_: Json) -> bytes:
    """The text that stands for a node as a key of a mapping."""
    return license_.encode() if isinstance(license_, str) else canonical_text(license_)


def assignment_facts(data: Data, form: Form) -> Mapping[str, Json]:
    """Licenses and people, for the checks of all assignments together.

    `lines` gives the line of each person in the order of the form: in the file `list`, else the
    position in the list of the manifest.
    """
    licenses = [points_at(one) for one in form["licenses"]]
    people = [[f"{name} {value}" for name, value in identifier_marks(row)] for row in form["users"]]
    given = list(map(_person_row, data.get("users") or ()))
    # The form has people in an order of its own, and so have the lines.
    order = sorted(range(len(given)), key=lambda n: person_rank(given[n]))
    file, lines = data.get(LINES) or ("", range(len(given)))
    where = {"list": file, "lines": [lines[n] for n in order]}
    return {"catalog": True, "licenses": licenses, "people": people, "count": len(given)} | where


def _check_boolean(value: Any) -> Any:
    """The platform takes any text that is not empty as true, `"false"` too (sublicense rule 5)."""
    if value is None or isinstance(value, bool):
        return value
    kind = f'the text "{value}"' if isinstance(value, str) else f"`{value}`"
    raise refusal_error(
        OPTION_NOT_BOOLEAN,
        f"is {kind}; it must be true or false, since it decides about people's progress, "
        "and the platform would treat any text as true",
        "write true or false, without quotes",
    )


Decision = Annotated[Annotated[bool, BeforeValidator(_check_boolean)] | None, NeverNull()]


class EnrollmentOptions(Spec):
    """What happens to enrollments of people who lose a license and have no other access."""

    preserveEnrollments: Annotated[Decision, Shown((True,), default=True)] = None
    """True: they become direct enrollments. False: access is lost."""
    preserveProgress: Annotated[Decision, Shown((True,), default=True)] = None
    """False: progress, attempts and submissions are permanently deleted; only with
    `preserveEnrollments: false`."""


class LicenseAssignmentSpec(Managed):
    """Some licenses, and the people who should hold all of them."""

    licenses: Annotated[list[Title], Shown((["acme-all"],), wire="licenseIds")]
    """Keys or uuids of licenses, all of the client that the people belong to."""
    users: list[Person] | None = None
    """The people."""
    usersFile: Annotated[Title | None, Shown(("staff.csv",))] = None
    """Instead of `users`: a CSV file with columns among `id`, `email`, `externalCustomerId`."""
    enrollmentOptions: EnrollmentOptions | None = None
    """Needed before anybody can lose a license."""


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
        yield finding._replace(path=("users", *finding.path))


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


LICENSE_GIVEN_TWICE = Rule(
    "license-given-twice",
    "Two license assignments give the same license to the same person. Removing the person "
    "from one of them would take the license away, although the other one still gives it.",
    "Name each person for a license in one assignment only.",
    fixed=False,
)
LICENSES_OF_TWO_CLIENTS = Rule(
    "licenses-of-two-clients",
    "The licenses of one assignment belong to two clients. No learner is in both, and the "
    "platform gives learners only licenses of their own client.",
    "Write an assignment for each client.",
    source="spec 4",
)
SEATS_EXCEEDED = Rule(
    "seats-exceeded",
    "A license is assigned to more people than it has seats. The whole job would fail.",
    "Raise `seatsLimit` of the license, or name fewer people.",
    fixed=False,
    source="spec 4",
)


Findings = Iterator[tuple[Resource, Finding]]


def check_clashes(groups: Groups, _resources: Resources) -> Findings:
    """A person with a license from two assignments would lose it by leaving one of them."""
    holders: dict[tuple[str, str], Resource] = {}
    for assignment in chain.from_iterable(groups.values()):
        facts = assignment.facts
        for license_ in facts["licenses"]:
            others: dict[Address, list[int]] = {}
            for marks, line in zip(facts["people"], facts["lines"], strict=True):
                firsts = [holders.setdefault((license_, mark), assignment) for mark in marks]
                other = next((first for first in firsts if first is not assignment), None)
                if other is not None:
                    others.setdefault(other.address, []).append(line)
            for address, lines in others.items():
                yield assignment, _given_twice(address, license_, facts["list"], lines)


def _given_twice(other: Address, license_: str, file: str, lines: Sequence[int]) -> Finding:
    """Reported at the first person, without names: more people read messages than lists."""
    first = person_place(file, min(lines))
    more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
    return LICENSE_GIVEN_TWICE.at(
        ("licenses",) if isinstance(first, Place) else first,
        f"{other} gives the license `{license_}` to this person{more} too",
        "name each person for a license in one assignment only: removing somebody from one of "
        "them would take the license away, although the other one still gives it",
        place=first if isinstance(first, Place) else None,
    )


def one_client(groups: Groups, resources: Resources) -> Findings:
    """A license must belong to the learner's client, and nobody is in two clients (rule 7)."""
    for assignment in chain.from_iterable(groups.values()):
        clients = {
            resource.facts["client"]: resource
            for name in assignment.facts["licenses"]
            if (resource := resources.get(Address.parse(name)))
        }
        if len(clients) > 1:
            (_, one), (_, other), *_ = sorted(clients.items())
            both = f"{one.address} and {other.address}"
            message = f"{both} belong to two clients, and no learner is in both"
            yield assignment, LICENSES_OF_TWO_CLIENTS.at(("licenses",), message)


def check_seats(groups: Groups, resources: Resources) -> Findings:
    """Demand above a seat limit fails the whole job (rule 7)."""
    taken: Counter[str] = Counter()
    for assignment in chain.from_iterable(groups.values()):
        for name in assignment.facts["licenses"]:
            license_ = resources.get(Address.parse(name))
            before, taken[name] = taken[name], taken[name] + assignment.facts["count"]
            limit = license_.facts.get("seatsLimit") if license_ else None
            if limit and before <= limit < taken[name]:
                message = f"{name} has {limit:,} seats, but is assigned to {taken[name]:,} people"
                yield assignment, SEATS_EXCEEDED.at(("licenses",), message)


GROUP_RULES = (check_clashes, one_client, check_seats)
