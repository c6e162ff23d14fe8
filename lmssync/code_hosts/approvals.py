"""Who has approved a pull request, and whether they are in a team, as far as the token may ask."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from ..errors import CodeHostFailed
from .job import CiJob, repository
from .wire import CodeHostWire

_DECIDES = frozenset({"APPROVED", "CHANGES_REQUESTED", "DISMISSED"})
"""Reviews that change what somebody thinks of it; a comment does not."""
_NOT_FOUND = 404


class Approvals:
    """Logins of those who approved, and questions about teams."""

    def __init__(self, job: CiJob, wire: CodeHostWire, logins: frozenset[str]) -> None:
        self._job, self._wire, self.logins = job, wire, logins

    def of_team(self, team: str) -> bool:
        """Whether somebody of `org/team`, or of a group, has approved; raises `CodeHostFailed`."""
        return any(self._is_member(team, login) for login in sorted(self.logins))

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
        return isinstance(found, dict) and found.get("state") == "active"


def approvals(job: CiJob, wire: CodeHostWire) -> Approvals:
    """Who has approved the last commit of a pull request; raises `CodeHostFailed`."""
    where = repository(job)
    if job.host == "github":
        reviews = wire.pages(f"/repos/{where}/pulls/{job.number}/reviews", {})
        return Approvals(job, wire, frozenset(_approving(reviews, job.head)))
    path = f"/projects/{where}/merge_requests/{job.number}/approvals"
    body = wire.ask("GET", path).body
    given = body.get("approved_by") if isinstance(body, dict) else None
    people = (entry.get("user") for entry in given or [] if isinstance(entry, dict))
    return Approvals(job, wire, frozenset(map(_login, filter(None, people))))


def _approving(reviews: Iterator[Mapping[str, Any]], head: str) -> Iterator[str]:
    """Whose last word is an approval of the last commit, so that nobody approves what they have
    not seen."""
    last: dict[str, Mapping[str, Any]] = {}
    for review in reviews:
        if review.get("state") in _DECIDES:
            last[_login(review.get("user"))] = review
    for login, review in last.items():
        if login and review["state"] == "APPROVED" and head in {"", review.get("commit_id")}:
            yield login


def _login(user: Any) -> str:
    name = user.get("login") or user.get("username") if isinstance(user, dict) else ""
    return name if isinstance(name, str) else ""
