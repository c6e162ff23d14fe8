"""What `state history` tells of a catalog that was worked with."""

from datetime import UTC, datetime, timedelta

import pytest

from lmssync.applying.apply import platform_work
from lmssync.platform.client import send_deadline as announced
from tests.patience import PATIENCE
from tests.served_catalog import LANDED, Platform, Workspace

USAGE = 64


@pytest.fixture(autouse=True)
def _in_time(work: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, no call is too late after its entry and gets another one."""
    monkeypatch.setattr(announced, "PROMPT", PATIENCE)
    monkeypatch.setattr(platform_work, "MARGIN", LANDED - 2 * PATIENCE)


def words(work: Workspace, *args: str) -> list[str]:
    return [
        entry["what"] for entry in work.run("state", "history", "--json", *args).json["entries"]
    ]


def test_the_newest_is_last(work: Workspace) -> None:
    """Creating and forgetting a course is told in the order in which it happened."""
    work.course("a")
    work.apply()
    (work.root / "a.yaml").unlink()
    work.apply()

    lines = work.run("state", "history").out.splitlines()

    assert ["sent", "answered", "recorded", "forgotten"] == [
        line.split()[1] for line in lines if "course.a" in line
    ]
    assert "course.create: course.a  (plan " in lines[0]


def test_many_addresses_are_folded(work: Workspace) -> None:
    """A line names the first addresses of a call and counts the others; JSON names all."""
    for number in range(6):
        work.course(f"c{number}")
    work.apply()

    sent = work.run("state", "history").out.splitlines()[0]
    entry = work.run("state", "history", "--json").json["entries"][0]

    assert "course.c0, course.c1, course.c2 and 3 more" in sent
    assert [f"course.c{number}" for number in range(6)] == entry["addresses"]


def test_a_pattern_shows_what_happened_to_one(work: Workspace) -> None:
    """Only what is about the resource is told, and the line names it first."""
    for number in range(6):
        work.course(f"c{number}")
    work.apply()
    work.course("other")
    work.apply()

    lines = work.run("state", "history", "course.c5").out.splitlines()

    assert all("course.c5" in line for line in lines)
    assert not any("course.other" in line for line in lines)


def test_what_moved_is_found_under_both_names(work: Workspace) -> None:
    """The move is part of the history of the old address and of the new one."""
    work.course("a")
    work.apply()
    (work.root / "a.yaml").unlink()
    work.course("b", "moved: [{from: course.a}]\n", edit=("Title of KEY", "Title of a"))
    work.apply()

    assert "course.a → course.b" in work.run("state", "history", "course.a").out
    assert ["moved"] == words(work, "course.b")


def test_an_unknown_outcome_and_its_answer(work: Workspace, platform: Platform) -> None:
    """A lost call is told as unknown, and what a person has decided about it as said."""
    work.course("a")
    platform.fault("drop-before", "course.create")
    work.apply()
    work.run("resolve", "course.a", "--not-created")

    assert ["sent", "unknown", "said", "closed"] == words(work)


def test_since_and_limit(work: Workspace) -> None:
    """`--since` leaves out what was before, `--limit` all but the newest."""
    work.course("a")
    work.apply()
    tomorrow = datetime.now(UTC) + timedelta(days=1)

    assert [] == words(work, "--since", tomorrow.date().isoformat())
    assert words(work) == words(work, "--since", "2020-01-01")
    assert words(work)[-1:] == words(work, "--limit", "1")


def test_wrong_use(work: Workspace) -> None:
    """A date that is none, and an address that the journal does not know, are refused."""
    for args in (["--since", "yesterday"], ["course.a"]):
        assert USAGE == work.run("state", "history", *args).code


def test_a_new_state_has_no_history(work: Workspace) -> None:
    """Where nothing has happened, the command says so."""
    assert "Nothing.\n" == work.run("state", "history").out
