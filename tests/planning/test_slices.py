"""Slices: folders of one catalog with states of their own, planned and applied apart."""

import re
import sqlite3
from pathlib import Path

import pytest

from lmssync.planning.workspace import open_workspace
from lmssync.state import Store
from tests.planning.test_releases import release
from tests.served_catalog import COURSE, PROJECT, Platform, Workspace, actions

BLOCKED = 7
USAGE = 64
SLICES = """\
state: "sqlite:///.lmssync/{slice}.db"
slices:
  safety: {paths: [safety/]}
  sales: {paths: [sales/]}
"""


@pytest.fixture
def two(work: Workspace) -> Workspace:
    """A catalog whose course `a` of one slice needs `b` of the other."""
    work.write("lmssync.yaml", PROJECT + SLICES)
    put(work, "safety/a.yaml", "prerequisiteCourses: [b]\n")
    put(work, "sales/b.yaml")
    return work


def put(work: Workspace, file: str, more: str = "") -> None:
    work.write(file, (COURSE + more).replace("KEY", Path(file).stem))


def move(work: Workspace, file: str, folder: str) -> None:
    target = work.root / folder / Path(file).name
    target.parent.mkdir(exist_ok=True)
    (work.root / file).rename(target)


def managed(work: Workspace, name: str) -> list[str]:
    listed = work.run("state", "list", "--json", "--slice", name).json
    return [one["address"] for one in listed["resources"]]


def blocked(work: Workspace, name: str) -> str:
    """The reasons of the plan of a slice, in which everything is blocked."""
    made = work.plan("--slice", name)
    assert {"blocked"} == set(actions(made).values())
    return " ".join(reason for change in made["changes"] for reason in change["reasons"])


def test_a_run_says_which_slice_it_is_about(two: Workspace) -> None:
    """A command about a state lists the slices; `validate` is about the whole catalog."""
    refused = two.run("plan")

    assert USAGE == refused.code
    assert "2 slices, each with a state of its own: safety, sales" in refused.err
    assert "did you mean `sales`?" in two.run("plan", "--slice", "salez").err
    assert "Valid: 2 resources" in two.run("validate").out


def test_each_slice_is_applied_apart(two: Workspace, platform: Platform) -> None:
    """What refers to another slice waits for it, and gets its id from that state."""
    assert "apply that slice first (`lmssync apply --slice sales`)" in blocked(two, "safety")
    assert BLOCKED == two.apply("--slice", "safety").code

    assert 0 == two.apply("--slice", "sales").code
    assert 0 == two.apply("--slice", "safety").code

    assert ["course.a"] == managed(two, "safety")
    assert ["course.b"] == managed(two, "sales")
    id_ = two.run("state", "show", "course.b", "--slice", "sales").json["ids"]["course"]
    (needing,) = [one for one in platform.dump("courses") if one["title"] == "Title of a"]
    assert id_ in str(needing)
    assert "No drift in 1 resource" in two.run("drift", "--slice", "safety").out
    assert {} == actions(two.plan("--slice", "safety"))


def test_what_is_unmanaged_in_no_slice(two: Workspace) -> None:
    """What another slice manages is not listed as unmanaged, and cannot be taken over."""
    two.write("lmssync.yaml", PROJECT.replace("timeout", "profile: extended, timeout") + SLICES)
    two.apply("--slice", "sales")
    id_ = two.run("state", "show", "course.b", "--slice", "sales").json["ids"]["course"]

    assert id_ not in two.run("drift", "--unmanaged", "--slice", "safety").out
    taken = two.run("adopt", f"course.a={id_}", "--slice", "safety")
    assert "is the id of another course, which is recorded already" in taken.err


