"""A state becomes a document, and the document becomes the same state."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
import pytest
from hypothesis import given, settings, strategies as st

from lmssync.errors import WrongUse
from lmssync.kind import CallPart, Ids, ManualStep
from lmssync.resource import Address, pack_form
from lmssync.state import (
    CallStatus,
    Counts,
    Export,
    JournaledCall,
    Proof,
    Record,
    Store,
    export_state,
    open_store,
    read_export,
    replace_state,
)
from tests.making import course, record

KEYS = [f"c{number}" for number in range(6)]
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@contextmanager
def new_store() -> Iterator[Store]:
    with (
        TemporaryDirectory() as folder,
        closing(open_store("sqlite:///state.db", Path(folder), "sandbox")) as store,
    ):
        yield store


def address(key: str) -> Address:
    return Address("course", key)


@st.composite
def states(draw: st.DrawFn) -> list[Any]:
    """What is done to a state, as method, positional and named arguments."""
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True))
    ids = st.dictionaries(TEXT, TEXT, max_size=3)
    records = [
        Record.from_form(
            address(key),
            Ids(draw(ids), draw(ids)),
            pack_form({"title": draw(TEXT), "body": {"$markdown": draw(TEXT)}}),
            applied_at="2027-01-01T00:00:00Z",
            plan=draw(TEXT),
            commit=draw(TEXT),
        )
        for key in keys
    ]
    done: list[Any] = [("put_records", (records,), {"reason": "test"})]
    found = draw(st.dictionaries(st.sampled_from(keys), st.booleans())) if keys else {}
    drifted = {address(key): (missing, ["title"]) for key, missing in found.items()}
    done += [("note_drift", ({*drifted}, drifted), {})]
    done += [("note_doubt", ("why",), {})] if draw(st.booleans()) else []
    named = {address(key): "id" for key in found}
    done += [("note_refused_adoptions", (named, ()), {})]
    for key in keys:
        about = address(key)
        done += draw(
            st.lists(
                st.sampled_from(
                    [
                        ("forget_addresses", ([about],), {"reason": "test"}),
                        ("set_protections", ({about: True},), {}),
                        ("keep_requests", ({about: [ManualStep("title", "say it")]},), {}),
                        (
                            "keep_proofs",
                            ([Proof(about, "F", ["course.read"], counts=Counts(3, 1))],),
                            {},
                        ),
                        ("write_intent", (call(key),), {}),
                    ]
                ),
                unique_by=lambda one: one[0],
            )
        )
    if keys and draw(st.booleans()):
        pairs = {address(keys[0]): address("moved")}
        done.append(("move_records", (pairs,), {"because": {}}))
    return done


def call(key: str) -> JournaledCall:
    part = CallPart(address(key), record(course(key)).packed, "sku=x", adds=True, repeatable=False)
    meta = {"started_at": "2027-01-01T00:00:00Z"}
    return JournaledCall(key, "course.create", {"id": "x"}, (part,), "B", "P", "C", **meta)


def do(store: Store, done: list[Any]) -> None:
    with store.hold_state():
        store.claim_instance("sandbox", "http://127.0.0.1:1")
        for method, args, named in done:
            getattr(store, method)(*args, **named)


def restored(store: Store, export: Export, **how: Any) -> bool:
    with store.hold_state():
        return replace_state(store, export, "sandbox", **{"key": None, "force": False} | how)


def filed(folder: Path, data: Any) -> Path:
    file = folder / "export.json"
    file.write_bytes(data if isinstance(data, bytes) else orjson.dumps(data))
    return file


@settings(max_examples=min(40, settings.default.max_examples))
@given(states())
def test_the_way_there_and_back_loses_nothing(done: list[Any]) -> None:
    """The export of a state that was made from an export is the same, byte for byte."""
    with new_store() as store, new_store() as other, TemporaryDirectory() as folder:
        do(store, done)
        text = export_state(store).to_bytes()
        restored(other, read_export(filed(Path(folder), text)))
        assert text == export_state(other).to_bytes()
        assert list(store.list_records()) == list(other.list_records())
        assert store.open_calls() == other.open_calls()
        assert store.list_findings() == other.list_findings()
        assert store.describe_doubt == other.describe_doubt
        assert store.refused_adoptions == other.refused_adoptions


@settings(max_examples=min(40, settings.default.max_examples))
@given(states())
def test_another_state_leaves_nothing_behind(done: list[Any]) -> None:
    """Going back to an earlier export takes away all that has come since."""
    with new_store() as store:
        do(store, [])
        before = export_state(store)
        do(store, [one for one in done if one[0] != "write_intent"])
        restored(store, before, force=True)
        assert before.to_bytes() == export_state(store).to_bytes()


def test_the_order_of_work_does_not_show(tmp_path: Path) -> None:
    """Resources stand in the order of their addresses, not in that of their records."""
    with new_store() as store:
        do(
            store,
            [("put_records", ([record(course(key))],), {"reason": "test"}) for key in ("b", "a")],
        )
        assert ["course.a", "course.b"] == [one.address for one in export_state(store).resources]


def test_an_answer_is_kept(store: Store) -> None:
    """A call that was answered and not read back yet keeps what the platform has said."""
    do(store, [("write_intent", (call("a"),), {})])
    with store.hold_state():
        store.write_outcome("a", CallStatus.ACKNOWLEDGED, {"answer": {"courseIds": ["C"]}})
    with new_store() as other:
        restored(other, export_state(store))
        assert [{"courseIds": ["C"]}] == [one.answer for one in other.open_calls()]


def test_what_was_written_can_be_changed(store: Store) -> None:
    """The rows of a restored state are sealed like any others."""
    do(store, [("put_records", ([record(course("a"))],), {"reason": "test"})])
    with new_store() as other:
        restored(other, export_state(store))
        do(other, [("forget_addresses", ([address("a")],), {"reason": "test"})])
        assert ({address("a")}, store.serial + 1) == (other.forgotten_addresses(), other.serial)


EDITS: list[tuple[Any, str]] = [
    (lambda data: data | {"serial": 99}, "it does not match its digest"),
    (lambda data: data | {"format": "lmssync.state-export/2"}, "its format is"),
    (lambda data: data | {"serial": "1"}, "is damaged: serial"),
    (lambda data: data | {"more": 1}, "is damaged: more"),
    (lambda data: {key: data[key] for key in data if key != "calls"}, "is damaged: calls"),
    (lambda _data: [], "is not an exported state"),
    (lambda _data: b"{", "is not JSON"),
    (lambda _data: b"\xff", "is not JSON"),
    (lambda _data: b"[" * 100_000, "is not"),
]


@pytest.mark.parametrize(("edit", "why"), EDITS)
def test_any_other_file_is_refused(store: Store, tmp_path: Path, edit: Any, why: str) -> None:
    """What is not an export, or was edited, is refused in words."""
    do(store, [("put_records", ([record(course("a"))],), {"reason": "test"})])
    data = orjson.loads(export_state(store).to_bytes())
    with pytest.raises(WrongUse, match=re.escape(why)):
        read_export(filed(tmp_path, edit(data)))


CONTRADICTIONS: list[tuple[Any, str]] = [
    (lambda e: {"resources": e.resources * 2}, "course.a is there twice"),
    (lambda e: {"protected": ["course"]}, "`course` is no address"),
    (
        lambda e: {"resources": [e.resources[0].model_copy(update={"form": {"title": "B"}})]},
        "the form of course.a does not match its fingerprint",
    ),
    (
        lambda e: {"calls": [e.calls[0].model_copy(update={"status": "settled"})]},
        "the call a is settled",
    ),
]


@pytest.mark.parametrize(("edit", "why"), CONTRADICTIONS)
def test_a_fitting_digest_is_not_enough(store: Store, tmp_path: Path, edit: Any, why: str) -> None:
    """What contradicts itself is refused, even if somebody has made a digest for it."""
    put = ("put_records", ([record(course("a"))],), {"reason": "test"})
    do(store, [put, ("write_intent", (call("a"),), {})])
    export = export_state(store)
    forged = export.model_copy(update=edit(export)).with_digest()
    with pytest.raises(WrongUse, match=re.escape(why)):
        read_export(filed(tmp_path, forged.to_bytes()))


def test_a_write_that_fails_leaves_the_state_as_it_was(store: Store) -> None:
    """The state is replaced in one transaction: not at all, if anything in it cannot be written."""
    do(store, [("put_records", ([record(course("a"))],), {"reason": "test"})])
    export = export_state(store)
    twice = export.model_copy(update={"protected": ["course.a", "course.a"]})
    with pytest.raises(Exception, match="UNIQUE"):
        restored(store, twice, force=True)
    assert export.to_bytes() == export_state(store).to_bytes()
