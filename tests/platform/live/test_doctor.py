"""`lmssync doctor`: what it finds wrong, and what it finds out about an instance."""

import subprocess
from typing import Any

import pytest

from .conftest import Seen

extended = pytest.mark.parametrize("profile", ["extended"], indirect=True)
core = pytest.mark.parametrize("profile", ["core"], indirect=True)
PLAIN = "version: 1\nenvironments:\n  sandbox: {baseUrl: 'http://127.0.0.1:1'}\n"
USED = {"course.full", "group.read", "group.list", "content.search"}
LISTS = ("user.list", "attempt.list", "meeting.list", "coupon.list")
USED |= {"license.list", "client.read", "criteria.list", "group.courses", *LISTS}
LICENSE = """\
{resource: license, key: b, client: acme, name: B, courses: [a], learningPaths: [], courseTags: []}
"""
PATHS = """\
purchasePaths:
  - {id: p, label: Shop, target: {url: "https://shop.example.com", title: Shop}}
"""
ERROR, UNREACHABLE = 1, 8


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
    """What cannot be asked for is not switched off; a probe works without a state."""
    found = probed(seen)
    assert {True, None} == used(found)
    assert "platform:\n  profile: extended\n" == found["lines"]
    assert not (seen.work.root / ".lmssync").exists()


@core
def test_what_cannot_be_told_stays_as_the_file_has_it(seen: Seen) -> None:
    """Neither switched off, nor on: what the file relies on, it goes on relying on."""
    seen.work.write("lmssync.yaml", PLAIN + "platform: {capabilities: {course.full: true}}\n")
    found = seen.work.run("doctor", "--probe", "--json").json
    kept = "  capabilities:\n    course.full: true  # cannot tell\n"
    assert None is found["capabilities"]["course.full"]["has"]
    assert f"platform:\n  profile: core\n{kept}" == found["lines"]


@core
def test_a_list_that_is_missing_is_no_wrong_answer(seen: Seen) -> None:
    """The specification does not have the further routes, so nothing is held against it."""
    found = probed(seen)
    assert found["fine"]
    reasons = {one["reason"] for one in found["capabilities"].values()}
    assert "GET /incoming/v2/users: the platform has no such list (404)" in reasons
    assert not [text for text in reasons if "specification" in text]


@extended
def test_a_route_that_fails_is_told_and_the_others_are_asked(seen: Seen) -> None:
    """A server failure on one route is reported with it, and ends no probe."""
    seen.platform.fault("status", "coupon.list", status=500, times=9)
    found = probed(seen)["capabilities"]
    assert (None, True) == (found["coupon.list"]["has"], found["meeting.list"]["has"])
    assert "failed with HTTP 500" in found["coupon.list"]["reason"]


@extended
def test_the_lines_are_those_of_the_environment(seen: Seen) -> None:
    """Where a file has several, other instances may have other routes."""
    others = "  live: {baseUrl: 'http://127.0.0.1:1'}\n"
    seen.work.write("lmssync.yaml", PLAIN + others)
    lines = seen.work.run("doctor", "-e", "sandbox", "--probe", "--json").json["lines"]
    assert "environments:\n  sandbox:\n    platform:\n      profile: extended\n" == lines


@extended
@pytest.mark.parametrize("others", ["", "  live: {baseUrl: 'http://127.0.0.1:1'}\n"])
def test_the_lines_undo_what_the_project_says_otherwise(seen: Seen, others: str) -> None:
    """What the project switches off is inherited: put where they are said, the lines are enough."""
    switched_off = "platform: {capabilities: {content.search: false}}\n"
    own = ", platform: {profile: core}}" if not others else "}"
    environments = PLAIN.replace("}\n", own + "\n") + others
    seen.work.write("lmssync.yaml", environments + switched_off)
    doctor = ("doctor", "-e", "sandbox", "--probe")
    lines = seen.work.run(*doctor, "--json").json["lines"]
    assert lines.startswith("environments:\n  sandbox:\n    platform:\n")

    settings = lines.partition("    platform:\n")[2]
    sandbox = "environments:\n  sandbox:\n    baseUrl: 'http://127.0.0.1:1'\n    platform:\n"
    seen.work.write("lmssync.yaml", f"version: 1\n{sandbox}{settings}{others}{switched_off}")
    assert "lmssync.yaml lists what the instance has" in seen.work.run(*doctor).out


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
    assert "lmssync.yaml lists what the instance has" in found


@core
def test_what_no_read_could_tell_is_counted(seen: Seen) -> None:
    """Before there is a course, nothing can be asked about one."""
    (line,) = [one for one in seen.work.run("doctor", "--probe").out.splitlines() if "lists" in one]
    assert "lists what the instance has; for " in line


@core
def test_a_capability_that_is_relied_on_and_missing_is_wrong(seen: Seen) -> None:
    """A profile that the instance does not have is named, with the lines that are right."""
    seen.work.write("lmssync.yaml", PLAIN + "platform: {profile: extended}\n")
    done = seen.work.run("doctor", "--probe")
    assert UNREACHABLE == done.code
    assert "missing on the instance: `group.list`" in done.out
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


@core
def test_the_state_of_another_instance_is_wrong_here(seen: Seen) -> None:
    """What is wrong on this machine alone has an exit code of its own, and its remedy."""
    seen.work.course("a")
    seen.work.apply()
    assert 0 == seen.work.run("doctor").code
    seen.work.run("state", "rebind", "https://other.example.com")
    done = seen.work.run("doctor", "--json")
    (wrong,) = [one for one in done.json["checks"] if not one["fine"]]
    assert (ERROR, "state") == (done.code, wrong["name"])
    assert "lmssync state rebind" in wrong["remedy"]


@core
def test_a_state_in_git_is_wrong(seen: Seen) -> None:
    """Git has no part in the folder of the state; without git there is a remedy as well."""
    assert "`git init` makes a repository" in seen.work.run("doctor").out
    seen.work.write(".lmssync/state.db.serial", "1")
    for line in ("init -q", "add -f .lmssync/state.db.serial"):
        subprocess.run(["git", *line.split()], cwd=seen.work.root, check=True)
    done = seen.work.run("doctor")
    assert (ERROR, True) == (done.code, "git rm -r --cached .lmssync" in done.out)


@core
def test_a_cache_that_cannot_be_kept_is_told(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run without a cache only takes longer, so it is fine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(seen.work.root / "cache"))
    done = seen.work.run("doctor")
    assert (0, True) == (done.code, "set XDG_CACHE_HOME" in done.out)


@core
def test_a_probe_tells_what_the_key_may_read_and_what_is_left(seen: Seen) -> None:
    """A key for some clients may not read the assets, and one of few permissions no paths."""
    seen.work.write("lmssync.yaml", PLAIN)
    every = seen.work.run("doctor", "--probe").out
    assert "the key may make every read that needs a permission" in every
    assert "`event.list` 59 of 60 left" in every
    limited = seen.platform.order("keys", {"permissions": ["courses.edit"]})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LMSSYNC_API_KEY", limited["key"])
        done = seen.work.run("doctor", "--probe")
    assert 0 == done.code
    assert "it needs the permission settings.alternatePurchasePaths" in done.out
    assert "reads do not show whether it has clients.edit, courses.edit" in done.out
