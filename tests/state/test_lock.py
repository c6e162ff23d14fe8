"""Only one run can write a state at a time."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lmssync.errors import Fenced, StateError, StateLocked
from lmssync.state import Store, leases as lock, open_store
from tests.making import course, record
from tests.patience import kill_if_failed


def second(root: Path) -> Store:
    return open_store("sqlite:///state.db", root, "sandbox")


def test_the_fence_grows_with_each_holder(store: Store):
    """The fence grows with each run, so that an overtaken run can be recognised."""
    fences = []
    for _ in range(3):
        with store.hold_state() as fence:
            fences.append(fence)
    assert [1, 2, 3] == fences


def test_a_second_run_is_refused(tmp_path: Path, store: Store):
    """A second run is refused at once and told which process holds the state."""
    with (
        closing(second(tmp_path)) as other,
        store.hold_state(),
        pytest.raises(StateLocked) as caught,
        other.hold_state(),
    ):
        pass
    assert f"(process {os.getpid()})" in caught.value.message


def test_a_second_run_may_read(tmp_path: Path, store: Store):
    """A second run may read, since a plan needs no lock."""
    with closing(second(tmp_path)) as other, store.hold_state():
        store.put_records([record(course("a"))], reason="test")
        assert 1 == len(other.fingerprints())


def test_the_next_run_gets_it(tmp_path: Path, store: Store):
    """The next run gets the lock as soon as the first has ended."""
    with store.hold_state():
        pass
    with closing(second(tmp_path)) as other, other.hold_state() as fence:
        assert 2 == fence


def test_nothing_is_written_without_the_lock(store: Store):
    """A write without the lock is refused."""
    with pytest.raises(StateError, match="only while it is locked"):
        store.put_records([record(course("a"))], reason="test")


def test_nothing_is_written_after_the_lock(store: Store):
    """A write after the lock was released is refused."""
    with store.hold_state():
        pass
    with pytest.raises(StateError, match="only while it is locked"):
        store.forget_addresses([], reason="test")


def test_a_run_that_was_overtaken_writes_no_more(tmp_path: Path, store: Store):
    """A run that lost its lock, as on a network disk, is kept from writing by the fence."""
    with closing(second(tmp_path)) as other, store.hold_state():
        lock._take_fence(other.db)
        with pytest.raises(Fenced, match="fence 2, ours is 1"):
            store.put_records([record(course("a"))], reason="test")
    assert {} == store.fingerprints()


HOLD = """
import sys
from pathlib import Path
from lmssync.state import open_store
store = open_store("sqlite:///state.db", Path(sys.argv[1]), "sandbox")
with store.hold_state():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_write_while_others_have_the_file_open(store: Store):
    """The message says that another program has it, and not to free some space."""
    store.db.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(store.file)) as viewer, store.hold_state():
        viewer.execute("BEGIN IMMEDIATE")
        with pytest.raises(StateError, match="database is locked") as caught:
            store.put_records([record(course("a"))], reason="test")
    assert "end the other program that has this file open" in caught.value.hint


def test_a_killed_run_holds_nothing(tmp_path: Path, store: Store):
    """A killed process does not keep the lock."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout
        with kill_if_failed(process):
            assert "held\n" == process.stdout.readline()
            with pytest.raises(StateLocked), store.hold_state():
                pass
        process.kill()
    with store.hold_state() as fence:
        assert 2 == fence


def stopped_over(folder: Path) -> None:
    folder.mkdir()
    raise NotADirectoryError


def test_what_stopped_a_run_is_what_is_said(store: Store):
    """That the file beside the state cannot be written comes second."""
    beside = store.file.with_name(f"{store.file.name}.serial")
    with pytest.raises(NotADirectoryError), store.hold_state():
        stopped_over(beside)
    beside.rmdir()
    unwritten = pytest.raises(StateError, match=r"state\.db\.serial cannot be written")
    with unwritten as caught, store.hold_state():
        beside.mkdir()
    assert "recorded in the state itself" in caught.value.hint
