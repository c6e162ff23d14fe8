"""A pull request cannot switch off what stops it: `--base` judges by the stricter of both."""

import pytest

from tests import making
from tests.code_hosts.double import Double
from tests.served_catalog import PROJECT, Done, Platform, Workspace

GUARDS = "guards: {published: error, learners: {most: 5}, manyChanges: {severity: error}}\n"
RULES = "rules: {isbn: error, courses/: {placeholder: error}}\n"
PRICE = "status: published\npriceInCents: 100\n"
POLICY = """\
policy: {name}
resource: {about}
{require}
message: the house says no
"""
NO_PRICE = POLICY.format(
    name="no-price",
    about="course",
    require='require: {priceInCents: {max: 150}, title: {matches: "^Title"}}',
)
NO_UPDATE = POLICY.format(
    name="no-update", about="plan", require="each: changes\nrequire: {action: {not: update}}"
)
FILES = {
    "lmssync.yaml": PROJECT + GUARDS + RULES,
    "APPROVERS": "commerce course.* @acme/finance\n",
    "policies/plans.yaml": NO_UPDATE.replace("no\n", "no\nseverity: warning\n"),
}


@pytest.fixture
def merged(work: Workspace) -> Workspace:
    """A published course with a price, and files that guard it, in the branch `main`."""
    work.course("a", PRICE)
    for name, text in FILES.items():
        work.write(name, text)
    assert 0 == work.apply().code
    making.git(work.root, "init", "-q", "-b", "main")
    making.git(work.root, "add", *FILES, "a.yaml")
    making.git(work.root, "commit", "-q", "-m", "Merged")
    work.course("a", PRICE.replace("100", "200"))
    return work


def lowered(done: Done) -> list[str]:
    return [f"{one['setting']}: {one['before']} > {one['after']}" for one in done.json["lowered"]]


def test_nothing_is_lowered(merged: Workspace):
    """Where base and head guard the same, the plan is that without a base."""
    with_base, without = (merged.run("plan", "--json", *more) for more in (("--base", "main"), ()))
    assert (3, with_base.json) == (with_base.code, without.json)
    assert "lowered" not in with_base.json


@pytest.mark.parametrize(
    ("before", "after", "setting"),
    [
        ("published: error", "published: 'off'", "guards.published: error > off"),
        ("most: 5", "most: 50", "guards.learners.most: 5 > 50"),
        (", learners: {most: 5}", "", "guards.learners: error > off"),
        ("{severity: error}", "{mostPercent: 99}", "guards.manyChanges: error > warning"),
        (
            "{severity: error}",
            "{severity: error, least: 99}",
            "guards.manyChanges.least: 10 > 99",
        ),
        ("guards: ", "guards: {published: 'off'}\n#", "guards.published: error > off"),
    ],
)
def test_a_guard_that_a_pull_request_lowers_counts(
    merged: Workspace, before: str, after: str, setting: str
):
    """Without a base the change might pass; with one the guard stops it, and the plan says why."""
    merged.write("lmssync.yaml", (PROJECT + GUARDS + RULES).replace(before, after))
    done = merged.run("plan", "--json", "--base", "main")
    assert setting in lowered(done)
    assert (3, ["published"]) == (done.code, blocked(done))


def blocked(done: Done) -> list[str]:
    return [one["guard"] for one in done.json["guards"] if one["severity"] == "error"]


def test_another_name_of_the_environment_leaves_no_guard_behind(merged: Workspace):
    """The environment of the base is found by its address too, with its guards."""
    strict = PROJECT.replace(':1"}', ':1", protected: true, guards: {published: error}}')
    merged.write("lmssync.yaml", strict)
    making.git(merged.root, "commit", "-q", "-a", "-m", "Guards of one environment")
    other = "state: sqlite:///.lmssync/other.db\n"
    merged.write("lmssync.yaml", PROJECT.replace("  sandbox:", "  other:") + other)
    done = merged.run("plan", "--json", "--base", "main", "--offline")
    assert {"guards.published: error > warning", "protected: true > false"} <= {*lowered(done)}


def test_a_rule_that_a_pull_request_switches_off_counts(merged: Workspace):
    """The stronger grade of a rule judges the manifests, and nothing of it is remembered."""
    merged.write("lmssync.yaml", PROJECT + GUARDS + "rules: {isbn: 'off'}\n")
    merged.course("a", PRICE + "isbn: '123'\n")
    done = merged.run("plan", "--base", "main")
    assert (3, True) == (done.code, "error[isbn]" in done.err)
    assert (0, False) == ((done := merged.run("validate")).code, "isbn" in done.out)


