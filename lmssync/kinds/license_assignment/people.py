"""How people are told apart before the platform has looked anybody up (spec 4)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...resource import Path, Place
from ...support.persons import bare_code, code_in

Person = Mapping[str, Any]
IDENTIFIERS = ("id", "email", "externalCustomerId")
"""In the order in which the platform tries them (spec 4, sublicense rule 3)."""
UNKNOWN = "unresolvedIdentifiers"
"""Where an answer names people whom the platform does not know (spec 4, sublicense rule 6)."""
_ANY_CASE = frozenset({"id", "email"})


def given_identifiers(person: Person) -> dict[str, Any]:
    """The identifiers that are given, as texts or as nodes; ids and e-mail addresses that are texts
    are in lower case."""
    given = ((name, person.get(name)) for name in IDENTIFIERS)
    return {n: _fold_identifier(n, value) for n, value in given if value}


def _fold_identifier(name: str, value: Any) -> Any:
    return value.lower() if name in _ANY_CASE and isinstance(value, str) else value


def identifier_marks(person: Person) -> list[tuple[str, str]]:
    """Every identifier with its name: rows that share one are the same person."""
    return [(name, code_in(value) or value) for name, value in given_identifiers(person).items()]


def person_label(person: Person) -> str:
    """The identifier that the platform uses for an unknown person (spec 4, sublicense rule 6), or
    its code."""
    first = next(iter(given_identifiers(person).values()), "")
    code = code_in(first)
    return bare_code(code) if code else str(first).strip().lower()


def person_place(file: str, line: int) -> Place | Path:
    """Where somebody is listed: a line of a table, or a position in the list of the manifest."""
    return Place(file, line) if file else ("users", line)


def by_mark(people: Iterable[Person]) -> dict[tuple[str, str], Person]:
    """The first person with each identifier."""
    return {mark: person for person in reversed(list(people)) for mark in identifier_marks(person)}


def same_person(person: Person, others: Mapping[tuple[str, str], Person]) -> Person | None:
    """The one of `others`, by their marks, who shares an identifier with this person."""
    return next((others[mark] for mark in identifier_marks(person) if mark in others), None)


def find_repeated_people(people: Iterable[Person]) -> Iterator[tuple[int, int, tuple[str, str]]]:
    """Positions of each person named twice: here, there, and the identifier that is the same."""
    first: dict[tuple[str, str], int] = {}
    for position, person in enumerate(people):
        mine = identifier_marks(person)
        again = next((mark for mark in mine if mark in first), None)
        if again:
            yield position, first[again], again
        for mark in mine:
            first.setdefault(mark, position)
