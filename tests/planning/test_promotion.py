"""A change is made in one environment only after another one has it."""

from collections.abc import Iterator

import pytest

from tests.served_catalog import COURSE, Platform, Workspace, serving

FORBIDDEN, PARTIAL = 3, 7
PROJECT = """\
version: 1
state: sqlite:///.lmssync/{environment}.db
environments:
  staging: {baseUrl: "STAGING"}
  production: {baseUrl: "PRODUCTION", promoteFrom: staging}
"""


@pytest.fixture(scope="module")
def _production() -> Iterator[Platform]:
    with serving() as production:
        yield production


@pytest.fixture
def release(
    work: Workspace, platform: Platform, _production: Platform, monkeypatch: pytest.MonkeyPatch
) -> Workspace:
    """One course and two platforms, which take the same key."""
    _production.renew()
    monkeypatch.delenv("LMSSYNC_BASE_URL")
    text = PROJECT.replace("PRODUCTION", _production.base_url)
    work.write("lmssync.yaml", text.replace("STAGING", platform.base_url))
    work.course("a")
    return work


def to(environment: str, work: Workspace, *args: str) -> int:
    return work.run("apply", "--yes", "-e", environment, *args).code


def test_what_was_not_tried_is_not_released(release: Workspace) -> None:
    """The guard says where the change has to go first, and then lets it pass."""
    assert FORBIDDEN == to("production", release)
    done = release.run("plan", "-e", "production")
    assert "apply it to staging first" in done.out

    assert [0, 0] == [to("staging", release), to("production", release)]


LIST = """\
resource: licenseAssignment
key: lads
licenses: [7d1c0000-0000-4000-8000-000000000613]
users:
  - {email: chloe.dubois@brightwater.example}
  - {email: no.one@brightwater.example}
"""
WITHOUT = "staging has assignment.lads without 1 person of its list"


def test_people_whom_the_first_platform_does_not_know(release: Workspace) -> None:
    """The verdict does not say to apply it there, since that was done and changes nothing."""
    release.write("lads.yaml", LIST)
    assert PARTIAL == to("staging", release)

    said = release.run("plan", "-e", "production").out
    assert (True, False) == (WITHOUT in said, "apply it to staging first" in said)
    assert FORBIDDEN == to("production", release)

    release.write("lads.yaml", LIST.replace("0613", "0612"))
    assert "apply it to staging first" in release.run("plan", "-e", "production").out


def test_a_later_change_has_to_be_tried_as_well(release: Workspace) -> None:
    """That staging has the course is not enough: it must be as git wants it there."""
    assert [0, 0] == [to("staging", release), to("production", release)]
    release.write("a.yaml", COURSE.replace("KEY", "a").replace("Good morning", "Good evening"))

    assert FORBIDDEN == to("production", release)
    assert 0 == to("production", release, "--allow", "course.a")


def test_what_differs_on_purpose(release: Workspace) -> None:
    """An overlay may make staging different: what counts is that it is as wanted there."""
    release.write("overlays/staging/a.yaml", "resource: course\nkey: a\ntitle: On staging\n")

    assert [0, 0] == [to("staging", release), to("production", release)]


def test_the_same_is_wanted_of_both(release: Workspace) -> None:
    """Both plans have one digest of their intentions, although an overlay makes them differ."""
    release.write("overlays/staging/a.yaml", "resource: course\nkey: a\ntitle: On staging\n")
    tried = release.run("plan", "-e", "staging", "--json").json["intentions"]
    assert 0 == to("staging", release)

    released = release.run("plan", "-e", "production", "--json").json["intentions"]
    assert tried == released
    assert f"Intentions: {tried}" in release.run("plan", "--full", "-e", "production").out

    release.course("b")
    assert tried != release.run("plan", "-e", "production", "--json").json["intentions"]


def test_a_saved_plan_keeps_its_verdict(release: Workspace) -> None:
    """It was made from a commit that nobody may have checked out any more."""
    release.run("plan", "-e", "production", "--out", "plan.json")

    assert FORBIDDEN == to("production", release, "plan.json")


@pytest.mark.parametrize("name", ["stging", "production"])
def test_where_nothing_comes_from(release: Workspace, name: str) -> None:
    """`promoteFrom` names another environment that exists."""
    text = (release.root / "lmssync.yaml").read_text()
    release.write("lmssync.yaml", text.replace("promoteFrom: staging", f"promoteFrom: {name}"))
    done = release.run("validate")
    assert "error[promote-from]" in done.out
