"""A disk that is full: it is said, nothing is half written, and what was sent is on record."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.learners.test_operations import demo, record, recorded, row, write
from tests.making import commit
from tests.protocol.person import answer_waiting, settle
from tests.protocol.small import small
from tests.served_catalog import EXTENDED, PROJECT, Platform, Workspace
from tests.sync.platform_import.test_import import _made, filled

from .backends.conftest import s3

__all__ = ["_made", "filled", "s3"]  # fixtures
DONE, ERROR, PARTIAL, WRONG_USE = 0, 1, 7, 64
ROOM = range(0, 400, 8)
"""KiB that are left: an apply that makes a state needs some 350."""
ROOMS = [
    room if number % 6 == 0 else pytest.param(room, marks=pytest.mark.exhaustive)
    for number, room in enumerate(ROOM)
]
SOURCE = ("--format", "markdown", ".source")
GUIDE = "# Welcome\n\n## Start\n\n### One\n\nGood morning\n"
RELEASE = "release: autumn\nabout: The autumn.\nowner: '@ana'\naddresses: [course.a]\n"
RECORD = ("activity", "learning-path", "record", "day.csv", "--yes")
LOOSE = "key: b\nresource: course\nkind: courseGroup\ntitle:   B\n" + "# a comment\n" * 900


class Disk:
    """A file system of its own, in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def leave(self, room: int) -> None:
        """So many KiB stay free."""
        free = os.statvfs(self.folder).f_bavail * os.statvfs(self.folder).f_frsize
        (self.folder / "filler").write_bytes(bytes(max(0, free - room * 1024)))

    def clear(self) -> None:
        (self.folder / "filler").unlink()


