"""An edit by hand after somebody attested that a topic is filled makes the course hollow again."""

from typing import Any

import pytest

from tests.planning.test_changes_by_people import edit
from tests.platform.live.conftest import _sandboxes, platform, profile
from tests.served_catalog import EXTENDED, PROJECT, Platform, Workspace

__all__ = ["_sandboxes", "platform", "profile"]  # fixtures
QUIZ = "{id: check, title: Check, type: quiz"
PATH = "sections[start].lessons[one].topics[check]"
YEAR = {"advanceSeconds": 400 * 86_400}


def attest(work: Workspace, said: str = "", title: str = "Check", more: str = "") -> None:
    """The course, with what somebody says of its quiz."""
    said = f", attested: {{by: Ann, {said}}}" if said else ""
    work.course("a", more, edit=(QUIZ, QUIZ.replace("title: Check", f"title: {title}") + said))


def stamp(platform: Platform) -> str:
    """When the platform says that the quiz was changed last."""
    return next(str(t["updatedAt"]) for t in platform.dump("topics") if t["type"] == "quiz")


@pytest.fixture
def filled(work: Workspace, platform: Platform, profile: str) -> Workspace:
    """A draft whose quiz was filled by hand and attested, on an instance of either profile."""
    work.write("lmssync.yaml", EXTENDED if profile == "extended" else PROJECT)
    attest(work)
    assert 0 == work.apply().code
    attest(work, f"on: {stamp(platform)[:10]}, updatedAt: '{stamp(platform)}'")
    return work


def change_quiz(platform: Platform) -> None:
    platform.order("clock", YEAR)
    edit(platform, "topics", "Check", caption="By hand")


def find_aged(work: Workspace) -> Any:
    findings = work.run("drift", "--json").json["findings"]
    return [aged for one in findings for aged in one["aged"]]


def test_an_untouched_topic_is_no_drift(filled: Workspace):
    """What is as it was attested is not named."""
    assert 0 == filled.run("drift").code


def test_drift_says_since_when(filled: Workspace, platform: Platform):
    """A later edit is a finding: when it was filled, and when changed."""
    change_quiz(platform)
    done = filled.run("drift")
    changed = f"changed on {stamp(platform)[:10]} by hand"
    assert (2, True) == (done.code, "filled on" in done.out and changed in done.out)
    assert [PATH] == [aged["path"] for aged in find_aged(filled)]


def test_validate_online_says_so_at_the_line(filled: Workspace, platform: Platform):
    """`validate --online` warns at the attestation, and shows what to write."""
    assert "attested-aged" not in filled.run("validate", "--online").out
    change_quiz(platform)
    done = filled.run("validate", "--online")
    assert "a.yaml:14:" in done.out
    assert f"updatedAt: {stamp(platform)}" in done.out


@pytest.mark.parametrize("profile", ["core", "extended"], indirect=True)
def test_publishing_stops(filled: Workspace, platform: Platform):
    """The course is not opened to learners until somebody has attested it anew."""
    change_quiz(platform)
    said = f"on: {stamp(platform)[:10]}, updatedAt: '{stamp(platform)}'"
    attest(filled, "on: 2026-01-01", more="status: published\n")
    done = filled.apply()
    assert (7, True) == (done.code, "was filled on 2026-01-01, changed on" in done.out)
    attest(filled, said, more="status: published\n")
    assert 0 == filled.apply().code


def test_a_day_lasts_until_it_is_over_everywhere(filled: Workspace, platform: Platform):
    """Without `updatedAt`, an edit on the day of the attestation is not named."""
    platform.order("clock", YEAR)
    edit(platform, "topics", "Check", caption="By hand")
    attest(filled, f"on: {stamp(platform)[:10]}")
    assert [] == find_aged(filled)


def test_our_own_writes_are_no_edits(filled: Workspace, platform: Platform):
    """A title that lmssync has changed since does not age the attestation, also not later."""
    said = f"on: {stamp(platform)[:10]}, updatedAt: '{stamp(platform)}'"
    platform.order("clock", {"advanceSeconds": 30})
    attest(filled, said, title="Questions")
    assert 0 == filled.apply().code
    assert [] == find_aged(filled)


def attest_version(platform: Platform) -> str:
    """What somebody says of the quiz as it is now."""
    return f"on: {stamp(platform)[:10]}, updatedAt: '{stamp(platform)}'"


def test_an_edit_after_the_plan_was_saved(filled: Workspace, platform: Platform):
    """A saved plan neither opens the course nor asks a person to: what was attested is gone."""
    attest(filled, attest_version(platform), more="status: published\n")
    assert 0 == filled.run("plan", "--out", "p.plan").code
    change_quiz(platform)
    done = filled.run("apply", "p.plan", "--yes")
    assert (5, True) == (done.code, f"course.a: {PATH}" in done.err)
    assert "0 open steps" in filled.run("status").out


@pytest.mark.parametrize("profile", ["core"], indirect=True)
def test_drift_withdraws_the_step(filled: Workspace, platform: Platform):
    """Nobody is asked to publish a course that was edited; once it is attested, they are again."""
    attest(filled, attest_version(platform), more="status: published\n")
    assert 0 == filled.apply().code
    assert "set the status" in filled.run("status").out
    change_quiz(platform)
    assert 2 == filled.run("drift").code
    assert "0 open steps" in filled.run("status").out
    attest(filled, attest_version(platform), more="status: published\n")
    assert "set the status" in filled.apply().out


@pytest.mark.parametrize("profile", ["core"], indirect=True)
def test_a_deleted_topic_is_filled_no_more(filled: Workspace, platform: Platform):
    """`validate --online` says so; no empty topic is made in its place, nor the course opened."""
    said = attest_version(platform)
    platform.delete("topics", title="Check")
    assert "and is gone" in filled.run("validate", "--online").out
    assert 7 == filled.apply("--recreate", "course.a", "--refresh", "all").code
    attest(filled, said, more="status: published\n")
    assert "delete its `attested`" in filled.apply().out


@pytest.mark.parametrize("profile", ["core"], indirect=True)
def test_the_clock_of_the_platform_may_differ(filled: Workspace, platform: Platform):
    """A write of ours is recognised after a second one, although our clock is two hours behind."""
    said = attest_version(platform)
    platform.order("clock", {"advanceSeconds": 7200})
    attest(filled, said, title="Questions")
    assert 0 == filled.apply().code
    attest(filled, said, title="Questions", more="isbn: '9783161484100'\n")
    assert 0 == filled.apply().code
    assert [] == find_aged(filled)


@pytest.mark.parametrize("profile", ["core"], indirect=True)
def test_an_edit_just_before_a_write_of_ours(filled: Workspace, platform: Platform):
    """It is still named after an apply that comes a moment later and changes something else."""
    said = attest_version(platform)
    platform.order("clock", {"advanceSeconds": 40})
    edit(platform, "topics", "Check", caption="By hand")
    platform.order("clock", {"advanceSeconds": 10})
    attest(filled, said, more="isbn: '9783161484100'\n")
    assert 0 == filled.apply().code
    assert [PATH] == [aged["path"] for aged in find_aged(filled)]


@pytest.mark.parametrize("profile", ["core"], indirect=True)
def test_an_edit_a_second_later_is_another_version(filled: Workspace, platform: Platform):
    """`updatedAt` is compared to the second, for it names one version."""
    change_quiz(platform)
    attest(filled, attest_version(platform))
    assert [] == find_aged(filled)
    platform.order("clock", {"advanceSeconds": 1})
    edit(platform, "topics", "Check", caption="By hand")
    assert [PATH] == [aged["path"] for aged in find_aged(filled)]
