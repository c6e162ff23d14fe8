"""Rows of lists in the state: in its log, its copies and its exports."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lmssync.errors import StateError, WrongUse
from lmssync.state import (
    ListRow,
    RowState,
    Store,
    export_state,
    log_entries,
    open_store,
    replace_state,
    verify_log,
)
from lmssync.state.exported_state import Export

from .file_backend import FileBackend


def row(key: str, state: RowState = RowState.DONE, at: int = 1) -> ListRow:
    return ListRow(key, "h", "course activity", "day.csv", "", "completed", "m", state, at)


def keep(store: Store, *rows: ListRow) -> None:
    with store.hold_state():
        store.keep_rows("1", rows, {"route": "activity.course", "sent": 0})


def known(store: Store) -> dict[str, RowState]:
    return {one.key: one.state for one in store.list_rows()}


def test_what_is_about_to_be_sent_is_in_the_backend(one: Store, log: FileBackend):
    """It is there before the run goes on; an end waits for the next one."""
    with one.hold_state():
        for state in (RowState.SENT, RowState.DONE):
            about = {"route": "activity.course", "sent": 1, "list": "", "occasion": ""}
            one.keep_rows("1", [row("a", state)], about)
        handed_in = [
            e.data for s in log.read() for e in log_entries.decode_segment(s) if e.type == "rows"
        ]
        assert ['"ended": {}'] == [data[-12:-1] for data in handed_in]


def test_a_row_that_was_lost_is_noticed(store: Store):
    """It would be sent a second time."""
    keep(store, row("a"))
    store.db.execute("DROP TRIGGER list_row_gone")
    store.db.execute("DELETE FROM list_row")
    with pytest.raises(StateError, match="the row of a is missing"):
        store.list_row("a")


def test_an_export_has_the_rows(store: Store, tmp_path: Path):
    """Who imports it needs the key of people: under another one nobody would find them."""
    keep(store, row("a"))
    document = Export.model_validate_json(export_state(store).to_bytes())
    with (
        closing(open_store("sqlite:///other.db", tmp_path, "sandbox")) as other,
        other.hold_state(),
    ):
        with pytest.raises(WrongUse, match="the key to these codes"):
            replace_state(other, document, "sandbox", key=None, force=False)
        replace_state(other, document, "sandbox", key=store.codes.key, force=False)
        assert known(store) == known(other)


def test_an_earlier_export_takes_nothing_back(store: Store):
    """What was done since stays done, though the export does not know of it."""
    keep(store, row("a", RowState.NOT_DONE))
    document = export_state(store)
    keep(store, row("a"), row("b"))
    with store.hold_state():
        replace_state(store, document, "sandbox", key=None, force=True)
    assert {"a": RowState.DONE, "b": RowState.DONE} == known(store)
    assert verify_log(store)


def test_an_older_copy_of_the_state_is_noticed(store: Store, tmp_path: Path):
    """What was sent since it was copied would be sent again; its serial is the same."""
    keep(store, row("a"))
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        store.db.backup(copy)
    keep(store, row("b"))
    file = store.file
    store.close()
    for beside in file.parent.glob("state.db-*"):
        beside.unlink()
    (tmp_path / "copy.db").rename(file)
    again = closing(open_store("sqlite:///state.db", tmp_path, "sandbox"))
    with again as older, pytest.raises(StateError, match="has only 1 of 2 rows"):
        older.check_age()


def test_an_export_without_rows_has_no_word_of_them(store: Store):
    """So has that of an lmssync which knew none: its digest fits, and it is imported."""
    assert b'"rows"' not in export_state(store).to_bytes()
