"""`lmssync ci require`: who must approve, and who has."""

from typing import Any

import pytest

from tests import making
from tests.platform.client.answering import Said
from tests.served_catalog import Platform, Workspace

from .double import Double, Fault

HEAD = "1" * 40
RULES = """\
structural  course.*  @acme/content
commerce    path.*    @acme/finance @ana
"""
PATH = """\
purchasePaths:
  - {id: shop, label: Buy it, target: {url: "https://shop.example.com/a", title: Shop}}
"""


@pytest.fixture
def catalog(work: Workspace) -> Workspace:
    """A course with a purchase path, both to be created."""
    work.write("APPROVERS", RULES)
    work.course("a", PATH)
    return work


def approve(double: Double, *logins: str, state: str = "APPROVED", commit: str = HEAD) -> None:
    """People approve pull request 7, and are in the team of finance."""
    if double.is_github:
        reviews = [{"user": {"login": n}, "state": state, "commit_id": commit} for n in logins]
        double.gets["/repos/acme/content/pulls/7/reviews"] = reviews
        for name in logins:
            path = f"/orgs/acme/teams/finance/memberships/{name}"
            double.gets[path] = {"state": "active"}
    else:
        people: list[Any] = [{"username": name} for name in logins]
        approved = {"approved_by": [{"user": user} for user in people]}
        double.gets["/projects/12/merge_requests/7/approvals"] = approved
        double.gets["/groups/acme/finance/members/all"] = people


def missing(work: Workspace) -> list[list[str]]:
    """The teams of the approvals that are missing."""
    needed = work.run("ci", "require", "--json").json["required"]
    return [one["teams"] for one in needed if not one["givenBy"]]


def test_who_must_approve(catalog: Workspace):
    """Each line that fits asks for an approval, and names the changes that it is for."""
    done = catalog.run("ci", "require")
    assert 3 == done.code
    assert "missing  @acme/content (APPROVERS:1)\n    course.a  structural\n" in done.out
    assert "missing  @acme/finance or @ana (APPROVERS:2)\n    path.a.shop  commerce\n" in done.out
    assert "Approvals for sandbox: 2 of 2 approvals missing.\n" in done.out


def test_who_has_approved(catalog: Workspace):
    """One team of a line is enough; case and the at sign do not count."""
    named = ("--approved-by", "ANA", "--approved-by", "@acme/content")
    assert 0 == catalog.run("ci", "require", *named).code
    assert 3 == catalog.run("ci", "require", *named[:2]).code


def test_nothing_to_approve(work: Workspace):
    """Without a file, or without a change that a line fits, nothing is needed."""
    work.course("a")
    assert "No approval is needed for sandbox.\n" == work.run("ci", "require").out
    work.write("APPROVERS", "commerce * @acme/finance\n")
    assert 0 == work.run("ci", "require").code


def test_every_effect_of_a_change_counts(work: Workspace):
    """The strictest effect of a change does not hide the others."""
    work.course("a", "priceInCents: 100\n")
    work.apply()
    work.write("APPROVERS", "editorial * @acme/content\ncommerce * @acme/finance\n")
    work.course("a", "priceInCents: 200\n", edit=("Title of KEY", "Another"))
    assert [["@acme/content"], ["@acme/finance"]] == missing(work)


@pytest.mark.parametrize("price", [100, 200])
@pytest.mark.parametrize("pattern", ["course.a", "course.a*", "path.a.*"])
def test_a_new_key_evades_no_rule(work: Workspace, price: int, pattern: str):
    """A rule fits the address that something had: with a change, and by leaving it alone."""
    work.write("APPROVERS", f"commerce {pattern} @acme/finance\n")
    work.course("a", f"priceInCents: 100\n{PATH}")
    work.apply()
    (work.root / "a.yaml").unlink()
    moved = f"moved: [{{from: course.a}}]\npriceInCents: {price}\n{PATH}"
    work.course("b", moved, edit=("Title of KEY", "Title of a"))
    assert [["@acme/finance"]] == missing(work)


def test_what_keeps_to_its_rule_is_judged_by_what_it_does(work: Workspace):
    """A new key that the same line fits needs no approval for the key alone."""
    work.write("APPROVERS", "commerce course.* @acme/finance\n")
    work.course("a", "priceInCents: 100\n")
    work.apply()
    (work.root / "a.yaml").unlink()
    moved = "moved: [{from: course.a}]\npriceInCents: 100\n"
    work.course("b", moved, edit=("Title of KEY", "Title of a"))
    assert [] == missing(work)


