"""One state for several checkouts of a catalog: over a backend, from the command line."""

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from lmssync.errors import Fenced
from lmssync.resource import Address
from lmssync.state import Store, backends, open_store
from tests.learners.test_people_lists import GITA, IDA, IDENTIFIERS, give
from tests.served_catalog import Platform, Workspace

from .file_backend import FileBackend, open_files

ERROR, LOCKED, USAGE = 1, 6, 64


@pytest.fixture
def shared(work: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileBackend]:
    """The state of the catalog is kept in a folder beside it."""
    monkeypatch.setattr(backends, "_SCHEMES", {"files": open_files})
    monkeypatch.setenv("LMSSYNC_STATE", f"files:{work.root.name}-log")
    log = FileBackend(work.root.parent / f"{work.root.name}-log")
    yield log
    shutil.rmtree(log.folder)


def another_checkout(work: Workspace) -> None:
    """A runner that has the files of the catalog and nothing else."""
    shutil.rmtree(work.root / ".lmssync")
    assert not list(work.root.rglob("*.db"))


def test_a_cold_runner_knows_what_another_has_made(
    work: Workspace, shared: FileBackend, platform: Platform
) -> None:
    """What one checkout has made is in the plan of another one, which makes nothing twice."""
    work.course("a")
    assert 0 == work.apply().code
    another_checkout(work)

    assert [] == work.plan()["changes"]
    work.course("b")
    assert 0 == work.apply().code
    assert ["Title of a", "Title of b"] == platform.titles()
    done = work.run("state", "verify")
    assert (0, True) == (done.code, f" at {shared.place}: all as they" in done.out)


