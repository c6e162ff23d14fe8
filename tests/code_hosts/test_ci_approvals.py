"""Approvals of a pull request release the guard of what it changes, and of nothing else."""

import json
import subprocess
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from lmssync.kind import Effect, ManualStep
from lmssync.planning import plan
from lmssync.report.markdown_escape import escape_text
from tests import making
from tests.served_catalog import PROJECT, Done, Platform, Workspace

from .double import Double

pytestmark = pytest.mark.parametrize("host", ["github"], indirect=True)
REPOSITORY = "/repos/acme/content"
PRICE = "status: published\npriceInCents: 100\n"
RULES = "commerce course.* @acme/finance @ana\n"


@dataclass
class Review:
    """Pull request 7, which raises the price of a course, in a clone and on the code host."""

    work: Workspace
    host: Double
    platform: Platform
    monkeypatch: pytest.MonkeyPatch
    pull: dict[str, Any] = field(default_factory=dict)
    """As the code host has it."""

    def commit(self) -> None:
        """All files as a commit of the branch that is checked out."""
        making.git(self.work.root, "add", "-A")
        making.git(self.work.root, "commit", "-q", "-m", "Some change")

    def find_commit(self, name: str) -> str:
        found = subprocess.run(
            ["git", "rev-parse", name],
            cwd=self.work.root,
            check=True,
            capture_output=True,
            text=True,
        )
        return found.stdout.strip()

    def raise_price(self, key: str = "a", more: str = PRICE.replace("100", "200")) -> None:
        """One commit on a branch of what is checked out, which is its base."""
        making.git(self.work.root, "branch", "-f", "base")
        making.git(self.work.root, "checkout", "-q", "-B", "head")
        (self.work.root / "a.yaml").unlink()
        self.work.course(key, more, edit=("Title of KEY", "Title of a"))
        self.commit()

    def merge(self, *how: str) -> None:
        """Makes the newest commit of the main branch of it, on its base."""
        making.git(self.work.root, "checkout", "-q", "-B", "main", "base")
        making.git(self.work.root, "merge", "-q", *(how or ("--no-ff", "--no-edit")), "head")
        if how:
            making.git(self.work.root, "commit", "-q", "-m", "Squashed")

    def tell(self) -> None:
        """The code host knows the commits, and answers for the one that is checked out."""
        parents = self.find_commit("HEAD^@").split()
        commit, base, head = map(self.find_commit, ("HEAD", "base", "head"))
        self.pull = self.host.merge(commit, parents, base=base, head=head)

    def approve(self, *logins: str, commit: str = "head", state: str = "APPROVED") -> None:
        """Reviews, with a person `fin` and the author `bo` in the team of finance."""
        sha = self.find_commit(commit)
        self.host.gets[f"{REPOSITORY}/pulls/7/reviews"] = [
            {"user": {"login": one}, "state": state, "commit_id": sha} for one in logins
        ]
        team = f"{REPOSITORY.replace('/repos', '/orgs').removesuffix('/content')}/teams/finance"
        for one in {*logins} & {"bo", "fin"}:
            self.host.gets[f"{team}/memberships/{one}"] = {"state": "active"}

    def ci(self) -> Done:
        return self.work.run("ci", "--out", "p.json")

    def read_price(self) -> int:
        """What the platform has."""
        (course,) = [c for c in self.platform.dump("courses") if c["title"] == "Title of a"]
        return int(course["priceInCents"])

    def release(self, *how: str) -> None:
        """It is merged and approved, and a job of the main branch has saved the plan."""
        self.merge(*how)
        self.tell()
        self.approve("ana")
        self.monkeypatch.setenv("GITHUB_REF", "refs/heads/main")


