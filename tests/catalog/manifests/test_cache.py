"""The cache of a catalog never gives a result that its files would not give."""

import os
import signal
import sqlite3
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from lmssync.catalog.catalog_validation import load_checked_catalog, validate_catalog
from lmssync.catalog.manifests import catalog as loading, processes
from lmssync.catalog.manifests.cache import (
    Cache,
    Inventory,
    file_inventory as inventory,
    open_cache,
)
from lmssync.catalog.manifests.catalog import changed_files as fresh
from lmssync.catalog.manifests.catalog_files import Listing, stamped_size, walk_catalog
from lmssync.catalog.manifests.documents import Scope
from lmssync.errors import InvalidCatalog, WrongUse
from lmssync.settings import Project
from lmssync.support.checked_documents import make_unchecked
from tests import making

COURSE = """\
resource: course
key: {key}
kind: microCourse
title: {title}
topics: [{{id: t, title: T, type: text, {body}}}]
"""


def course(root: Path, key: str, title: str = "A", body: str = "body: B") -> Path:
    making.put(root, f"{key}.yaml", COURSE.format(key=key, title=title, body=body))
    return root / f"{key}.yaml"


def aged(*files: Path) -> None:
    """Makes files old enough for their times to be believed."""
    for file in files:
        old = file.stat().st_mtime - 100
        os.utime(file, (old, old))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    making.put(tmp_path, "lmssync.yaml", making.PROJECT)
    course(tmp_path, "a")
    course(tmp_path, "b")
    return tmp_path


def titles(root: Path) -> list[str]:
    return [r.form["title"] for r in making.loaded(root).resources.values()]


