"""The journal of calls: what is written, in which order, and what stays open."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lmssync.kind import CallPart
from lmssync.platform.client import Writer
from lmssync.resource import Address
from lmssync.state import CallStatus, JournaledCall, Store, open_store
from tests.making import course, record, resource

from .conftest import Open

A, B = Address("course", "a"), Address("course", "b")


def part(key: str, **fields: Any) -> CallPart:
    return CallPart(Address("course", key), resource(course(key)).packed_form, **fields)


def call(op: str = "1", *parts: CallPart) -> JournaledCall:
    return JournaledCall(
        op,
        "course.create",
        {"id": "x"},
        parts or (part("a", marker="sku=1", adds=True, repeatable=False),),
        "hash",
        "plan",
        "commit",
        started_at="2027-01-01T00:00:00Z",
    )


def open_ops(store: Store) -> list[tuple[str, CallStatus, list[str]]]:
    """Id, status and parts of each call that is not settled."""
    return [
        (op.op, op.status, [part.address.key for part in op.parts]) for op in store.open_calls()
    ]


def types(store: Store) -> list[str]:
    return [entry.type for entry in store.journal_entries()]


def test_an_intention_comes_back_as_it_was(store: Store):
    """An intention is read back as it was written."""
    with store.hold_state():
        store.write_intent(call())
    assert [call()] == store.open_calls()


def test_an_intention_survives_the_process(tmp_path: Path, store: Store):
    """An intention is on disk before anything is sent."""
    with store.hold_state():
        store.write_intent(call())
        with closing(open_store("sqlite:///state.db", tmp_path, "sandbox")) as other:
            assert [call()] == other.open_calls()


def test_the_journal_tells_the_whole_call(store: Store):
    """The journal has intent, outcome and settled in this order, each with the fence."""
    with store.hold_state() as fence:
        store.write_intent(call())
        store.write_outcome("1", CallStatus.ACKNOWLEDGED, {"answer": {"courseIds": ["C"]}})
        store.settle_call("1", [record(course("a"))])
    assert ["intent", "outcome", "settled"] == types(store)
    assert {fence} == {entry.fence for entry in store.journal_entries()}


def test_the_intent_says_what_will_be_sent(store: Store):
    """The intent holds enough to find out later what the call did."""
    with store.hold_state():
        store.write_intent(call())
    assert {
        "route": "course.create",
        "addresses": ["course.a"],
        "body": "hash",
        "plan": "plan",
        "commit": "commit",
        "attempt": 1,
        "markers": ["sku=1"],
    } == next(store.journal_entries()).data


@pytest.mark.parametrize(
    ("status", "waits"),
    [
        (CallStatus.UNKNOWN, True),
        (CallStatus.ACKNOWLEDGED, True),
        (CallStatus.JOB, True),
        (CallStatus.SETTLED, False),
    ],
)
def test_what_stays_open(store: Store, status: CallStatus, waits: bool):
    """A call stays open until it is settled."""
    with store.hold_state():
        store.write_intent(call())
        store.write_outcome("1", status, {})
    assert waits == bool(store.open_calls())


def test_an_answer_is_kept_with_its_call(store: Store):
    """An answer with its ids is written before anything is read back."""
    with store.hold_state():
        store.write_intent(call())
        store.write_outcome("1", CallStatus.ACKNOWLEDGED, {"answer": {"courseIds": ["C"]}})
    (found,) = store.open_calls()
    assert {"courseIds": ["C"]} == found.answer


def test_settling_records_and_closes(store: Store):
    """Settling a call writes the record and closes the call in one step."""
    with store.hold_state():
        store.write_intent(call())
        store.settle_call("1", [record(course("a"))])
    assert ([], [A]) == (open_ops(store), list(store.fingerprints()))


def test_settling_in_part_keeps_the_rest_open(store: Store):
    """If a call is settled in part, the parts that no read has shown stay open."""
    with store.hold_state():
        store.write_intent(call("1", part("a"), part("b")))
        store.settle_call("1", [record(course("a"))], status=CallStatus.ACKNOWLEDGED)
    assert [("1", CallStatus.ACKNOWLEDGED, ["b"])] == open_ops(store)


def test_a_call_whose_job_runs_has_no_members_left(store: Store):
    """If only a job is waited for, what the call made is recorded already."""
    with store.hold_state():
        store.write_intent(call())
        store.settle_call("1", [record(course("a"))], status=CallStatus.JOB)
    assert [("1", CallStatus.JOB, [])] == open_ops(store)


def test_refused_members_leave_the_call(store: Store):
    """Parts that were refused leave the call, and the others stay in it."""
    with store.hold_state():
        store.write_intent(call("1", part("a"), part("b")))
        store.drop_parts("1", {A: "no such course"})
    assert [("1", CallStatus.INTENT, ["b"])] == open_ops(store)
    assert {"refused": {"course.a": "no such course"}} == list(store.journal_entries())[-1].data


def test_open_calls_come_oldest_first(store: Store):
    """Open calls are read oldest first, by ids that sort by time."""
    with store.hold_state():
        for op in ("2", "1", "3"):
            store.write_intent(call(op))
    assert ["1", "2", "3"] == [op.op for op in store.open_calls()]


def test_members_keep_their_order_and_all_they_know(store: Store):
    """The parts of a call keep their order and every flag, which recovery needs."""
    parts = (
        part("b", marker="sku=b", adds=True, repeatable=False, last=False),
        part("a"),
    )
    with store.hold_state():
        store.write_intent(call("1", *parts))
    assert parts == store.open_calls()[0].parts


def test_a_write_that_fails_leaves_no_half(store: Store):
    """If a write fails, neither the journal line nor the change is kept."""
    with store.hold_state():
        store.write_intent(call())
        with pytest.raises(Exception, match="cannot be written"):
            store.write_intent(call())
    assert ["intent"] == types(store)


def test_a_run_waits_for_the_window_that_another_has_used_up(opened: Open) -> None:
    """Sixty purchase paths a minute is for all runs, on whichever machine (spec 8)."""
    with opened("other"):
        pass  # it has been here before: a new one knows what has come since the last snapshot
    with opened("one") as one, one.hold_state():
        for number in range(60):
            one.write_intent(call(f"{number}")._replace(route="path.create"))
    with opened("other", read_only=True) as other, Writer("http://127.0.0.1:1", "key") as writer:
        assert 0 == writer.seconds_limited({"path.create": 1})
        writer.count_earlier(other.sent_within())

        assert 0 < writer.seconds_limited({"path.create": 1}) <= 61


def test_what_is_older_than_any_window_does_not_count(opened: Open) -> None:
    """It is not even read."""
    with opened("one") as one, one.hold_state():
        one.write_intent(call("1"))
        assert [] == list(one.sent_within(seconds=-1.0))
        assert ["course.create"] == [route for route, _ in one.sent_within()]
