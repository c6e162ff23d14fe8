"""Which ids of a batch are whose: every order of an answer, everything that reads may show, and a
kill after each read."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from lmssync.kind import Ids
from lmssync.platform.live.id_pairing import IdPairing
from lmssync.resource import Address, pack_form
from lmssync.state import Record, Store, UnpairedIds, open_store
from lmssync.vocabulary.routes import CORE_ROUTES

KEYS = "abc"
ADDRESSES = {key: Address("course", key) for key in KEYS}
ORDERS = [("a", "b", "c"), ("b", "a", "c"), ("b", "c", "a")]
"""As asked, two exchanged, and all in another place: the other orders are like these."""
SHOWN, HIDDEN, OTHER = "its mark", "nothing", "another mark"
"""What a read shows of a course: people may have changed its mark, or deleted it."""


class Killed(Exception):
    """The run is over at this moment."""


class Reads:
    """What the client has that pairing uses: courses by id, and how many reads are still made."""

    ahead = 0.0

    def __init__(self, courses: dict[str, Any], most: int) -> None:
        self._courses, self._left = courses, most

    def take_looks(self, _seconds: float) -> Iterator[float]:
        yield 0.0

    def ask_each(self, ask: Callable[[Any], Any], wanted: Iterable[Any]) -> Iterator[Any]:
        return map(ask, wanted)

    def read_route(self, _route: str, params: dict[str, str]) -> Any:
        if not self._left:
            raise Killed
        self._left -= 1
        return self._courses[params["id"]]

    def hand_on(self, *_: object) -> None:
        """What is read is not compared here."""


def course(key: str, shows: str) -> Any:
    """What a read shows of the course that has been made for a key."""
    if shows == HIDDEN:
        return None
    sku = f"ls-{key}" if shows == SHOWN else "HR-1"
    topics = [{"id": f"topic-{key}", "title": "Hello", "type": "text", "updatedAt": ""}]
    lessons = [{"id": f"lesson-{key}", "title": "Lesson", "topics": topics}]
    sections = [{"id": f"section-{key}", "title": "Section", "lessons": lessons}]
    own = {"id": f"id-{key}", "courseGroupId": f"group-{key}"}
    return {**own, "title": f"Unit {key}", "sku": sku, "sections": sections}


def record(store: Store, answer: Sequence[str]) -> None:
    """Three courses of one call, whose answer has their ids in this order."""
    form = {"kind": "course", "topics": [{"id": "t", "title": "Hello", "type": "text"}]}
    with store.hold_state():
        store.put_records(
            [
                Record.from_form(
                    ADDRESSES[key],
                    UnpairedIds(ADDRESSES[key], "batch", f"id-{owner}", f"sku=ls-{key}", _never),
                    pack_form(form | {"title": f"Unit {key}"}),
                    applied_at="2027-01-01T00:00:00.000000Z",
                )
                for key, owner in zip(KEYS, answer, strict=True)
            ],
            reason="made",
        )


def _never(one: UnpairedIds) -> Ids:
    raise AssertionError(one)


def pair(store: Store, courses: dict[str, Any], key: str, most: int) -> bool:
    """A run that needs one course, and is killed after so many reads; whether it was not."""
    try:
        with store.hold_state():
            found = store.find_record(ADDRESSES[key])
            assert found
            if found.unpaired:
                reads: Any = Reads(courses, most)
                IdPairing(reads, store, CORE_ROUTES).pair_ids([found.unpaired])
    except Killed:
        return False
    return True


def wrong(store: Store, shows: dict[str, str]) -> Iterator[str]:
    """What is recorded and cannot be right."""
    found = {key: store.find_record(address) for key, address in ADDRESSES.items()}
    expected = [one.unpaired.expected for one in found.values() if one and one.unpaired]
    for key, one in found.items():
        if one is None:
            yield f"{key} is lost"
        elif not one.unpaired:
            own = one.known_ids.own["course"]
            expected.append(own)
            if own != f"id-{key}":
                yield f"{key} has {own}"
            if shows[key] != HIDDEN and one.known_ids.parts != {"t": f"topic-{key}"}:
                yield f"{key} has {one.known_ids.parts}"
    if sorted(expected) != [f"id-{key}" for key in KEYS]:
        yield f"the ids are {expected}"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A state that is copied for each world: to make one takes longer."""
    opened = closing(open_store("sqlite:///state.db", tmp_path, "sandbox"))
    with opened as store, store.hold_state():
        store.note_doubt("")
    return tmp_path / "state.db"


def explore(
    empty: Path, answer: Sequence[str], reads: Sequence[str], kills: Sequence[int]
) -> list[str]:
    """Everything that goes wrong with an answer in this order, whatever of `reads` is shown."""
    found = list[str]()
    for what in product(reads, repeat=len(KEYS)):
        shows = dict(zip(KEYS, what, strict=True))
        for first in KEYS:
            for most in kills:
                world = f"{answer}, {shows}, {first} first, killed after {most}"
                killed, faults = run_twice(empty, answer, shows, first, most)
                found += [f"{world}: {fault}" for fault in faults]
                if not killed:  # nor will it be after more reads
                    break
    return found


def run_twice(
    empty: Path, answer: Sequence[str], shows: dict[str, str], first: str, most: int
) -> tuple[bool, list[str]]:
    """Whether a run that needs one course is killed after so many reads; and what is wrong then, or
    after the next runs need all of them."""
    file = empty.with_name("world.db")
    for suffix in ("", "-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    with closing(sqlite3.connect(empty)) as old, closing(sqlite3.connect(file)) as new:
        old.backup(new)
    courses = {f"id-{key}": course(key, one) for key, one in shows.items()}
    with _opened(file) as store:
        record(store, answer)
        killed = not pair(store, courses, first, most)
        faults = [*wrong(store, shows)]
    with _opened(file) as store:
        for key in KEYS:
            pair(store, courses, key, 99)
            faults += wrong(store, shows)
        faults += unsettled(store, shows)
    return killed, faults


def _opened(file: Path) -> closing[Store]:
    return closing(open_store(f"sqlite:///{file.name}", file.parent, "sandbox"))


def unsettled(store: Store, shows: dict[str, str]) -> Iterator[str]:
    """What every run could have told, and none has."""
    for key, address in ADDRESSES.items():
        one = store.find_record(address)
        if shows[key] == SHOWN and one and one.unpaired:
            yield f"{key} is not settled"


def test_no_id_is_given_to_another(empty: Path) -> None:
    """Wrong ids 0, lost 0, none twice; and what shows its mark is settled."""
    assert [] == explore(empty, "bca", [SHOWN, OTHER], [1])


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(order, marks=pytest.mark.slow if order in ORDERS else pytest.mark.exhaustive)
        for order in permutations(KEYS)
    ],
    ids="".join,
)
def test_no_id_is_given_to_another_in_any_order(empty: Path, answer: Sequence[str]) -> None:
    """Every order, everything that reads may show, and a kill before each read."""
    assert [] == explore(empty, answer, [SHOWN, HIDDEN, OTHER], range(5))
