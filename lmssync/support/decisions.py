"""The decisions of people where a plan would stop and ask."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from ..resource import Address, is_within


class Side(StrEnum):
    """The side that is right about a field that was changed on the platform."""

    GIT = "git"
    PLATFORM = "platform"


class Refresh(StrEnum):
    """The recorded resources that are read for a plan."""

    ALL = "all"
    CHANGED = "changed"
    """The resources that git has changed."""
    NONE = "none"
    OFFLINE = "offline"
    """None, and the platform is not asked anything else either."""


class Limits(NamedTuple):
    """The part of the catalog that a plan is about; all of it, if nothing is given."""

    target: tuple[str, ...] = ()
    """Patterns of addresses: only what matches one of them."""
    exclude: tuple[str, ...] = ()
    """Patterns of addresses: all but what matches one of them."""
    changed_since: str = ""
    """A revision of git: only what its files have changed since."""
    release: str = ""
    """The release that it applies, which says itself what it is about."""
    held: tuple[str, ...] = ()
    """Other releases that have something of it, and whose turn it is not."""
    left_out: int = 0
    """How many other changes there are, once the plan is made."""

    @property
    def is_given(self) -> bool:
        return any(self[:-1])


class Decisions(NamedTuple):
    """The decisions of the command line, which a saved plan contains as well."""

    allow: frozenset[Address] = frozenset()
    """Protected resources that may be changed, and those that are made although a look cannot tell
    whether they are there."""
    lifted: frozenset[str] = frozenset()
    """Guards over a whole plan, and protected environments (`environment.NAME`), that were named in
    the same way."""
    keep: tuple[str, ...] = ()
    """Addresses, or fields of them (`ADDRESS:FIELD`), of which git wins over the platform."""
    recreate: frozenset[Address] = frozenset()
    """The resources that are made again where somebody has deleted them by hand."""
    new_state: bool = False
    """The state may be empty or older than the platform: what a look shows is taken over."""
    leave: tuple[str, ...] = ()
    """Addresses, or fields of them, that stay as the platform has them."""

    refresh: Refresh = Refresh.CHANGED
    limits: Limits = Limits()
    finish_by: datetime | None = None
    """When an apply has to be over; for this run, and in no saved plan."""

    @property
    def decided_addresses(self) -> frozenset[Address]:
        """The resources that should be as git has them, or be made again: a look at them is
        needed."""
        kept = (Address.parse(word.partition(":")[0]) for word in self.keep)
        return self.recreate.union(kept)

    def side_for(self, address: Address, path: str) -> Side | None:
        """The side that is right about a field; the decision with the more exact path counts."""
        both = ((Side.GIT, self.keep), (Side.PLATFORM, self.leave))
        named = [
            (len(field), side)
            for side, words in both
            for name, _, field in (word.partition(":") for word in words)
            if name == str(address) and is_within(path, field)
        ]
        return max(named)[1] if named else None


NONE = Decisions()
