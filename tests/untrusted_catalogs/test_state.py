"""A state that was damaged, or that a stranger brings along."""

import json
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lmssync.errors import StateError
from lmssync.kind import CallPart, Ids
from lmssync.resource import Address
from lmssync.state import JournaledCall, open_store
from tests import making
from tests.cli.conftest import Ran, Run

from .conftest import Pipeline

PROJECT = "version: 1\nenvironments: {p: {baseUrl: 'http://127.0.0.1:1'}}\n"
COURSES = ("a", "b", "c")
SAME, ERROR, UNREACHABLE = 0, 1, 8


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalog that is wholly applied, and one call whose outcome nobody knows."""
    monkeypatch.setenv("LMSSYNC_API_KEY", "key")
    making.put(tmp_path, "lmssync.yaml", PROJECT)
    for key in COURSES:
        making.put(tmp_path, f"{key}.yaml", json.dumps(making.course(key)))
    parts = {f"s/l/{n}": f"topic-{n}" for n in range(40)}
    with (
        closing(open_store("sqlite:///.lmssync/state.db", tmp_path, "p")) as store,
        store.hold_state(),
    ):
        store.claim_instance("p", "http://127.0.0.1:1")
        ids = [Ids({"course": f"id of {key}"}, parts) for key in COURSES]
        records = map(making.record, map(making.course, COURSES), ids)
        store.put_records(records, reason="test")
        part = CallPart(Address("course", "lost"), making.record(making.course("lost")).packed)
        store.write_intent(JournaledCall("1", "course.create", {}, (part,), "hash", "", ""))
    return tmp_path


@pytest.fixture
def state(root: Path) -> Path:
    return root / ".lmssync" / "state.db"


def told(run: Run, root: Path) -> list[Ran]:
    """What is told of the catalog and of the state."""
    return [run(*command, "-C", root) for command in (("plan",), ("state", "list"))]


def spoil(file: Path, chance: random.Random) -> None:
    """Changes some bytes of a file."""
    data = bytearray(file.read_bytes())
    at = chance.randrange(len(data))
    match chance.randrange(5):
        case 0 | 1:
            data[at] ^= 1 << chance.randrange(8)
        case 2:
            data[at] = chance.randrange(256)
        case 3:
            data[at : at + chance.choice((4, 64, 512))] = bytes(chance.choice((4, 64, 512)))
        case 4:
            del data[at:]
    file.write_bytes(bytes(data))


def corrupted(run: Run, root: Path, state: Path, seed: int) -> None:
    """One corruption: all is told as before, or it is told that there is damage."""
    before, whole = told(run, root), state.read_bytes()
    assert [SAME, SAME] == [done.code for done in before]
    chance = random.Random(seed)
    for _ in range(20):
        spoil(state, chance)
        for done, was in zip(told(run, root), before, strict=True):
            empty = not state.stat().st_size
            assert empty or done == was or (done.code == ERROR and "error: the state" in done.err)
        state.write_bytes(whole)


def test_damaged_bytes_are_told(run: Run, root: Path, state: Path) -> None:
    """A damaged state never causes a bug or a silently different plan."""
    corrupted(run, root, state, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 26))
def test_many_damaged_bytes_are_told(
    run: Run,
    root: Path,
    state: Path,
    seed: int,
) -> None:
    """The same holds for 500 corruptions."""
    corrupted(run, root, state, seed)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM resource WHERE address = 'course.a'",
        "UPDATE resource SET address = 'course.x' WHERE address = 'course.a'",
        "UPDATE resource SET forgotten = 1 WHERE address = 'course.a'",
        "UPDATE resource SET fingerprint = lower(hex(randomblob(32)))",
        "DELETE FROM seal WHERE part = 'resource'",
        "DELETE FROM operation",
        "UPDATE operation SET status = 'settled'",
        "DELETE FROM member",
        "UPDATE member SET address = 'course.x'",
        "UPDATE meta SET value = 'x' WHERE key = 'lineage'",
        "DELETE FROM meta",
        "INSERT INTO protected VALUES ('course.a')",
        "INSERT INTO moved VALUES ('course.a', 'course.x', '')",
        "DROP TABLE moved",
        "DROP INDEX operation_open",
        "CREATE TABLE more (x)",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON entry BEGIN DELETE FROM resource; END",
        "ALTER TABLE resource ADD COLUMN more",
        "PRAGMA user_version = 7",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 77",
        "PRAGMA user_version = -1",
    ],
)
def test_rows_that_somebody_changed_are_told(
    run: Run,
    root: Path,
    state: Path,
    change: str,
) -> None:
    """A changed row is an error, and no write gets past the first ping."""
    with closing(sqlite3.connect(state)) as db, db:
        db.execute(change)

    done = run("plan", "-C", root)

    assert (ERROR, "") == (done.code, done.out)
    assert "error: the state" in done.err
    assert run("apply", "--yes", "-C", root).code in {ERROR, UNREACHABLE}


def test_what_another_run_writes_meanwhile_is_no_damage(state: Path, root: Path) -> None:
    """A read during another run's write recovers on the next read."""
    url = "sqlite:///.lmssync/state.db"
    with closing(open_store(url, root, "p", read_only=True)) as looking:
        with closing(sqlite3.connect(state)) as db, db:
            db.execute("UPDATE resource SET ids = '{}'")
        with pytest.raises(StateError, match="another run wrote the state"):
            list(looking.list_records())


