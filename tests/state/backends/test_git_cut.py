"""The backend on a git ref where the connection breaks: what was kept, and how a run goes on."""

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from lmssync.errors import StateError
from lmssync.state.backends.git_backend import GitBackend, open_git_backend
from lmssync.state.backends.git_branch import GitPatience

from . import git_server as served
from .way import Way

pytestmark = pytest.mark.usefixtures("git_cache")
URL = "git:origin#lmssync/test"
BYTES = [0, 1, 60, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 700, 800, 900, 1200]
"""An append takes about 1,300 bytes there and 500 back."""


@pytest.fixture
def way(tmp_path: Path) -> Iterator[Way]:
    """To a repository, by git's own protocol."""
    repository = served.bare(tmp_path / "served" / "catalog.git")
    with served.daemon(repository.parent) as address:
        parts = urlsplit(address)
        with closing(Way((parts.hostname or "", parts.port or 0))) as opened:
            yield opened


@pytest.fixture
def root(tmp_path: Path, way: Way) -> Path:
    return served.catalog(tmp_path / "catalog", f"git://127.0.0.1:{way.port}/catalog.git")


@pytest.fixture
def backend(root: Path) -> Iterator[GitBackend]:
    """A log with one segment."""
    with closing(open_git_backend(URL, root, {})) as opened:
        assert opened.append(1, b"1")
        yield opened


@pytest.mark.parametrize("direction", ["there", "back"])
@pytest.mark.parametrize("count", BYTES)
def test_an_append_that_is_cut_off(backend: GitBackend, way: Way, direction: str, count: int):
    """What it says is true: kept if it says so; else reading tells, and the next one goes on."""
    kept = None
    way.cut_after(**{direction: count})
    with suppress(StateError):
        kept = backend.append(2, b"2")
    way.cut_after()
    segments = list(backend.read())
    assert [b"1", b"2"][: len(segments)] == segments
    assert kept in {None, len(segments) == 2}
    assert backend.append(len(segments) + 1, b"next")


@pytest.mark.parametrize("direction", ["there", "back"])
@pytest.mark.parametrize("count", BYTES)
def test_a_fetch_that_is_cut_off(
    backend: GitBackend, root: Path, way: Way, direction: str, count: int
):
    """It gives everything or raises; the next one is whole."""
    assert backend.append(2, b"2")
    with closing(open_git_backend(URL, root, {})) as other:
        way.cut_after(**{direction: count})
        with suppress(StateError):
            assert [b"1", b"2"] == list(other.read())
        way.cut_after()
        assert [b"1", b"2"] == list(other.read())


def test_a_server_that_says_nothing(backend: GitBackend, root: Path, way: Way):
    """It is given up after a time, and reached again."""
    other = open_git_backend(URL, root, {}, patience=GitPatience(0.3, 0.3))
    with way.held(), pytest.raises(StateError, match="took too long"):
        list(other.read())
    other.close()
    assert [b"1"] == list(backend.read())