def test_a_manifest_that_moved_is_handed_over(two: Workspace, platform: Platform) -> None:
    """Neither slice does anything with it until people have handed over its ids; none is made
    twice."""
    two.apply("--slice", "sales")
    put(two, "safety/a.yaml")
    two.apply("--slice", "safety")
    move(two, "safety/a.yaml", "sales")
    number = len(platform.dump("courses"))

    assert "its manifest is in the slice `sales` now" in blocked(two, "safety")
    assert "course.a is recorded in the state of the slice `safety`" in blocked(two, "sales")
    id_ = two.run("state", "show", "course.a", "--slice", "safety").json["ids"]["course"]
    two.run("state", "rm", "--drop-ids", "course.a", "--slice", "safety")
    two.run("adopt", f"course.a={id_}", "--slice", "sales")

    assert 0 == two.apply("--slice", "sales").code
    assert 0 == two.apply("--slice", "safety").code
    assert ["course.a", "course.b"] == managed(two, "sales")
    assert number == len(platform.dump("courses"))


def test_a_new_key_in_another_slice_is_not_made_twice(two: Workspace) -> None:
    """`moved` does not lead from one state into another."""
    two.apply("--slice", "sales")
    (two.root / "safety/a.yaml").unlink()
    (two.root / "sales/b.yaml").unlink()
    put(two, "safety/c.yaml", "moved: [{from: course.b}]\n")

    assert "course.b is recorded in the state of the slice `sales`" in blocked(two, "safety")


def test_a_reference_to_something_forgotten(two: Workspace) -> None:
    """What the other slice no longer manages is not referred to anew."""
    two.apply("--slice", "sales")
    two.run("state", "forget", "course.b", "--slice", "sales")

    assert "it needs course.b of the slice `sales`" in blocked(two, "safety")


def test_a_lost_state_of_another_slice(two: Workspace) -> None:
    """Its courses are missing in words; what does not refer to them can be applied."""
    two.apply("--slice", "sales")
    for file in (two.root / ".lmssync").glob("sales.db*"):
        file.unlink()
    put(two, "safety/c.yaml")

    made = actions(two.plan("--slice", "safety"))

    assert {"course.a": "blocked", "course.c": "create"} == made


def test_a_locked_slice_does_not_lock_the_other(two: Workspace) -> None:
    """Two slices can be applied at once: each run locks its own state."""
    put(two, "safety/c.yaml")
    two.apply("--slice", "sales")

    with Store(two.root / ".lmssync/sales.db").hold_state():
        assert 0 == two.apply("--slice", "safety").code
        assert "is locked by" in two.run("apply", "--yes", "--slice", "sales").err

    assert ["course.a", "course.c"] == managed(two, "safety")


def test_a_lost_answer_stays_in_its_slice(two: Workspace, platform: Platform) -> None:
    """Of a call whose outcome is unknown, the other slice makes nothing either."""
    platform.fault("drop-after", "course.create")
    two.apply("--slice", "sales")
    move(two, "sales/b.yaml", "safety")

    assert "course.b is recorded in the state of the slice `sales`" in blocked(two, "safety")
    assert "(unknown)" in two.run("status", "--slice", "sales").out


def test_a_saved_plan_is_of_one_slice(two: Workspace) -> None:
    """Another slice refuses it, also while neither has made anything."""
    two.run("plan", "--out", "b.plan", "--slice", "sales")

    refused = two.run("apply", "b.plan", "--slice", "safety")

    assert refused.code not in {0, BLOCKED}
    assert [] == managed(two, "safety")
    assert 0 == two.run("apply", "b.plan", "--slice", "sales").code


def test_a_state_from_outside_names_the_slice(two: Workspace, monkeypatch) -> None:
    """One place for all slices would be one state."""
    monkeypatch.setenv("LMSSYNC_STATE", "sqlite:///elsewhere.db")
    assert "write `{slice}` into LMSSYNC_STATE" in two.run("status", "--slice", "sales").err
    monkeypatch.setenv("LMSSYNC_STATE", f"sqlite:///{two.root}/out/{{slice}}.db")
    assert 0 == two.apply("--slice", "sales").code
    assert (two.root / "out/sales.db").exists()


def test_issues_and_messages_name_the_slice(two: Workspace) -> None:
    """Those of two slices of one environment do not take the place of each other."""
    env = two.env | {"LMSSYNC_SLICE": "safety"}
    assert "sandbox, slice safety" == open_workspace(two.root, None, env).label