def reads(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that the next load reads."""
    seen: list[str] = []
    make_all = loading.make_all
    monkeypatch.setattr(
        loading, "make_all", lambda scope, files: seen.extend(files) or make_all(scope, files)
    )
    making.loaded(root)
    return seen


def test_a_file_is_read_once(root: Path, monkeypatch: pytest.MonkeyPatch):
    """If nothing has changed, no file is read."""
    making.loaded(root)
    assert [] == reads(root, monkeypatch)


def test_what_comes_from_the_cache_is_what_was_read(root: Path):
    """Resources, references, facts and places from the cache are those that were read."""
    course(root, "c", body="bodyFile: c.md")
    making.put(root, "c.md", "Hello")
    making.put(
        root,
        "d.yaml",
        "resource: completionCriterion\nkey: c.x\ncourse: c\n"
        "type: courseTopicViewed\ntopic: t\nlifecycle: {protect: true, ignore: [topic]}\n",
    )
    first = {a: (r[:2], r[3:], r.packed_form) for a, r in making.loaded(root).resources.items()}
    again = {a: (r[:2], r[3:], r.packed_form) for a, r in making.loaded(root).resources.items()}
    assert first == again


def test_a_changed_file_is_read_again(root: Path, monkeypatch: pytest.MonkeyPatch):
    """Only the file that has changed is read again."""
    making.loaded(root)
    course(root, "b", title="Other")
    assert ["b.yaml"] == reads(root, monkeypatch)
    assert ["A", "Other"] == titles(root)


def test_a_change_in_the_same_instant_is_seen(root: Path):
    """A change just after the read is seen, even with the same size and times."""
    file = course(root, "b", title="One")
    times = file.stat()
    making.loaded(root)
    course(root, "b", title="Two")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert ["A", "Two"] == titles(root)


def test_a_touched_file_is_not_parsed_again(root: Path, monkeypatch: pytest.MonkeyPatch):
    """A touched file with the same bytes is not parsed again, as after a fresh checkout."""
    making.loaded(root)
    aged(root / "a.yaml", root / "b.yaml")
    assert [] == reads(root, monkeypatch)


def test_a_file_that_goes_is_forgotten(root: Path):
    """The resources of a deleted file leave the catalog."""
    making.loaded(root)
    (root / "a.yaml").unlink()
    assert ["course.b"] == [str(address) for address in making.loaded(root).resources]


def test_a_file_that_comes_later_takes_its_place(root: Path):
    """Resources are in the order of the paths of their files, whenever those were kept."""
    making.loaded(root)
    making.put(root, "Z.yaml", COURSE.format(key="z", title="Z", body="body: B"))
    catalog = making.loaded(root)
    assert ["z", "a", "b"] == [address.key for address in catalog.resources]
    assert list(catalog.resources) == list(catalog.outlines)


def test_a_key_that_is_taken_again_and_again(root: Path):
    """Each file after the first with a key is told of, also by the cache."""
    for name in ("x.yaml", "y.yaml"):
        making.put(root, name, COURSE.format(key="a", title="A", body="body: B"))
    first = [problem.origin.file for problem in validate_catalog(root).problems]
    aged(*root.glob("*.yaml"))
    assert ["x.yaml", "y.yaml"] == first
    assert first == [problem.origin.file for problem in validate_catalog(root).problems]


def test_a_changed_body_file_changes_its_course(root: Path):
    """A manifest is read again if a file that it names has changed."""
    course(root, "a", body="bodyFile: a.md")
    making.put(root, "a.md", "One")
    making.loaded(root)
    making.put(root, "a.md", "Two")
    form = making.loaded(root).resources[making.Address("course", "a")].form
    assert {"$markdown": "Two"} == form["topics"][0]["body"]


def test_a_body_file_that_appears(root: Path):
    """A missing body is looked for again by the next run."""
    course(root, "a", body="bodyFile: a.md")
    assert ["file-missing"] == [problem.code for problem in making.problems(root)]
    making.put(root, "a.md", "One")
    assert [] == making.problems(root)


def test_another_project_file_forgets_everything(root: Path, monkeypatch: pytest.MonkeyPatch):
    """A new project file empties the cache, since defaults and severities may differ."""
    making.loaded(root)
    making.put(root, "lmssync.yaml", making.PROJECT + "defaults: {course: {ribbon: new}}\n")
    assert ["a.yaml", "b.yaml"] == reads(root, monkeypatch)


def test_problems_are_remembered_with_their_places(root: Path):
    """A second run reports the same problems at the same places."""
    course(root, "a", title='" "')
    assert making.problems(root) == making.problems(root)
    assert [4] == [problem.where.line for problem in making.problems(root)]


@pytest.mark.parametrize("garbage", [b"", b"no database", b"SQLite format 3\0" + b"x" * 5000])
def test_a_damaged_cache_is_thrown_away(root: Path, garbage: bytes):
    """A damaged cache is discarded and made again without a message."""
    making.loaded(root)
    for file in making.cache(root).parent.glob("cache.db*"):
        file.write_bytes(garbage)
    assert ["A", "A"] == titles(root)


def test_rows_that_are_missing_are_noticed(root: Path):
    """A missing row is noticed, so that no resource seems to have left the catalog."""
    making.loaded(root)
    with sqlite3.connect(making.cache(root)) as connection:
        connection.execute("DELETE FROM resource WHERE key = 'a'")
    assert ["A", "A"] == titles(root)


def test_a_cache_that_somebody_else_writes(root: Path, monkeypatch: pytest.MonkeyPatch):
    """If another run keeps the cache locked, this one goes on without it."""
    monkeypatch.setattr("lmssync.catalog.manifests.cache.result_cache._PATIENCE", 0.1)
    making.loaded(root)
    other = sqlite3.connect(making.cache(root), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    course(root, "a", title="New")
    assert ["New", "A"] == titles(root)
    other.close()


def test_a_run_sees_one_catalog(root: Path):
    """A loaded catalog is not changed by what a later run writes."""
    catalog = making.loaded(root)
    course(root, "a", title="New")
    making.loaded(root)
    assert ["A", "A"] == [resource.form["title"] for resource in catalog.resources.values()]


def test_a_folder_that_cannot_be_written(root: Path):
    """If the cache's folder cannot be made, the cache is kept in memory."""
    making.put(making.cache(root).parents[1], making.cache(root).parent.name, "")
    assert ["A", "A"] == titles(root)


def test_two_environments_share_what_is_the_same(root: Path, monkeypatch: pytest.MonkeyPatch):
    """For a second environment, only what its overlays change is read."""
    making.put(
        root,
        "lmssync.yaml",
        "version: 1\nenvironments:\n  x: {baseUrl: 'http://a'}\n  y: {baseUrl: 'http://b'}\n",
    )
    making.put(root, "overlays/y/a.yaml", "resource: course\nkey: a\ntitle: Y\n")
    project = make_unchecked(
        Project, {"version": 1, "environments": {n: {"baseUrl": "http://a"} for n in "xy"}}
    )
    found = [
        loading.load_catalog(Scope(root, project, name), walk_catalog(root))[0]
        for name in ("x", "y", "x")
    ]
    assert [["A", "A"], ["Y", "A"], ["A", "A"]] == [
        [resource.form["title"] for resource in catalog.resources.values()] for catalog in found
    ]


def test_an_outcome_is_recalled(root: Path):
    """If no file has changed, the result of the last validation is reused."""
    course(root, "a", title='" "')
    listing = walk_catalog(root)
    told = inventory.Validation(2, 1, validate_catalog(root).problems)
    inventory.remember_outcome(root, None, replace(listing, files=_old(listing)), told)
    assert told == inventory.recall_outcome(root, None, replace(listing, files=_old(listing)))


def _old(listing: Listing) -> dict[str, str]:
    """The files as if they had last been changed long ago."""
    return {name: f"{stamped_size(stamp)}.1.1.0" for name, stamp in listing.files.items()}


def test_an_outcome_of_fresh_files_is_not_kept(root: Path):
    """The result for very new files is not kept, since they could change unseen."""
    validate_catalog(root)
    assert None is inventory.recall_outcome(root, None, walk_catalog(root))


def test_an_outcome_is_for_its_files(root: Path):
    """A result is not reused if one file has another size."""
    listing = walk_catalog(root)
    old = replace(listing, files=_old(listing))
    validate_catalog(root)
    inventory.remember_outcome(root, None, old, inventory.Validation(2, 2, []))
    other = {**old.files, "b.yaml": "1.1.1.0"}
    assert None is inventory.recall_outcome(root, None, replace(old, files=other))
    assert inventory.Validation(2, 2, []) == inventory.recall_outcome(root, None, old)


def test_a_catalog_of_many_files_is_read_by_several_processes(root: Path):
    """Several processes read a large catalog and keep the order of its files."""
    for n in range(260):
        course(root, f"many-{n:03}", title=f"T{n}")
    assert ["A", "A", *(f"T{n}" for n in range(260))] == titles(root)


def test_a_full_disk_costs_the_cache_only(root: Path, monkeypatch: pytest.MonkeyPatch):
    """On a full disk the cache is not kept, and the catalog is read all the same."""

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    keep = Cache.keep_entries
    monkeypatch.setattr(Cache, "keep_entries", lambda c, *a: keep(c, *a) if c.in_memory else full())
    assert ["A", "A"] == titles(root)


def test_a_changed_file_in_a_hidden_folder_is_seen(root: Path):
    """A changed body in a hidden folder is seen, so a result that depends on it is not reused."""
    course(root, "a", body="bodyFile: .hidden/a.md")
    making.put(root, ".hidden/a.md", "One")
    scope, old = Scope(root, making.read_project_file(root), "sandbox"), walk_catalog(root)
    validate_catalog(root)
    inventory.remember_outcome(
        root, None, replace(old, files=_old(old)), inventory.Validation(2, 2, [])
    )
    (root / ".hidden/a.md").unlink()
    with pytest.raises(InvalidCatalog, match="1"):
        load_checked_catalog(scope)


def test_a_resource_that_became_wrong_is_never_left_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
):
    """Loading a catalog with a broken file fails, even if the last result was good."""
    monkeypatch.setattr(
        "lmssync.catalog.catalog_validation.recall_outcome",
        lambda *_, **_options: inventory.Validation(2, 2, []),
    )
    course(root, "a", title='" "')
    with pytest.raises(InvalidCatalog):
        load_checked_catalog(Scope(root, making.read_project_file(root), "sandbox"))


