"""One log in a folder, and catalogs that share it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lmssync.state import Store, backends, open_store

from .file_backend import FileBackend, open_files

Open = Callable[..., "closing[Store]"]


@pytest.fixture
def log(tmp_path: Path) -> FileBackend:
    """The log that all of them share, to look into and to break."""
    return FileBackend(tmp_path / "log")


@pytest.fixture
def told() -> list[str]:
    """What was said while a state was opened or waited for."""
    return []


@pytest.fixture
def opened(tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens the shared state from a catalog of its own, by name."""
    monkeypatch.setattr(backends, "_SCHEMES", {"files": open_files})

    def opened(name: str, **options: Any) -> "closing[Store]":
        root = tmp_path / name
        root.mkdir(exist_ok=True)
        return closing(open_store("files:log", root, "sandbox", tell=told.append, **options))

    return opened


@pytest.fixture
def one(opened: Open) -> Iterator[Store]:
    """The state as the first of two machines has it."""
    with opened("one") as store:
        yield store


@pytest.fixture
def other(opened: Open, one: Store) -> Iterator[Store]:
    """The same state as the second machine has it."""
    assert one.lineage
    with opened("other") as store:
        yield store
