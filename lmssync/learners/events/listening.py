"""Receives pushed notifications (spec 6): each is a hint that there is something to pull.

The platform does not sign what it pushes, so nothing of it is counted or kept: whoever finds out
the address could make up learners. The feeds are read with a key and say the same.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from ...errors import WrongUse
from .hints import Hints


@contextmanager
def receive_notifications(host: str, port: int, secret: str) -> Iterator[tuple[int, Hints]]:
    """Serves `POST /SECRET` in the background; yields its port and what comes there."""
    from .receiver import Receiver

    hints = Hints()
    try:
        server = Receiver((host, port), hints, secret)
    except OSError as error:
        raise WrongUse(f"{host}:{port} cannot be listened at: {error.strerror}") from None
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1], hints
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