def test_an_outcome_is_as_old_as_its_first_look(root: Path):
    """A result is as old as the start of its run, since files could change in the meantime."""
    listing = walk_catalog(root)
    later = replace(listing, files=_old(listing), begun=2)
    inventory.remember_outcome(root, None, later, inventory.Validation(2, 2, []))
    making.loaded(root)
    assert None is inventory.recall_outcome(root, None, later)


def test_what_was_made_under_other_settings_is_not_kept(root: Path, tmp_path: Path):
    """A slow run does not write to the cache of a run with another project file."""
    slow, other = open_cache(root, "old"), open_cache(root, "new")
    with pytest.raises(sqlite3.OperationalError):
        slow.keep_entries([], [], [])
    assert [] == other.keep_entries([], [], [])


def test_an_id_is_never_given_twice(root: Path):
    """Ids in the cache are never reused, or an older run could confuse two files."""
    making.loaded(root)
    cache = open_cache(
        root, loading._cache_key(Scope(root, making.read_project_file(root)), walk_catalog(root))
    )
    before = cache.file_ids
    cache.close()
    course(root, "b", title="Other")
    course(root, "aa")
    making.loaded(root)
    with sqlite3.connect(making.cache(root)) as connection:
        after = dict(connection.execute("SELECT id, path FROM file"))
    assert {"a.yaml"} == {after[id_] for id_ in before & after.keys()}


