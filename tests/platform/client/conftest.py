"""A client, and a server that answers it as a test wants."""

from collections.abc import Iterator

import pytest

from lmssync.platform.client import Writer
from lmssync.platform.client.request_pacing import RequestPacer
from lmssync.platform.client.request_windows import Throttle
from lmssync.support import redaction

from .answering import Answering, answering

KEY = "a-key-that-nobody-may-see"


class Clock:
    """Time that passes by waiting alone; all threads have the same."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.told: list[str] = []
        self.pace = RequestPacer(lambda: self.now, self.nap)
        self.pace.tell = self.told.append

    def nap(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture(scope="session")
def _answering() -> Iterator[Answering]:
    with answering() as served:
        yield served


@pytest.fixture(scope="session")
def _opened(_answering: Answering) -> Iterator[Writer]:
    with Writer(_answering.base_url, KEY) as opened:
        yield opened


@pytest.fixture
def server(_answering: Answering) -> Answering:
    """It has been asked nothing yet."""
    _answering.asked.clear()
    return _answering


@pytest.fixture
def client(_opened: Writer, server: Answering) -> Iterator[Writer]:
    """It can write as well as read; time passes when it waits, and no other does."""
    redaction.register_secret(KEY)
    _opened.pace = Clock().pace
    _opened.throttle = Throttle(lambda: _opened.pace.now())  # noqa: PLW0108 - the pace changes
    yield _opened
    redaction.forget_secrets()
