"""How people in an assignment are named, told apart and concealed (spec 2.7, 4).

All of it is done before the platform has looked anybody up.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator

from ...kind import Concealed, Json, Listed, Spec
from ...problems import Finding, Rule
from ...resource import Form, Path, Place
from ...support.persons import Swap, bare_code, code_in
from ...texts.values import refusal_error
from ..field_types import Shown, Text, Title, Uuid

NOT_AN_EMAIL = Rule(
    "email",
    "The text is not an e-mail address.",
    "Write it as ann@example.com. Other names go under `externalCustomerId`.",
    fixed=False,
    within="a license assignment",
    wrong="users: [{email: ann}]",
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


Row = Mapping[str, Any]
"""A person as a form has it: identifiers, and the licenses if they are other ones."""
ASKED = "asked"
"""Key of the people whom a call is about, between the call and the record."""
MISSED = "missed"
"""Key of the people in a recorded form whom the platform did not know when it was applied."""
IDENTIFIERS = ("id", "email", "externalCustomerId")
"""In the order in which the platform tries them (spec 4, sublicense rule 3)."""
UNKNOWN = "unresolvedIdentifiers"
"""Where an answer names people whom the platform does not know (spec 4, sublicense rule 6)."""
_ANY_CASE = frozenset({"id", "email"})
EMAIL = re.compile(r"^[^\s@]+@[^\s@]+$")


def _check_email(text: str) -> str:
    if not EMAIL.fullmatch(text):
        raise refusal_error(
            NOT_AN_EMAIL,
            f"is `{text}`, which is not an e-mail address",
            "write it as ann@example.com; other names go under `externalCustomerId`",
        )
    return text


Email = Annotated[
    Text,
    AfterValidator(_check_email),
    Shown(("ann@example.com",), rule="email", pattern=EMAIL.pattern),
]


class Person(Spec):
    """One person, by one identifier or several; the platform uses the first that it knows."""

    personal = True
    id: Uuid | None = None
    """Uuid of the user."""
    email: Email | None = None
    """E-mail address; capitals do not matter."""
    externalCustomerId: Annotated[Title | None, Shown(("EXT-424",))] = None
    """Id in another system."""


def given_identifiers(person: Row) -> dict[str, Any]:
    """Returns the identifiers that are given, as texts or as nodes; ids and e-mail addresses that
    are texts are in lower case."""
    given = {name: value for name in IDENTIFIERS if (value := person.get(name))}
    for name in _ANY_CASE & given.keys():
        if isinstance(given[name], str):  # a node stands for a text that is in lower case already
            given[name] = given[name].lower()
    return given


def identifier_marks(person: Row) -> list[tuple[str, str]]:
    """Every identifier with its name: rows that share one are the same person."""
    return [(name, code_in(value) or value) for name, value in given_identifiers(person).items()]


def person_label(person: Row) -> str:
    """The identifier that the platform uses for an unknown person (spec 4, sublicense rule 6), or
    its code."""
    first = next(iter(given_identifiers(person).values()), "")
    code = code_in(first)
    return bare_code(code) if code else str(first).strip().lower()


def person_place(file: str, line: int) -> Place | Path:
    """Where somebody is listed: a line of a table, or a position in the list of the manifest."""
    return Place(file, line) if file else ("users", line)


def by_mark(people: Iterable[Row]) -> dict[tuple[str, str], Row]:
    """For each identifier, the first person who has it."""
    # Reversed, so that the first person with an identifier is the one in the mapping.
    return {mark: person for person in reversed(list(people)) for mark in identifier_marks(person)}


def same_person(person: Row, others: Mapping[tuple[str, str], Row]) -> Row | None:
    """The one of `others`, by their marks, who shares an identifier with this person."""
    return next((others[mark] for mark in identifier_marks(person) if mark in others), None)


def find_repeated_people(people: Iterable[Row]) -> Iterator[tuple[int, int, tuple[str, str]]]:
    """Positions of each person named twice: here, there, and the identifier that is the same."""
    first: dict[tuple[str, str], int] = {}
    for position, person in enumerate(people):
        mine = identifier_marks(person)
        again = next((mark for mark in mine if mark in first), None)
        if again:
            yield position, first[again], again
        for mark in mine:
            first.setdefault(mark, position)


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


def order_people(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=person_rank)


def person_rank(row: Row) -> tuple[str, list[tuple[str, str]]]:
    return person_label(row), identifier_marks(row)


def _conceal_form(form: Form, swap: Swap) -> Form:
    users = order_people(
        {**row, **{name: swap(value) for name, value in given_identifiers(row).items()}}
        for row in form.get("users") or ()
    )
    asked = {ASKED: [_conceal_label(name, swap) for name in form[ASKED]]} if ASKED in form else {}
    return form | {"users": users} | asked


def _conceal_label(name: str, swap: Swap) -> str:
    """The label of a row with the code of the person in place of the identifier."""
    return person_label({"id": swap(name.strip().lower())})


def _conceal_answer(answer: Json, swap: Swap) -> Json:
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, dict) or not isinstance(data.get(UNKNOWN), list):
        return answer
    unknown = [_conceal_label(str(name), swap) for name in data[UNKNOWN]]
    return {**answer, "data": data | {UNKNOWN: unknown}}


def _list_concealed(form: Form, facts: Mapping[str, Json]) -> Iterator[Listed]:
    # People who are written in the manifest itself have no lines of a table.
    lines = facts.get("lines") or [0] * len(form["users"])
    for row, line in zip(form["users"], lines, strict=True):
        for text in given_identifiers(row).values():
            yield Listed(text, person_place(facts.get("list", ""), line))


CONCEALED = Concealed(
    _conceal_form,
    _conceal_answer,
    _list_concealed,
    "the platform needs their identifiers to take anything away: write their old rows into a "
    "license assignment of their own with `licenses: []`, and delete it after the apply",
)
