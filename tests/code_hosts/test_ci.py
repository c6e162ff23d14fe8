"""`lmssync ci` in a job of GitHub or GitLab, with a platform and a code host that are served."""

import json
import re
from pathlib import Path

import pytest

from lmssync.code_hosts import DRIFT, spell_marker
from tests.platform.client.answering import Said
from tests.served_catalog import PROJECT, Platform, Workspace

from .double import TOKEN, Double, Fault

MARK = spell_marker("plan", "sandbox")
LEFT_OUT = re.compile(r"\*\*(\d+) more guards\*\* are left out here")
PROTECTED = "lifecycle: {protect: true}\n"


github = pytest.mark.parametrize("host", ["github"], indirect=True)


def test_ten_runs_leave_one_comment(work: Workspace, host: Double):
    """It is written by the first, changed by those that plan something else, else left alone."""
    for number in range(10):
        work.course("a", edit=("Good morning", f"Good day {number // 2}"))
        assert 0 == work.run("ci").code
    assert 1 == len(host.shown)
    assert 5 == len(host.writes())
    assert host.shown[0].startswith(MARK)
    assert "Title of a" in host.shown[0]


def test_what_changes_nothing_is_no_comment(work: Workspace, host: Double):
    """A pull request that changes no content is left alone; a comment from before is corrected."""
    work.course("a")
    work.apply()
    work.run("ci")
    assert [] == host.shown
    work.course("b")
    work.run("ci")
    (work.root / "b.yaml").unlink()
    assert 0 == work.run("ci").code
    assert 1 == len(host.shown)
    assert "Title of b" not in host.shown[0]


@github
def test_problems_are_marked_beside_their_lines(work: Workspace, host: Double):
    """As `validate --format github` does; the comment lists them, and nothing is planned."""
    work.course("a", edit=("type: quiz", "type: quizz"))
    done = work.run("ci")
    assert 3 == done.code
    assert "::error file=a.yaml,line=14," in done.out
    assert "The catalog has 1 error." in host.shown[0]
    assert "<b>type-value</b>" in host.shown[0]


@github
def test_a_catalog_in_a_folder_of_its_repository(work: Workspace, host: Double):
    """Files are named from the root of the repository, and the comment is one of its own."""
    (work.root / "content").mkdir()
    (work.root / "lmssync.yaml").rename(work.root / "content/lmssync.yaml")
    (work.root / ".git").mkdir()
    work.write("content/a.yaml", "resource: course\nkind: video\n")
    done = work.run("ci", "-C", "content")
    assert "::error file=content/a.yaml,line=1," in done.out
    assert host.shown[0].startswith(spell_marker("plan", "sandbox", "content/"))


@github
def test_a_guard_stops_the_plan(work: Workspace, host: Double):
    """It ends with 3 as `plan` does, marked where the manifest begins, until it is allowed."""
    work.write("lmssync.yaml", f"{PROJECT}guards: {{published: error}}\n")
    work.course("a", "status: published\npriceInCents: 100\n")
    work.apply()
    work.course("a", "status: published\npriceInCents: 200\n")
    done = work.run("ci")
    assert 3 == done.code
    assert "::error file=a.yaml,line=1,col=1,title=lmssync guard published::a.yaml:1:1" in done.out
    assert "--allow course.a" in host.shown[0]
    assert 0 == work.run("ci", "--allow", "course.a").code


@pytest.mark.parametrize("host", ["gitlab"], indirect=True)
def test_on_gitlab_approvals_release_no_guard(work: Workspace, host: Double):
    """The message says so where a catalog uses approvals, and the option that does."""
    work.write("lmssync.yaml", f"{PROJECT}guards: {{published: error}}\n")
    work.write("APPROVERS", "commerce course.* @ana\n")
    work.course("a", "status: published\npriceInCents: 100\n")
    work.apply()
    work.course("a", "status: published\npriceInCents: 200\n")
    done = work.run("ci")
    words = (
        "no approval releases it: on GitLab an approval names no commit, so only --allow "
        "releases a guard"
    )
    assert (3, True) == (done.code, words in done.out)
    assert 0 == work.run("ci", "--allow", "course.a").code


