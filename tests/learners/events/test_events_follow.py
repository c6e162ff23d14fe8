"""`lmssync events tail`, `listen` and `export`: events as they come, and those that have come."""

import csv
import io
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

import orjson
import pytest

from tests.patience import wait_for_exit
from tests.served_catalog import Platform, Workspace

from ... import patient_http
from .test_events import COURSE, happened, marks, minute, pulled

SECRET = "a-path-nobody-guesses"


@contextmanager
def running(work: Workspace, *args: str) -> Iterator[Iterator[bytes]]:
    """A command that goes on until Ctrl-C, which it takes for a good end; what it prints."""
    with work.start("events", *args) as run:
        watch = Timer(300, run.kill)  # then the output ends, and the test fails
        watch.start()
        assert run.stdout
        try:
            yield run.stdout
            run.send_signal(signal.SIGINT)
            assert 0 == wait_for_exit(run)
        finally:
            watch.cancel()
            run.kill()


def test_tail_prints_what_comes(work: Workspace, platform: Platform):
    """Each event once, with a code in the place of its person."""
    platform.order("school")
    platform.order("limits", {"eventAPI": 10_000})  # else it waits after some rounds, and says so
    person = platform.dump("users")[-1]
    with running(work, "tail", "--every", "1", "--json") as lines:
        assert b"Waiting for events" in next(lines)
        happened(platform, {"type": "progress", "courseId": COURSE, "userId": person["id"]})
        row = orjson.loads(next(lines))
        happened(platform, {"type": "completed", "courseId": COURSE, "userId": person["id"]})
        assert row["person"] == orjson.loads(next(lines))["person"] != person["id"]
    assert ("progress", COURSE) == (row["type"], row["subject"])


def test_tail_of_a_feed_that_is_not_there_ends_with_words(work: Workspace, platform: Platform):
    """Nothing would ever come; another feed is waited for, and the missing one is named."""
    done = work.run("events", "tail", "--kind", "courseView")
    assert (64, True) == (done.code, "the platform has no feed of courseView" in done.err)
    with running(work, "tail", "--kind", "courseView", "--kind", "quizAttempt") as lines:
        assert b"not waited for: the platform has no feed of courseView (404)" in next(lines)
        assert b"Waiting for events" in next(lines)


def test_tail_prints_what_is_known_though_nothing_can_come(work: Workspace, platform: Platform):
    """The index has events of a feed that the platform does not show any more."""
    happened(platform, minute(0), minute(5))
    assert 0 == work.run("events", "pull", "--kind", "courseAction").code
    platform.fault("answer", "event.list", status=404, body={"message": "Not Found"}, times=9)

    done = work.run("events", "tail", "--since", "2026-01-05", "--kind", "courseAction")

    assert (64, 2) == (done.code, done.out.count("courseAction")), done.err


@pytest.mark.slow
def test_tail_begins_with_what_is_known(work: Workspace, platform: Platform):
    """Where `--since` asks for it."""
    happened(platform, minute(0), minute(5))
    with running(work, "tail", "--since", "2026-01-05T00:05Z") as lines:
        assert b"2026-01-05 00:05:00Z  courseAction" in next(lines)
        assert b"Waiting for events" in next(lines)


@pytest.mark.slow
def test_a_notification_wakes_a_pull(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
):
    """Only what the feeds show is counted, since nobody signs what is posted; and it once."""
    monkeypatch.setenv("LMSSYNC_LISTEN_SECRET", SECRET)
    with running(work, "listen", "--port", "0") as lines:
        address = orjson.loads(next(lines))["listening"] + SECRET
        made_up = {"id": "1", "notifiableId": COURSE, "type": "enrolled", "timestamp": "2026-01-01"}
        assert 200 == patient_http.post(address, json=made_up).status_code
        platform.order("notifications", {"url": address})
        happened(platform, minute(0), minute(0))
        assert 2 == orjson.loads(next(lines))["new"]
    assert 2 == len(marks(work))


@pytest.mark.parametrize("secret", ["", "short", "with/slash/and/enough/letters"])
def test_a_secret_that_can_be_guessed_is_refused(
    work: Workspace, monkeypatch: pytest.MonkeyPatch, secret: str
):
    """Whoever finds the address could make the tool pull without end."""
    monkeypatch.setenv("LMSSYNC_LISTEN_SECRET", secret)
    done = work.run("events", "listen")
    assert (64, True) == (done.code, "16 to 200 letters and digits" in done.err)
    (program,) = re.findall(r"python3 -c '(.*)'", done.err)
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert re.fullmatch(rb"[0-9a-f]{32}\s*", made.stdout)


