"""What is recorded can be read again."""

import itertools
import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from lmssync.errors import StateError, WrongUse
from lmssync.kind import Ids
from lmssync.resource import Address
from lmssync.state import JoinedIds, Store, UnpairedIds, open_store, sealed_rows
from lmssync.state.record_rows import list_members
from lmssync.state.state_tables import FORMAT
from tests.making import course, criterion, record

A = Address("course", "a")


def reopened(root: Path) -> Store:
    return open_store("sqlite:///state.db", root, "sandbox")


def test_a_record_comes_back_as_it_was(store: Store):
    """A record is read with every field as it was written, and with a time."""
    put = record(course("a"), Ids({"course": "C"}, {"s/l": "L"}))._replace(plan="P", commit="K")
    with store.hold_state():
        store.put_records([put], reason="test")
    found = store.find_record(A)
    assert found
    assert put == found._replace(applied_at="")
    assert found.applied_at


def test_a_bare_record_has_the_own_ids_and_nothing_else(store: Store):
    """Neither the ids of parts nor the form are read, whatever characters the ids have."""
    own = {"course": 'C","parts":{"x', "courseGroup": "G"}
    with store.hold_state():
        store.put_records([record(course("a"), Ids(own, {"s/l": "L"}))], reason="test")
    (found,) = store.find_bare_records([A, Address("course", "b")]).values()
    assert (A, Ids(own), b"") == (found.address, found.kept_ids, found.packed)


def test_a_bare_record_expects_what_the_record_expects(store: Store):
    """Where no read has shown yet which id of a batch it has, it says which one it expects."""
    made = UnpairedIds(A, "batch", "id", "sku", store.find_pair)
    with store.hold_state():
        store.put_records([record(course("a"))._replace(kept_ids=made)], reason="test")
    assert made == store.find_bare_records([A])[A].kept_ids


def test_the_members_of_a_batch_are_found_whatever_is_written(store: Store):
    """While the state is held they are found by an index, which knows of each change since."""
    a, b, c = (Address("course", key) for key in "abc")
    made = {
        one: UnpairedIds(one, "batch", f"id-{one.key}", one.key, store.find_pair)
        for one in (a, b, c)
    }

    def put_unread(one: Address) -> None:
        new = record(course(one.key))._replace(kept_ids=made[one])
        store.put_records([new], reason="test")

    def found() -> list[Address]:
        """Where the index finds them, which is where a search through all records does."""
        members = list_members(store.db, "batch", indexed=True)
        assert members == list_members(store.db, "batch")
        assert [one.key for one in members] == [one.key for one in store.list_batch("batch")]
        return [one.address for one in members]

    with store.hold_state():
        put_unread(a)
        assert [a] == found()
        put_unread(b)
        assert [a, b] == found()
        store.keep_pairs({made[a].key: Ids({"course": "A"})})
        assert [b] == found()
        store.move_records({b: Address("course", "z")}, because={})
        assert [Address("course", "z")] == found()
    with closing(reopened(store.file.parent)) as other, other.hold_state():
        other.put_records([record(course("c"))._replace(kept_ids=made[c])], reason="test")
    with store.hold_state():
        assert [c, Address("course", "z")] == found()


def test_a_member_is_found_in_a_row_with_spaces(store: Store):
    """States have rows that an import wrote so."""
    made = UnpairedIds(A, "batch", "id", "sku", store.find_pair)
    with store.hold_state():
        store.put_records([record(course("a"))._replace(kept_ids=made)], reason="test")
        store.db.execute("UPDATE resource SET ids = replace(replace(ids, ':', ': '), ',', ', ')")
        assert ["id"] == [one.expected for one in list_members(store.db, "batch")]
        assert ["id"] == [one.expected for one in list_members(store.db, "batch", indexed=True)]


def test_keys_may_hold_dots(store: Store):
    """A key may hold dots: the kind ends at the first."""
    with store.hold_state():
        store.put_records([record(criterion("a.b.c"))], reason="test")
    assert [Address("criterion", "a.b.c")] == list(store.fingerprints())


