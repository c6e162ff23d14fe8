"""`lmssync doctor`: what it finds wrong, and what it finds out about an instance."""

from typing import Any

import pytest

from .conftest import Seen

extended = pytest.mark.parametrize("profile", ["extended"], indirect=True)
core = pytest.mark.parametrize("profile", ["core"], indirect=True)
PLAIN = "version: 1\nenvironments:\n  sandbox: {baseUrl: 'http://127.0.0.1:1'}\n"
USED = {"course.full", "group.read", "group.list", "content.search"}
USED |= {"license.list", "criteria.list"}
LICENSE = """\
{resource: license, key: b, client: acme, name: B, courses: [a], learningPaths: [], courseTags: []}
"""
PATHS = """\
purchasePaths:
  - {id: p, label: Shop, target: {url: "https://shop.example.com", title: Shop}}
"""
UNREACHABLE = 8


def probed(seen: Seen) -> Any:
    """What `doctor --probe --json` prints, of a project file that says nothing."""
    seen.work.write("lmssync.yaml", PLAIN)
    done = seen.work.run("doctor", "--probe", "--json")
    assert done.code == 0
    return done.json


def used(found: Any) -> set[Any]:
    """What is said of the capabilities that lmssync uses."""
    assert found["capabilities"].keys() == USED
    return {found["capabilities"][name]["has"] for name in USED}


def test_what_an_instance_has_is_found_out(seen: Seen) -> None:
    """With a course and a license that are recorded, every capability is there or not."""
    seen.work.course("a")
    seen.work.write("b.yaml", LICENSE)
    seen.work.apply()
    found = probed(seen)
    assert {seen.profile == "extended"} == used(found)
    assert f"platform:\n  profile: {seen.profile}\n" == found["lines"]


@extended
def test_without_a_course_some_of_it_cannot_be_told(seen: Seen) -> None:
    """What cannot be asked for is not taken for granted, and works without a state."""
    found = probed(seen)
    assert {True, None} == used(found)
    lists = ("group.list", "content.search", "license.list")
    there = "".join(f"    {name}: true\n" for name in lists)
    assert f"platform:\n  profile: core\n  capabilities:\n{there}" == found["lines"]
    assert not (seen.work.root / ".lmssync").exists()


@extended
def test_a_course_of_others_will_do(seen: Seen) -> None:
    """Without a state, a course that a list shows is asked for, and the licenses of a client."""
    seen.work.course("a")
    seen.work.apply()
    (seen.work.root / ".lmssync" / "state.db").unlink()
    found = probed(seen)["capabilities"]
    assert set() == {name for name, one in found.items() if not one["has"]}


@extended
def test_the_lines_can_be_put_into_the_project_file(seen: Seen) -> None:
    """After that the doctor has nothing to add."""
    lines = probed(seen)["lines"]
    seen.work.write("lmssync.yaml", PLAIN + lines)
    found = seen.work.run("doctor", "--probe").out
    assert "the project file says what the instance has" in found


@core
def test_a_capability_that_is_relied_on_and_missing_is_wrong(seen: Seen) -> None:
    """A profile that the instance does not have is named, with the lines that are right."""
    seen.work.write("lmssync.yaml", PLAIN + "platform: {profile: extended}\n")
    done = seen.work.run("doctor", "--probe")
    assert UNREACHABLE == done.code
    assert "not there, but relied on: `group.list`" in done.out
    assert "platform:\n  profile: core\n" in done.out


def test_only_reads_are_sent(seen: Seen) -> None:
    """A probe changes nothing on the platform."""
    seen.work.course("a")
    seen.work.apply()
    before = len(seen.platform.requests())
    probed(seen)
    assert {"GET"} == {request["method"] for request in seen.platform.requests()[before:]}


@core
def test_a_key_that_is_missing_or_refused_is_told(
    seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each with its remedy, and with what is fine beside it."""
    monkeypatch.setenv("LMSSYNC_API_KEY", "wrong")
    refused = seen.work.run("doctor")
    monkeypatch.delenv("LMSSYNC_API_KEY")
    missing = seen.work.run("doctor")
    assert (UNREACHABLE, UNREACHABLE) == (refused.code, missing.code)
    assert "does not accept the API key" in refused.out
    assert "export LMSSYNC_API_KEY" in missing.out


@core
def test_a_clock_that_is_wrong_is_told(seen: Seen) -> None:
    """What was changed later is told by the clocks of both sides."""
    seen.platform.order("clock", {"advanceSeconds": 3600})
    assert "s ahead of this machine's" in seen.work.run("doctor").out


@core
def test_without_a_probe_nothing_but_a_ping_is_sent(seen: Seen) -> None:
    """The short form is quick and says which profile is set."""
    done = seen.work.run("doctor")
    assert (0, {"ping": 1}) == (done.code, seen.asked(names=True))
    assert "`profile: core`" in done.out


def test_a_key_of_some_clients_is_told(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that is recorded and that the key does not see is wrong, with what to do."""
    seen.work.course("a")
    seen.work.write("b.yaml", LICENSE)
    seen.work.apply()
    key = seen.platform.order("keys", {"scope": "client", "clientIds": []})["key"]
    monkeypatch.setenv("LMSSYNC_API_KEY", key)

    done = seen.work.run("doctor")

    assert UNREACHABLE == done.code
    assert "the key does not see the client `acme`, which the state names" in done.out
    assert "limited to some clients" in done.out


def test_a_key_that_may_not_read_is_told(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read that needs a permission is tried with something that is recorded."""
    seen.work.course("a", PATHS)
    seen.work.apply()
    monkeypatch.setenv("LMSSYNC_API_KEY", seen.platform.order("keys", {"permissions": []})["key"])

    done = seen.work.run("doctor")

    assert UNREACHABLE == done.code
    assert "it needs the permission settings.alternatePurchasePaths" in done.out


def test_an_oauth_client_is_told(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where tokens come from is named, and neither id nor secret."""
    monkeypatch.delenv("LMSSYNC_API_KEY")
    monkeypatch.setenv("LMSSYNC_OAUTH_CLIENT_ID", "sandbox-demo-client")
    monkeypatch.setenv("LMSSYNC_OAUTH_CLIENT_SECRET", "sandbox-demo-secret")
    seen.work.write("lmssync.yaml", PLAIN.replace("1'}", "1', oauth: {tokenUrl: /oauth/token}}"))

    done = seen.work.run("doctor")

    assert 0 == done.code
    assert "/oauth/token is asked for access tokens for 127.0.0.1" in done.out
    assert "sandbox-demo" not in done.out
