"""A window reads records and proofs of many resources together, and gives each as recorded."""

from lmssync.planning.diff import TOGETHER, RecordWindow
from lmssync.resource import Address
from lmssync.state import Store
from tests.making import course, record

NAMES = [f"c{number:03}" for number in range(TOGETHER + 5)]


def put_courses(store: Store) -> list[Address]:
    """The addresses of a few more courses than are read together."""
    with store.hold_state():
        store.put_records([record(course(name)) for name in NAMES], reason="test")
    return [Address("course", name) for name in NAMES]


def count_queries(store: Store, window: RecordWindow, addresses: list[Address]) -> int:
    """How many queries a way through some addresses takes."""
    asked: list[str] = []
    store.db.set_trace_callback(asked.append)
    for address in addresses:
        window.find_next_record(address)
        window.find_next_proof(address)
    store.db.set_trace_callback(None)
    return sum(one.startswith("SELECT address") for one in asked)


def test_a_way_through_all_takes_two_queries_for_a_hundred(store: Store):
    """Records and proofs of a hundred are read by one query each."""
    addresses = put_courses(store)
    window = RecordWindow(store)
    window.open_window(addresses)
    assert 4 == count_queries(store, window, addresses)


def test_a_window_gives_each_record(store: Store):
    """What it gives is what a look for each alone finds, also of what is not in it."""
    addresses = put_courses(store)
    window = RecordWindow(store)
    window.open_window(addresses[2:])
    found = [window.find_next_record(address) for address in addresses[2:]]
    assert [store.find_record(address) for address in addresses[2:]] == found
    assert store.find_record(addresses[0]) == window.find_record(addresses[0])


def test_a_way_may_begin_again(store: Store):
    """A second way gives each record as it is by then, and reads no hundred twice."""
    addresses = put_courses(store)
    window = RecordWindow(store)
    window.open_window(addresses)
    window.find_next_record(addresses[-1])
    window.read_again()
    assert 4 == count_queries(store, window, addresses)
    assert store.find_record(addresses[-1]) == window.find_next_record(addresses[-1])
