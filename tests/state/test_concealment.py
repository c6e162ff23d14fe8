"""A state of format 2, which names people, is converted to one that holds codes."""

from contextlib import closing
from pathlib import Path

import orjson
import pytest
from filelock import lock_descriptor

from lmssync.address import Address
from lmssync.errors import StateLocked
from lmssync.kind import CallPart
from lmssync.persons import codes
from lmssync.resource import canonical, fingerprint, pack, spelling, unpack
from lmssync.state import CallStatus, JournaledCall, Store, open_store

from ..making import UUID, course, record
from .older import as_format_5

STAFF = Address("assignment", "staff")
ANN, EXT = "ann@x.example", "EXT-Nobody"


def assignment(**user: str) -> dict[str, object]:
    users = [user]
    return {"resource": "licenseAssignment", "key": "staff", "licenses": [UUID], "users": users}


@pytest.fixture
def folder(tmp_path: Path, store: Store) -> Path:
    """A state as an older version left it: a record, a call that waits and one that is done."""
    held = record(assignment(email=ANN))
    form = canonical(held.form | {"asked": [EXT.lower(), ANN]})
    answer = {"data": {"jobId": UUID, "unresolvedIdentifiers": [EXT.lower()]}}
    with store.locked():
        store.put([held, record(course("a"))], reason="test")
        for op in ("1", "2"):
            parts = (CallPart(STAFF, pack(form)),)
            store.intend(JournaledCall(op, "sublicense.assign", {}, parts, "", "", ""))
            seen = {"answer": answer, "message": f"{ANN.upper()} and eve@y.example have none"}
            store.outcome(op, CallStatus.ACKNOWLEDGED, seen)
        store.settle("2", [held])
    as_format_5(store._db)
    store._db.execute("DELETE FROM meta WHERE key LIKE 'people %'")
    store._db.executescript("DROP TABLE step; DROP TABLE seal; DROP TABLE proof")
    store._db.execute("PRAGMA user_version = 2")
    store._db.commit()
    return tmp_path


def again(folder: Path) -> "closing[Store]":
    return closing(open_store("sqlite:///state.db", folder, "sandbox"))


def test_nothing_of_it_names_anybody(folder: Path):
    """No record, part, answer or journal line names a person any more."""
    with again(folder) as store:
        found = [store.record(STAFF), store.open_calls(), list(store.journal())]
        parts = [part for op in store.open_calls() for part in op.parts]
        forms = [unpack(part.packed_after) for part in parts] + [r.form for r in store.records()]
    told = f"{found} {forms}".lower()
    assert [] == [one for one in (ANN, EXT.lower(), "eve@y.example") if one in told]


def test_nothing_is_left_in_the_file(folder: Path):
    """The old contents are gone from the file, and from its log while it is open."""
    old = [
        record(assignment(email=ANN)).packed,
        ANN.upper().encode(),
        EXT.lower().encode(),
        b"eve@y",
    ]
    before = b"".join(file.read_bytes() for file in folder.glob("state.db*"))
    assert old == [one for one in old if one in before]
    with again(folder):
        after = b"".join(file.read_bytes() for file in folder.glob("state.db*"))
    assert [] == [one for one in old if one in after]


def test_records_stay_whole(folder: Path):
    """A record has the fingerprint of its new form; a record without people is unchanged."""
    with again(folder) as store:
        held, other = store.record(STAFF), store.record(Address("course", "a"))
        assert held
        assert other
    assert fingerprint(spelling(held.packed)) == held.fingerprint
    assert record(course("a")).packed == other.packed


def test_its_lists_need_not_be_opened(folder: Path):
    """The fingerprint of a manifest leads to that of the concealed form, without opening it."""
    before = record(assignment(email=ANN)).fingerprint
    with again(folder) as store:
        told = store.codes.forms()[store.codes.of_manifest(before)]
        assert told == store.fingerprints()[STAFF]


def test_an_answer_still_fits_its_people(folder: Path):
    """The labels in the answer and in the call became the same codes."""
    with again(folder) as store:
        ((call,), codes_) = store.open_calls(), store.codes
        asked = unpack(call.parts[0].packed_after)["asked"]
        assert [codes_.hide(EXT.lower())] == call.answer["data"]["unresolvedIdentifiers"]
    assert [codes_.hide(EXT.lower()), codes_.hide(ANN)] == asked


def test_who_they_are_is_kept(folder: Path):
    """The people behind the codes are kept in the private file."""
    with again(folder) as store:
        people = orjson.loads(store.codes.register.file.read_bytes())["people"]
        held = store.record(STAFF)
        assert held
        assert [ANN] == [people[code] for code in codes(held.form)]


def test_it_is_not_rewritten_under_the_hands_of_a_run(folder: Path):
    """During another run the state is not converted, since that run would go on naming people."""
    with (folder / "state.db.lock").open("a") as handle:
        lock_descriptor(handle.fileno())
        with pytest.raises(StateLocked):
            again(folder)
    with again(folder) as opened:
        assert opened.codes.forms()
