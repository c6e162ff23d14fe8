"""Which pull request a commit is of, who has approved it, and whether they are in a team, as far as
the token may ask."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from ..errors import CodeHostFailed
from .host_requests import CiJob, CodeHostWire, repository_of

_DECIDES = frozenset({"APPROVED", "CHANGES_REQUESTED", "DISMISSED"})
"""Reviews that change what somebody thinks of it; a comment does not."""
_NOT_FOUND = 404


class Approvals:
    """Logins of those who approved, and questions about teams."""

    def __init__(self, job: CiJob, wire: CodeHostWire, logins: frozenset[str]) -> None:
        self._job, self._wire, self.logins = job, wire, logins

    def find_member(self, team: str) -> str:
        """The first who has approved and is in `org/team`, or in a group; empty if nobody is.

        Raises `CodeHostFailed`.
        """
        return next((one for one in sorted(self.logins) if self._is_member(team, one)), "")

    def _is_member(self, team: str, login: str) -> bool:
        try:
            return self._ask_membership(team, login)
        except CodeHostFailed as failed:
            if failed.status == _NOT_FOUND:  # no member, or there is no such team
                return False
            raise

    def _ask_membership(self, team: str, login: str) -> bool:
        if self._job.host == "gitlab":
            path = f"/groups/{quote(team, safe='')}/members/all"
            members = self._wire.pages(path, {"query": login})
            return any(member.get("username") == login for member in members)
        organisation, _, name = (quote(part, safe="") for part in team.partition("/"))
        path = f"/orgs/{organisation}/teams/{name}/memberships/{quote(login, safe='')}"
        found = self._wire.ask("GET", path).body
        if not isinstance(found, dict):
            raise CodeHostFailed(
                f"the code host answered {path} with something other than a member"
            )
        return found.get("state") == "active"


def read_approvals(job: CiJob, wire: CodeHostWire) -> Approvals:
    """Who has approved the last commit of a pull request; raises `CodeHostFailed`."""
    where = repository_of(job)
    if job.host == "github":
        reviews = wire.pages(f"/repos/{where}/pulls/{job.number}/reviews", {})
        return Approvals(job, wire, frozenset(_list_approvers(reviews, job.head)))
    path = f"/projects/{where}/merge_requests/{job.number}/approvals"
    given = wire.read_object(path).get("approved_by")
    people = (entry.get("user") for entry in given or [] if isinstance(entry, dict))
    return Approvals(job, wire, frozenset(map(_login_of, filter(None, people))))


def _list_approvers(reviews: Iterator[Mapping[str, Any]], head: str) -> Iterator[str]:
    """Whose last word is an approval of the last commit, so that nobody approves what they have
    not seen."""
    last: dict[str, Mapping[str, Any]] = {}
    for review in reviews:
        if review.get("state") in _DECIDES:
            last[_login_of(review.get("user"))] = review
    for login, review in last.items():
        if login and review["state"] == "APPROVED" and head in {"", review.get("commit_id")}:
            yield login


def _login_of(user: Any) -> str:
    name = user.get("login") or user.get("username") if isinstance(user, dict) else ""
    return name if isinstance(name, str) else ""


class ReviewedPull(NamedTuple):
    """A pull request whose last commit people can have approved."""

    number: int
    author: str
    head: str
    """Its last commit."""
    base: str
    """The commit of the default branch that it is merged into."""


def find_reviewed_pull(
    job: CiJob, wire: CodeHostWire, commit: str, *, merged: bool
) -> ReviewedPull:
    """The pull request that a commit is of, by what GitHub says of both; raises `CodeHostFailed`
    with why there is none.

    Where it has to be `merged`, the commit is the newest of the default branch, and the merge or
    the squash of the pull request on its base. Else it is the last commit of the pull request of
    the job, or the merge of it that GitHub tries.
    """
    where = repository_of(job)
    if merged:
        pull = _find_merged(where, wire, commit)
    else:
        pull = wire.read_object(f"/repos/{where}/pulls/{job.number}")
    found = _read_pull(pull, where)
    if merged and commit != _newest_commit(pull, where, wire):
        raise CodeHostFailed(f"commit {commit[:7]} is not the newest of the default branch")
    if merged or commit != found.head:
        # A merge has two parents, the base first; a squash has the base alone, and so has the
        # rebase of a single commit. Of several rebased commits, the last one has none of these.
        squashed = [[found.base]] if merged else []
        if _list_parents(where, wire, commit) not in [[found.base, found.head], *squashed]:
            raise CodeHostFailed(
                _NOT_ITS_MERGE.format(commit[:7], found.head[:7], found.number, found.base[:7])
            )
    _require_seen_base(found, where, wire)
    return found


def _require_seen_base(pull: ReviewedPull, where: str, wire: CodeHostWire) -> None:
    """Raises `CodeHostFailed` where those who approved may have looked at another base: the branch
    lacks commits of it, or the pull request was into another branch before."""
    compared = wire.read_object(f"/repos/{where}/compare/{pull.base}...{pull.head}")
    behind = compared.get("behind_by")
    # Not `isinstance`: True is an int as well.
    if type(behind) is not int or behind:
        raise CodeHostFailed(
            f"the branch of pull request #{pull.number} does not have commit {pull.base[:7]} of "
            "its base: bring it up to date, and have its last commit approved"
        )
    timeline = wire.pages(f"/repos/{where}/issues/{pull.number}/timeline", {})
    if any(one.get("event") == "base_ref_changed" for one in timeline):
        raise CodeHostFailed(
            f"pull request #{pull.number} was for another branch before: open a new one"
        )


_SHA = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_NOT_ITS_MERGE = (
    "commit {} does not join commit {} of pull request #{} with its base {}: the branch was not up "
    "to date, or several commits were rebased"
)


def _find_merged(where: str, wire: CodeHostWire, commit: str) -> Mapping[str, Any]:
    pulls = wire.pages(f"/repos/{where}/commits/{commit}/pulls", {})
    made = [one for one in pulls if one.get("merge_commit_sha") == commit and one.get("merged_at")]
    if len(made) != 1:
        number = "no" if not made else "more than one"
        raise CodeHostFailed(f"{number} pull request was merged as commit {commit[:7]}")
    return made[0]


def _read_pull(pull: Mapping[str, Any], where: str) -> ReviewedPull:
    """Raises `CodeHostFailed` for one into another branch than the default one."""
    base, head = _mapping_of(pull, "base"), _mapping_of(pull, "head")
    number, repo, ref = pull.get("number"), _mapping_of(base, "repo"), base.get("ref")
    shas = [str(one.get("sha")) for one in (head, base)]
    if type(number) is not int or not all(map(_SHA.fullmatch, shas)):
        raise CodeHostFailed("the code host does not say what the pull request is of")
    is_here = str(repo.get("full_name")).casefold() == where.casefold()
    if not (is_here and isinstance(ref, str) and ref and ref == repo.get("default_branch")):
        raise CodeHostFailed(f"pull request #{number} is not into the default branch")
    return ReviewedPull(number, _login_of(pull.get("user")), *shas)


def _mapping_of(answer: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An object in an answer; empty where the code host has sent something else."""
    value = answer.get(name)
    return value if isinstance(value, dict) else {}


def _newest_commit(pull: Mapping[str, Any], where: str, wire: CodeHostWire) -> str:
    branch = quote(pull["base"]["ref"], safe="/")
    answer = wire.read_object(f"/repos/{where}/branches/{branch}")
    return str(_mapping_of(answer, "commit").get("sha", ""))


def _list_parents(where: str, wire: CodeHostWire, commit: str) -> list[str]:
    """The parents of a commit, the branch that it was merged into first."""
    parents = wire.read_object(f"/repos/{where}/commits/{commit}").get("parents")
    entries = parents if isinstance(parents, list) else []
    return [str(one.get("sha")) if isinstance(one, dict) else "" for one in entries]
