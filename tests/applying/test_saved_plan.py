"""A reviewed plan is applied exactly as saved, or not at all."""

import re
import shlex
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from lmssync.planning.plan.plan_document import digest_document
from tests.served_catalog import Platform, Workspace

STALE, PARTIAL, USAGE = 5, 7, 64


def test_a_saved_plan_is_applied_without_asking(work: Workspace, platform: Platform) -> None:
    """A saved plan is applied without a question, since it was reviewed."""
    work.course("a", "relatedCourses: [b]\n")
    work.course("b", "relatedCourses: [a]\n")
    work.run("plan", "--out", "p.json")

    assert 0 == work.run("apply", "p.json").code
    assert ["Title of a", "Title of b"] == platform.titles()
    assert [] == work.plan()["changes"]


def test_a_saved_plan_does_what_was_reviewed(work: Workspace, platform: Platform) -> None:
    """An edit after the review is not applied with the saved plan."""
    work.course("a")
    work.run("plan", "--out", "p.json")
    work.course("a", edit=("Title of KEY", "Too late"))

    work.run("apply", "p.json")

    assert ["Title of a"] == platform.titles()


def test_a_plan_for_another_address_is_made_again(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is told to choose the environment that was chosen."""
    work.course("a")
    work.run("plan", "--out", "p.json")
    monkeypatch.setenv("LMSSYNC_BASE_URL", "http://127.0.0.1:9")

    done = work.run("apply", "p.json")

    assert (USAGE, True) == (done.code, "plan again" in done.err)


def test_show_shows_the_plan_that_was_saved(work: Workspace) -> None:
    """`show` prints a saved plan exactly as `plan` did."""
    work.course("a")
    printed = work.run("plan", "--out", "p.json").out

    assert printed == work.run("show", "p.json").out


def test_a_plan_is_stale_once_the_state_has_moved(work: Workspace) -> None:
    """A plan is stale if the state has changed; the address is named and nothing is sent."""
    work.course("a")
    work.run("plan", "--out", "p.json")
    work.apply()

    done = work.run("apply", "p.json")

    assert STALE == done.code
    assert "course.a" in done.err


def test_a_file_that_is_no_plan_is_refused(work: Workspace) -> None:
    """Another file, a damaged plan or a missing file is refused in one line."""
    work.write("p.json", '{"format": "something/else"}')
    work.write("q.json", "{")

    assert [USAGE, USAGE, USAGE] == [
        work.run("apply", file).code for file in ("p.json", "q.json", "missing.json")
    ]


def test_a_saved_plan_may_release_a_field(work: Workspace) -> None:
    """A saved plan that stops managing a field can be applied if nothing has changed."""
    work.course("a", "ribbon: new\n")
    work.apply()
    work.course("a")
    work.run("plan", "--out", "p.json")

    assert 0 == work.run("apply", "p.json").code
    assert [] == work.plan()["changes"]


def test_a_release_inside_a_part_goes_stale_too(work: Workspace) -> None:
    """A stale release would restore an old record, and the next apply would add things twice."""
    work.course("a", edit=("type: text", "type: text, preTextBlock: Before"))
    work.apply()
    work.course("a")
    work.run("plan", "--out", "p.json")
    work.course("a", "          - {id: more, title: More, type: survey}\n")
    work.apply()

    assert STALE == work.run("apply", "p.json").code
    assert [] == work.plan()["changes"]


def test_a_plan_is_stale_once_the_platform_has_moved(work: Workspace, platform: Platform) -> None:
    """A change made by hand after the review is not overwritten."""
    work.course("a")
    work.apply()
    work.course("a", edit=("Title of KEY", "From git"))
    work.run("plan", "--out", "p.json")
    course = platform.dump("courses")[0]["id"]
    platform.change({"courses": [{"id": course, "title": "By hand"}]})

    done = work.run("apply", "p.json")

    assert (STALE, True) == (done.code, "on the platform" in done.err)
    assert "By hand" == platform.dump("courses")[0]["title"]


def altered(work: Workspace, *, seal: bool = True) -> None:
    """Changes the title in the call of the saved plan, but not in what the plan shows."""
    data = orjson.loads((work.root / "p.json").read_bytes())
    (step,) = data["steps"]
    text = orjson.dumps(step).replace(b"From git", b"Forged")
    data["steps"] = [orjson.loads(text)]
    if seal:
        data["digest"] = digest_document(data)
    work.write("p.json", orjson.dumps(data).decode())


def edited(work: Workspace) -> str:
    """Saves a plan that gives a course another title, and returns its digest."""
    work.course("a")
    work.apply()
    work.course("a", edit=("Title of KEY", "From git"))
    printed = work.run("plan", "--full", "--out", "p.json").out
    return re.findall(r"^Digest: (\w{64})$", printed, re.MULTILINE)[0]


def test_an_altered_plan_is_neither_shown_nor_applied(work: Workspace, platform: Platform) -> None:
    """A plan that does not match its digest is neither shown nor applied."""
    edited(work)
    altered(work, seal=False)
    before = len(platform.requests())

    for command in ("show", "apply"):
        done = work.run(command, "p.json")
        assert (USAGE, "") == (done.code, done.out)
        assert "was altered or damaged" in done.err
    assert before == len(platform.requests())


def test_a_forged_update_is_not_applied(work: Workspace, platform: Platform) -> None:
    """A forged call is refused if it does not lead to what the plan shows, even with a digest."""
    edited(work)
    data = orjson.loads((work.root / "p.json").read_bytes())
    (entry,) = data["steps"][0]["shares"][0]["body"]["courseAttributes"]["courseGroups"]
    entry["priceInCents"] = 1
    data["digest"] = digest_document(data)
    work.write("p.json", orjson.dumps(data).decode())

    done = work.run("apply", "p.json")

    assert (USAGE, True) == (
        done.code,
        "what it sends for course.a is not what it shows" in done.err,
    )
    assert ["Title of a"] == platform.titles()


def without_price(change: Any) -> None:
    change["effect"] = "editorial"
    change["fields"] = [one for one in change["fields"] if one["path"] != "priceInCents"]


def of_progress(change: Any) -> None:
    change["effect"] = "progress"


def by_hand(change: Any) -> None:
    without_price(change)
    change["manual"] = [{"field": "ribbon", "text": "look at it"}]


@pytest.mark.parametrize("belittle", [without_price, of_progress, by_hand])
def test_a_saved_plan_that_understates_an_update_is_not_applied(
    work: Workspace, platform: Platform, belittle: Callable[[Any], None]
) -> None:
    """Fields and effect follow from the calls and the state, whatever the file says."""
    work.course("a", "priceInCents: 100\n")
    work.apply()
    work.course("a", "priceInCents: 200\n", edit=("Title of KEY", "Another"))

    assert "contradicts itself: " in refused_after(work, belittle)
    assert ["Title of a"] == platform.titles()


def test_a_saved_plan_that_understates_a_removal_is_not_applied(work: Workspace) -> None:
    """What has left the catalog goes on selling: its effect follows from the record."""
    work.course("a", "priceInCents: 100\n")
    work.course("b")
    work.apply()
    (work.root / "a.yaml").unlink()

    said = refused_after(work, of_progress)

    assert "what it does to people with course.a is more than it shows" in said


def refused_after(work: Workspace, alter: Callable[[Any], None]) -> str:
    """What is said of a saved plan whose one change was altered and whose digest fits."""
    work.run("plan", "--out", "p.json")
    data = orjson.loads((work.root / "p.json").read_bytes())
    (change,) = data["changes"]
    alter(change)
    data["manualSteps"] = len(change.get("manual", ()))
    data["digest"] = digest_document(data)
    work.write("p.json", orjson.dumps(data).decode())
    done = work.run("apply", "p.json")
    assert USAGE == done.code
    return done.err


def test_a_plan_with_a_word_in_it_is_another_plan(work: Workspace, platform: Platform) -> None:
    """A forger can compute a new digest, but not the one that the reviewer names."""
    digest = edited(work)
    altered(work)

    assert USAGE == work.run("apply", "p.json", "--digest", digest).code
    assert ["Title of a"] == platform.titles()


def test_the_digest_that_was_reviewed_is_applied(work: Workspace, platform: Platform) -> None:
    """`plan`, `plan --out`, `show` and the JSON name the same one."""
    digest = edited(work)

    assert digest in work.run("plan", "--full").out
    assert digest == work.plan()["digest"]
    assert digest in work.run("show", "p.json", "--full").out
    assert f"its digest is {digest}" in work.run("plan", "--out", "q.json").err
    assert 0 == work.run("apply", "p.json", "--digest", digest.upper()).code
    assert ["From git"] == platform.titles()


def test_an_empty_digest_is_another_digest(work: Workspace) -> None:
    """An empty digest matches no plan, in case a pipeline does not set its variable."""
    edited(work)

    assert USAGE == work.run("apply", "p.json", "--digest", "").code
    assert USAGE == work.run("apply", "--yes", "--digest", "0" * 64).code


def test_a_move_that_was_saved_is_applied(work: Workspace) -> None:
    """A saved plan can move a course and change it, as the record under the new address shows."""
    work.course("a", "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n")
    work.apply()
    (work.root / "a.yaml").unlink()
    rule = "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n"
    work.course("b", "moved: [{from: course.a}]\nrelatedCourses: [c]\n" + rule)
    work.course("c", "relatedCourses: [b]\n")
    work.run("plan", "--out", "p.json")

    assert 0 == work.run("apply", "p.json").code
    assert [] == work.plan()["changes"]


def test_steps_for_people_are_told_after_a_saved_apply(work: Workspace) -> None:
    """A saved apply lists manual steps, since the person who runs it may not have seen the plan."""
    work.course("a")
    work.apply()
    work.course("a", edit=("          - {id: check, title: Check, type: quiz}\n", ""))
    work.run("plan", "--out", "p.json")

    text = work.run("apply", "p.json").out
    (step,) = work.run("apply", "--yes", "--json").json["manual"]

    assert "by hand “Title of a” (course.a): delete the page “Check” of “One”" in text
    assert "Nothing was applied: 1 step for a person; 0 calls." in text.splitlines()[-1]
    assert ("course.a", "topics[start/one/check]") == (step["address"], step["field"])


def test_the_json_of_an_apply_says_where(work: Workspace) -> None:
    """The JSON of an apply names the environment, even if there was nothing to do."""
    work.course("a")

    assert ["sandbox", "sandbox"] == [work.apply("--json").json["environment"] for _ in range(2)]


def test_an_apply_in_part_is_not_complete(work: Workspace) -> None:
    """`complete` is false if anything failed, so that a script does not go on."""
    work.course("a", "asset: https://example.com/broken.jpg\n")

    parted = work.apply("--json")
    whole = work.apply("--json")

    assert (PARTIAL, False) == (parted.code, parted.json["complete"])
    assert (0, True) == (whole.code, whole.json["complete"])


def test_only_a_signed_plan_is_applied_where_plans_are_signed(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the pipeline has a secret for plans, only signed plans are applied."""
    work.course("a")
    work.run("plan", "--out", "unsigned.json")
    monkeypatch.setenv("LMSSYNC_PLAN_SECRET", "signs plans")
    work.run("plan", "--out", "signed.json")

    codes = [work.run("apply", file).code for file in ("unsigned.json", "signed.json")]

    assert [USAGE, 0] == codes


def test_the_command_that_plan_prints_applies_the_plan(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A saved plan carries its environment; the command names the folder, and quotes the file."""
    monkeypatch.delenv("LMSSYNC_BASE_URL")
    two = "{staging: {baseUrl: 'http://127.0.0.1:1'}, production: {baseUrl: '%s'}}"
    work.write("in/lmssync.yaml", f"version: 1\nenvironments: {two % platform.base_url}\n")
    work.course("in/a", edit=("key: KEY", "key: a"))
    (work.root / "my plans").mkdir()
    args = ("plan", "-C", "in", "-e", "production", "--out", "my plans/p.json")
    (printed,) = re.findall(r"`lmssync (.*?)`", work.run(*args).err)

    assert 0 == work.run(*shlex.split(printed)).code
    assert ["Title of in/a"] == platform.titles()


def test_a_saved_plan_is_not_applied_to_another_environment(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one that is named, by the option or the variable, is refused in words."""
    two = (
        f"{{staging: {{baseUrl: '{platform.base_url}'}}, other: {{baseUrl: 'http://127.0.0.1:1'}}}}"
    )
    work.write("lmssync.yaml", f"version: 1\nenvironments: {two}\n")
    work.course("a")
    work.run("plan", "-e", "staging", "--out", "p.json")
    refused = [work.run("apply", "p.json", "-e", "other")]
    monkeypatch.setenv("LMSSYNC_ENV", "other")
    refused.append(work.run("apply", "p.json"))

    assert [USAGE, USAGE] == [done.code for done in refused]
    assert all("choose it with -e staging" in done.err for done in refused)
    assert 0 == work.run("apply", "p.json", "-e", "staging").code
