"""What every home can do. There are few verbs, so that a git ref can do as much as a database."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol


class Snapshot(NamedTuple):
    """What all segments up to one of them come to, so that a new replica need not read them."""

    number: int
    """Of the last segment that is in it."""
    content: bytes


class StateBackend(Protocol):
    """Keeps the log of one state: segments with the numbers 1, 2, 3, ..., each written once.

    Every method raises `StateError` if the home cannot be reached or refuses. After an `append`
    that raised, nobody knows whether the segment was kept: `read` tells.
    """

    place: str
    """What people call it, without a secret: `git:origin#lmssync/production`."""

    def read(self, after: int = 0) -> Iterator[bytes]:
        """The segments that follow that number, in order, none left out."""

    def append(self, number: int, segment: bytes, about: str = "") -> bool:
        """Keeps a segment under the number that follows the last one, for good, before it returns.

        `about` tells people what is in it, where the home can show it: a commit has a message.

        False if a segment with that number is there already: somebody else was first.
        """

    def snapshot(self) -> Snapshot | None:
        """The latest snapshot, if one was kept."""

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Keeps a snapshot in the place of an earlier one; a later one stays."""

    def close(self) -> None:
        """Lets go of connections and temporary files."""