def test_another_run_that_changes_the_cache_takes_no_file_away(
    root: Path, monkeypatch: pytest.MonkeyPatch
):
    """If another run changes the cache at the same time, this run still sees all files."""
    making.loaded(root)
    sort_out = loading.sort_out

    def slowly(*given: Any) -> Any:
        found = sort_out(*given)
        monkeypatch.setattr(loading, "sort_out", sort_out)
        course(root, "aa")
        course(root, "b", title="Other")
        making.loaded(root)
        return found

    monkeypatch.setattr(loading, "sort_out", slowly)
    assert {"course.a", "course.b"} <= {str(one) for one in making.loaded(root).resources}


def test_tables_that_another_run_has_just_made_are_left(
    root: Path, monkeypatch: pytest.MonkeyPatch
):
    """If two runs start at once, the second uses what the first has kept."""
    making.loaded(root)
    formed = iter([False, True])
    monkeypatch.setattr(
        "lmssync.catalog.manifests.cache.result_cache.has_cache_tables",
        lambda _: next(formed, True),
    )
    assert [] == reads(root, monkeypatch)


def test_a_form_that_is_missing_is_read_again(root: Path):
    """A form that is missing from the cache is read from its file."""
    making.loaded(root)
    with sqlite3.connect(making.cache(root)) as connection:
        connection.execute("DELETE FROM form")
    assert ["A", "A"] == titles(root)


def test_a_form_that_is_missing_and_a_file_that_has_changed(root: Path):
    """If a form is missing and its file has changed, the run ends with a message."""
    making.loaded(root)
    with sqlite3.connect(making.cache(root)) as connection:
        connection.execute("DELETE FROM form")
    catalog = making.loaded(root)
    course(root, "a", title="New")
    with pytest.raises(WrongUse, match="changed in the meantime"):
        assert catalog.resources[making.Address("course", "a")].form


def test_two_files_of_one_instant_are_told_apart(root: Path):
    """Two files with equal size and times are told apart by their nodes."""
    assert walk_catalog(root).files["a.yaml"].endswith(f".{(root / 'a.yaml').stat().st_ino}")


def test_a_line_more_in_an_overlay_moves_its_problems(root: Path):
    """A line added to an overlay moves the place of its problem."""
    text = "resource: course\nkey: a\ntitle: ' '\n"
    making.put(root, "overlays/sandbox/a.yaml", text)
    assert [3] == [problem.where.line for problem in making.problems(root)]
    making.put(root, "overlays/sandbox/a.yaml", f"# a line\n{text}")
    assert [4] == [problem.where.line for problem in making.problems(root)]


def test_a_policy_that_leads_nowhere_is_a_problem(root: Path):
    """A policy that is a dangling link is reported as unreadable."""
    (root / "policies").mkdir()
    (root / "policies/p.yaml").symlink_to("nowhere")
    assert ["unreadable"] == [problem.code for problem in making.problems(root)]


