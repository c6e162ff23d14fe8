"""What every test can rely on: no settings from outside, and time that nobody measures."""

import gc
import os
import signal
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings

from lmssync.platform.live import change_marks as since
from lmssync.state import Store, open_store

from .served_catalog import _extended, _served, host, instance, platform, way, work

__all__ = ["_extended", "_served", "host", "instance", "platform", "way", "work"]  # fixtures

for name in [name for name in os.environ if name.startswith("LMSSYNC_")]:
    del os.environ[name]

# Tests start the tool some thousand times: without compiled modules each start takes twice as long.
# The same is true of our own modules, which each process of the tests would compile anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Of what is imported and collected nothing is garbage: nobody looks for any until all is there.
gc.disable()

# What is started in the background ignores interrupts, and so would every program of the tests.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Reads of the sandbox are never behind, unless a test says so: nothing is waited for.
since.BEHIND = 0.0

_Row = TypeVar("_Row")

settings.register_profile("each run", deadline=None, max_examples=10)
settings.register_profile("slow run", deadline=None, max_examples=50)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("slow run" if _slow(config) else "each run")


def _slow(config: pytest.Config) -> bool:
    return config.getoption("markexpr") == "slow"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """From here on garbage is looked for again, also in the process that only hands out tests."""
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A run without slow tests makes no rows that it would leave out: they are two of three tests.

    Where a row is asked for by its name, all are made, so that it is found.
    """
    config = metafunc.config
    rows = [row for row in metafunc._calls if not _is_marked(row.marks, "exhaustive")]
    by_name = any("[" in argument for argument in config.args)
    if "not slow" in config.getoption("markexpr") and rows and not by_name:
        metafunc._calls = [_choose_row(metafunc.definition.nodeid, rows)]


def _choose_row(test: str, rows: Sequence[_Row]) -> _Row:
    """The row of a table that each run tries: the first, or the last for half of the tests.

    First rows are often alike, the simplest ones or those of one profile.
    """
    return rows[0] if zlib.crc32(test.encode()) % 2 else rows[-1]


def _is_marked(marks: Iterable[pytest.Mark], name: str) -> bool:
    return any(mark.name == name for mark in marks)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Function]
) -> Iterator[None]:
    slow = _slow(config)
    if slow:
        _leave_to_the_exhaustive_run(config, items)
    _leave_to_the_slow_run(items, slow=slow)
    yield
    _keep_groups(items)


def _leave_to_the_exhaustive_run(config: pytest.Config, items: list[pytest.Function]) -> None:
    """What is marked as slow as well is no part of the slow run."""
    left = [item for item in items if item.get_closest_marker("exhaustive")]
    items[:] = [item for item in items if not item.get_closest_marker("exhaustive")]
    config.hook.pytest_deselected(items=left)


def _leave_to_the_slow_run(items: list[pytest.Function], *, slow: bool) -> None:
    """Each run tries one row of a table, and the slow run the rest.

    The slow run tries more of each property as well. What is marked as exhaustive is in neither.
    """
    tables: dict[str, list[pytest.Function]] = {}
    for item in items:
        if item.get_closest_marker("exhaustive"):
            continue
        tables.setdefault(item.nodeid.partition("[")[0], []).append(item)
        if slow and getattr(item.obj, "is_hypothesis_test", False):
            item.add_marker(pytest.mark.slow)
    for test, rows in tables.items():
        tried = _choose_row(test, rows)
        for row in rows:
            if row is not tried:
                row.add_marker(pytest.mark.slow)


def _keep_groups(items: list[pytest.Function]) -> None:
    """Tests of one group run in one worker: xdist 3.8 writes groups where pytest 9.2 has no ids."""
    for item in items:
        grouped = getattr(item, "_nodeid", item.nodeid)
        if grouped != item.nodeid:
            item._id = type(item.id).parse(grouped)


def pytest_collection_finish() -> None:
    """Tests and their modules stay to the end: nobody has to look for garbage in them."""
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _cache_of_our_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What tests remember of catalogs is not put among what the user does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new state, closed at the end."""
    with closing(open_store("sqlite:///state.db", tmp_path, "sandbox")) as opened:
        yield opened
