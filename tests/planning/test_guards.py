"""Guards stop what is risky until somebody names it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from lmssync.planning import guards
from tests.served_catalog import PROJECT, Done, Platform, Workspace

ERRORS = """\
guards:
  manyChanges: {severity: error}
  published: error
  permanentLoss: error
"""
LIVE = "status: published\nenrollmentStartDate: 2027-01-31\n"
LATER = LIVE.replace("01-31", "02-28")
LIST = """\
resource: licenseAssignment
key: lads
licenses: [7d1c0000-0000-4000-8000-000000000613]
users:
"""
PERSON = "  - {{email: {}@brightwater.example}}\n"
RULES = """\
completionCriteria:
  - {id: m, type: coursePercentViewed, percent: 80}
"""
Run = Callable[..., Done]


@pytest.fixture
def strict(work: Workspace) -> Workspace:
    """A catalog whose guards are errors, with a published course on the platform."""
    work.write("lmssync.yaml", PROJECT + ERRORS)
    work.course("a", LIVE)
    assert 0 == work.apply().code
    work.course("a", LATER)
    return work


def writes(platform: Platform) -> int:
    return sum(request["method"] != "GET" for request in platform.requests())


def test_a_grave_change_of_what_is_published_is_stopped(strict: Workspace, platform: Platform):
    """Nothing is sent, the exit code is 3, and the message has the option to give."""
    before = writes(platform)
    done = strict.apply()
    assert (3, before) == (done.code, writes(platform))
    assert "the access of a published course: “Title of a” (course.a) [published]" in done.err
    assert "plan or apply with --allow course.a" in done.err


def test_naming_the_address_lets_it_pass(strict: Workspace):
    """The option of the message is all that is needed."""
    assert 0 == strict.apply("--allow", "course.a").code


def test_a_plan_tells_its_guards(strict: Workspace):
    """The plan ends with 3, and its JSON has the guard, what it is about and the option."""
    done = strict.run("plan", "--json")
    (verdict,) = done.json["guards"]
    assert (3, "published", "error") == (done.code, verdict["guard"], verdict["severity"])
    assert (["course.a"], "--allow course.a", False) == (
        verdict["addresses"],
        verdict["allow"],
        verdict["allowed"],
    )


def test_what_was_allowed_stays_allowed_in_a_saved_plan(strict: Workspace):
    """A saved plan is judged again, by what was allowed when it was made."""
    strict.run("plan", "--out", "no.json")
    strict.run("plan", "--out", "yes.json", "--allow", "course.a")
    assert [3, 0] == [strict.run("apply", file).code for file in ("no.json", "yes.json")]


def test_guards_that_came_after_the_plan_count(work: Workspace):
    """A plan that was saved before the project got its guards is stopped by them."""
    work.course("a", LIVE)
    work.apply()
    work.course("a", LATER)
    assert 0 == work.run("plan", "--out", "p.json").code
    work.write("lmssync.yaml", PROJECT + ERRORS)
    assert 3 == work.run("apply", "p.json").code


def test_without_settings_guards_only_warn(work: Workspace):
    """A catalog without `guards:` is applied as before; the plan shows a warning."""
    work.course("a", LIVE)
    work.apply()
    work.course("a", LATER)
    shown = work.run("plan")
    assert (0, True) == (
        shown.code,
        "Warning: this changes the access of a published course" in shown.out,
    )
    assert 0 == work.apply().code


@pytest.mark.parametrize("change", [("Title of KEY", "Another"), ("type: quiz", "type: survey")])
def test_other_changes_pass(strict: Workspace, change: tuple[str, str]):
    """Editorial changes of what is published pass, and so does everything about a draft."""
    strict.course("a", LIVE, edit=change)
    assert [] == strict.plan().get("guards", [])


def test_a_criterion_belongs_to_its_course(strict: Workspace):
    """A new criterion of a published course changes the progress of those who are in it."""
    rules = "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n"
    strict.course("a", LIVE + rules)
    strict.course("b", rules)
    assert ["criterion.a.m"] == strict.run("plan", "--json").json["guards"][0]["addresses"]


def test_a_list_that_nobody_is_in_is_not_used(work: Workspace):
    """People who are added to it lose nothing; once somebody is in it, a change is stopped."""
    work.write("lmssync.yaml", PROJECT + ERRORS)
    work.write("lads.yaml", LIST + PERSON.format("no.one"))
    assert [7, 7] == [work.apply().code, work.apply().code]

    work.write("lads.yaml", LIST + PERSON.format("chloe.dubois"))
    assert 0 == work.apply().code
    work.write("lads.yaml", LIST + PERSON.format("chloe.dubois") + PERSON.format("gita.rao"))
    assert "a license assignment that people use" in work.apply().err


@pytest.fixture
def interrupted(work: Workspace, platform: Platform) -> Workspace:
    """A published course whose first apply has lost the call for its completion rule."""
    work.write("lmssync.yaml", PROJECT + ERRORS)
    work.course("a", LIVE + RULES)
    platform.fault("drop-before", "criteria.update")
    assert 4 == work.apply().code
    return work


def test_an_interrupted_first_apply_goes_on(interrupted: Workspace):
    """Nobody can have used what an earlier run has only just created."""
    assert 0 == interrupted.apply().code


def test_a_rule_that_no_earlier_run_was_to_make_is_stopped(interrupted: Workspace):
    """What was added to the catalog after the first apply is a change of a published course."""
    assert 0 == interrupted.apply().code
    interrupted.course("a", LIVE + RULES + "  - {id: n, type: coursePercentViewed, percent: 9}\n")
    assert 3 == interrupted.apply().code


def test_a_change_of_what_was_just_created_is_stopped(interrupted: Workspace):
    """Only what an interrupted run has not made yet goes on: a new price is another matter."""
    interrupted.course("a", LATER)
    assert "the access of a published course" in interrupted.apply().err


def test_what_an_earlier_run_has_sent_is_stopped_with_the_reason(
    interrupted: Workspace, monkeypatch: pytest.MonkeyPatch
):
    """After an hour learners may have come to the course, so the new rule needs a release."""
    monkeypatch.setattr(guards, "_NEW", -1.0)
    work = interrupted
    assert "an earlier run has sent criterion.a.m without effect" in work.apply().err
    assert 0 == work.apply("--allow", "criterion.a.m").code


def test_many_changes_are_stopped(work: Workspace):
    """More than 30 % of ten or more: `--allow manyChanges` says that it is meant."""
    work.write("lmssync.yaml", PROJECT + ERRORS)
    for number in range(10):
        work.course(f"c{number}")
    assert 0 == work.apply().code
    for number in range(3):
        work.course(f"c{number}", edit=("Title of", "About"))
    assert 0 == work.run("plan").code
    (work.root / "c9.yaml").unlink()

    assert "4 of 10 resources change or leave the catalog, which is 40 %; the limit is 30 %" in (
        work.apply().err
    )
    assert 0 == work.apply("--allow", "manyChanges").code


def test_an_environment_has_guards_of_its_own(strict: Workspace):
    """What an environment sets counts more than what the project sets; the rest stays."""
    relaxed = PROJECT.replace(':1"}', ':1", guards: {published: warning}}')
    strict.write("lmssync.yaml", relaxed + ERRORS)
    assert 0 == strict.run("plan").code


def test_a_protected_environment_takes_saved_plans(strict: Workspace):
    """`protected: true` needs a saved plan, or the name of the environment in an option."""
    strict.write("lmssync.yaml", PROJECT.replace(':1"}', ':1", protected: true}'))
    done = strict.apply()
    assert (3, True) == (done.code, "--allow environment.sandbox" in done.err)
    assert 64 == strict.apply("--allow", "environment.production").code
    assert 0 == strict.run("plan", "--out", "p.json").code
    assert 0 == strict.run("apply", "p.json").code
    strict.course("a", LIVE)
    assert 0 == strict.apply("--allow", "environment.sandbox").code


def in_time(work: Workspace, minutes: float) -> Done:
    """An apply that has so many minutes."""
    end = datetime.now(UTC) + timedelta(minutes=minutes)
    return work.apply("--finish-by", end.isoformat())


def test_what_cannot_be_done_in_time_is_not_begun(work: Workspace, platform: Platform):
    """Two windows of purchase paths take more than a minute: nothing is sent (spec 8)."""
    target = "{url: 'https://shop.example.com', title: Shop}"
    paths = "".join(f"\n  - {{id: p{n}, label: Buy {n}, target: {target}}}" for n in range(61))
    work.course("a", f"purchasePaths:{paths}\n")

    done = in_time(work, 0.9)

    assert (3, 0) == (done.code, writes(platform))
    assert "the plan takes at least 60 s, and there are" in done.err


def test_what_can_be_done_in_time_is_done(work: Workspace):
    """Before anything is sent, the run says how long it takes, and that it can be met."""
    work.course("a")
    done = in_time(work, 60)
    assert (0, True) == (done.code, done.err.rstrip().count(": it will be in time") == 1)


@pytest.mark.parametrize("wrong", ["soon", "25:00", "2020-01-31T18:30"])
def test_a_time_that_cannot_come_is_wrong_use(work: Workspace, wrong: str):
    """What is no time, and what is over, is refused before anything is read."""
    assert 64 == work.apply("--finish-by", wrong).code


def test_a_guard_that_is_misspelt_is_wrong_use(strict: Workspace):
    """`--allow` takes addresses and guards over a plan; a near miss is named."""
    done = strict.apply("--allow", "manyChange")
    assert (64, True) == (done.code, "did you mean `manyChanges`?" in done.err)


@pytest.mark.parametrize(
    ("hours", "wrong"),
    [
        ("{begin: '20:00'}", "`begin` is given without `end`"),
        ("{begin: '20:00', end: '06:00', timeZone: Mars}", "there is no time zone `Mars`"),
    ],
)
def test_quiet_hours_that_cannot_be(work: Workspace, hours: str, wrong: str):
    """Half a time, and a time zone that nobody knows, are problems with their line."""
    work.write("lmssync.yaml", PROJECT + f"guards: {{quietHours: {hours}}}\n")
    done = work.run("plan")
    assert (3, True) == (done.code, f"error[quiet-hours] {wrong}" in done.err)


def test_an_hour_that_does_not_exist_is_told_how_to_write_one(work: Workspace) -> None:
    work.write("lmssync.yaml", PROJECT + "guards: {quietHours: {begin: '25:00', end: '06:00'}}\n")

    done = work.run("validate")

    assert 3 == done.code
    assert "`begin` is `25:00`" in done.out + done.err
    assert 'write a time of day, such as "20:00"' in done.out + done.err