@pytest.fixture
def review(
    work: Workspace, host: Double, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> Review:
    """The merge that GitHub tries is checked out, and nobody has approved anything."""
    work.write("lmssync.yaml", f"{PROJECT}guards: {{published: error}}\n")
    work.write("APPROVERS", RULES)
    work.write(".gitignore", ".lmssync\n*.json\nreceipt.*\n")
    work.course("a", PRICE)
    assert 0 == work.apply().code
    making.git(work.root, "init", "-q", "-b", "main")
    found = Review(work, host, platform, monkeypatch)
    found.commit()
    found.raise_price()
    found.merge()
    found.tell()
    found.approve()
    return found


BY_ANA = "released by the approval of @ana on pull request #7 at commit "


def test_an_approval_turns_the_check_green(review: Review):
    """Log and comment say who has given it, on which pull request and for which commit."""
    assert (3, True) == ((done := review.ci()).code, "@ana has not approved it" in done.out)
    review.approve("ana")
    words = f"“Title of a” (course.a): {BY_ANA}{review.find_commit('head')[:7]}"
    assert (0, True) == ((done := review.ci()).code, words in done.out)
    assert escape_text(words) in review.host.shown[0]


def test_an_approval_of_a_team_names_the_person(review: Review):
    """Of a team one person is enough, as for `ci require`."""
    review.approve("fin")
    done = review.ci()
    assert (0, True) == (done.code, "the approval of @fin for @acme/finance on" in done.out)


@pytest.mark.parametrize(
    ("login", "commit", "state"),
    [
        ("mallory", "head", "APPROVED"),
        ("ana", "base", "APPROVED"),
        ("ana", "head", "DISMISSED"),
        ("bo", "head", "APPROVED"),
    ],
    ids=["of a stranger", "of an older commit", "taken back", "of the author"],
)
def test_an_approval_that_releases_nothing(review: Review, login: str, commit: str, state: str):
    """Only those of the last commit count, of people in APPROVERS who have not written it."""
    review.approve(login, commit=commit, state=state)
    assert (3, True) == ((done := review.ci()).code, "has not approved it" in done.out)


@pytest.mark.parametrize(
    ("base", "head", "logins", "code"),
    [
        ("access * @ana\n", "commerce * @mallory\n", ["mallory", "ana"], 3),
        (RULES, f"{RULES}commerce course.a @cfo\n", ["ana"], 3),
        (RULES, f"{RULES}commerce course.a @cfo\n", ["ana", "cfo"], 0),
        ("", RULES, ["ana"], 3),
    ],
)
def test_a_pull_request_gives_nobody_the_right(
    review: Review, base: str, head: str, logins: list[str], code: int
):
    """Only lines that were merged name what approvals release; its own can ask for more."""
    making.git(review.work.root, "checkout", "-q", "-B", "main", "base")
    review.work.write("APPROVERS", base)
    making.git(review.work.root, "commit", "-q", "--allow-empty", "-a", "-m", "Lines")
    review.raise_price()
    review.work.write("APPROVERS", head)
    making.git(review.work.root, "commit", "-q", "--allow-empty", "-a", "-m", "Its lines")
    review.merge()
    review.tell()
    review.approve(*logins)
    assert code == review.ci().code


def test_the_base_is_what_the_code_host_says(review: Review):
    """A workflow may name any base: for approvals it does not count."""
    making.git(review.work.root, "checkout", "-q", "-B", "evil", "base")
    review.work.write("APPROVERS", "commerce * @mallory\n")
    review.commit()
    making.git(review.work.root, "checkout", "-q", "main")
    review.approve("mallory")
    assert 3 == review.work.run("ci", "--base", "evil").code
    assert 3 == review.work.run("ci", "--base", "main").code


def test_another_base_than_the_default_branch_releases_nothing(review: Review):
    """Whoever may push a branch could write APPROVERS there."""
    review.approve("ana")
    review.pull["base"] |= {"ref": "other"}
    done = review.ci()
    assert (3, True) == (done.code, "#7 is not into the default branch" in done.out)


def test_another_commit_than_the_reviewed_one_releases_nothing(review: Review):
    """What is checked out must be the last commit of the pull request, merged into its base."""
    review.approve("ana")
    review.work.course("a", PRICE.replace("100", "300"))
    review.commit()
    commit = review.find_commit("HEAD")
    parents = [{"sha": review.find_commit("HEAD^")}]
    review.host.gets[f"{REPOSITORY}/commits/{commit}"] = {"parents": parents}
    done = review.ci()
    assert (3, True) == (done.code, "does not join commit" in done.out)


def test_the_last_commit_itself_may_be_checked_out(review: Review):
    """A job may plan it as it is, without the merge that GitHub tries."""
    review.approve("ana")
    making.git(review.work.root, "checkout", "-q", "head")
    assert 0 == review.ci().code


def test_what_is_in_no_commit_is_not_approved(review: Review):
    """A step before may have written other manifests than those that people have seen."""
    review.approve("ana")
    review.work.course("a", PRICE.replace("100", "300"))
    done = review.ci()
    assert (3, True) == (done.code, "with course.a is not what the commit says" in done.out)


def test_what_was_merged_before_is_not_approved(review: Review):
    """The approval is about the pull request: what was never applied before it waits for a word."""
    making.git(review.work.root, "checkout", "-q", "-B", "main", "base")
    review.work.course("a", PRICE.replace("100", "150"))
    review.work.course("b", PRICE)
    review.commit()
    review.raise_price()
    review.merge()
    review.tell()
    review.approve("ana")
    done = review.ci()
    assert (3, True) == (
        done.code,
        "course.a is recorded differently from" in done.out,
    )


PATH = """\
purchasePaths:
  - {id: shop, label: Buy it, target: {url: "https://shop.example.com/a", title: Shop}}
"""
MOVED = "moved: [{from: course.a}]\n"


@pytest.mark.parametrize(
    ("rules", "key", "more", "code"),
    [
        ("commerce path.* @ana\n", "a", PRICE + PATH, 0),
        ("commerce course.* @ana\n", "a", PRICE + PATH, 3),
        ("commerce,access course.* @ana\n", "b", PRICE.replace("100", "200") + MOVED, 0),
        ("commerce,access course.b @ana\n", "b", PRICE.replace("100", "200") + MOVED, 3),
        ("commerce course.* @ana\n", "a", PRICE + "courseEndDate: 2031-01-31\n", 3),
        ("access course.* @ana\n", "a", PRICE + "courseEndDate: 2031-01-31\n", 0),
    ],
    ids=["new path", "path of others", "new key", "key of others", "effect of others", "effect"],
)
def test_what_a_line_names_is_released(review: Review, rules: str, key: str, more: str, code: int):
    """New parts of what people use, courses with another key, and each effect by itself."""
    making.git(review.work.root, "checkout", "-q", "-B", "main", "base")
    review.work.write("APPROVERS", rules)
    review.commit()
    review.raise_price(key, more)
    review.merge()
    review.tell()
    review.approve("ana")
    done = review.ci()
    assert (code, code == 0) == (done.code, BY_ANA in done.out)


def test_one_approved_change_releases_no_other(review: Review):
    """The guard still stops the change of a course that no line names, and says so."""
    making.git(review.work.root, "checkout", "-q", "-B", "main", "base")
    review.work.write("APPROVERS", RULES.replace("course.*", "course.a"))
    review.work.course("b", PRICE)
    review.work.apply()
    review.commit()
    review.work.course("b", PRICE.replace("100", "300"))
    review.raise_price()
    review.merge()
    review.tell()
    review.approve("ana")
    done = review.ci()
    assert (3, True) == (
        done.code,
        f"Released: “Title of a” (course.a): {BY_ANA}" in done.out,
    )
    assert "no line of the merged APPROVERS covers commerce of course.b" in done.out


def test_a_guard_of_another_kind_stays(review: Review):
    """Approvals release the effect on people that a line names, and no other guard."""
    review.approve("ana")
    review.work.write(
        "lmssync.yaml",
        f"{PROJECT}guards: {{published: error, manyChanges: {{severity: error, least: 1}}}}\n",
    )
    done = review.ci()
    assert (3, True) == (done.code, "Release it with --allow manyChanges." in done.out)


def test_without_an_answer_nothing_is_released(review: Review):
    """The message says why, and how the guard is released by hand."""
    review.approve("ana")
    review.host.gets.pop(f"{REPOSITORY}/pulls/7")
    done = review.ci()
    assert (3, True) == (done.code, "no approval releases it: GitHub refused GET" in done.out)
    assert "Release it with --allow course.a." in done.out


def test_a_clone_without_the_base_releases_nothing(review: Review):
    """A shallow one has to have the commits that are compared."""
    review.approve("ana")
    commits = {name: review.find_commit(name) for name in ("HEAD", "head")}
    absent = "4" * 40
    review.host.merge(commits["HEAD"], [absent, commits["head"]], base=absent, head=commits["head"])
    done = review.ci()
    assert (3, True) == (done.code, "a shallow clone may not have it" in done.out)


HOW = pytest.mark.parametrize("how", [(), ("--squash",)], ids=["merge", "squash"])


@HOW
def test_what_was_approved_is_applied(review: Review, how: tuple[str, ...]):
    """The jobs of the main branch find the pull request that the commit was made of."""
    review.release(*how)
    assert 0 == review.ci().code
    done = review.work.run("apply", "p.json")
    assert (0, 200) == (done.code, review.read_price())
    assert f"course.a: {BY_ANA}" in done.out


def test_the_receipt_says_who_has_approved(review: Review):
    """In each of its forms."""
    review.release()
    review.ci()
    names = [f"receipt.{ending}" for ending in ("txt", "md", "html", "json")]
    review.work.run("apply", "p.json", *(word for name in names for word in ("--report", name)))
    text, markdown, page, document = (
        (review.work.root / name).read_text("utf-8") for name in names
    )
    words = f"course.a: {BY_ANA}{(commit := review.find_commit('head'))[:7]}"
    assert (True, True, True) == (words in text, escape_text(words) in markdown, words in page)
    lines = [RULES.strip()]
    told = {"address": "course.a", "approvers": ["@ana"], "pullRequest": 7, "commit": commit}
    assert [told | {"lines": lines}] == json.loads(document)["approved"]


def test_several_rebased_commits_release_nothing(review: Review):
    """The commit before the last one is not the base, whatever APPROVERS it brings."""
    making.git(review.work.root, "checkout", "-q", "-B", "main", "base")
    review.work.write("APPROVERS", "commerce * @mallory\n")
    review.commit()
    review.work.course("a", PRICE.replace("100", "200"))
    review.commit()
    making.git(review.work.root, "branch", "-f", "head", "main")
    review.tell()
    review.approve("mallory")
    review.monkeypatch.setenv("GITHUB_REF", "refs/heads/main")
    done = review.ci()
    assert (3, True) == (done.code, "or several commits were rebased" in done.out)


@pytest.mark.parametrize("change", ["dismissed", "moved on", "not merged", "no job", "no token"])
def test_an_apply_asks_again(review: Review, change: str):
    """What has changed since the plan was saved counts, and nothing is sent."""
    review.release()
    assert 0 == review.ci().code
    gets = review.host.gets
    if change == "dismissed":
        review.approve("ana", state="DISMISSED")
    elif change == "moved on":
        gets[f"{REPOSITORY}/branches/main"] = {"commit": {"sha": "3" * 40}}
    elif change == "not merged":
        review.pull["merged_at"] = None
    else:
        name = {"no job": "GITHUB_REPOSITORY", "no token": "GITHUB_TOKEN"}[change]
        review.monkeypatch.delenv(name)
    done = review.work.run("apply", "p.json")
    assert (3, 100, "") == (done.code, review.read_price(), done.out)


def test_a_plan_of_a_pull_request_is_not_released_by_being_applied(review: Review):
    """Its approvals are asked for as those of a merged one."""
    review.approve("ana")
    assert 0 == review.ci().code
    review.pull["merged_at"] = None
    assert (3, 100) == (review.work.run("apply", "p.json").code, review.read_price())


def test_a_forged_plan_releases_nothing(review: Review):
    """It does something else with a course whose change was approved, and says that it was."""
    review.release()
    review.ci()
    honest = plan.restore_plan(review.work.root / "p.json")
    review.work.course("a", PRICE.replace("100", "1"))
    review.work.run("plan", "--out", "p.json")
    forged = plan.restore_plan(review.work.root / "p.json")
    forged = replace(forged, approved=honest.approved, guards=honest.guards)
    plan.save_plan(forged, review.work.root / "p.json")
    done = review.work.run("apply", "p.json")
    assert (3, 100) == (done.code, review.read_price())
    assert "what the plan does with course.a is not what the commit says" in done.err


def test_a_plan_that_shows_another_effect_is_refused(review: Review):
    """Others approve that effect: with a digest that fits, it contradicts itself all the same."""
    making.git(review.work.root, "checkout", "-q", "-B", "main", "base")
    review.work.write("APPROVERS", "access course.* @ana\n")
    review.commit()
    review.raise_price("a", PRICE + "courseEndDate: 2031-01-31\n")
    review.release()
    assert 0 == review.ci().code
    honest = plan.restore_plan(review.work.root / "p.json")
    changes = [one._replace(effect=Effect.COMMERCE) for one in honest.changes]
    plan.save_plan(replace(honest, changes=changes), review.work.root / "p.json")
    done = review.work.run("apply", "p.json")
    assert (64, True) == (done.code, "is access, and not commerce" in done.err)


def test_a_plan_that_was_stopped_stays_stopped(review: Review):
    """An approval that comes later needs a new plan: nobody has seen that it would be released."""
    review.release()
    assert 3 == review.work.run("plan", "--out", "p.json").code
    assert (3, 100) == (review.work.run("apply", "p.json").code, review.read_price())


def test_a_catalog_without_approvers_asks_nobody(review: Review):
    """Only a catalog that uses approvals costs requests."""
    (review.work.root / "APPROVERS").unlink()
    review.host.served.asked.clear()
    done = review.ci()
    paths = {asked.path.partition("?")[0] for asked in review.host.served.asked}
    assert (3, False) == (done.code, "no approval releases it" in done.out)
    assert not [path for path in paths if "/pulls/" in path]


def test_a_step_for_a_person_hides_no_price(review: Review):
    """In a forged plan it would say that somebody else sets what the calls send."""
    review.release()
    assert 0 == review.ci().code
    honest = plan.restore_plan(review.work.root / "p.json")
    review.work.course("a", PRICE.replace("100", "1"))
    review.work.run("plan", "--out", "p.json")
    forged = plan.restore_plan(review.work.root / "p.json")
    (change,) = (one for one in forged.changes if one.fields)
    fields = [one._replace(after=200) for one in change.fields]
    shown = change._replace(fields=fields, manual=[ManualStep("priceInCents", "Look at it")])
    changes = [shown if one is change else one for one in forged.changes]
    forged = replace(forged, approved=honest.approved, guards=honest.guards, changes=changes)
    plan.save_plan(forged, review.work.root / "p.json")
    making.git(review.work.root, "checkout", "-q", "--", ".")

    assert (3, 100) == (review.work.run("apply", "p.json").code, review.read_price())


def test_a_shown_plan_proves_no_approval(review: Review):
    """Whoever has a file of a plan can write names into it."""
    review.approve("ana")
    assert 0 == review.ci().code
    review.approve()
    done = review.work.run("ci", "--plan", "p.json")
    assert (64, True) == (done.code, "names approvals, but a file does not prove them" in done.err)
