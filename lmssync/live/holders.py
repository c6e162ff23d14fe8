"""Who holds what on the platform, by codes: nothing of it is kept."""

from collections.abc import Callable, Sequence, Set
from typing import NamedTuple

from ..client import Reader
from ..errors import KeyRefused, Refused, Unreadable
from ..kind import Roster

PAGES_MOST = 20
"""A longer list is not read for a plan: it would take minutes."""


class Holder(NamedTuple):
    """An account, without who it is."""

    codes: Set[str]
    """Of everything that a list of people may call it."""
    holds: Set[str]
    """Uuids of what it holds."""


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
                given = (text.strip().lower() for text in roster.identifiers(item))
                found.append(Holder({code(one) for one in given if one}, {*roster.holds(item)}))
    except (KeyRefused, Refused, Unreadable):
        raise Unlisted("the platform does not show its accounts") from None
    return found
