"""Where `lmssync ci` and `lmssync apply` get the rules for approvals, and who has approved."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import CodeHostFailed, WrongUse
from ..support import git
from .publishing import warn

if TYPE_CHECKING:
    from ..code_hosts import Approvals, CiJob
    from ..planning.approvals import ApprovalRule
    from ..planning.plan import ApprovalFindings, Plan
    from ..planning.workspace import Workspace
    from ..state import Store

_NAME_IT = (
    "name people in APPROVERS, or give the token of the job the right to read members of teams"
)


def rules_of(root: Path, base: str | None) -> "list[ApprovalRule]":
    """The lines of the catalog, and before them those of a revision that none of them covers."""
    from ..planning import approvals
    from ..planning.base_revision import read_approvers

    merged = [] if base is None else approvals.rules(git.text_at(root, base, approvals.FILE))
    return approvals.merge_rules(merged, read_approvers(root))


def add_approval_finder(place: "Workspace", job: "CiJob", *, merged: bool) -> "Workspace":
    """The workspace of a run for which approvals release what the guard `published` stops.

    GitHub says which pull request the commit is of, what its base is and who has approved its last
    commit: nothing of that is taken from the words of a workflow, which a pull request can change.
    """

    def find_approvals(made: "Plan", store: "Store") -> "ApprovalFindings":
        from ..planning.base_revision import read_approvers
        from ..planning.plan import ApprovalFindings

        try:
            if not read_approvers(place.root):
                return ApprovalFindings()
            return _find_approvals(place, job, made, store, merged=merged)
        except (CodeHostFailed, WrongUse) as failed:
            why = f"{failed.message} ({failed.hint})" if failed.hint else failed.message
            return ApprovalFindings((), dict.fromkeys((one.address for one in made.changes), why))

    return place._replace(find_approvals=find_approvals)


def _find_approvals(
    place: "Workspace", job: "CiJob", made: "Plan", store: "Store", *, merged: bool
) -> "ApprovalFindings":
    """Raises `CodeHostFailed` and `WrongUse` with why nothing is released."""
    from .. import code_hosts
    from ..planning.guarding import find_approved_changes

    if job.host == "gitlab":
        raise CodeHostFailed("on GitLab an approval names no commit, so only --allow does")
    commit = git.commit(place.root)
    if not commit or made.commit != commit:
        raise WrongUse("the plan is not of the commit that is checked out")
    with code_hosts.connect_code_host(job, warn) as wire:
        pull = code_hosts.find_reviewed_pull(job, wire, commit, merged=merged or not job.number)
        found = code_hosts.approvals(job._replace(number=pull.number, head=pull.head), wire)
        found.logins -= {pull.author}

        def find_approvers(teams: Iterable[str]) -> Mapping[str, str]:
            return _name_approvers(found, teams)

        return find_approved_changes(place, made, store, pull, find_approvers)


def _name_approvers(found: "Approvals", teams: Iterable[str]) -> dict[str, str]:
    """Who has approved, by team: `@ana`, `@bo for @acme/finance`. Others are left out."""
    logins = {_plain(login): login for login in found.logins}
    named = {team: f"@{logins[_plain(team)]}" for team in teams if _plain(team) in logins}
    for team in sorted({team for team in teams if "/" in team}):
        if member := _find_member(found, team):
            named[team] = f"@{member} for {team}"
    return named


def list_approved(job: "CiJob", named: Iterable[str], teams: Iterable[str]) -> frozenset[str]:
    """Which people and teams have approved: those named, and those of the pull request, as far as
    the token can read that."""
    given = {_plain(name) for name in named}
    there = frozenset(team for team in teams if _plain(team) in given)
    if job.number is None:
        return there
    try:
        return there | frozenset(_on_code_host(job, sorted({*teams} - there)))
    except CodeHostFailed as failed:
        warn(f"the approvals of the pull request cannot be read: {failed.message}", failed.hint)
        return there


def _on_code_host(job: "CiJob", teams: Sequence[str]) -> Iterator[str]:
    from .. import code_hosts

    with code_hosts.connect_code_host(job, warn) as wire:
        found = code_hosts.approvals(job, wire)
        logins = {_plain(login) for login in found.logins}
        for team in teams:
            if _plain(team) in logins or (_is_team(team, job) and _find_member(found, team)):
                yield team


def _find_member(found: "Approvals", team: str) -> str:
    try:
        return found.find_member(team.removeprefix("@"))
    except CodeHostFailed as failed:
        warn(f"who is in {team} cannot be read: {failed.message}", _NAME_IT)
        return ""


def _is_team(name: str, job: "CiJob") -> bool:
    """A team of GitHub is `org/team`; a group of GitLab may have any name."""
    return "/" in name or job.host == "gitlab"


def _plain(name: str) -> str:
    return name.removeprefix("@").casefold()