def test_a_policy_that_a_pull_request_deletes_counts(merged: Workspace):
    """Policies over manifests and over plans are those of both."""
    merged.write("policies/plans.yaml", NO_UPDATE)
    merged.write("policies/manifests.yaml", NO_PRICE)
    making.git(merged.root, "add", "policies")
    making.git(merged.root, "commit", "-q", "-m", "Policies")
    (merged.root / "policies/manifests.yaml").unlink()
    assert "[no-price]" in merged.run("plan", "--base", "main").err
    merged.course("a", PRICE.replace("100", "140"))
    merged.write("policies/plans.yaml", NO_UPDATE.replace("not: update", "not: create"))
    done = merged.run("plan", "--json", "--base", "main")
    assert ["policy no-price: error > gone", "policy no-update: as merged > with other words"] == (
        sorted(lowered(done))
    )
    assert "no-update" in blocked(done)


def test_an_approver_that_a_pull_request_drops_must_approve(merged: Workspace):
    """`ci require` asks for the lines of both, and the plan names the one that is gone."""
    merged.write("APPROVERS", "* course.* @mallory\n")
    done = merged.run("plan", "--json", "--base", "main")
    assert ["APPROVERS: commerce course.* @acme/finance: required > gone"] == lowered(done)
    needed = merged.run("ci", "require", "--json", "--base", "main").json["required"]
    assert [["@acme/finance"], ["@mallory"]] == [one["teams"] for one in needed]


def test_the_comment_names_what_is_lowered(merged: Workspace, host: Double):
    """A pull request that changes nothing but a guard gets a comment, and the log says it."""
    merged.course("a", PRICE)
    merged.write("lmssync.yaml", PROJECT + RULES)
    done = merged.run("ci", "--base", "main")
    words = "This pull request lowers: guards.manyChanges (was error, is warning)"
    assert (0, True, True) == (done.code, words in done.out, words in host.shown[0])


def test_a_saved_plan_takes_no_base(merged: Workspace):
    """It was judged when it was made."""
    merged.run("plan", "--out", "p.json")
    done = merged.run("ci", "--plan", "p.json", "--base", "main")
    assert (64, True) == (done.code, "leave out --base" in done.err)


def test_a_saved_plan_that_its_base_stops_is_refused(merged: Workspace, platform: Platform):
    """A pull request that lowers a guard is stopped by the plan that it saved, and by a new plan
    it is not."""
    merged.write(
        "lmssync.yaml", FILES["lmssync.yaml"].replace("published: error", "published: 'off'")
    )
    merged.run("plan", "--base", "main", "--out", "p.json")

    done = merged.run("apply", "p.json", "--yes")

    assert (3, True) == (
        done.code,
        "if that is meant, plan again with --allow course.a" in done.err,
    )
    assert [] == platform.requests(route="course.update")
    assert 0 == merged.apply().code


@pytest.mark.parametrize("break_it", ["lmssync.yaml", "policies/plans.yaml", "APPROVERS"])
def test_a_base_that_cannot_be_read_guards_nothing_silently(merged: Workspace, break_it: str):
    """The run says which file of the base is wrong, and ends."""
    merged.write(break_it, "what: [is\n")
    making.git(merged.root, "commit", "-q", "-a", "-m", "A mistake")
    merged.write(break_it, FILES[break_it])
    done = merged.run("plan", "--base", "main")
    assert (64, True) == (done.code, break_it in done.err)


@pytest.mark.parametrize("command", [("plan",), ("ci",), ("ci", "require")])
def test_a_base_without_a_name_is_refused(merged: Workspace, command: tuple[str, ...]):
    """A variable that is not set in a pipeline must not switch off what the base guards."""
    done = merged.run(*command, "--base", "")
    assert (64, True) == (done.code, "`` is not a revision" in done.err)


def test_before_the_catalog_began_nothing_was_guarded(work: Workspace):
    """A base without a project file lowers nothing."""
    making.git(work.root, "init", "-q", "-b", "main")
    making.git(work.root, "commit", "-q", "--allow-empty", "-m", "Nothing")
    work.course("a")
    assert 0 == work.run("plan", "--base", "main").code