@github
def test_what_is_left_out_of_a_plan_is_marked(work: Workspace, host: Double):
    """A protected resource stops only its own change, as in `plan`."""
    work.course("a", PROTECTED)
    work.apply()
    work.course("a", PROTECTED, edit=("Good morning", "Good evening"))
    done = work.run("ci")
    assert 0 == done.code
    assert 1 == done.out.count("::error file=a.yaml,line=1,col=1,title=lmssync guard protect::")
    assert "--allow course.a" in host.shown[0]


@github
def test_a_field_that_waits_is_marked(work: Workspace, host: Double, platform: Platform):
    """A conflict in a title is marked as a blocked change is, while the price is sent."""
    work.course("a")
    work.apply()
    (course,) = [c["id"] for c in platform.dump("courses") if c["title"] == "Title of a"]
    platform.change({"courses": [{"id": course, "title": "By hand"}]})
    work.course("a", "priceInCents: 1900\n", edit=("Title of KEY", "From git"))
    done = work.run("ci")
    assert "title=lmssync blocked::a.yaml:1:1: course.a: changed on the platform" in done.out
    assert "Blocked until somebody decides" in host.shown[0]


@github
def test_a_flood_of_policies_leaves_the_change_in_the_comment(work: Workspace, host: Double):
    """400 policies that say much: the comment names change and digest, and counts the policies."""
    flood = [
        f"policy: p{n}\nresource: plan\nrequire: {{environment: none}}\n"
        f"message: {'m' * 200}\nhint: {'h' * 200}\n"
        for n in range(400)
    ]
    work.write("policies/flood.yaml", "---\n".join(flood))
    work.course("a")
    assert 3 == work.run("ci").code
    digest, comment = work.run("plan", "--json").json["digest"], host.shown[0]
    assert all(word in comment for word in (digest, "Title of a", "1 to create"))
    assert 400 == comment.count("**blocked**") + int(LEFT_OUT.findall(comment)[0])


def test_the_token_of_a_fork_may_not_write(work: Workspace, host: Double, tmp_path: Path):
    """The report is in the summary, a warning says so, and the exit code is that of the plan."""
    host.may_write = False
    work.course("a")
    done = work.run("ci", "--summary", str(tmp_path / "report.md"))
    assert 0 == done.code
    assert "warning: the comment was not written: " in done.err
    assert "Title of a" in (tmp_path / "report.md").read_text("utf-8")


def test_a_code_host_that_fails_stops_nothing(work: Workspace, host: Double):
    """Neither the exit code nor the plan in the log depends on it."""
    host.faults = [Fault("GET", Said(b"<html>", 502, {"retry-after": "0"}))] * 9
    work.course("a")
    done = work.run("ci")
    assert (0, True) == (done.code, "Title of a" in done.out)
    assert "warning: the comment was not written: " in done.err


@github
def test_the_summary_and_outputs_of_a_job(
    work: Workspace, host: Double, monkeypatch: pytest.MonkeyPatch
):
    """They are added to what earlier steps have written; a push to a branch has no comment."""
    files = {"GITHUB_STEP_SUMMARY": "summary.md", "GITHUB_OUTPUT": "outputs"}
    for name, file in files.items():
        work.write(file, "before\n")
        monkeypatch.setenv(name, str(work.root / file))
    monkeypatch.setenv("GITHUB_REF", "refs/heads/main")
    work.course("a")
    digest = work.plan()["digest"]
    assert 0 == work.run("ci").code
    summary, outputs = ((work.root / file).read_text("utf-8") for file in files.values())
    assert summary.startswith("before\n<!-- lmssync:plan ")
    assert f"before\ndigest={digest}\nchanges=true\n" == outputs
    assert [] == host.served.asked