def killed(_: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_time_only(root: Path, monkeypatch: pytest.MonkeyPatch):
    """If a worker process is killed, this process reads its files."""
    for n in range(260):
        course(root, f"many-{n:03}", title=f"T{n}")
    monkeypatch.setattr(processes, "_count_processors", lambda: 2)
    monkeypatch.setattr(processes, "_do_files", killed)
    assert ["A", "A", *(f"T{n}" for n in range(260))] == titles(root)


def test_a_link_that_led_out_and_leads_in(root: Path) -> None:
    """A body that was a link out of the catalog is read once it is a file."""
    making.put(root.parent, "outside.md", "x")
    course(root, "a", body="bodyFile: l.md")
    (root / "l.md").symlink_to(root.parent / "outside.md")
    assert ["file-outside"] == [problem.code for problem in making.problems(root)]
    (root / "l.md").unlink()
    making.put(root, "l.md", "y")
    assert [] == making.problems(root)


def test_a_pipe_is_not_waited_for(root: Path) -> None:
    """A pipe is not read, neither as a manifest nor as a body."""
    os.mkfifo(root / "pipe.yaml")
    os.mkfifo(root / "pipe.md")
    course(root, "a", body="bodyFile: pipe.md")
    found = {(problem.where.file, problem.code) for problem in making.problems(root)}
    assert {("a.yaml", "file-missing"), ("pipe.yaml", "unreadable")} == found


def test_any_thread_may_collect_a_cache():
    """A cache can be collected by any thread."""
    caches = [Cache(None)]
    thread = Thread(target=caches.clear)
    thread.start()
    thread.join()
    assert not caches


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are believed by their times at once, as are those of yesterday."""
    monkeypatch.setattr("lmssync.catalog.manifests.catalog_files.TICK", -(10**18))
    monkeypatch.setattr("lmssync.catalog.manifests.catalog_files.TICK", -(10**18))


def test_files_of_an_unchanged_catalog_are_not_looked_at(
    root: Path, settled: None, monkeypatch: pytest.MonkeyPatch
):
    """If no file has changed, one row says what the catalog holds."""
    making.loaded(root)
    monkeypatch.delattr(loading, "sort_out")
    assert ["A", "A"] == titles(root)


def test_only_what_has_changed_is_looked_at(
    root: Path, settled: None, monkeypatch: pytest.MonkeyPatch
):
    """If one file has changed, the others are held as they were."""
    making.loaded(root)
    course(root, "a", title="New")
    given: list[str] = []

    def sort_out(*all_: Any) -> Any:
        given.extend(all_[3])
        return fresh.sort_out(*all_)

    monkeypatch.setattr(loading, "sort_out", sort_out)
    assert ["New", "A"] == titles(root)
    assert ["b.yaml"] == given


def test_two_looks_at_the_same_files_are_equal(root: Path):
    """Whoever waits for a change compares listings, whenever they were made."""
    first = walk_catalog(root)
    assert first == walk_catalog(root)
    assert first.begun < walk_catalog(root).begun


def test_what_the_cache_has_dropped_is_held_no_more(root: Path, settled: None):
    """If another run has dropped a file from the cache, an inventory is used without it."""
    making.loaded(root)
    listing = walk_catalog(root)
    cache = open_cache(
        root, loading._cache_key(Scope(root, making.read_project_file(root)), listing)
    )
    assert listing.digest == Inventory(cache, "").digest
    cache.keep_entries((), (), [min(cache.file_ids)])
    held = Inventory(cache, "")
    assert ("", ["b.yaml"]) == (held.digest, [file.path for file in held.list_held_files()])


def test_many_files_are_kept_in_portions(
    root: Path, settled: None, monkeypatch: pytest.MonkeyPatch
):
    """An inventory of several portions holds the same files in the same order."""
    monkeypatch.setattr(inventory, "_TOGETHER", 1)
    making.loaded(root)
    assert ["A", "A"] == titles(root)
    course(root, "b", title="New")
    assert ["A", "New"] == titles(root)


def test_an_inventory_of_fresh_files_is_not_kept(root: Path):
    """What very new files hold is not kept, since they could change unseen."""
    making.loaded(root)
    cache = open_cache(
        root, loading._cache_key(Scope(root, making.read_project_file(root)), walk_catalog(root))
    )
    assert not Inventory(cache, "").ids


def test_a_patch_that_comes_is_applied_to_what_has_not_changed(root: Path, settled: None):
    """An overlay that is new changes a resource whose file is as it was, and back when it goes."""
    assert ["A", "A"] == titles_of(root)
    making.put(root, "overlays/x/a.yaml", "resource: course\nkey: a\ntitle: X\n")
    assert ["X", "A"] == titles_of(root)
    (root / "overlays/x/a.yaml").unlink()
    assert ["A", "A"] == titles_of(root)


def titles_of(root: Path) -> list[str]:
    """The titles in the environment `x`."""
    environments = {"x": {"baseUrl": "http://a"}}
    project = make_unchecked(Project, {"version": 1, "environments": environments})
    found = loading.load_catalog(Scope(root, project, "x"), walk_catalog(root))[
        0
    ].resources.values()
    return [resource.form["title"] for resource in found]
