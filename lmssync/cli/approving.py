"""Where `lmssync ci require` gets its rules, and who has approved."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .. import git
from ..errors import CodeHostFailed
from .publishing import warn

if TYPE_CHECKING:
    from ..approvals import ApprovalRule
    from ..code_hosts import Approvals, CiJob

_NAME_IT = "name a team that has approved with --approved-by"


def rules_of(root: Path, base: str | None) -> "list[ApprovalRule]":
    """The lines of the catalog, and before them those of a revision that none of them covers."""
    from .. import approvals
    from ..base_revision import read_approvers

    now = read_approvers(root)
    merged = [] if base is None else approvals.rules(git.text_at(root, base, approvals.FILE))
    known = {one.line_text for one in now}
    return [*(one for one in merged if one.line_text not in known), *now]


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
            if _plain(team) in logins or (_is_team(team, job) and _has_member(found, team)):
                yield team


def _has_member(found: "Approvals", team: str) -> bool:
    try:
        return found.of_team(team.removeprefix("@"))
    except CodeHostFailed as failed:
        warn(f"who is in {team} cannot be read: {failed.message}", _NAME_IT)
        return False


def _is_team(name: str, job: "CiJob") -> bool:
    """A team of GitHub is `org/team`; a group of GitLab may have any name."""
    return "/" in name or job.host == "gitlab"


def _plain(name: str) -> str:
    return name.removeprefix("@").casefold()
