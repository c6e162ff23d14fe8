"""Every home that there is, each with connections to the same log.

A further home is a fixture `NAME_home` that gives a `Connect`, and its name in `HOMES`.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from lmssync.homes import Home, open_home

from .postgresql_server import Server, served
from .way import Way

Connect = Callable[[], Home]
HOMES = ["objects", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))]


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A server for all tests that ask for one; they are of the group `postgresql`."""
    pytest.importorskip("psycopg")
    with served() as server:
        yield server


@pytest.fixture
def postgresql_home(postgresql: Server) -> Connect:
    """A state of its own in a database of all tests."""
    url = postgresql.url(uuid4().hex)
    return lambda: open_home(url, Path(), "test", {})


@pytest.fixture
def objects_home() -> Connect:
    """Objects in memory, of which every connection sees the same."""
    stores = pytest.importorskip("obstore.store")
    from lmssync.homes.objects import Objects

    store = stores.MemoryStore()
    return lambda: Objects(store, "lmssync/test", "memory")


@pytest.fixture
def way(postgresql: Server) -> Iterator[Way]:
    """To that server, by TCP."""
    with closing(Way(postgresql.socket)) as opened:
        yield opened


@pytest.fixture(params=HOMES)
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Makes further connections to one log, which is empty; all are closed at the end."""
    connected = request.getfixturevalue(f"{request.param}_home")
    homes: list[Home] = []

    def one() -> Home:
        homes.append(connected())
        return homes[-1]

    yield one
    for home in homes:
        home.close()


@pytest.fixture
def home(connect: Connect) -> Home:
    """One connection to an empty log."""
    return connect()