@pytest.fixture
def disk(work: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """Everything that a run writes lies on it."""
    folder = tmp_path / "disk"
    folder.mkdir()
    size = ("-o", "size=2m,mode=700")
    mounts = ["mount", "-t", "tmpfs", *size, "lmssync", str(folder)]
    if sys.platform != "linux" or subprocess.run(mounts, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    monkeypatch.setattr(
        "lmssync.cli.exits._silence_output", lambda: None
    )  # pytest has no such file
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    work.root = folder / "catalog"
    work.write("lmssync.yaml", PROJECT)
    os.chdir(work.root)
    yield Disk(folder)
    os.chdir(tmp_path)
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def code(work: Workspace, *command: str) -> int:
    """How a command ends: well, or with words that say what is missing."""
    done = work.run(*command)
    words = done.err.partition("error: ")[2]
    assert (done.code != DONE) is ("full" in words or "space" in words), done.err
    assert "Traceback" not in done.err + done.out
    return done.code


def left_over(disk: Disk) -> list[str]:
    """Files that were begun and not finished."""
    return [file.name for file in disk.folder.rglob("*.tmp")]


@pytest.fixture(params=["file", "s3"])
def at_home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state is a file on the disk, or a replica that is on it."""
    small(monkeypatch.setattr, monkeypatch.setitem)
    if request.param == "s3":
        request.getfixturevalue("s3")
        monkeypatch.setenv("LMSSYNC_STATE", "s3://bucket/states")
        monkeypatch.setenv("LMSSYNC_PEOPLE_KEY", "0f" * 32)


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("room", ROOMS)
def test_an_apply_ends_in_words_and_goes_on(
    disk: Disk, work: Workspace, platform: Platform, room: int
):
    """What was sent is known once there is room: nothing is made twice, and nothing is missing."""
    work.course("a")
    disk.leave(room)
    assert code(work, "apply", "--yes") in {DONE, ERROR}
    assert [] == left_over(disk)
    disk.clear()
    assert DONE == code(work, "plan")
    settle(work, platform)
    assert (["Title of a"], []) == (platform.titles(), work.plan()["changes"])


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize(
    "command",
    [("plan", "--out", "p.json"), ("fmt",), ("import", *SOURCE)],
    ids=lambda command: command[0],
)
def test_no_file_is_half_written(
    disk: Disk, work: Workspace, platform: Platform, command: Sequence[str], room: int
):
    """What is there is whole, and the same command does the rest once there is room."""
    work.course("a")
    work.write("b.yaml", LOOSE)
    work.write(".source/guide.md", GUIDE)
    disk.leave(room)
    assert code(work, *command) in {DONE, ERROR, WRONG_USE}
    assert [] == left_over(disk)
    disk.clear()
    assert DONE == code(work, "validate")
    assert DONE == code(work, *command, *(["--force"] if command[-1] == ".source" else []))
    assert DONE == code(work, "validate")
    assert [] == [one for one in platform.requests() if one["method"] != "GET"]


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("room", ROOMS)
def test_a_release_goes_on_where_it_stopped(
    disk: Disk, work: Workspace, platform: Platform, room: int
):
    """It says what is open, and is complete once there is room, with nothing made twice."""
    work.course("a")
    work.write("releases/autumn.yaml", RELEASE)
    disk.leave(room)
    assert code(work, "apply", "--yes", "--release", "autumn") in {DONE, ERROR}
    assert [] == left_over(disk)
    disk.clear()
    for _ in range(3):
        done = work.apply("--release", "autumn")
        answer_waiting(work, platform)
    assert (DONE, ["Title of a"]) == (done.code, platform.titles())
    listed = work.run("release", "list", "--all", "--json").json["releases"]
    assert ["complete"] == [one["stage"] for one in listed]


@pytest.mark.parametrize("room", ROOMS)
def test_a_revert_is_whole_or_not_there(disk: Disk, work: Workspace, room: int):
    """Without room for its commit there is no branch, and the catalog is as before."""
    work.course("a")
    work.write("releases/autumn.yaml", RELEASE)
    commit(work.root)
    assert DONE == work.apply("--release", "autumn").code
    disk.leave(room)
    ended = code(work, "release", "revert", "autumn")
    assert ended in {DONE, ERROR, WRONG_USE}
    disk.clear()
    branch = ("git", "-C", work.root, "rev-parse", "-q", "--verify", "revert-autumn")
    assert (ended == DONE) is (0 == subprocess.run(branch, check=False).returncode)
    assert ended == DONE or DONE == code(work, "release", "revert", "autumn")
    assert [] == left_over(disk)


@pytest.mark.parametrize("room", ROOMS)
def test_notes_are_whole_or_not_there(disk: Disk, work: Workspace, platform: Platform, room: int):
    """A file that was there stays. A note of the limits that cannot be written stops nothing."""
    work.course("a")
    assert DONE == work.apply().code
    platform.order("switches", {"accountFigures": "standard"})
    work.write("notes.html", "before")
    disk.leave(room)
    ended = code(work, "notes", "..", "--format", "html", "--out", "notes.html")
    assert (ended == DONE) is ("before" != (work.root / "notes.html").read_text())
    assert code(work, "drift") in {DONE, ERROR}
    assert [] == left_over(disk)


@pytest.mark.slow
@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("room", ROOM[::12])
def test_a_list_goes_on_where_it_stopped(
    disk: Disk, work: Workspace, platform: Platform, room: int
):
    """Each row is sent once, however much of the list there was room for."""
    people = [demo(number) for number in range(401, 413)]
    write(work, *map(row, range(401, 413)))
    disk.leave(room)
    assert code(work, *RECORD) in {DONE, ERROR}
    disk.clear()
    assert DONE == record(work).code
    assert dict.fromkeys(people, 1) == recorded(platform)


@pytest.mark.slow
@pytest.mark.xdist_group("import")
@pytest.mark.parametrize("room", ROOM[::12])
def test_an_import_goes_on_where_it_stopped(
    disk: Disk, work: Workspace, filled: Platform, room: int
):
    """What was imported is managed, the same command brings in the rest, and the plan is empty."""
    work.write("lmssync.yaml", EXTENDED)
    disk.leave(room)
    assert code(work, "import", "--all") in {DONE, ERROR, PARTIAL}
    assert [] == left_over(disk)
    disk.clear()
    assert DONE == code(work, "validate")
    assert work.run("import", "--all").code in {DONE, PARTIAL}
    assert [] == work.plan()["changes"]
