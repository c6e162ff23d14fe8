"""Releases: changes that are applied as one, from a moment on, what people see last."""

import shutil
from typing import Any

import orjson
import pytest

from lmssync.applying.apply import run
from lmssync.errors import WrongUse
from lmssync.support.git_commits import find_merge

from ..making import git
from ..served_catalog import Platform, Workspace, actions
from ..sync.test_watch import Service

PAST, COMING = "2026-01-01T06:00:00+01:00", "2099-01-01T06:00:00+01:00"
RELEASE = """\
release: NAME
about: The autumn programme.
owner: "@ana"
at: "AT"
ADDRESSES
"""


def release(work: Workspace, name: str, names: str, at: str = PAST) -> None:
    text = RELEASE.replace("NAME", name).replace("AT", at, 1).replace("ADDRESSES", names)
    work.write(f"releases/{name}.yaml", text.replace('at: ""\n', ""))


@pytest.fixture
def autumn(work: Workspace) -> Workspace:
    """Two applied courses: one changes with the release, the other one without it."""
    for key in ("fire", "air"):
        work.course(key)
    assert work.apply().code == 0
    for key in ("fire", "air"):
        work.course(key, edit=("Title of KEY", "New KEY"))
    release(work, "autumn", "addresses: [course.fire]", COMING)
    return work


def test_before_its_moment_a_release_is_refused_and_other_plans_leave_it_alone(
    autumn: Workspace, platform: Platform
):
    """A plan says when; an apply without the release changes the rest; one with it, nothing."""
    planned = autumn.run("plan", "--release", "autumn")
    assert planned.code == 0
    assert "may be applied from 2099-01-01 06:00+01:00 on" in planned.out
    assert "Without what the release autumn changes" in autumn.apply().out
    refused = autumn.apply("--release", "autumn")
    assert refused.code == 3
    assert "wait until then" in refused.err
    assert platform.titles() == ["New air", "Title of fire"]


def test_a_release_is_complete_once_all_of_it_is_applied(autumn: Workspace):
    """Then status says nothing more of it, and another run has nothing to do."""
    release(autumn, "autumn", "addresses: [course.fire]")
    assert "Release autumn: everything is applied." in autumn.apply("--release", "autumn").out
    assert "nothing to do" in autumn.apply("--release", "autumn").out
    assert "no releases" in autumn.run("release", "list").out
    listed = autumn.run("release", "list", "--all", "--json").json["releases"]
    assert [(one["name"], one["stage"], one["open"]) for one in listed] == [
        ("autumn", "complete", [])
    ]


def test_a_change_that_comes_later_is_no_part_of_a_complete_release(autumn: Workspace):
    """Its addresses are free again for other plans, and the release is refused."""
    release(autumn, "autumn", "addresses: [course.fire]")
    assert autumn.apply("--release", "autumn").code == 0
    autumn.course("fire", edit=("Title of KEY", "Later"))
    assert "are not part of that" in autumn.apply("--release", "autumn").err
    assert actions(autumn.plan())["course.fire"] == "update"


def test_an_address_that_is_nowhere_refuses_all(autumn: Workspace, platform: Platform):
    """The message names it and what may be meant."""
    release(autumn, "autumn", "addresses: [course.fire, course.fyre]")
    ended = autumn.apply("--release", "autumn")
    assert ended.code == 64
    assert "`releases/autumn.yaml: course.fyre` names nothing that is in the catalog" in ended.err
    assert "course.fire" in ended.err
    assert "Title of fire" in platform.titles()


def test_two_open_releases_with_one_address_refuse_each_other(autumn: Workspace):
    """Whichever came first would change it for both."""
    release(autumn, "autumn", "addresses: [course.fire]")
    release(autumn, "winter", "addresses: ['course.*']")
    ended = autumn.apply("--release", "autumn")
    assert ended.code == 3
    assert "the release winter changes too" in ended.err
    assert "is in the release `autumn` as well" in autumn.run("validate").out