def test_records_come_in_order(store: Store):
    """Records are sorted by address."""
    with store.hold_state():
        store.put_records(
            [record(course("b")), record(criterion()), record(course("a"))], reason="test"
        )
    assert ["a", "b", "safety.most"] == [found.address.key for found in store.list_records()]


def test_what_is_not_recorded_is_nothing(store: Store):
    """An unknown address has neither a record nor a fingerprint."""
    assert (None, {}) == (store.find_record(A), store.fingerprints())


def test_everything_is_there_when_it_is_opened_again(tmp_path: Path, store: Store):
    """A state that is opened again has the same records, lineage and serial."""
    with store.hold_state():
        store.put_records([record(course("a"))], reason="test")
    before = (store.lineage, store.serial, list(store.list_records()))
    store.close()
    with closing(reopened(tmp_path)) as again:
        assert before == (again.lineage, again.serial, list(again.list_records()))


def test_two_states_are_of_two_lineages(tmp_path: Path, store: Store):
    """Two states have different lineages, so that their plans are never mixed up."""
    with closing(open_store("sqlite:///other.db", tmp_path, "sandbox")) as other:
        assert store.lineage != other.lineage


def test_the_serial_grows_with_each_change(store: Store):
    """The serial grows with each change, but not when nothing is recorded."""
    with store.hold_state():
        store.put_records([record(course("a"))], reason="test")
        store.put_records([], reason="test")
        store.forget_addresses([A], reason="test")
    assert 2 == store.serial


def test_what_is_forgotten_is_not_managed(store: Store):
    """A forgotten record keeps its ids, so that it is not made again if it comes back."""
    with store.hold_state():
        store.put_records([record(course("a"))], reason="test")
        store.forget_addresses([A], reason="left the catalog")
    assert ({}, [], {A}) == (
        store.fingerprints(),
        list(store.list_records()),
        store.forgotten_addresses(),
    )
    assert store.find_record(A) is not None


def test_what_is_forgotten_wholly_is_gone(store: Store):
    """A record forgotten with its ids is gone, and the journal says why."""
    with store.hold_state():
        store.put_records([record(course("a"))], reason="test")
        store.forget_addresses([A], reason="state forget", wholly=True)
    assert None is store.find_record(A)
    told = {"reason": "state forget", "addresses": ["course.a"], "wholly": True}
    assert told == list(store.journal_entries())[-1].data


def test_ids_of_a_kind(store: Store):
    """The ids of a kind include every id of its records and none of other kinds."""
    with store.hold_state():
        store.put_records(
            [record(course("a"), Ids({"course": "C", "courseGroup": "G"}))], reason="test"
        )
        store.put_records([record(criterion(), Ids({"id": "X"}))], reason="test")
    assert ({"C", "G"}, {"X"}) == (store.ids_of({"course"}), store.ids_of({"criterion"}))


def test_ids_that_were_recorded_since(store: Store):
    """Once read, ids are kept with those of records that are written or dropped later."""
    with store.hold_state():
        before = {*store.ids_of({"course"})}
        store.put_records([record(course("a"), Ids({"course": "C"}))], reason="test")
        written = store.ids_of({"course"})
        store.forget_addresses([A], reason="test", wholly=True)
    assert (set(), {"C"}, set()) == (before, written, store.ids_of({"course"}))


def test_a_record_that_was_lost_is_noticed(store: Store):
    """Asked whether it is there, nobody says no: it would be made a second time."""
    with store.hold_state():
        store.put_records([record(course("a"))], reason="test")
    assert store.has_record(A)
    store.db.execute("DROP TRIGGER resource_gone")
    store.db.execute("DELETE FROM resource")
    with pytest.raises(StateError, match=r"the record of course\.a is missing"):
        store.has_record(A)


def test_a_newer_format_is_refused(tmp_path: Path, store: Store):
    """A state of a newer format is refused, since this version could damage it."""
    store.db.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(StateError, match=f"has format 99; this lmssync reads format {FORMAT}"):
        reopened(tmp_path)