def test_a_damaged_row_is_not_sealed_by_a_change(state: Path, root: Path) -> None:
    """A write that touches a damaged row is refused as a whole."""
    with closing(sqlite3.connect(state)) as db, db:
        db.execute("UPDATE resource SET ids = '{}' WHERE address = 'course.a'")
    with closing(open_store("sqlite:///.lmssync/state.db", root, "p")) as store, store.hold_state():
        serial = store.serial
        with pytest.raises(StateError, match="a row of resource is not as it was written"):
            store.forget_addresses([Address("course", "a")], reason="test")
        assert serial == store.serial


def test_looking_makes_nothing(pipeline: Pipeline) -> None:
    """A missing state reads as empty and no folder is created."""
    pipeline.put("lmssync.yaml", PROJECT)
    before = {file.name for file in pipeline.root.iterdir()}

    for command in (["state", "list"], ["export"], ["state", "show", "course.a"], ["plan"]):
        pipeline.run(*command, LMSSYNC_STATE=f"sqlite:///{pipeline.root}/state/state.db")

    assert set() == {file.name for file in pipeline.root.iterdir()} - before - {".lmssync"}


def test_a_plan_that_is_saved_belongs_to_a_state(pipeline: Pipeline) -> None:
    """Only a saved plan creates a state; a shown plan does not."""
    pipeline.put("lmssync.yaml", PROJECT)
    state = pipeline.root / ".lmssync" / "state.db"
    states = []
    for saved in ([], ["--out", "plan.json"]):
        pipeline.run("plan", *saved, LMSSYNC_BASE_URL="http://127.0.0.1:1")
        states.append(state.exists())

    assert [False, True] == states


def test_looking_leaves_nothing_beside_the_state(run: Run, root: Path, state: Path) -> None:
    """A read leaves no log or index beside the state and changes no byte of it."""
    before = {file.name: file.read_bytes() for file in state.parent.glob("state*")}

    assert [SAME, SAME] == [done.code for done in told(run, root)]

    assert before == {file.name: file.read_bytes() for file in state.parent.glob("state*")}


def test_a_state_is_for_its_owner(state: Path) -> None:
    """Only the owner can read the state file, its lock and its folder."""
    paths = (state.parent, *state.parent.glob("state*"))
    modes = {path.name: path.stat().st_mode & 0o777 for path in paths}

    files = dict.fromkeys(("state.db", "state.db.lock", "state.db.serial"), 0o600)
    assert {".lmssync": 0o700, **files} == modes


@pytest.mark.parametrize("name", ["state.db", "state.db-wal", "state.db.lock", "state.db.serial"])
@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_what_is_no_file_is_told(
    run: Run,
    root: Path,
    state: Path,
    name: str,
    kind: str,
) -> None:
    """A pipe or a link in the place of the state is reported."""
    odd = state.with_name(name)
    odd.unlink(missing_ok=True)
    outside = root.parent / f"{root.name}-outside"
    {"folder": odd.mkdir, "pipe": lambda: os.mkfifo(odd), "link": lambda: odd.symlink_to(outside)}[
        kind
    ]()

    done = run("apply", "--yes", "-C", root)

    assert (ERROR, False) == (done.code, outside.exists())
    said = "is outside the catalog" if (kind, name) == ("link", "state.db") else f"is a {kind}"
    assert said in done.err


def test_a_register_that_leads_elsewhere_is_not_followed(
    run: Run, root: Path, state: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Names behind the codes are not written through a link."""
    state.with_name("people").symlink_to(tmp_path_factory.mktemp("outside"))

    done = run("apply", "--yes", "-C", root)

    assert (ERROR, True) == (done.code, "is a link, but the state needs a folder there" in done.err)


def test_a_folder_that_leads_elsewhere_is_not_followed(
    run: Run,
    root: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """A state that the catalog names must be inside it, links included."""
    outside = tmp_path_factory.mktemp("outside")
    (root / "elsewhere").symlink_to(outside)
    making.put(root, "lmssync.yaml", f"{PROJECT}state: 'sqlite:///elsewhere/state.db'\n")

    for command in (("plan",), ("apply", "--yes")):
        done = run(*command, "-C", root)
        assert (ERROR, True) == (done.code, "is outside the catalog" in done.err)
    assert [] == list(outside.iterdir())


@pytest.mark.parametrize("path", ["/tmp/state.db", "../state.db", "x/../../state.db", ".."])
def test_a_catalog_keeps_its_state_inside(run: Run, root: Path, path: str) -> None:
    """The catalog cannot name a state outside itself."""
    making.put(root, "lmssync.yaml", f"{PROJECT}state: 'sqlite:///{path}'\n")

    done = run("validate", "-C", root)

    assert (3, True) == (done.code, "error[state-outside]" in done.out)


def test_a_state_elsewhere_is_named_from_outside(
    run: Run,
    root: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The environment may name a state elsewhere, even through a link."""
    folder = tmp_path_factory.mktemp("volume")
    (folder / "link.db").symlink_to(root / ".lmssync" / "state.db")
    monkeypatch.setenv("LMSSYNC_STATE", f"sqlite:///{folder}/link.db")

    assert SAME == run("plan", "-C", root).code