def test_what_is_blocked_refuses_all(autumn: Workspace, platform: Platform):
    """A conflict in one of its courses stops the other one as well."""
    release(autumn, "autumn", "addresses: ['course.*']")
    group = next(g for g in platform.dump("courseGroups") if g["title"] == "Title of air")
    course = next(c for c in platform.dump("courses") if c["courseGroupId"] == group["id"])
    platform.change({"courses": [{"id": course["id"], "title": "By hand"}]})
    ended = autumn.apply("--release", "autumn")
    assert ended.code == 3
    assert "applied whole, and course.air cannot be" in ended.err
    assert "New fire" not in platform.titles()


def _end_here(*_: object) -> None:
    """Ends a run as Ctrl-C does, where nothing was caught yet."""
    raise KeyboardInterrupt


def test_a_release_that_was_ended_in_the_middle_is_open_and_goes_on(
    autumn: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
):
    """The state says what is open, and the next run ends it."""
    autumn.course("earth")
    release(autumn, "autumn", "addresses: [course.fire, course.earth]")
    with monkeypatch.context() as killed:
        killed.setattr(run, "perform_all", _end_here)
        assert autumn.apply("--release", "autumn").code == 130
    (one,) = autumn.run("release", "list", "--json").json["releases"]
    assert (one["stage"], {row["address"] for row in one["open"]}) == (
        "open",
        {"course.earth", "course.fire"},
    )
    assert actions(autumn.plan()) == {"course.air": "update"}
    assert autumn.apply("--release", "autumn").code == 0
    assert platform.titles() == ["New fire", "Title of air", "Title of earth"]


def test_after_a_failure_nothing_that_people_see_is_sent(autumn: Workspace, platform: Platform):
    """A call that is refused leaves the published course for later; the report says so."""
    autumn.course("earth", edit=("title: Title of KEY", "title: Title of KEY\nstatus: published"))
    release(autumn, "autumn", "addresses: [course.fire, course.earth]")
    platform.fault("answer", "course.update", status=400, body={"errors": ["no"]})
    done = autumn.apply("--release", "autumn", "--json")
    assert (done.code, done.json["release"]["complete"]) == (7, False)
    assert done.json["results"] == {"course.earth": "skipped", "course.fire": "failed"}
    assert autumn.apply("--release", "autumn").code == 0


def test_prices_come_after_pages_and_publishing_after_both(work: Workspace, instance: Platform):
    """Also of what is new, which is made as a draft; a saved plan does the same."""
    quiz = "          - {id: check, title: Check, type: quiz}\n"
    sold = "status: published\npriceInCents: 500\n"
    work.course("fire", sold, edit=(quiz, ""))
    assert work.apply().code == 0
    work.course("fire", sold.replace("5", "9"), edit=(f"Good morning}}\n{quiz}", "Fair}\n"))
    most = "completionCriteria: [{id: most, type: coursePercentViewed, percent: 80}]\n"
    work.course("earth", sold + most, edit=(quiz, ""))
    release(work, "autumn", "addresses: ['course.*']")
    assert work.run("plan", "--release", "autumn", "--out", "a.json").code == 0
    begin = len(instance.requests())
    assert work.run("apply", "a.json").code == 0
    writes = [r for r in instance.requests()[begin:] if r["method"] != "GET"]
    sent = [(r["route"], orjson.dumps(r["body"]).decode()) for r in writes]
    bodies = sorted(sent[:2]) + sent[2:]  # what is made and what is edited is sent side by side
    assert [name for name, _ in bodies] == [
        "course.create",
        "course.update",
        "criteria.update",
        "course.update",
        "content.release",
    ]
    assert "draft" in bodies[0][1]
    assert "Fair" in bodies[1][1]
    assert "priceInCents" in bodies[3][1]


def test_a_release_names_the_changes_of_commits_files_and_a_pull_request(autumn: Workspace):
    """All of them lead to the same plan."""
    git(autumn.root, "init", "-q", "-b", "main")
    autumn.course("fire")
    git(autumn.root, "add", "fire.yaml", "air.yaml", "lmssync.yaml")
    git(autumn.root, "commit", "-qm", "Base")
    autumn.course("fire", edit=("Title of KEY", "New KEY"))
    git(autumn.root, "commit", "-qam", "Fire (#7)")
    for names in ("commits: HEAD~1..HEAD", "files: [fire.yaml]", "pullRequest: 7"):
        release(autumn, "autumn", names)
        assert list(actions(autumn.plan("--release", "autumn"))) == ["course.fire"], names
    with pytest.raises(WrongUse, match="merges pull request 8"):
        find_merge(autumn.root, 8)


