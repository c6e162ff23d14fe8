"""What `ci` and `apply` show on a code host, and ask of it: comments, issues, and who has approved.

What a job publishes never changes how its run ends: a code host that refuses is a warning.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import click

from .. import code_hosts
from ..code_hosts import Approvals, CiJob, CodeHostWire, Kept
from ..errors import CodeHostFailed, LmssyncError, WrongUse
from ..planning import approvals
from ..planning.approvals import ApprovalRule
from ..planning.base_revision import read_approvers
from ..planning.guards import find_approved_changes
from ..planning.plan import ApprovalFindings, Plan
from ..planning.workspace import Workspace
from ..problems import suggest_near
from ..report.value_words import join_words
from ..state import OpenStep, Store
from ..support import redaction
from ..support.file_writing import write_whole
from ..support.git_repository import read_commit, text_at
from .exits import print_warning

DRIFT_ISSUE = "Drift on {}"
_MOST = 60_000
"""Characters of a comment or an issue; GitHub takes 65,536."""


class Publisher:
    """The places that one job can write to."""

    def __init__(self, summary: Path | None, outputs: Path | None = None) -> None:
        self.job: CiJob = code_hosts.find_ci_job(os.environ)
        self._file, self._added = summary or self.job.summary, summary is None
        self._outputs, self._more = outputs or self.job.output, outputs is None

    def keep_comment(self, mark: str, text: str, *, begin: bool = True) -> None:
        """Writes the summary, and keeps the one comment of the pull request, if there is one.

        Without `begin` a comment that exists is changed, and none is begun.
        """
        clean = self._write_summary(text)
        if self.job.number is not None:
            self._keep_text(
                "comment",
                lambda wire: code_hosts.keep_text(
                    code_hosts.open_comments(self.job, wire), mark, clean, begin=begin
                ),
            )
        elif self.job.host is None:
            click.echo("note: this is not a job of GitHub or GitLab: nothing was posted", err=True)

    def keep_issue(self, mark: str, environment: str, text: str, *, ends: bool) -> None:
        """Writes the summary, and keeps the one open issue about drift; `ends` closes it."""
        clean, title = self._write_summary(text), DRIFT_ISSUE.format(environment)

        def kept(wire: CodeHostWire) -> Kept:
            thread = code_hosts.open_issues(self.job, wire, title, code_hosts.DRIFT)
            return code_hosts.keep_text(thread, mark, None if ends else clean)

        self._keep_text("issue", kept)

    def keep_step_issues(
        self, environment: str, folder: str, texts: Mapping[str, tuple[str, str]]
    ) -> None:
        """Keeps an issue for each owner, with its title and text, and closes those of others."""
        if self.job.number is not None:  # its APPROVERS may be a stranger's
            click.echo("note: in the job of a pull request no issue is written", err=True)
            return
        texts = {name: (title, self._write_summary(text)) for name, (title, text) in texts.items()}

        def keep_all(wire: CodeHostWire) -> str:
            spell_mark = partial(code_hosts.spell_marker, "hands", environment, folder)
            begins = spell_mark("NAME").partition("NAME")[0]
            posts = code_hosts.open_issues(self.job, wire, "", code_hosts.STEPS).marked_posts(
                begins
            )
            wanted: dict[str, tuple[str, str | None]] = {
                **{post.text.partition("\n")[0]: ("", None) for post in posts},
                **{spell_mark(owner): text for owner, text in texts.items()},
            }
            kept = Counter(
                code_hosts.keep_text(
                    code_hosts.open_issues(self.job, wire, title, code_hosts.STEPS), mark, text
                )
                for mark, (title, text) in wanted.items()
            )
            return join_words([f"{number} {what}" for what, number in kept.items()])

        self._keep_text("list of steps", keep_all)

    def write_outputs(self, **values: str) -> None:
        """Values for later steps and jobs, where the job can have some."""
        if self._outputs:
            lines = "".join(f"{name}={value}\n" for name, value in values.items())
            _write_job_file(self._outputs, lines, added=self._more)

    def _write_summary(self, text: str) -> str:
        """The text without secrets, written to the summary, and as much as a code host takes."""
        clean = redaction.redact_secrets(text)
        if self._file:
            _write_job_file(self._file, clean, added=self._added)
        if len(clean) <= _MOST:
            return clean
        whole_lines, _, _ = clean[:_MOST].rpartition("\n")
        return f"{whole_lines}\n\nThe rest is in the log of the job.\n"

    def _keep_text(self, noun: str, keep: Callable[[CodeHostWire], str]) -> None:
        try:
            with code_hosts.connect_code_host(self.job, print_warning) as wire:
                kept = keep(wire)
        except LmssyncError as failed:
            print_warning(f"the {noun} was not written: {failed.message}", failed.hint)
            if self._file:
                click.echo("    the summary of the job shows its text", err=True)
        else:
            click.echo(f"{noun}: {kept or 'none'}", err=True)


def _write_job_file(file: Path, text: str, *, added: bool) -> None:
    """Adds to a file of the job, or writes one that somebody has named."""
    try:
        if added:
            with file.open("a", encoding="utf-8") as opened:
                opened.write(text)
        else:
            write_whole(file, [text.encode()])
    except OSError as error:
        print_warning(f"{file} cannot be written: {error.strerror}")


_NAME_IT = (
    "name people in APPROVERS, or give the token of the job the right to read members of teams"
)


def read_approval_rules(root: Path, base: str | None) -> list[ApprovalRule]:
    """The lines of the catalog, and before them those of a revision that none of them covers."""
    merged = (
        [] if base is None else approvals.parse_approval_rules(text_at(root, base, approvals.FILE))
    )
    return approvals.merge_rules(merged, read_approvers(root))


def make_owner_finder(root: Path) -> Callable[[OpenStep], str]:
    """Makes the function that says who owns a step for a person, by APPROVERS of the catalog."""
    return partial(approvals.find_owner, read_approvers(root))


def add_approval_finder(place: Workspace, job: CiJob, *, merged: bool) -> Workspace:
    """The workspace of a run for which approvals release what the guard `published` stops.

    GitHub says which pull request the commit is of, what its base is and who has approved its last
    commit: nothing of that is taken from the words of a workflow, which a pull request can change.
    """

    def find_approvals(made: Plan, store: Store) -> ApprovalFindings:
        try:
            if not read_approvers(place.root):
                return ApprovalFindings()
            return _find_approvals(place, job, made, store, merged=merged)
        except (CodeHostFailed, WrongUse) as failed:
            why = f"{failed.message} ({failed.hint})" if failed.hint else failed.message
            return ApprovalFindings((), dict.fromkeys((one.address for one in made.changes), why))

    return place._replace(find_approvals=find_approvals)


def _find_approvals(
    place: Workspace, job: CiJob, made: Plan, store: Store, *, merged: bool
) -> ApprovalFindings:
    """Raises `CodeHostFailed` and `WrongUse` with why nothing is released."""
    if job.host == "gitlab":
        raise CodeHostFailed(
            "on GitLab an approval names no commit, so only --allow releases a guard"
        )
    commit = read_commit(place.root)
    if not commit or made.commit != commit:
        raise WrongUse("the plan was not made from the commit that is checked out")
    with code_hosts.connect_code_host(job, print_warning) as wire:
        pull = code_hosts.find_reviewed_pull(job, wire, commit, merged=merged or not job.number)
        found = code_hosts.read_approvals(job._replace(number=pull.number, head=pull.head), wire)
        found.logins -= {pull.author}

        def find_approvers(teams: Iterable[str]) -> Mapping[str, str]:
            return _name_approvers(found, teams)

        return find_approved_changes(place, made, store, pull, find_approvers)


def _name_approvers(found: Approvals, teams: Iterable[str]) -> dict[str, str]:
    """Who has approved, by team: `@ana`, `@bo for @acme/finance`. Others are left out."""
    logins = {_normalise_login(login): login for login in found.logins}
    named = {
        team: f"@{logins[_normalise_login(team)]}"
        for team in teams
        if _normalise_login(team) in logins
    }
    for team in sorted({team for team in teams if "/" in team}):
        if member := _find_member(found, team):
            named[team] = f"@{member} for {team}"
    return named


def refuse_unknown_teams(named: Iterable[str], rules: Iterable[ApprovalRule]) -> None:
    """Raises `WrongUse` for a team that was named as an approver and that no rule asks for."""
    teams = {team for rule in rules for team in rule.teams}
    known = {_normalise_login(team) for team in teams}
    for name in named:
        if _normalise_login(name) not in known:
            asked = f"it names {', '.join(sorted(teams))}" if teams else "it names nobody"
            hint = suggest_near(name, teams) or asked
            raise WrongUse(f"{name} is not in APPROVERS", hint)


def list_given_approvals(job: CiJob, named: Iterable[str], teams: Iterable[str]) -> frozenset[str]:
    """Which people and teams have approved: those named, and those of the pull request, as far as
    the token can read that."""
    given = {_normalise_login(name) for name in named}
    there = frozenset(team for team in teams if _normalise_login(team) in given)
    if job.number is None:
        return there
    try:
        return there | frozenset(_read_given_approvals(job, sorted({*teams} - there)))
    except CodeHostFailed as failed:
        print_warning(
            f"the approvals of the pull request cannot be read: {failed.message}", failed.hint
        )
        return there


def _read_given_approvals(job: CiJob, teams: Sequence[str]) -> Iterator[str]:
    with code_hosts.connect_code_host(job, print_warning) as wire:
        found = code_hosts.read_approvals(job, wire)
        logins = {_normalise_login(login) for login in found.logins}
        for team in teams:
            # A team of GitHub is `org/team`; a group of GitLab may have any name.
            is_team = "/" in team or job.host == "gitlab"
            if _normalise_login(team) in logins or (is_team and _find_member(found, team)):
                yield team


def _find_member(found: Approvals, team: str) -> str:
    try:
        return found.find_member(team.removeprefix("@"))
    except CodeHostFailed as failed:
        print_warning(f"who is in {team} cannot be read: {failed.message}", _NAME_IT)
        return ""


def _normalise_login(name: str) -> str:
    return name.removeprefix("@").casefold()
