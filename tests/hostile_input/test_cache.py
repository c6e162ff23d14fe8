"""A cache that came with the catalog is not believed, and one that is used is one's own."""

import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from lmssync.catalog.manifests.cache import Cache
from lmssync.support import cache_folder as homes
from tests import making

from .conftest import Stranger, course, everything

BAD = course("a", title='" "')
CACHE = ".cache/lmssync"


def cache(home: Path) -> Path:
    """The only cache in a home."""
    (found,) = home.glob(f"{CACHE}/*/cache.db")
    return found


def test_nothing_is_written_into_the_checkout(root: Path, home: Path, run: Stranger):
    """The cache is in the user's home and only the user can read it."""
    before = everything(root)
    assert 0 == run("validate").code
    assert before == everything(root)
    modes = [path.stat().st_mode & 0o777 for path in (cache(home), *list(cache(home).parents)[:2])]
    assert [0o600, 0o700, 0o700] == modes


def test_a_committed_cache_is_not_read(root: Path, home: Path, run: Stranger, tmp_path: Path):
    """A committed cache that calls a bad file good is not read."""
    run("validate")
    found = cache(home)
    making.put(root, "courses/a.yaml", BAD)
    for name in (".lmssync/cache.db", f".cache/lmssync/{found.parent.name}/cache.db"):
        making.put(root, name, found.read_bytes())
    shutil.rmtree(home / ".cache")
    assert 3 == run("validate").code


@pytest.mark.parametrize("where", ["XDG_CACHE_HOME", "HOME"])
def test_a_home_in_the_checkout_is_none(root: Path, run: Stranger, where: str):
    """A home inside the checkout is not used for the cache, since it may be committed."""
    subprocess.run(["git", "init", "-q", root.parent], check=True)
    before = everything(root)
    assert 0 == run("validate", **{where: str(root.parent / "checkout/.home")}).code
    assert 0 == run("validate", **{where: str(root.parent / ".home")}).code
    assert before == everything(root)
    assert not (root.parent / ".home").exists()


def test_a_home_beside_a_further_worktree_is_none(tmp_path: Path):
    """A home inside the repository of a worktree is not used for the cache."""
    making.put(tmp_path, "sub/.git", "gitdir: ../.git/modules/sub")
    (tmp_path / ".git").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        assert None is homes.find_cache_file(tmp_path / "sub")
        patch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / "cache"))
        assert None is not homes.find_cache_file(tmp_path / "sub")


@pytest.mark.parametrize("home", ["", "relative", "/dev/null", "/proc/none"])
def test_no_home_is_no_trouble(run: Stranger, home: str):
    """Without a home nothing is cached and no warning is shown."""
    done = run("validate", HOME=home)
    assert (0, "Valid: 1 resource in 1 file.\n", "") == done


def test_a_cache_of_somebody_else_is_not_used(root: Path, home: Path, run: Stranger):
    """A cache that others own or can write, or that is a link, is not used."""
    run("validate")
    found = cache(home)
    for spoil in (
        lambda: found.chmod(0o666),
        lambda: (found.chmod(0o600), found.parent.chmod(0o777)),
        lambda: (found.parent.chmod(0o700), found.rename(home / "x"), found.symlink_to(home / "x")),
    ):
        spoil()
        assert not homes.is_ours(found)
    before = (home / "x").read_bytes()
    making.put(root, "courses/a.yaml", BAD)
    assert 3 == run("validate").code
    assert before == (home / "x").read_bytes()


@pytest.mark.parametrize(
    "trap",
    [
        "CREATE TRIGGER t AFTER DELETE ON file BEGIN INSERT INTO file SELECT * FROM file; END",
        "CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT 1",
        "ALTER TABLE file ADD COLUMN more TEXT DEFAULT 'x'",
        "DROP INDEX resource_file",
    ],
)
def test_other_tables_are_not_ours(tmp_path: Path, trap: str):
    """A cache with an unknown trigger, view or column is discarded unread."""
    file = tmp_path / "cache.db"
    Cache(file).close()
    with sqlite3.connect(file) as connection:
        connection.execute(trap)
    with pytest.raises(sqlite3.DatabaseError, match="not our tables"):
        Cache(file)


@pytest.mark.parametrize("name", ["cache.db", "in-order"])
def test_old_caches_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    """A new cache deletes what was not used for a month, also where only `fmt` was run."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    old, new = (homes.find_cache_file(tmp_path / name) for name in ("old", "new"))
    assert old
    assert new
    homes.make_cache_file(old.with_name(name))
    monkeypatch.setattr(homes, "_UNUSED", -1)
    homes.make_cache_file(new)
    assert (False, True) == (old.parent.exists(), new.exists())


def test_what_git_keeps_of_a_machine_is_told(root: Path, run: Stranger):
    """A state or cache in git causes a warning until it is removed from git."""
    making.put(root, ".lmssync/state.db", "")
    making.git(root, "init", "-q")
    assert "Valid" == run("validate").out[:5]
    making.git(root, "add", "-f", ".lmssync/state.db")
    (root / "courses/a.yaml").touch()
    for _ in range(2):
        assert "warning[folder-in-git]" in run("validate").out
    making.git(root, "rm", "-q", "--cached", ".lmssync/state.db")
    assert "warning" not in run("validate").out


def test_the_folder_of_a_state_ignores_itself(root: Path, run: Stranger):
    """The first use of the state's folder writes a `.gitignore` into it."""
    run("plan", "--out", "plan.json", LMSSYNC_API_KEY="x")
    assert "*\n" == (root / ".lmssync/.gitignore").read_text()