def test_a_release_of_what_leaves_the_catalog(autumn: Workspace):
    """Named by its commits, whose files were deleted and renamed; later runs find nothing of it."""
    git(autumn.root, "init", "-q", "-b", "main")
    git(autumn.root, "add", "fire.yaml", "air.yaml", "lmssync.yaml")
    git(autumn.root, "commit", "-qm", "Base")
    (autumn.root / "fire.yaml").unlink()
    (autumn.root / "air.yaml").unlink()
    autumn.course("wind", "moved: [{from: course.air}]\n")
    git(autumn.root, "add", "-A")
    git(autumn.root, "commit", "-qm", "Merge pull request #5 from ana/wind")
    release(autumn, "autumn", "pullRequest: 5")
    assert actions(autumn.plan()) == {}
    assert autumn.apply("--release", "autumn", "--json").json["results"] == {
        "course.fire": "forgotten",
        "course.wind": "moved",
    }
    release(autumn, "autumn", "addresses: [course.fire, course.air]")
    assert autumn.apply("--release", "autumn").code == 0


def test_a_deleted_file_names_nothing(autumn: Workspace):
    """Nobody knows which addresses it had: the release is refused and applies nothing."""
    (autumn.root / "fire.yaml").unlink()
    release(autumn, "autumn", "files: [fire.yaml]")
    ended = autumn.apply("--release", "autumn")
    assert (ended.code, "names fire.yaml, which no manifest" in ended.err) == (64, True)


def test_a_pull_request_that_is_not_merged_changes_nothing_yet(autumn: Workspace):
    """Plans go on without it, and one with it says what is missing."""
    git(autumn.root, "init", "-q", "-b", "main")
    git(autumn.root, "add", "-A")
    git(autumn.root, "commit", "-qm", "Base")
    release(autumn, "autumn", "pullRequest: 9")
    assert actions(autumn.plan()) == {"course.air": "update", "course.fire": "update"}
    assert "merges pull request 9" in autumn.run("plan", "--release", "autumn").err


def test_an_open_release_with_another_moment_is_still_the_same(
    autumn: Workspace, platform: Platform
):
    """What was begun stays begun, and the next run ends it; a moment that has come is not waited
    for."""
    release(autumn, "autumn", "addresses: [course.fire]")
    platform.fault("answer", "course.update", status=400, body={"errors": ["no"]})
    assert autumn.apply("--release", "autumn").code == 7
    begun = autumn.run("release", "list", "--json").json["releases"][0]
    release(autumn, "autumn", "addresses: [course.fire]", "2026-02-01T06:00:00+01:00")
    again = autumn.run("release", "list", "--json").json["releases"][0]
    assert (again["stage"], again["begun"]) == ("open", begun["begun"])
    assert "wait until" not in autumn.run("plan", "--release", "autumn").out


def test_approvals_are_required_of_a_release(autumn: Workspace):
    """Of what it changes and of nothing else; its name has to be known."""
    autumn.write("APPROVERS", "* course.fire @ana\n* course.air @ben\n")
    wanted = autumn.run("ci", "require", "--release", "autumn")
    assert (wanted.code, "@ben" in wanted.out) == (3, False)
    assert autumn.run("ci", "require", "--release", "autumn", "--approved-by", "@ana").code == 0
    assert autumn.run("ci", "require", "--release", "autumm").code == 64


def test_a_release_is_not_cut_down(autumn: Workspace):
    """Its own limits are the only ones."""
    ended = autumn.run("plan", "--release", "autumn", "--exclude", "course.fire")
    assert ended.code == 64
    assert "says itself what it changes" in ended.err


def test_mistakes_in_releases_have_places(autumn: Workspace):
    """A moment without an offset, one outside the quiet hours, names of nothing."""
    quiet = "guards: {quietHours: {begin: '20:00', end: '06:00'}}\n"
    autumn.write("lmssync.yaml", quiet + (autumn.root / "lmssync.yaml").read_text())
    release(autumn, "autumn", "addresses: [course.fyre]\nfiles: [gone.yaml]", "2099-01-01T12:00Z")
    release(autumn, "winter", "commits: main", "2099-01-01T12:00")
    said = autumn.run("validate").out
    for rule in ("hours", "address", "file", "moment", "commits"):
        assert f"[release-{rule}]" in said, rule


