"""How one person is told from another, before the platform has looked anybody up (spec 4)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Person = Mapping[str, Any]
IDENTIFIERS = ("id", "email", "externalCustomerId")
"""In the order in which the platform tries them (spec 4, sublicense rule 3)."""
_ANY_CASE = frozenset({"id", "email"})


def identified(person: Person) -> dict[str, str]:
    """The identifiers that are given, ids and e-mail addresses in small letters."""
    given = ((name, person.get(name)) for name in IDENTIFIERS)
    return {n: value.lower() if n in _ANY_CASE else value for n, value in given if value}


def marks(person: Person) -> list[tuple[str, str]]:
    """Every identifier with its name: who shares one is the same person."""
    return list(identified(person).items())


def label(person: Person) -> str:
    """The identifier that the platform tells an unknown person by (spec 4, sublicense rule 6)."""
    return next(iter(identified(person).values()), "").strip().lower()


def by_mark(people: Iterable[Person]) -> dict[tuple[str, str], list[Person]]:
    """People by each of their identifiers."""
    found: dict[tuple[str, str], list[Person]] = {}
    for person in people:
        for mark in marks(person):
            found.setdefault(mark, []).append(person)
    return found


def repeats(people: Iterable[Person]) -> Iterator[tuple[int, int, tuple[str, str]]]:
    """Positions of each person who was named before: here, there, and by which identifier."""
    first: dict[tuple[str, str], int] = {}
    for position, person in enumerate(people):
        mine = marks(person)
        again = next((mark for mark in mine if mark in first), None)
        if again:
            yield position, first[again], again
        for mark in mine:
            first.setdefault(mark, position)
