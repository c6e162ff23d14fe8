"""A plan without a key and without the platform."""

import json

import pytest

from tests.served_catalog import COURSE, Platform, Workspace, counted

USAGE = 64


@pytest.fixture
def applied(work: Workspace) -> Workspace:
    """A course that was applied, and is called something else in git now."""
    work.course("a")
    work.apply()
    work.write("a.yaml", COURSE.replace("KEY", "a").replace("Title of a", "Better title"))
    return work


def test_a_plan_without_a_key(applied: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """It compares with what is recorded."""
    monkeypatch.delenv("LMSSYNC_API_KEY")

    done = applied.run("plan", "--offline", "--json")

    (change,) = json.loads(done.out)["changes"]
    assert ("update", ["title"]) == (change["action"], [f["path"] for f in change["fields"]])


def test_nothing_is_asked(applied: Workspace, platform: Platform) -> None:
    """No request is sent, and the plan says what was not checked."""
    before = len(platform.requests())

    done = applied.run("plan", "--offline")

    assert before == len(platform.requests())
    assert "Made offline: what people changed on the platform" in done.out


def test_what_is_new_and_named(applied: Workspace, platform: Platform) -> None:
    """A tag that the platform does not have stops a plan, but not one that is made offline."""
    text = COURSE.replace("KEY", "b") + "tags: [Nobody has this tag]\n"
    applied.write("b.yaml", text)

    assert 3 == applied.run("plan").code
    done = applied.run("plan", "--offline", "--json")
    assert {"create": 1, "update": 1} == counted(done.json)


@pytest.mark.parametrize("options", [("--out", "plan.json"), ("--refresh", "all")])
def test_what_needs_the_platform_is_refused(applied: Workspace, options: tuple[str, ...]) -> None:
    """A plan that could not be applied is not saved, and everything cannot be read offline."""
    done = applied.run("plan", "--offline", *options)
    assert (USAGE, True) == (done.code, "leave out --offline" in done.err)