def test_a_slice_gets_another_name(two: Workspace) -> None:
    """Its state moves first; then nothing looks new, as docs/slices.md says."""
    two.run("apply", "--yes", "--slice", "sales")
    assert 0 == two.run("state", "move", "sqlite:///.lmssync/market.db", "--slice", "sales").code
    two.write("lmssync.yaml", PROJECT + SLICES.replace("sales:", "market:"))
    assert [] == two.plan("--slice", "market")["changes"]


def test_a_catalog_with_a_state_gives_it_to_a_slice(two: Workspace) -> None:
    """What belongs to the other slice is blocked in both, and not made twice."""
    two.write("lmssync.yaml", PROJECT)
    two.apply()
    two.run("state", "move", "sqlite:///.lmssync/sales.db")
    two.write("lmssync.yaml", PROJECT + SLICES)
    assert "its manifest is in the slice `safety` now" in blocked(two, "sales")
    assert "is recorded in the state of the slice `sales`" in blocked(two, "safety")


def test_a_watch_leaves_the_release_of_another_slice_to_that(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so until that slice has applied it, and applies its own."""
    work.write("lmssync.yaml", PROJECT + SLICES)
    for name, file in (("spring", "safety/a.yaml"), ("autumn", "sales/b.yaml")):
        put(work, file)
        release(work, name, f"addresses: [course.{Path(file).stem}]")
    monkeypatch.setenv("LMSSYNC_SLICE", "sales")
    done = work.run("watch", "--once", "--apply")
    assert (done.code, platform.titles()) == (0, ["Title of b"])
    assert "the release spring is left to the slice `safety`" in done.err
    assert 0 == work.apply("--release", "spring", "--slice", "safety").code
    assert "spring" not in work.run("watch", "--once", "--apply").err
    release(work, "both", "addresses: ['course.*']")
    refused = work.run("plan", "--release", "both")
    assert "in the slices `safety` and `sales`, so none of them applies it" in refused.err


LICENSE = """\
resource: license
key: acme
client: acme
name: Acme
courses: []
learningPaths: []
courseTags: [Safety]
"""


@pytest.mark.parametrize("before", ["trade", ""])
def test_a_slice_that_was_renamed_makes_nothing_twice(
    work: Workspace, platform: Platform, before: str
) -> None:
    """No read shows a license without a sku: the plan names the command that moves the state."""
    former = PROJECT + (SLICES.replace("sales: ", f"{before}: ") if before else "")
    options = ["--slice", before] if before else []
    work.write("lmssync.yaml", former)
    work.write("sales/acme.yaml", LICENSE)
    assert work.apply(*options).code == 0
    work.write("lmssync.yaml", PROJECT + SLICES)

    refused = work.run("plan", "--slice", "sales")

    assert refused.code == 1
    (advice,) = re.findall(r"`(state move .*?)`", " ".join(refused.err.split()))
    work.write("lmssync.yaml", former)
    assert work.run(*advice.split(), *options).code == 0
    work.write("lmssync.yaml", PROJECT + SLICES)
    done = work.run("apply", "--yes", "--slice", "sales")
    assert (done.code, len(platform.requests(route="license.create"))) == (0, 1), done.err


def test_an_apply_of_a_renamed_slice_sends_nothing(work: Workspace, platform: Platform) -> None:
    """Until somebody says that it is a new one."""
    work.write("lmssync.yaml", PROJECT)
    work.write("sales/acme.yaml", LICENSE)
    assert work.apply().code == 0
    work.write("lmssync.yaml", PROJECT + SLICES)
    refused = work.apply("--slice", "sales")
    assert (refused.code, len(platform.requests(route="license.create"))) == (1, 1)
    assert work.apply("--slice", "sales", "--new-state").code == 0


def test_other_files_beside_the_states_do_not_matter(two: Workspace) -> None:
    """What is no state is nothing that a slice could have left."""
    folder = two.root / ".lmssync"
    folder.mkdir()
    (folder / "text.db").write_text("no database")
    (folder / "empty.db").touch()
    (folder / "folder.db").mkdir()
    sqlite3.connect(folder / "other.db").execute("CREATE TABLE record (address TEXT)").close()
    assert two.run("plan", "--slice", "sales").code == 0
    assert (folder / "text.db").read_text() == "no database"