def exported(work: Workspace, *args: str) -> str:
    done = work.run("events", "export", *args)
    assert 0 == done.code, done.err
    return done.out


def test_export_has_a_row_for_each_event(work: Workspace, platform: Platform):
    """As lines of JSON and as CSV, the same in both, oldest first."""
    platform.order("school")
    pulled(work)
    rows = [orjson.loads(line) for line in exported(work).splitlines()]
    table = list(csv.DictReader(io.StringIO(exported(work, "--format", "csv"))))
    assert len(platform.dump("events")) == len(rows)
    assert table == [{name: value or "" for name, value in row.items()} for row in rows]
    assert sorted(row["time"] for row in rows) == [row["time"] for row in rows]


def test_parquet_has_the_same_rows(work: Workspace, platform: Platform):
    """With times as times."""
    parquet = pytest.importorskip("pyarrow.parquet")
    happened(platform, minute(0), minute(1))
    pulled(work)
    exported(work, "--format", "parquet", "--out", "events.parquet")
    rows = parquet.read_table(work.root / "events.parquet").to_pylist()
    assert [0, 1] == [row["time"].minute for row in rows]
    assert [COURSE] * 2 == [row["subject"] for row in rows]


def test_parquet_says_which_package_it_needs(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
):
    """And leaves no file."""
    pulled(work)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = work.run("events", "export", "--format", "parquet", "--out", "events.parquet")
    assert (64, True) == (done.code, "[parquet]" in done.err)
    assert not (work.root / "events.parquet").exists()


def test_an_export_can_be_limited(work: Workspace, platform: Platform):
    """By feed, an older one too, and by time."""
    happened(platform, minute(0, type="enrolled"), minute(1), minute(2, type="completed"))
    pulled(work)
    options = [
        ("--kind", "courseCompletion"),
        ("--since", "2026-01-05T00:01Z"),
        ("--kind", "login"),
    ]
    assert [1, 2, 0] == [exported(work, *one).count("\n") for one in options]


def test_an_export_has_each_feed_that_was_pulled(work: Workspace, instance: Platform):
    """Views too, and without the feed that counts need."""
    view = {"timestamp": "2026-01-05T10:00:00Z", "user": "ann@x.example", "courseId": COURSE}
    instance.order("events", {"kind": "courseView", "recorded": [view]})
    pulled(work, "--kind", "courseView")
    assert ["courseView"] == [orjson.loads(line)["kind"] for line in exported(work).splitlines()]


def test_nothing_to_export_is_no_empty_table(work: Workspace):
    """Somebody has forgotten to pull."""
    done = work.run("events", "export")
    assert (64, True) == (done.code, "run `lmssync events pull`" in done.err)


def test_show_counts_by_address(work: Workspace, platform: Platform):
    """Courses, with the topics of one that is named; what is not recorded has its id."""
    work.course("fire")
    assert 0 == work.apply().code
    course, ben = platform.dump("courses")[-1]["id"], platform.dump("users")[0]["id"]
    quiz = next(t["id"] for t in platform.dump("topics") if t["title"] == "Check")
    happened(platform, minute(0, type="enrolled", userId=ben))
    happened(platform, minute(1, type="started", courseId=course, userId=ben))
    passed = {"courseId": course, "userId": ben, "assessment": {"id": quiz}, "passed": True}
    happened(platform, passed | {"timestamp": "2026-01-05T00:02Z"}, kind="quizAttempt")
    pulled(work)
    everything = work.run("events", "show").out
    assert [["course.fire", "1"], [COURSE, "1"]] == [
        line.split()[:2] for line in everything.splitlines()[1:-1]
    ]
    shown = work.run("events", "show", "course.fire", "--json").json["learners"]
    assert [("course.fire", None, 0), ("course.fire", "start/one/check", 1)] == [
        (one["name"], one["part"], one["finished"]) for one in shown
    ]


def test_a_time_that_is_to_come_is_refused(work: Workspace, platform: Platform):
    """Nothing can have happened since then."""
    done = work.run("events", "pull", "--since", "2999-01-01")
    assert (64, True) == (done.code, "`2999-01-01` is in the future" in done.err)
