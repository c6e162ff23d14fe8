"""The backend on a git ref, against repositories that git itself serves."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lmssync.errors import StateError
from lmssync.state.backends import Snapshot
from lmssync.state.backends.git_backend import GitBackend, open_git_backend
from lmssync.state.backends.git_branch import GitPatience

from . import git_server as served
from .git_server import git

URL = "git:origin#lmssync/test"
REF = "lmssync/test"


pytestmark = pytest.mark.usefixtures("git_cache")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The bare repository that holds the state."""
    return served.bare(tmp_path / "served" / "catalog.git")


@pytest.fixture
def address(repository: Path) -> Iterator[str]:
    with served.daemon(repository.parent) as address:
        yield f"{address}/{repository.name}"


@pytest.fixture
def root(tmp_path: Path, address: str) -> Path:
    """A catalog whose `origin` is the repository."""
    return served.catalog(tmp_path / "catalog", address)


Opened = Callable[..., GitBackend]


@pytest.fixture
def opened(root: Path) -> Iterator[Opened]:
    """Opens the backend, as each run does; all are closed at the end."""
    backends: list[GitBackend] = []

    def one(url: str = URL, patience: GitPatience | None = None, **env: str) -> GitBackend:
        backends.append(open_git_backend(url, root, env, patience=patience))
        return backends[-1]

    yield one
    for backend in backends:
        backend.close()


def test_each_append_is_a_commit(opened: Opened, repository: Path):
    """With a message for people, behind the one before."""
    backend = opened()
    assert [True, True] == [backend.append(number, b"x") for number in (1, 2)]
    assert "Entry 2\nEntry 1\n" == git(repository, "log", "--format=%s", REF)
    assert "lmssync <lmssync@localhost>\n" == git(
        repository, "log", "-1", "--format=%an <%ae>", REF
    )


def test_words_about_a_segment_are_one_line_of_its_message(opened: Opened, repository: Path):
    """With controls written out, and no longer than a line that people read."""
    backend = opened()
    backend.append(1, b"x", "ci@runner: one\nSigned-off-by: another \x1b[2J")
    backend.append(2, b"x", "a" * 10_000)
    _, last, first = git(repository, "log", "--format=%s", REF).split("Entry ")
    assert "1: ci@runner: one\\nSigned-off-by: another \\x1b[2J\n" in first
    assert len(last.partition("\n")[0]) < 200


def test_the_branch_says_what_it_is(opened: Opened, repository: Path):
    """To people who come across it."""
    opened().append(1, b"x")
    assert "Do not edit" in git(repository, "show", f"{REF}:README.md")


def test_a_later_run_fetches_what_is_new(opened: Opened, git_cache: Path):
    """It finds the copy of the run before, and reads on from there."""
    backend = opened()
    backend.append(1, b"1")
    backend.close()
    (kept,) = git_cache.iterdir()
    (kept / "mark").touch()
    later = opened()
    assert [b"1"] == list(later.read())
    assert later.append(2, b"2")
    later.close()
    assert (kept / "mark").exists()


def test_a_damaged_copy_is_made_anew(opened: Opened, git_cache: Path):
    """What it was a copy of is whole."""
    backend = opened()
    backend.append(1, b"1")
    backend.close()
    for file in git_cache.rglob("objects/??/*"):
        file.chmod(0o600)
        file.write_bytes(b"")
    assert [b"1"] == list(opened().read())


def test_two_who_write_the_same_are_not_both_first(opened: Opened):
    """Two commits are never the same, whatever is in them."""
    one, other = opened(), opened()
    assert [[], []] == [list(backend.read()) for backend in (one, other)]
    assert [True, False] == [backend.append(1, b"same") for backend in (one, other)]


def test_a_snapshot_of_somebody_else_does_not_refuse_an_append(opened: Opened):
    """The branch has moved, and the number is still free."""
    one, other = opened(), opened()
    one.append(1, b"1")
    assert [b"1"] == list(other.read())
    one.keep_snapshot(Snapshot(1, b"all"))
    assert other.append(2, b"2")
    assert Snapshot(1, b"all") == other.snapshot()


@pytest.mark.parametrize(("name", "kept"), [("pre-receive", []), ("post-receive", [b"1"])])
def test_after_a_lost_answer_reading_tells(
    opened: Opened, repository: Path, name: str, kept: list[bytes]
):
    """The server dies before or after it has kept the segment."""
    served.hook(repository, name, 'kill -9 "$PPID"')
    backend = opened()
    with pytest.raises(StateError, match="cannot be reached") as raised:
        backend.append(1, b"1")
    assert "check the address" in raised.value.hint
    (repository / "hooks" / name).unlink()
    assert kept == list(backend.read())
    assert backend.append(len(kept) + 1, b"next")


def test_a_server_that_hangs_is_given_up(opened: Opened, repository: Path, tmp_path: Path):
    """The push ends, and nobody knows."""
    gate = tmp_path / "gate"
    gate.touch()
    served.hook(repository, "pre-receive", f"while [ -e '{gate}' ]; do sleep 0.05; done; exit 1")
    with pytest.raises(StateError, match="cannot be reached: it took too long"):
        opened(patience=GitPatience(push=0.3)).append(1, b"1")
    gate.unlink()