def test_a_file_that_is_no_state_is_refused(tmp_path: Path):
    """A file that is not a state is refused and not changed."""
    (tmp_path / "state.db").write_text("not a database, but long enough to be looked at " * 50)
    with pytest.raises(StateError, match=r"state\.db cannot be opened"):
        reopened(tmp_path)
    assert (tmp_path / "state.db").read_text().startswith("not a database")


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path):
    """If the folder cannot be made, the error says what to check."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StateError) as caught:
        open_store("sqlite:///file/state.db", tmp_path, "sandbox")
    assert "check the folder's permissions and space" in caught.value.hint


@pytest.mark.parametrize("url", ["state.db", "sqlite:/state.db"])
def test_other_states_are_refused(tmp_path: Path, url: str):
    """An address of a state in another form is refused."""
    with pytest.raises(WrongUse, match="is not a state that this lmssync can keep"):
        open_store(url, tmp_path, "sandbox")


def test_a_state_belongs_to_one_environment(tmp_path: Path, store: Store):
    """A state of one environment is refused for another, since ids differ by platform."""
    with store.hold_state():
        store.claim_instance("sandbox", "http://127.0.0.1:1")
    store.close()
    with pytest.raises(
        StateError, match="belongs to the environment `sandbox`, but this run is for `live`"
    ):
        open_store("sqlite:///state.db", tmp_path, "live")


def test_a_state_for_each_environment(tmp_path: Path):
    """The address of a state may contain the name of the environment."""
    with closing(open_store("sqlite:///{environment}.db", tmp_path, "live")):
        assert (tmp_path / "live.db").exists()


def test_a_file_without_tables_is_no_state_yet(tmp_path: Path):
    """A disk that was full when the state was to be made leaves such a file."""
    with closing(sqlite3.connect(tmp_path / "state.db")) as db:
        db.execute("PRAGMA journal_mode = WAL")
    with closing(open_store("sqlite:///state.db", tmp_path, "sandbox", read_only=True)) as store:
        assert (True, "") == (store.is_empty, store.lineage)


@pytest.mark.slow
def test_paired_ids_of_many_parts_stay_out_of_the_memory(store: Store):
    """Of ids that a run has read, the parts of thousands of courses take little memory."""

    def ids_of(course: int) -> Ids:
        parts = {f"lesson/topic-{part}": f"{course:018}{part:018}" for part in range(36)}
        return Ids({"course": str(course)}, parts)

    tracemalloc.start()
    for number in range(2_000):
        store.keep_pairs({("batch", f"sku={number}"): ids_of(number)})
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert ids_of(1_999) == store.read_pairs["batch", "sku=1999"]
    assert taken < 3_000_000


def test_what_was_rolled_back_is_read_anew(store: Store):
    """A serial that was read inside a transaction which is undone is not kept."""
    before = store.serial

    store.db.execute("UPDATE meta SET value = '9' WHERE key = 'serial'")
    assert 9 == store.serial
    store.db.rollback()
    assert before == store.serial


def test_a_head_has_the_digest_of_its_row():
    """The quick digest of a head is that of any other row, also where the head is damaged."""
    heads = itertools.product(
        ("course.a", "course.\u00e9", "", b"course.a", None), ("f" * 64, b"f", 7), (0, 1, 0.0, "0")
    )
    wrong = [h for h in heads if sealed_rows.row_digest(*h) != sealed_rows._head_digest(*h)]
    assert [] == wrong


def test_ids_that_are_joined_are_those_of_each_set():
    """Whatever is asked of them, none is copied and one that is left out is not among them."""
    a, b = {"1", "2"}, {"3"}
    joined = JoinedIds([a, b], without={"2"})
    b.add("4")
    assert {"1", "3", "4"} == joined
    assert (True, False, 3) == ("4" in joined, "2" in joined, len(joined))
    assert ({"4"}, {"1", "3"}) == (joined & {"2", "4"}, joined - {"4"})
