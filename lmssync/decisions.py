"""What people have decided where a plan would stop and ask."""

from typing import NamedTuple

from .address import Address


class Decisions(NamedTuple):
    """Given on the command line, and kept in a saved plan."""

    allow: frozenset[Address] = frozenset()
    """Protected resources that may be changed, and those that are made although a look cannot tell
    whether they are there."""
    keep: tuple[str, ...] = ()
    """Addresses, or fields of them (`ADDRESS:FIELD`), of which git wins over the platform."""
    recreate: frozenset[Address] = frozenset()
    """What is made again where somebody has deleted it by hand."""
    new_state: bool = False
    """The state may be empty or older than the platform: what a look shows is taken over."""


NONE = Decisions()