PRICE = "priceInCents: 100\n"
LIVE = "status: published\n"


@pytest.mark.parametrize(
    ("before", "after", "teams"),
    [
        ("", LIVE + PRICE, [["@acme/content"], ["@acme/finance"]]),
        ("", LIVE, [["@acme/content"]]),
        ("", PRICE, [["@acme/content"]]),
        (PRICE, LIVE + PRICE, [["@acme/finance"]]),
        (LIVE + PRICE, LIVE + PRICE, []),
    ],
)
def test_what_begins_to_sell_is_commerce(
    work: Workspace, before: str, after: str, teams: list[list[str]]
):
    """A course that learners can see and that has a price sells, although no price differs."""
    if before:
        work.course("a", before)
        work.apply()
    work.write("APPROVERS", "structural * @acme/content\ncommerce * @acme/finance\n")
    work.course("a", after)
    assert teams == missing(work)


def test_a_saved_plan(catalog: Workspace):
    """It needs no key; one of another environment is refused."""
    catalog.run("plan", "--out", "a.plan")
    assert 3 == catalog.run("ci", "require", "--plan", "a.plan").code


TWO = """\
version: 1
environments:
  sandbox: {baseUrl: "%s"}
  other: {baseUrl: "https://o.example.com"}
"""


@pytest.mark.parametrize(("command", "code"), [(("ci",), 0), (("ci", "require"), 3)])
def test_a_saved_plan_carries_its_environment(
    catalog: Workspace, platform: Platform, command: tuple[str, ...], code: int
):
    """Of two environments it is for the one that it was made for; another one is refused."""
    catalog.write("lmssync.yaml", TWO % platform.base_url)
    assert 0 == catalog.run("plan", "-e", "sandbox", "--out", "a.plan").code
    assert code == catalog.run(*command, "--plan", "a.plan").code
    refused = catalog.run(*command, "--plan", "a.plan", "-e", "other")
    assert (64, True) == (refused.code, "the plan is for sandbox" in refused.err)


def test_the_rules_of_the_base(catalog: Workspace):
    """A pull request cannot take away the rule that it breaks."""
    making.commit(catalog.root)
    (catalog.root / "APPROVERS").unlink()
    assert 0 == catalog.run("ci", "require").code
    assert 3 == catalog.run("ci", "require", "--base", "main").code


def test_approvals_of_a_pull_request(catalog: Workspace, host: Double):
    """They are those of people, and of people who are in a team."""
    approve(host, "bo")
    assert [["@acme/content"]] == missing(catalog)
    approve(host, "Ana")
    assert [["@acme/content"]] == missing(catalog)


@pytest.mark.parametrize("host", ["github"], indirect=True)
@pytest.mark.parametrize("review", [{"state": "DISMISSED"}, {"commit": "2" * 40}])
def test_an_approval_that_does_not_count(
    catalog: Workspace, host: Double, monkeypatch: pytest.MonkeyPatch, review: dict[str, str]
):
    """One that was taken back, or that was given before the last commit."""
    event = f'{{"pull_request": {{"number": 7, "head": {{"sha": "{HEAD}"}}}}}}'
    catalog.write("event.json", event)
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(catalog.root / "event.json"))
    approve(host, "ana", **review)
    assert 2 == len(missing(catalog))


def test_a_token_that_may_not_read_teams(catalog: Workspace, host: Double):
    """It is said, and such an approval has to be named; that of a person counts all the same."""
    catalog.write("APPROVERS", "* * @ana\n* * @acme/finance\n")
    approve(host, "ana")
    refusal = Said({"message": "not accessible"}, 403)
    host.gets = {path: answer for path, answer in host.gets.items() if "finance" not in path}
    host.before = lambda asked: (
        host.faults.append(Fault("GET", refusal)) if "finance" in asked.path else None
    )
    done = catalog.run("ci", "require")
    assert (3, 1) == (done.code, done.out.count("missing  "))
    assert "warning: who is in @acme/finance cannot be read: " in done.err
    assert 0 == catalog.run("ci", "require", "--approved-by", "acme/finance").code


def test_a_named_approver_that_no_rule_asks_for(catalog: Workspace):
    """It is not there, so the command line is wrong."""
    done = catalog.run("ci", "require", "--approved-by", "@acme/finanse")
    assert 64 == done.code
    assert "@acme/finanse is not in APPROVERS" in done.err
    assert "did you mean `@acme/finance`" in done.err
