"""A damaged cache costs time, and nothing else: what it tells is what the files say."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lmssync.catalog.catalog_validation import validate_catalog
from lmssync.catalog.manifests import catalog_files as listing
from lmssync.catalog.manifests.cache import file_inventory as outcome
from lmssync.resource import compute_fingerprints
from tests import making

from .conftest import course

SEED = 20
Told = tuple[Any, ...]


@pytest.fixture(autouse=True, scope="module")
def _settled() -> Iterator[None]:
    """The files are believed by their times at once, as are those of yesterday."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listing, "TICK", 0)
        yield


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalog with references, a table, a problem, a template and an overlay."""
    folder = tmp_path_factory.mktemp("damage")
    making.put(folder, "lmssync.yaml", making.PROJECT)
    for n in range(12):
        making.put(folder, f"courses/c{n}.yaml", course(f"c{n}", f"Course {n}"))
    topic = "{id: t, title: T, type: text, bodyFile: long.md}"
    making.put(folder, "courses/body.yaml", course("body", topic=topic))
    making.put(folder, "courses/long.md", "Text.\n" * 2000)
    making.put(folder, "courses/odd.yaml", course("odd", '" "'))
    making.put(folder, "courses/t.yaml.j2", course("t", "In {{ environment }}"))
    making.put(folder, "overlays/sandbox/c1.yaml", "resource: course\nkey: c1\ntitle: Other\n")
    criterion = (
        "resource: completionCriterion\nkey: c2.all\ncourse: c2\ntype: coursePercentViewed\n"
    )
    making.put(folder, "criteria.yaml", f"{criterion}percent: 80\nlifecycle: {{protect: true}}\n")
    return folder


def told(root: Path) -> Told:
    """Everything that a run could make of the catalog."""
    found = validate_catalog(root)
    catalog = making.loaded(root, "sandbox")
    resources = {
        address: (r[:2], r[3:], r.form) for address, r in sorted(catalog.resources.items())
    }
    return found, dict(compute_fingerprints(catalog.resources)), resources, sorted(catalog.refused)


@pytest.fixture(scope="module")
def right(root: Path) -> tuple[Told, bytes]:
    """What is told without a cache, and the cache that comes of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", "")
        patch.setenv("HOME", "")
        expected = told(root)
    assert expected == told(root)
    assert None is not outcome.recall_outcome(root, None, listing.walk_catalog(root))
    with sqlite3.connect(making.cache(root)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")
    return expected, making.cache(root).read_bytes()


def after(root: Path, data: bytes) -> Told:
    """What is told once the cache holds these bytes."""
    file = making.cache(root)
    for beside in file.parent.glob("cache.db-*"):
        beside.unlink()
    file.write_bytes(data)
    file.chmod(0o600)
    return told(root)


def flips(data: bytes, step: int) -> Iterator[bytes]:
    """The file with one byte changed: each of them, or one in `step`."""
    chance = random.Random(SEED)
    for start in range(0, len(data), step):
        at = min(start + chance.randrange(step), len(data) - 1)
        yield data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def cuts(data: bytes, step: int) -> Iterator[bytes]:
    return (data[:at] for at in range(0, len(data), step))


Damage = Callable[[bytes, int], Iterator[bytes]]


@pytest.mark.parametrize("damage", [flips, cuts])
def test_damaged_bytes(root: Path, right: tuple[Told, bytes], damage: Damage):
    """A cache with a flipped bit or a missing end does not change the result."""
    expected, data = right
    for spoiled in damage(data, len(data) // 30):
        assert expected == after(root, spoiled)


@pytest.mark.slow
@pytest.mark.parametrize("damage", [flips, cuts])
def test_many_damaged_bytes(root: Path, right: tuple[Told, bytes], damage: Damage):
    """A cache with any of some hundred damaged bytes does not change the result."""
    expected, data = right
    for spoiled in damage(data, 240):
        assert expected == after(root, spoiled)


COLUMNS = (
    *(("outcome", name) for name in ("scope", "digest", "outcome", "seal")),
    *(("inventory", name) for name in ("scope", "portion", "digest", "held", "seal")),
    *(("file", name) for name in ("stamp", "digest", "watched", "addresses", "problems")),
    *(("file", name) for name in ("variant", "resources", "seal")),
    *(("resource", name) for name in ("file", "kind", "key", "fingerprint", "careful")),
    *(("resource", name) for name in ("document", "rest", "seal")),
    *(("form", name) for name in ("packed", "seal")),
)


def changed(root: Path, data: bytes, *statements: str) -> bytes:
    """The cache after some statements."""
    file = making.cache(root)
    after(root, data)
    file.write_bytes(data)
    for beside in file.parent.glob("cache.db-*"):
        beside.unlink()
    connection = sqlite3.connect(file, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()
    return file.read_bytes()


@pytest.mark.parametrize("table", ["file", "resource", "form"])
def test_rows_in_the_place_of_others(root: Path, right: tuple[Told, bytes], table: str):
    """A cache with swapped rows does not change the result."""
    expected, data = right
    swap = (
        f"UPDATE {table} SET id = -3 WHERE id = 3",
        f"UPDATE {table} SET id = 3 WHERE id = 5",
        f"UPDATE {table} SET id = 5 WHERE id = -3",
    )
    assert expected == after(root, changed(root, data, *swap))


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_value_of_another_row(root: Path, right: tuple[Told, bytes], table: str, column: str):
    """A cache with a value of another row does not change the result."""
    expected, data = right
    other = f"(SELECT x.{column} FROM {table} AS x ORDER BY {column} LIMIT 1)"
    taken = f"UPDATE OR REPLACE {table} SET {column} = {other}"
    assert expected == after(root, changed(root, data, taken))


@pytest.mark.parametrize("table", ["outcome", "inventory", "file", "resource", "form", "meta"])
@pytest.mark.parametrize("some", ["1", "rowid % 2"])
def test_rows_that_are_gone(root: Path, right: tuple[Told, bytes], table: str, some: str):
    """A cache without all or half of its rows does not change the result."""
    expected, data = right
    some = "1" if table in {"outcome", "inventory", "meta"} else some
    assert expected == after(root, changed(root, data, f"DELETE FROM {table} WHERE {some}"))


@pytest.mark.parametrize("portion", [0, 1])
def test_a_portion_of_the_inventory_that_is_gone(
    root: Path, right: tuple[Told, bytes], portion: int
):
    """An inventory without its ids, or without its files, does not change the result."""
    expected, data = right
    gone = f"DELETE FROM inventory WHERE portion = {portion}"
    assert expected == after(root, changed(root, data, gone))


def test_a_cache_of_another_catalog(root: Path, right: tuple[Told, bytes], tmp_path: Path):
    """A cache of the same files with other content does not change the result."""
    expected, _ = right
    making.put(tmp_path, "lmssync.yaml", making.PROJECT)
    for n in range(12):
        making.put(tmp_path, f"courses/c{n}.yaml", course(f"c{n}", "Else"))
    making.loaded(tmp_path, "sandbox")
    validate_catalog(tmp_path)
    assert expected == after(root, making.cache(tmp_path).read_bytes())