def test_a_list_of_people_in_a_shared_state(
    work: Workspace, shared: FileBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People need their key, which is not in the log, and neither is anybody's name."""
    give(work, GITA, IDA)
    refused = work.apply()
    assert (ERROR, True) == (refused.code, "`lmssync state key FILE` makes one" in refused.err)
    assert 0 == work.run("state", "key", "people.key").code
    monkeypatch.setenv("LMSSYNC_PEOPLE_KEY", "people.key")

    assert 0 == work.apply().code
    another_checkout(work)
    assert [] == work.plan()["changes"]

    key = re.findall("[0-9a-f]{64}", (work.root / "people.key").read_text())[0]
    log = b"".join(shared.plain()).decode(errors="replace").lower()
    assert [] == [one for one in (*IDENTIFIERS, key) if one.lower() in log]
    assert "assignment.staff" in log


def test_a_held_state_is_taken_by_a_person(
    work: Workspace, shared: FileBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A held state is refused, saying by whom; `state unlock` takes it, and fences that run."""
    work.course("a")
    work.apply()
    elsewhere = work.root / "elsewhere"
    elsewhere.mkdir()
    url = f"files:../{shared.folder.name}"
    with closing(open_store(url, elsewhere, "sandbox")) as store, pytest.raises(Fenced):
        _overtaken(work, store)
    assert ["course.a"] == [
        line.split()[0] for line in work.run("state", "list").out.splitlines()[:1]
    ]


def _overtaken(work: Workspace, store: Store) -> None:
    with store.hold_state():
        refused = work.apply()
        assert (LOCKED, True) == (refused.code, "`lmssync state unlock`" in refused.err)
        assert USAGE == work.run("state", "unlock").code
        assert "the state is no longer locked" in work.run("state", "unlock", "--yes").out
        work.course("b")
        assert 0 == work.apply().code
        store.forget_addresses([Address("course", "a")], reason="test")


def test_the_state_as_it_was(work: Workspace) -> None:
    """`state at` shows an earlier state, and a plan compares with it; neither changes anything."""
    work.course("a")
    work.apply()
    work.course("b")
    work.apply()

    first = work.run("state", "at", "1")
    assert (["course.a"], True) == (
        [line.split()[0] for line in first.out.splitlines() if line.startswith("course")],
        "the state of serial 1 is shown" in first.err,
    )
    document = work.run("state", "at", "1", "--json").json
    assert ["course.a"] == [resource["address"] for resource in document["resources"]]
    plan = work.run("plan", "--as-of", "1", "--json")
    assert ["course.b"] == [change["address"] for change in plan.json["changes"]]
    assert [] == work.plan()["changes"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("state", "at", "99"), "there is no state of serial 99"),
        (("state", "at", "2001-01-01"), "its log begins at"),
        (("state", "at", "soon"), "neither a time nor a serial"),
        (("plan", "--as-of", "1" * 5_000), "neither a time nor a serial"),
        (("plan", "--as-of", "1", "--out", "p.json"), "cannot be saved"),
    ],
)
def test_a_time_before_there_was_a_state(work: Workspace, args: tuple[str, ...], said: str) -> None:
    """What was not, or cannot be meant, is refused."""
    work.course("a")
    work.apply()
    done = work.run(*args)
    assert (USAGE, True) == (done.code, said in done.err)


def test_a_changed_entry_is_named(work: Workspace) -> None:
    """`state verify` names the entry that is not as it was written, and ends with 1."""
    work.course("a")
    work.apply()
    assert "all as they were written" in work.run("state", "verify").out
    with closing(sqlite3.connect(work.root / ".lmssync/state.db")) as db, db:
        db.execute("UPDATE entry SET time = '2001-01-01T00:00:00Z' WHERE seq = 3")
    done = work.run("state", "verify")
    assert (ERROR, True) == (done.code, "entry 3 of its log is not as it was written" in done.err)


def test_a_state_moves_to_a_backend_and_back(
    work: Workspace, shared: FileBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A state moves with its history; the place that it left refuses to be written."""
    url = os.environ["LMSSYNC_STATE"]
    monkeypatch.delenv("LMSSYNC_STATE")
    work.course("a")
    work.apply()
    history = work.run("state", "history").out

    assert 0 == work.run("state", "move", url).code
    refused = work.apply()
    assert (ERROR, True) == (refused.code, f"the state has moved to {url}" in refused.err)
    monkeypatch.setenv("LMSSYNC_STATE", url)
    assert ([], 0) == (work.plan()["changes"], work.apply().code)
    assert history == work.run("state", "history").out

    assert 0 == work.run("state", "move", "sqlite:///.lmssync/back.db").code
    monkeypatch.setenv("LMSSYNC_STATE", "sqlite:///.lmssync/back.db")
    assert ([], 0) == (work.plan()["changes"], work.run("state", "verify").code)
    assert 0 == work.apply().code


def test_a_state_does_not_move_to_where_it_is(work: Workspace, shared: FileBackend) -> None:
    """The refusal says that it is there already, however the place is written."""
    work.course("a")
    work.apply()
    done = work.run("state", "move", f"files:./{shared.folder.name}")
    said = f"the state is in files:{shared.folder.name} already"
    assert (USAGE, True) == (done.code, said in done.err)
    assert [] == work.plan()["changes"]


@pytest.mark.parametrize(
    "command",
    [
        ("state", "move", "sqlite:///.lmssync/other.db"),
        ("state", "mv", "course.a", "course.b"),
        ("state", "rm", "course.a"),
        ("state", "rebind", "https://example.com"),
        ("state", "unlock"),
        ("resolve", "course.a", "--not-created"),
        ("pull", "course.a"),
    ],
    ids=" ".join,
)
def test_a_repair_begins_no_log(
    work: Workspace, shared: FileBackend, command: tuple[str, ...]
) -> None:
    """A command that changes what is recorded needs a state: it begins none."""
    done = work.run(*command)
    assert (USAGE, True) == (done.code, "there is no state in files:" in done.err)
    assert [] == list(shared.read())


@pytest.mark.parametrize(
    "state",
    [
        "postgresql://db.example/lmssync",
        "postgresql://ann:secret@db.example/lmssync",
        "git:https://evil.example/x.git#state",
        "s3://key:secret@bucket/x",
        "s3://bucket/x?endpoint=http://evil.example",
    ],
)
def test_a_catalog_does_not_choose_who_gets_secrets(work: Workspace, state: str) -> None:
    """A catalog may come from a stranger: it names no server that would get a password."""
    work.write("lmssync.yaml", (work.root / "lmssync.yaml").read_text() + f"state: {state}\n")
    done = work.run("validate")
    assert (3, True) == (done.code, "error[state-outside]" in done.out)
