"""Policies over plans: rules of a house for what a plan would do."""

import pytest

from lmssync.catalog.manifests.policies.policy_subjects import ActionWord, VersionWord
from lmssync.planning.plan import Action, Version
from tests.served_catalog import Platform, Workspace

DATES = """\
policy: dates-are-named
resource: plan
each: changes
where: {effect: access, action: update}
require: {allowed: true}
message: whoever changes who gets in says so
hint: pass `--allow` with the address
"""
LIVE = "status: published\nenrollmentStartDate: 2027-01-31\n"


@pytest.fixture
def later(work: Workspace) -> Workspace:
    """A policy over plans, and a change that it is about."""
    work.course("a", LIVE)
    assert 0 == work.apply().code
    work.write("policies/plans.yaml", DATES)
    work.course("a", LIVE.replace("01-31", "02-28"))
    return work


def test_a_policy_stops_a_plan(later: Workspace, platform: Platform):
    """Nothing is sent; the message has the rule, the address, what is wrong and the hint."""
    before = len(platform.requests(method="PUT"))
    done = later.apply()
    assert (3, before) == (done.code, len(platform.requests(method="PUT")))
    assert "whoever changes who gets in says so: course.a: `allowed` is `false`" in done.err
    assert "(pass `--allow` with the address) [dates-are-named]" in done.err


def test_a_policy_may_ask_for_an_option(later: Workspace):
    """`allowed` says whether an option names the change, so a policy can ask for one."""
    assert 0 == later.apply("--allow", "course.a").code


def test_the_project_grades_policies_over_plans(later: Workspace):
    """As a warning, it is told in the plan and stops nothing."""
    project = (later.root / "lmssync.yaml").read_text("utf-8")
    later.write("lmssync.yaml", project + "rules: {dates-are-named: warning}\n")
    done = later.run("plan", "--json")
    told = {one["guard"]: one["severity"] for one in done.json["guards"]}
    assert (0, "warning") == (done.code, told["dates-are-named"])


def test_a_saved_plan_is_judged_by_the_policies_of_today(later: Workspace):
    """A policy that came after the plan counts; no option of the plan lifts it."""
    later.write("policies/plans.yaml", DATES.replace("allowed: true", "undo: permanent"))
    assert 3 == later.run("plan", "--out", "p.json", "--allow", "course.a").code
    done = later.run("apply", "p.json")
    assert (3, True) == (done.code, "no option lifts dates-are-named" in done.err)


@pytest.mark.parametrize(
    ("policy", "stops"),
    [
        ("require: {changes: {maxLength: 1}}", False),
        ("require: {calls: {max: 1}}", True),
        ("when: {environment: production}\nrequire: {calls: {max: 0}}", False),
        ("each: changes\nrequire: {fields: {notContains: enrollmentStartDate}}", True),
        ("each: changes\nwhere: {version: breaking}\nrequire: {undo: reversible}", False),
        ("each: changes\nrequire: {learners.enrolled: {max: 0}}", False),
        ("each: changes\nrequire: {learners: {present: true}}", True),
        ("each: changes\nwhere: {address: {matches: '^path'}}\nrequire: {byHand: 1}", False),
    ],
)
def test_what_a_policy_can_ask(later: Workspace, policy: str, stops: bool):
    """Action, effect, address, fields, undo, version, learners, calls, and the environment."""
    later.write("policies/plans.yaml", f"policy: mine\nresource: plan\n{policy}\nmessage: no\n")
    done = later.run("plan")
    assert 3 * stops == done.code, done.out + done.err


def test_a_mistake_in_a_policy_over_plans_is_a_problem(later: Workspace):
    """A field that no plan has is a problem with its line, and a near miss is named."""
    later.write("policies/plans.yaml", DATES.replace("effect: access", "efect: access"))
    done = later.run("validate")
    assert (3, True) == (done.code, "there is no field `efect` in a plan" in done.out + done.err)
    assert "did you mean `effect`?" in done.out + done.err


def test_policies_know_the_words_of_plans():
    """Every action but `unchanged`, and every version word."""
    assert {*Action} - {Action.UNCHANGED} == {*ActionWord}
    assert {*Version} == {*VersionWord}
