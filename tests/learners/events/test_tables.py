"""The index as a file: half written, or written by somebody else."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from lmssync.errors import StateError
from lmssync.learners.events import LearnerIndex
from lmssync.learners.events.index_file import open_to_write, open_transaction, readable_errors


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The index of one learner, whose feed was pulled."""
    file = tmp_path / "state.learners.db"
    db = open_to_write(file, None, "prod", "https://one.example:443")
    db.execute("INSERT INTO feed (kind, pulled) VALUES ('courseAction', 1)")
    db.execute("BEGIN")
    db.executemany("INSERT INTO object (id) VALUES (?)", [(f"{n:0100}",) for n in range(2_000)])
    db.execute("COMMIT")
    db.close()
    return file


def test_reading_leaves_a_half_written_index_as_it_is(file: Path):
    """A run was killed while it wrote: nothing is known until the next pull puts it right."""
    killed = file.with_name("killed.db")
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("UPDATE object SET id = 'new' || id")
        for ending in ("", "-journal"):
            shutil.copy(f"{file}{ending}", f"{killed}{ending}")
        db.rollback()
    before = killed.read_bytes()
    assert (None, before) == (LearnerIndex.open_index(killed), killed.read_bytes())
    open_to_write(killed, None, "prod", "https://one.example:443").close()
    assert LearnerIndex.open_index(killed)


def test_a_full_disk_is_named_and_costs_no_index(file: Path):
    """SQLite gives up the transaction itself; to delete the index would not help."""
    db = open_to_write(file, None, "prod", "https://one.example:443")
    db.execute(f"PRAGMA max_page_count = {file.stat().st_size // 4096}")
    with (
        pytest.raises(StateError, match="disk is full") as refused,
        readable_errors(file),
        open_transaction(db),
    ):
        db.execute("INSERT INTO object (id) VALUES (zeroblob(1000000))")
    assert refused.value.hint == "check the folder's permissions and space"
    db.close()


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE hour; CREATE VIEW hour AS SELECT 1 AS hour, 2 AS actions",
        "CREATE TRIGGER t AFTER INSERT ON hour BEGIN DELETE FROM place; END",
        "PRAGMA user_version = 2",
    ],
)
def test_what_lmssync_has_not_made_is_refused(file: Path, change: str):
    """The index may come with the pull request of a stranger."""
    with sqlite3.connect(file) as db:
        db.executescript(change)
    with pytest.raises(StateError, match="not an index of learners of this lmssync"):
        LearnerIndex.open_index(file)
