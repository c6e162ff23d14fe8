"""`lmssync ci hands`: one issue for each owner of steps that only people can do."""

import pytest

from lmssync.code_hosts import STEPS
from tests.served_catalog import Workspace

from .double import Double

PATHS = "purchasePaths: [{id: shop, label: Buy, target: {url: 'https://a.example', title: S}}]\n"
RULES = "completionCriteria: [{id: most, type: coursePercentViewed, percent: 80}]\n"
MAIN = {"GITHUB_REF": "refs/heads/main", "CI_MERGE_REQUEST_IID": ""}


@pytest.fixture
def steps(work: Workspace, host: Double, monkeypatch: pytest.MonkeyPatch) -> Double:
    """A job of the main branch, and a rule and a path that people have to delete."""
    for name, value in MAIN.items():
        monkeypatch.setenv(name, value)
    work.write("APPROVERS", "* path.* @acme/sales\n")
    work.course("a", RULES + PATHS)
    work.apply()
    work.course("a")
    work.apply()
    return host


def issues(host: Double) -> dict[str, str]:
    """The texts of the open issues, by title."""
    listed = host.texts.get(host.issues, ())
    return {one["title"]: one["body"] for one in listed if one["state"] == "open"}


def test_each_owner_has_one_issue(work: Workspace, steps: Double):
    """A second run writes nothing; what nobody owns has an issue as well."""
    assert [0, 0] == [work.run("ci", "hands").code for _ in range(2)]
    found = issues(steps)
    assert {"Steps for @acme/sales on sandbox", "Steps for people on sandbox"} == {*found}
    assert "@acme/sales: only a person can do this" in found["Steps for @acme/sales on sandbox"]
    assert "No line of APPROVERS says who does this" in found["Steps for people on sandbox"]
    assert 2 == len(steps.writes())
    assert all(STEPS in one["labels"] for one in steps.texts[steps.issues])


def test_what_is_done_leaves_its_issue(work: Workspace, steps: Double):
    """The issue of an owner is closed with the last step; that of another environment stays."""
    work.run("ci", "hands")
    other = steps.add(
        steps.issues, "<!-- lmssync:hands environment=other -->\n", title="O", labels=STEPS
    )
    assert 0 == work.run("resolve", "path.a.shop", "--done").code
    done = work.run("ci", "hands")
    assert "list of steps: 1 unchanged and 1 ended\n" == done.err
    assert {"Steps for people on sandbox", "O"} == {*issues(steps)}
    assert "open" == other["state"]


def test_a_pull_request_writes_no_issue(
    work: Workspace, steps: Double, monkeypatch: pytest.MonkeyPatch
):
    """Its APPROVERS may call people who have nothing to do with it."""
    monkeypatch.setenv("GITHUB_REF", "refs/pull/7/merge")
    monkeypatch.setenv("CI_MERGE_REQUEST_IID", "7")
    assert "no issue is written" in work.run("ci", "hands").err
    assert {} == issues(steps)


def test_an_environment_closes_no_issue_of_one_whose_name_begins_alike(
    work: Workspace, steps: Double
):
    """Nor does a slice close those of another one, or of the catalog before it had slices."""
    marks = ("environment=sandbox-eu owner=x", "environment=sandbox%2C%20slice%20a owner=x")
    for mark in marks:
        steps.add(steps.issues, f"<!-- lmssync:hands {mark} -->\n", title=mark, labels=STEPS)
    assert 0 == work.run("ci", "hands").code
    assert {*marks} < {*issues(steps)}


def test_an_issue_that_was_closed_by_hand_is_opened_anew(work: Workspace, steps: Double):
    """Its steps are still open; without APPROVERS all of them are in one issue."""
    (work.root / "APPROVERS").unlink()
    work.run("ci", "hands")
    (one,) = steps.texts[steps.issues]
    one["state"] = "closed"
    assert 0 == work.run("ci", "hands").code
    assert 2 == len(steps.texts[steps.issues])
    assert {"Steps for people on sandbox"} == {*issues(steps)}
