"""What notifications have hinted at, handed from the threads that receive them to who pulls."""

from collections.abc import Collection
from threading import Condition

from .happenings import KINDS


class Hints:
    """The feeds that notifications have named since they were last asked for."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._kinds: set[str] = set()
        self.received = 0

    def add_kinds(self, kinds: Collection[str]) -> None:
        with self._changed:
            self._kinds |= set(kinds)
            self.received += 1
            self._changed.notify_all()

    def wait_for_kinds(self, seconds: float, *, settle: float = 0) -> Collection[str]:
        """The feeds to pull once there is one, and what else comes in `settle` seconds after it;
        none if nothing has come in that time."""
        with self._changed:
            if self._changed.wait_for(lambda: bool(self._kinds), seconds):
                self._changed.wait_for(lambda: len(self._kinds) == len(KINDS), settle)
            kinds, self._kinds = self._kinds, set()
        return kinds
