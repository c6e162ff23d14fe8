"""Which pull request a commit is of, as GitHub says it."""

from collections.abc import Iterator
from typing import Any

import pytest

from lmssync import code_hosts
from lmssync.code_hosts import ReviewedPull
from lmssync.errors import CodeHostFailed

from .double import Double, serving

WHERE = "/repos/acme/content"
MERGE, BASE, HEAD, OTHER = (digit * 40 for digit in "1234")


@pytest.fixture
def github() -> Iterator[Double]:
    with serving("github") as double:
        double.merge(MERGE, [BASE, HEAD], base=BASE, head=HEAD)
        yield double


def find(double: Double, commit: str = MERGE, *, merged: bool = True) -> ReviewedPull:
    job = code_hosts.find_ci_job(double.env())
    with code_hosts.connect_code_host(job, print) as wire:
        return code_hosts.find_reviewed_pull(job, wire, commit, merged=merged)


@pytest.mark.parametrize(
    ("commit", "parents", "merged"),
    [
        (MERGE, [BASE, HEAD], True),
        (MERGE, [BASE], True),
        (MERGE, [BASE, HEAD], False),
        (HEAD, [OTHER], False),
    ],
    ids=["merge", "squash", "tried merge", "last commit"],
)
def test_commits_of_a_pull_request(github: Double, commit: str, parents: list[str], merged: bool):
    """Its merge and its squash; before that the merge that GitHub tries, and its last commit."""
    github.merge(MERGE, parents, base=BASE, head=HEAD)
    assert ReviewedPull(7, "bo", HEAD, BASE) == find(github, commit, merged=merged)


@pytest.mark.parametrize(
    ("parents", "merged"),
    [
        ([OTHER, HEAD], True),
        ([OTHER], True),
        ([HEAD, BASE], True),
        ([BASE, OTHER], True),
        ([BASE, HEAD, OTHER], True),
        ([], True),
        ([OTHER, HEAD], False),
        ([BASE], False),
        ([], False),
    ],
)
def test_commits_of_none(github: Double, parents: list[str], merged: bool):
    """Merges into another commit than the base, rebased commits, merges of more than the branch."""
    github.merge(MERGE, parents, base=BASE, head=HEAD)
    with pytest.raises(CodeHostFailed, match="does not join commit 3333333 of pull request #7"):
        find(github, merged=merged)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"merge_commit_sha": OTHER}, "no pull request was merged as commit 1111111"),
        ({"merged_at": None}, "no pull request was merged as commit 1111111"),
        ({"number": "7"}, "does not say what the pull request is of"),
        ({"head": {"sha": "HEAD"}}, "does not say what the pull request is of"),
        ({"head": None}, "does not say what the pull request is of"),
        ({"base": []}, "does not say what the pull request is of"),
        ({"base": {"sha": BASE, "ref": "main"}}, "is not into the default branch"),
        ({"base": {"sha": BASE, "repo": {"full_name": "acme/content"}}}, "is not into the default"),
    ],
)
def test_what_the_code_host_does_not_say(github: Double, change: dict[str, Any], why: str):
    """It is no pull request then, and the message says why."""
    github.gets[f"{WHERE}/commits/{MERGE}/pulls"][0] |= change
    with pytest.raises(CodeHostFailed, match=why):
        find(github)


def test_two_pull_requests_of_one_commit(github: Double):
    """Nobody knows which of them people have approved."""
    github.gets[f"{WHERE}/commits/{MERGE}/pulls"] *= 2
    with pytest.raises(CodeHostFailed, match="more than one pull request was merged as"):
        find(github)


def test_a_default_branch_that_has_moved_on(github: Double):
    """A job that is started once more does not bring back what was reverted."""
    github.gets[f"{WHERE}/branches/main"] = {"commit": {"sha": OTHER}}
    with pytest.raises(CodeHostFailed, match="is not the newest of the default branch"):
        find(github)


@pytest.mark.parametrize("name", ["acme/other", "mallory/content"])
def test_a_pull_request_of_another_repository(github: Double, name: str):
    """That of a fork into itself, for example."""
    github.gets[f"{WHERE}/pulls/7"]["base"]["repo"]["full_name"] = name
    with pytest.raises(CodeHostFailed, match="#7 is not into the default branch"):
        find(github, merged=False)


@pytest.mark.parametrize("answer", [{"behind_by": 1}, {"behind_by": None}, {}, []])
def test_a_branch_that_lacks_commits_of_its_base(github: Double, answer: Any):
    """Whoever approved it has not seen what those commits make of it."""
    github.gets[f"{WHERE}/compare/{BASE}...{HEAD}"] = answer
    for merged in (True, False):
        with pytest.raises(CodeHostFailed, match="#7 does not have commit 2222222 of its base"):
            find(github, merged=merged)


def test_a_pull_request_that_was_into_another_branch(github: Double):
    """What people saw there may have been less than what it changes here."""
    github.gets[f"{WHERE}/issues/7/timeline"].append({"event": "base_ref_changed"})
    with pytest.raises(CodeHostFailed, match="#7 was for another branch before"):
        find(github)
