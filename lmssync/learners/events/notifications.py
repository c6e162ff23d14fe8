"""Receives pushed notifications (spec 6): each is a hint that there is something to pull.

The platform does not sign what it pushes, so nothing of it is counted or kept: whoever finds out
the address could make up learners. The feeds are read with a key and say the same.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from threading import Condition, Thread

from ...errors import WrongUse
from .feed_events import KINDS


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


@contextmanager
def receive_notifications(host: str, port: int, secret: str) -> Iterator[tuple[int, Hints]]:
    """Serves `POST /SECRET` in the background; yields its port and what comes there."""
    from .notification_server import Receiver

    hints = Hints()
    try:
        server = Receiver((host, port), hints.add_kinds, secret)
    except OSError as error:
        raise WrongUse(f"lmssync cannot listen at {host}:{port}: {error.strerror}") from None
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1], hints
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
