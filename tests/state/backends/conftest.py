"""Every backend that there is, each with connections to the same log.

A further backend is a fixture `NAME_backend` that gives a `Connect`, and its name in `BACKENDS`.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from lmssync.state.backends import StateBackend, make_state_key, open_backend
from lmssync.state.backends.encrypted_backend import EncryptedBackend

from . import git_server, postgresql_server, s3_server
from .postgresql_server import Server
from .s3_server import S3
from .way import Way

Connect = Callable[[], StateBackend]
BACKENDS = [
    "git",
    "objects",
    "encrypted",
    "s3",
    "gs",
    pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql")),
]
ELSEWHERE = os.environ.get("BACKEND_URLS", "").split()
"""Homes that somebody has, by their URLs without a name: `BACKEND_URLS=s3://bucket/tests`."""


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A server for all tests that ask for one; they are of the group `postgresql`."""
    pytest.importorskip("psycopg")
    with postgresql_server.served() as server:
        yield server


@pytest.fixture
def postgresql_backend(postgresql: Server) -> Connect:
    """A state of its own in a database of all tests."""
    return _by_url(postgresql.url(uuid4().hex), {})


@pytest.fixture
def git_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where copies of repositories are kept; no settings of whoever runs the tests."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    return tmp_path / "cache" / "lmssync" / "git"


@pytest.fixture
def git_backend(tmp_path: Path, git_cache: Path) -> Iterator[Connect]:
    """A branch of a repository that `git daemon` serves."""
    repository = git_server.bare(tmp_path / "served" / "catalog.git")
    with git_server.daemon(repository.parent) as address:
        root = git_server.catalog(tmp_path / "catalog", f"{address}/{repository.name}")
        yield lambda: open_backend("git:origin#lmssync/{environment}", root, "test", {})


@pytest.fixture
def objects_backend() -> Connect:
    """Objects in memory, of which every connection sees the same."""
    stores = pytest.importorskip("obstore.store")
    from lmssync.state.backends.object_stores import Bucket, ObjectStoreBackend

    store = stores.MemoryStore()
    return lambda: ObjectStoreBackend(Bucket(store, "lmssync/test", "memory"))


@pytest.fixture
def encrypted_backend(objects_backend: Connect) -> Connect:
    """Encrypted objects in memory; a key was replaced, and the one before it is still known."""
    keys = [make_state_key(), make_state_key()]
    return lambda: EncryptedBackend(objects_backend(), keys)


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3]:
    """A store with nothing in it, where the variables of this process lead to."""
    pytest.importorskip("obstore")
    with s3_server.served() as server:
        for name, value in (server.env() | server.google_env()).items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.fixture
def s3_backend(s3: S3) -> Connect:
    """A bucket of its own."""
    return _by_url("s3://bucket/states", os.environ)


@pytest.fixture
def gs_backend(s3: S3) -> Connect:
    """The same store, spoken to as Google's."""
    return _by_url("gs://bucket/states", os.environ)


@pytest.fixture
def way(postgresql: Server) -> Iterator[Way]:
    """To that server, by TCP."""
    with closing(Way(postgresql.socket)) as opened:
        yield opened


@pytest.fixture(params=[*BACKENDS, *ELSEWHERE])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Makes further connections to one log, which is empty; all are closed at the end."""
    if request.param in ELSEWHERE:
        connected = _by_url(f"{request.param}#{uuid4().hex}", os.environ)
    else:
        connected = request.getfixturevalue(f"{request.param}_backend")
    backends: list[StateBackend] = []

    def one() -> StateBackend:
        backends.append(connected())
        return backends[-1]

    yield one
    for backend in backends:
        backend.close()


@pytest.fixture
def backend(connect: Connect) -> StateBackend:
    """One connection to an empty log."""
    return connect()


def _by_url(url: str, env: Mapping[str, str]) -> Connect:
    return lambda: open_backend(url, Path(), "test", env)