def test_watch_applies_a_release_when_its_moment_has_come(autumn: Workspace, platform: Platform):
    """Before that, each round leaves it alone, and status and the page say when it is."""
    applying = Service(autumn.root, applies=True)
    assert applying.round() == 0
    assert platform.titles() == ["New air", "Title of fire"]
    assert "autumn: waits until 2099-01-01 06:00+01:00, owner @ana" in applying.page
    assert "! release autumn: waits until" in autumn.run("status").out
    release(autumn, "autumn", "addresses: [course.fire]")
    watching = Service(autumn.root, applies=False)
    assert watching.round() == 2
    assert "due: autumn" in watching.page
    assert applying.round() == 0
    assert platform.titles() == ["New air", "New fire"]
    assert "releases" not in autumn.run("status", "--json").json


def test_a_release_that_is_stopped_does_not_stop_the_round(autumn: Workspace, platform: Platform):
    """The others that are due are applied, and the round says of each what has stopped it."""
    for key in ("sea", "sun"):
        autumn.course(key)
    assert autumn.apply().code == 0
    for key in ("sea", "sun"):
        autumn.course(key, edit=("Title of KEY", "New KEY"))
    most = "guards: {manyChanges: {severity: error, mostPercent: 30, least: 2}}\n"
    autumn.write("lmssync.yaml", most + (autumn.root / "lmssync.yaml").read_text())
    release(autumn, "april", "addresses: [course.sea, course.sun]")
    release(autumn, "autumn", "addresses: [course.fire]")
    release(autumn, "winter", "addresses: [course.sea, course.sun]")
    done = autumn.run("watch", "--once", "--apply")
    assert done.code == 3
    for name in ("april", "winter"):
        assert f"the release {name} is not applied: " in done.err
    assert platform.titles() == ["New air", "New fire", "Title of sea", "Title of sun"]


def test_a_step_for_a_person_keeps_a_release_open(autumn: Workspace):
    """Here a part has left, which only a person deletes: status says so until it is confirmed."""
    check = "          - {id: check, title: Check, type: quiz}\n"
    autumn.course("fire", edit=(check, ""))
    release(autumn, "autumn", "addresses: [course.fire]")
    assert autumn.apply("--release", "autumn").code == 0
    (one,) = autumn.run("status", "--json").json["releases"]
    assert (one["stage"], [row["address"] for row in one["open"]]) == ("by hand", ["course.fire"])
    autumn.run("resolve", "course.fire", "--done")
    assert "releases" not in autumn.run("status", "--json").json


def test_an_exported_state_keeps_what_became_of_releases(autumn: Workspace):
    """Else a restored one would take a release that is complete for one that waits."""
    release(autumn, "autumn", "addresses: [course.fire]")
    assert autumn.apply("--release", "autumn").code == 0
    assert autumn.run("state", "export", "state.json").code == 0
    shutil.rmtree(autumn.root / ".lmssync")
    restored = autumn.run("state", "import", "state.json", "--force")
    assert restored.code == 0, restored.err
    listed = autumn.run("release", "list", "--all", "--json").json["releases"]
    assert [one["stage"] for one in listed] == ["complete"]


def test_what_a_killed_run_has_done_is_not_called_undone(
    autumn: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
):
    """Until another run has found out, nothing says how far it came."""

    def perform_and_end(*given: Any) -> None:
        perform_all(*given)
        raise KeyboardInterrupt

    perform_all = run.perform_all
    release(autumn, "autumn", "addresses: ['course.*']")
    with monkeypatch.context() as killed:
        killed.setattr(run, "perform_all", perform_and_end)
        assert autumn.apply("--release", "autumn").code == 130
    said = autumn.run("status").out
    assert platform.titles() == ["New air", "New fire"]
    assert "autumn: open: its run goes on or was killed; 2 changes may be done or not" in said
    assert "course.fire: done or not: the next apply of the release finds out" in said
    assert "everything is applied" in autumn.apply("--release", "autumn").out
