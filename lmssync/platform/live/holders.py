"""The accounts of the platform: who holds what, and who has one. Nothing of it is kept."""

from collections.abc import Callable, Sequence, Set
from itertools import chain
from typing import NamedTuple

from ...errors import KeyRefused, Refused, Unreadable
from ...kind import Json, Roster
from ...kinds import is_uuid
from ..client import Reader
from .fetch import read_by_id

PAGES_MOST = 20
"""A longer list is not read for a plan: it would take minutes."""
CALLS_MOST = 100
"""No more pages of a list, and no more single accounts, are read to find people."""
Person = tuple[str, ...]
"""Every identifier of somebody, in small letters, in the order in which the platform tries them."""


class Holder(NamedTuple):
    """An account, without who it is."""

    codes: Set[str]
    """Of everything that a list of people may call it."""
    holds: Set[str]
    """The uuids of the resources that the account has."""


class Unlisted(Exception):
    """Why the accounts could not be read, in words for people."""


class TooLong(Unlisted):
    """The list has more pages than are to be read."""


def read_holders(
    reader: Reader, roster: Roster, routes: Set[str], code: Callable[[str], str]
) -> Sequence[Holder] | None:
    """Every account; None where the instance does not list them (O51), lists too many, or does not
    show them to this key. `code` is given identifiers in small letters."""
    if roster.route not in routes:
        return None
    try:
        return all_holders(reader, roster, code, PAGES_MOST)
    except Unlisted:
        return None


def all_holders(
    reader: Reader, roster: Roster, code: Callable[[str], str], most: int
) -> Sequence[Holder]:
    """Every account of an instance that lists them.

    Raises `TooLong` for more than `most` pages, and `Unlisted` if the platform does not show them.
    """
    found: list[Holder] = []
    try:
        for number, page in enumerate(reader.each_page(roster.route, roster.list), 1):
            if number + page.left > most:
                raise TooLong(f"the list of accounts has more than {most:,} pages")
            for item in page.items:
                given = identifiers_of(roster, item)
                found.append(Holder({code(one) for one in given}, {*roster.holds(item)}))
    except (KeyRefused, Refused, Unreadable):
        raise Unlisted("the platform does not show its accounts") from None
    return found


def identifiers_of(roster: Roster, account: Json) -> set[str]:
    """The names by which a list may call the owner of an account, in small letters."""
    return {folded for text in roster.identifiers(account) if (folded := text.strip().lower())}


class SeenPeople(NamedTuple):
    """What a look for people has shown; whoever is in neither has an account."""

    missing: Set[Person]
    """The people without an account."""
    unseen: Set[Person]
    """Of whom no read shows whether they have one."""


class Accounts(NamedTuple):
    """The accounts of an instance with these routes."""

    reader: Reader
    roster: Roster
    routes: Set[str]

    def may_show(self, person: Person) -> bool:
        """Whether there is a read that may show an account of this person."""
        return self._is_listed or any(map(self._is_readable, person))

    @property
    def _is_listed(self) -> bool:
        return self.roster.route in self.routes

    def _is_readable(self, identifier: str) -> bool:
        """Whether an account is read by it: by its id; where accounts are listed, by an address
        as well (O35)."""
        by_address = "@" in identifier and self._is_listed
        return self.roster.single in self.routes and (by_address or is_uuid(identifier))

    def find_people(self, wanted: Set[Person]) -> SeenPeople:
        """Looks for all of them in the list of accounts, or one by one where there is no list or
        where that takes fewer calls."""
        left, is_whole = wanted, False
        if self._is_listed:
            try:
                left, is_whole = self._strike_listed(wanted)
            except (KeyRefused, Refused, Unreadable):
                left, is_whole = wanted, False
        return SeenPeople(left, frozenset()) if is_whole else self._read_people(left)

    def _strike_listed(self, wanted: Set[Person]) -> tuple[Set[Person], bool]:
        """The people whom the list has not shown, and whether it was read to its end."""
        left, anybody = wanted, False
        pages = self.reader.each_page(self.roster.route, self.roster.list)
        for number, page in enumerate(pages, 1):
            shown = {one for item in page.items for one in identifiers_of(self.roster, item)}
            left = {person for person in left if shown.isdisjoint(person)}
            anybody = anybody or bool(shown)
            if not (left and page.more):
                return left, anybody  # a list of nobody is one that this key may not see
            # The accounts one by one, where that takes fewer calls than the pages that are left.
            alone = all(map(self._is_readable, chain.from_iterable(left)))
            if number + page.left > CALLS_MOST or (alone and page.left > len(left)):
                break
        return left, False

    def _read_people(self, wanted: Set[Person]) -> SeenPeople:
        """Reads their accounts one by one, up to a limit."""
        asked = sorted(p for p in wanted if any(map(self._is_readable, p)))[:CALLS_MOST]
        try:
            answers = dict(zip(asked, self.reader.ask_each(self._has_account, asked), strict=True))
        except (KeyRefused, Refused, Unreadable):
            return SeenPeople(frozenset(), wanted)
        missing = {person for person in asked if answers[person] is False}
        return SeenPeople(missing, {person for person in wanted if answers.get(person) is None})

    def _has_account(self, person: Person) -> bool | None:
        """Whether a person has an account; None where one of the identifiers can be found in a list
        only."""
        readable = [one for one in person if self._is_readable(one)]
        for one in readable:
            account = read_by_id(self.reader, self.roster.single, one)
            if account and one in identifiers_of(self.roster, account):
                return True
        return False if len(readable) == len(person) else None