@github
def test_the_event_says_which_pull_request(
    work: Workspace, host: Double, monkeypatch: pytest.MonkeyPatch
):
    """GITHUB_EVENT_PATH counts before GITHUB_REF."""
    event = {"pull_request": {"number": 7, "head": {"sha": "1" * 40}}}
    work.write("event.json", json.dumps(event))
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(work.root / "event.json"))
    monkeypatch.setenv("GITHUB_REF", "refs/pull/8/merge")
    work.course("a")
    work.run("ci")
    assert 1 == len(host.shown)


def test_a_saved_plan(work: Workspace, host: Double):
    """A job without a key shows what a job with one has planned."""
    work.course("a")
    assert 0 == work.run("ci", "--out", "a.plan").code
    host.texts.clear()
    assert 0 == work.run("ci", "--plan", "a.plan").code
    assert "Title of a" in host.shown[0]


def test_a_damaged_plan_is_named(work: Workspace, host: Double):
    """The comment of the one environment says so; of two environments, the message does."""
    work.course("a")
    assert 0 == work.run("ci", "--out", "a.plan").code
    work.write("a.plan", "{}")
    assert (64, 1) == (work.run("ci", "--plan", "a.plan").code, len(host.shown))
    assert "a.plan" in host.shown[0]
    assert "Title of a" not in host.shown[0]
    one = (work.root / "lmssync.yaml").read_text("utf-8")
    other = "environments:\n  other: {baseUrl: https://other.example.com}"
    work.write("lmssync.yaml", one.replace("environments:", other))
    assert "a.plan" in work.run("ci", "--plan", "a.plan").err


def test_what_was_approved_is_applied(work: Workspace, host: Double, tmp_path: Path):
    """A job that plans again at the same commit gets the digest that another has shown."""
    work.course("a")
    work.run("ci", "--out", "a.plan", "--outputs", "outputs")
    shown = dict(line.split("=") for line in (tmp_path / "outputs").read_text().splitlines())
    work.run("plan", "--out", "b.plan")
    assert 0 == work.run("apply", "b.plan", "--digest", shown["digest"]).code
    assert shown["digest"] in host.shown[0]


def test_no_secret_is_shown(work: Workspace, host: Double, platform: Platform):
    """Neither key nor token is in a comment or a log, even if the catalog holds it."""
    work.course("a", edit=("Good morning", f"{TOKEN} {platform.key}"))
    done = work.run("ci")
    for secret in (TOKEN, platform.key):
        assert secret not in host.shown[0] + done.out + done.err


def test_no_plan_is_a_comment_too(work: Workspace, host: Double, monkeypatch: pytest.MonkeyPatch):
    """Otherwise a plan from before would be taken for one of the last commit."""
    work.course("a")
    work.run("ci")
    monkeypatch.setenv("LMSSYNC_API_KEY", "wrong")
    assert 8 == work.run("ci").code
    assert f"{MARK}\n### No plan for <code>sandbox</code>\n" in host.shown[0]


def test_an_issue_about_drift(work: Workspace, host: Double, platform: Platform):
    """It is opened, kept up to date, and closed when nothing drifts any more."""
    work.course("a")
    work.apply()
    assert 0 == work.run("ci", "drift").code
    (course,) = [c["id"] for c in platform.dump("courses") if c["title"] == "Title of a"]
    for title in ("By hand", "By hand", "By hand again", "Title of a"):
        platform.change({"courses": [{"id": course, "title": title}]})
        work.run("ci", "drift")
    (issue,) = host.texts[host.issues]
    assert ("closed", DRIFT in issue["labels"]) == (issue["state"], True)
    assert "By hand again" in issue["body"]
    assert 3 == len(host.writes())


def test_the_issue_of_another_author_stays_open(work: Workspace, host: Double):
    """Label and marker are for everybody to copy."""
    mark = spell_marker("drift", "sandbox")
    issue = host.add(host.issues, f"{mark}\nours", labels=DRIFT)
    work.run("ci", "drift")
    assert "open" == issue["state"]


def test_outside_a_job(work: Workspace):
    """It plans, and says that nothing was posted."""
    work.course("a")
    done = work.run("ci")
    assert (0, True) == (done.code, "Title of a" in done.out)
    assert "nothing was posted" in done.err
