"""What a person reads where the backend of a state is not as it should be: in one language."""

import shutil
from collections.abc import Callable
from uuid import uuid4

import pytest

from tests.served_catalog import Platform, Workspace

from . import git_server
from .postgresql_server import Server
from .s3_server import S3

pytestmark = pytest.mark.slow
ERROR = 1
BACKENDS = [pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql")), "s3", "git"]
READING = [
    ("plan",),
    ("status",),
    ("state", "history"),
    ("state", "verify"),
    ("state", "export", "state.json"),
    ("resolve",),
]
APPLY = ("apply", "--yes")
COMMANDS = [*READING, APPLY, ("state", "unlock", "--yes")]
GIT = "git:origin#lmssync/{environment}"
Break = Callable[[], None]
Set = Callable[[str, str], None]


class Kept:
    """A state with a backend, and ways to break that."""

    def __init__(self, url: str, remedy: str, gone: Break, closed: Break) -> None:
        self.url, self.remedy, self.gone, self.closed = url, remedy, gone, closed


@pytest.fixture(params=BACKENDS)
def kept(request: pytest.FixtureRequest, work: Workspace, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """A backend that can be reached, in which there is no state yet."""
    made = {"postgresql": _postgresql, "s3": _s3, "git": _git}[request.param]
    work.course("a")
    backend = made(request, work, monkeypatch.setenv)
    monkeypatch.setenv("LMSSYNC_STATE", backend.url)
    return backend


def _postgresql(request: pytest.FixtureRequest, _work: Workspace, set_: Set) -> Kept:
    server: Server = request.getfixturevalue("postgresql")
    name = uuid4().hex
    gone = f"postgresql://lmssync@127.0.0.1:1/postgres#{name}"
    return Kept(
        server.url(name),
        "check the host and port in LMSSYNC_STATE",
        lambda: set_("LMSSYNC_STATE", gone),
        lambda: set_("PGOPTIONS", "-c default_transaction_read_only=on"),
    )


def _s3(request: pytest.FixtureRequest, _work: Workspace, set_: Set) -> Kept:
    store: S3 = request.getfixturevalue("s3")

    def closed() -> None:
        store.takes_puts = False

    return Kept("s3://bucket/states", "check AWS_ENDPOINT_URL", store.stop, closed)


def _git(request: pytest.FixtureRequest, work: Workspace, _set: Set) -> Kept:
    request.getfixturevalue("git_cache")
    repository = git_server.bare(work.root.parent / f"{work.root.name}-served.git")
    git_server.catalog(work.root / "x", str(repository))
    (work.root / "x" / ".git").rename(work.root / ".git")

    def closed() -> None:
        git_server.hook(repository, "pre-receive", "echo no >&2; exit 1")

    def gone() -> None:
        shutil.rmtree(repository)

    return Kept(GIT, "check the address of the remote", gone, closed)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_backend_that_is_gone(kept: Kept, work: Workspace, command: tuple[str, ...]):
    """Each command says which state it is, what is wrong, and what to check, and sends nothing."""
    kept.gone()
    done = work.run(*command)
    place = kept.url.partition("#")[0].partition("@")[0].partition("{")[0][:9]
    assert (ERROR, "") == (done.code, done.out)
    assert f"error: the state {place}" in done.err
    assert " cannot be reached: " in done.err or " was not found: " in done.err
    assert kept.remedy in done.err


def test_a_backend_that_takes_nothing(kept: Kept, work: Workspace, platform: Platform):
    """It is said before anything is sent, and so is that nothing was."""
    kept.closed()
    done = work.run(*APPLY)
    assert (ERROR, []) == (done.code, platform.titles())
    assert done.err.rstrip().endswith("; nothing was sent")


def test_who_only_reads_need_not_write(kept: Kept, work: Workspace):
    """A plan of a backend that takes nothing is a plan."""
    kept.closed()
    assert 1 == len(work.plan()["changes"])


def test_a_move_that_fails_changes_nothing(
    kept: Kept, work: Workspace, monkeypatch: pytest.MonkeyPatch
):
    """The state is where it was, the message says so, and the next apply has nothing to do."""
    monkeypatch.delenv("LMSSYNC_STATE")
    assert 0 == work.apply().code
    kept.closed()
    done = work.run("state", "move", kept.url)
    assert (ERROR, True) == (done.code, "the state is still where it was" in done.err)
    assert [] == work.plan()["changes"]


def test_a_round_of_watch_says_the_same(kept: Kept, work: Workspace):
    """On one line, with the remedy and the exit code."""
    kept.gone()
    done = work.run("watch", "--once")
    (line,) = done.err.splitlines()
    assert (ERROR, True) == (done.code, kept.remedy in line)
