"""Commands that runs print are copied as they stand, and do what they promise."""

import re
import shlex

import pytest

from tests.served_catalog import Done, Platform, Workspace

USAGE, BUG = 64, 70
PRINTED = re.compile(r"(?:`|Next: )lmssync ([^`\n]+)")


def printed(done: Done) -> list[list[str]]:
    """The words of each command that a run has printed, without those that have a placeholder."""
    lines = dict.fromkeys(PRINTED.findall(done.out + done.err))
    return [shlex.split(line) for line in lines if not re.search(r"\b[A-Z]{2,}\b", line)]


def copied(work: Workspace, done: Done) -> dict[str, Done]:
    """Runs each of them, once, in the order in which they were printed."""
    ended = {" ".join(words): work.run(*words) for words in printed(done)}
    refused = {line: one.err for line, one in ended.items() if one.code in {USAGE, BUG}}
    assert {} == {line: why for line, why in refused.items() if "terminal to ask" not in why}
    return ended


def test_the_next_command_of_init(work: Workspace) -> None:
    """It finds the new repository, whatever its name is."""
    ended = copied(work, work.run("init", "my content"))
    assert [0] == [one.code for one in ended.values()]


def test_what_an_unknown_call_prints(work: Workspace, platform: Platform) -> None:
    """Each of apply, plan and resolve names what to do, and it can be done by copying."""
    work.course("a")
    platform.fault("drop-after", "course.create")
    shown = work.apply()
    assert {"resolve course.a"} <= copied(work, shown).keys()
    (course,) = platform.dump("courses")
    for done in (work.run("plan"), work.run("resolve", "course.a"), work.run("status")):
        copied(work, done)
    adopted = work.run("resolve", "course.a", "--adopt", course["id"])
    ended = copied(work, adopted)
    assert (0, [0]) == (adopted.code, [one.code for one in ended.values()])
    assert [] == work.plan()["changes"]


def test_what_a_change_by_hand_prints(work: Workspace, platform: Platform) -> None:
    """Drift is brought into git by the command that tells of it."""
    work.course("a")
    work.apply()
    (course,) = platform.dump("courses")
    platform.change({"courses": [{"id": course["id"], "title": "By hand"}]})
    drift = work.run("drift")
    ended = copied(work, drift)
    assert all(one.code == 0 for one in ended.values()), ended
    assert 0 == work.run("pull", "course.a").code
    assert 0 == work.run("drift").code


def test_what_leaves_the_state_can_be_taken_over_again(work: Workspace, platform: Platform) -> None:
    """The command names the id, so nothing is made a second time."""
    work.course("a")
    work.apply()
    ended = copied(work, work.run("state", "forget", "--drop-ids", "course.a"))
    assert ended
    assert all(one.code == 0 for one in ended.values()), ended
    assert (0, ["Title of a"]) == (work.apply().code, platform.titles())


@pytest.mark.parametrize(
    "args",
    [
        ("doctor",),
        ("status",),
        ("plan",),
        ("drift",),
        ("drift", "--unmanaged"),
        ("get",),
        ("state", "list"),
        ("events", "show"),
        ("jobs", "list"),
        ("resolve",),
        ("validate", "nowhere.yaml"),
        ("show", "course.b"),
        ("outline", "course.b"),
        ("state", "show", "course.b"),
        ("state", "forget", "course.b"),
        ("pull", "course.b"),
        ("adopt", "course.b=x"),
        ("get", "course"),
        ("new", "course", "a"),
        ("explain", "nothing"),
        ("apply", "nothing.json"),
    ],
    ids=" ".join,
)
def test_what_commands_and_their_errors_print(work: Workspace, args: tuple[str, ...]) -> None:
    """No command that is named is refused for how it is written."""
    work.course("a", "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n")
    work.apply()
    work.course("a", edit=("Title of KEY", "From git"))
    copied(work, work.run(*args))


def test_commands_name_the_catalog_and_the_environment_of_the_run(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy works where there are several environments, and from the same folder."""
    monkeypatch.delenv("LMSSYNC_BASE_URL")
    staging, live = "{baseUrl: 'http://127.0.0.1:1'}", f"{{baseUrl: '{platform.base_url}'}}"
    two = f"{{staging: {staging}, live: {live}}}"
    work.write("my content/lmssync.yaml", f"version: 1\nenvironments: {two}\n")
    work.course("my content/a", edit=("key: KEY", "key: a"))
    platform.fault("drop-after", "course.create")
    where = ("-C", "my content", "--environment=live")
    shown = work.run("apply", "--yes", *where)
    ended = copied(work, shown)
    assert "-C my content -e live resolve course.a" in ended, shown
    copied(work, work.run("plan", *where))
    copied(work, work.run("status", *where))
    assert 1 == len(platform.requests(route="course.create"))


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_a_saved_plan_names_its_own_environment(work: Workspace, form: str):
    """The commands below a plan are about its environment, whichever one the run was given."""
    file = work.root / "lmssync.yaml"
    work.course("a")
    assert 0 == work.run("apply", "--yes").code
    work.course("a", edit=("Title of", "Other"))
    work.run("plan", "--out", "a.plan.json")
    other = "environments:\n  other: {baseUrl: 'http://127.0.0.1:2'}\n"
    file.write_text(file.read_text().replace("environments:\n", other))
    for options in ((), ("-e", "other")):
        done = work.run(*options, "show", "a.plan.json", "--format", form)
        assert "lmssync -e sandbox events pull" in done.out