def test_a_refusal_is_told(opened: Opened, repository: Path):
    """With what the server says, and what to do; nothing was kept."""
    served.hook(repository, "pre-receive", "echo 'this branch is protected' >&2", "exit 1")
    backend = opened()
    with pytest.raises(StateError, match=r"hook declined\): this branch is protected") as raised:
        backend.append(1, b"1")
    assert "exempt this branch" in raised.value.hint
    assert [] == list(backend.read())


def test_a_server_that_takes_no_pushes(tmp_path: Path, opened: Opened, repository: Path):
    """It is read, and an append says what the job lacks."""
    git(repository, "config", "daemon.receivepack", "false")
    backend = opened()
    assert [] == list(backend.read())
    with pytest.raises(StateError) as raised:
        backend.append(1, b"1")
    assert "contents: write" in raised.value.hint


def test_a_branch_that_is_no_state_is_left_alone(opened: Opened, root: Path, repository: Path):
    """Neither read nor written."""
    git(root, "commit", "--quiet", "--allow-empty", "-m", "work")
    git(root, "push", "--quiet", "origin", "HEAD:refs/heads/work")
    before = git(repository, "rev-parse", "work")
    backend = opened("git:origin#work")
    with pytest.raises(StateError, match="does not contain a state"):
        list(backend.read())
    with pytest.raises(StateError, match="does not contain a state"):
        backend.append(1, b"1")
    assert before == git(repository, "rev-parse", "work")


@pytest.mark.parametrize("branch", ["main", "other"])
def test_no_state_begins_on_the_branch_of_the_catalog(opened: Opened, root: Path, branch: str):
    """The default branch of the remote, and the one that is checked out."""
    git(root, "symbolic-ref", "HEAD", "refs/heads/other")
    with pytest.raises(StateError, match="the catalog is on it"):
        opened(f"git:origin#{branch}").append(1, b"1")


def test_a_missing_segment_is_damage(opened: Opened, root: Path):
    """Somebody has edited the branch."""
    backend = opened()
    for number in (1, 2, 3):
        backend.append(number, b"x")
    git(root, "fetch", "--quiet", "origin", REF)
    git(root, "checkout", "--quiet", "FETCH_HEAD")
    git(root, "rm", "--quiet", "log/00/00/02")
    git(root, "commit", "--quiet", "-m", "tidy up")
    git(root, "push", "--quiet", "origin", f"HEAD:{REF}")
    with pytest.raises(StateError, match="entry 2 is missing"):
        list(backend.read())


def test_a_branch_that_was_put_back_is_noticed(opened: Opened, repository: Path):
    """What was acknowledged before is not there any more."""
    backend = opened()
    for number in (1, 2, 3):
        backend.append(number, b"x")
    git(repository, "update-ref", f"refs/heads/{REF}", f"{REF}~2")
    with pytest.raises(StateError, match=r"segment 4 cannot be appended .* last one is 1"):
        backend.append(4, b"x")


def test_a_repository_that_is_gone(opened: Opened, repository: Path):
    """The address is told apart from an empty one."""
    repository.rename(repository.with_name("elsewhere"))
    with pytest.raises(StateError, match="refuses the login") as raised:
        list(opened().read())
    assert raised.value.hint


def test_a_server_that_is_down(root: Path):
    """Nothing listens at the address."""
    git(root, "remote", "set-url", "origin", "git://127.0.0.1:1/x")
    with pytest.raises(StateError, match=r"unable to connect .* refused") as raised:
        list(open_git_backend(URL, root, {}).read())
    assert "can be reached" in raised.value.hint


@pytest.mark.slow
def test_a_repository_of_longer_ids(tmp_path: Path):
    """SHA-256: empty at first, and again when there is a branch."""
    (tmp_path / "state.git").mkdir()
    git(tmp_path / "state.git", "init", "--quiet", "--bare", "--object-format=sha256")
    root = served.catalog(tmp_path / "catalog", "../state.git")
    for number in (1, 2):
        backend = open_git_backend(URL, root, {})
        assert backend.append(number, b"%d" % number)
        backend.close()
    assert [b"1", b"2"] == list(open_git_backend(URL, root, {}).read())


@pytest.mark.slow
def test_ten_threads_share_one_backend(opened: Opened):
    """Each number is taken once."""
    backend, taken = opened(), list[int]()

    def write() -> None:
        taken.extend(number for number in range(1, 6) if backend.append(number, b"same"))

    threads = [threading.Thread(target=write) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [1, 2, 3, 4, 5] == sorted(taken)


@pytest.mark.slow
def test_folders_of_the_log(opened: Opened, repository: Path):
    """A hundred segments fill one."""
    backend = opened()
    assert all(backend.append(number, b"%d" % number) for number in range(1, 103))
    assert "100\n" == git(repository, "show", f"{REF}:log/00/01/00") + "\n"
    assert [b"%d" % number for number in range(51, 103)] == list(opened().read(50))
