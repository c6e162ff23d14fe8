"""Shows what a job has to say where people look: a pull request, an issue, the page of the run.

Nothing here changes how a run ends: a code host that refuses is a warning.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import LmssyncError
from ..support import secrets
from ..support.visible import escape_invisible

if TYPE_CHECKING:
    from ..code_hosts import CiJob, CodeHostWire, Kept


DRIFT_ISSUE = "Drift on {}"
_MOST = 60_000
"""Characters of a comment or an issue; GitHub takes 65,536."""


class Publisher:
    """The places that one job can write to."""

    def __init__(self, summary: Path | None, outputs: Path | None = None) -> None:
        from .. import code_hosts

        self.job: CiJob = code_hosts.job(os.environ)
        self._file, self._added = summary or self.job.summary, summary is None
        self._outputs, self._more = outputs or self.job.output, outputs is None

    def comment(self, mark: str, text: str, *, begin: bool = True) -> None:
        """Writes the summary, and keeps the one comment of the pull request, if there is one.

        Without `begin` a comment that exists is changed, and none is begun.
        """
        from .. import code_hosts

        clean = self._write_summary(text)
        if self.job.number is not None:
            self._kept(
                "comment",
                lambda wire: code_hosts.keep(
                    code_hosts.comments(self.job, wire), mark, clean, begin=begin
                ),
            )
        elif self.job.host is None:
            click.echo("note: this is not a job of GitHub or GitLab: nothing was posted", err=True)

    def issue(self, mark: str, environment: str, text: str, *, ends: bool) -> None:
        """Writes the summary, and keeps the one open issue about drift; `ends` closes it."""
        from .. import code_hosts

        clean, title = self._write_summary(text), DRIFT_ISSUE.format(environment)

        def kept(wire: "CodeHostWire") -> "Kept":
            thread = code_hosts.issues(self.job, wire, title, code_hosts.DRIFT)
            return code_hosts.keep(thread, mark, None if ends else clean)

        self._kept("issue", kept)

    def output(self, **values: str) -> None:
        """Values for later steps and jobs, where the job can have some."""
        if self._outputs:
            lines = "".join(f"{name}={value}\n" for name, value in values.items())
            _write(self._outputs, lines, added=self._more)

    def _write_summary(self, text: str) -> str:
        """The text without secrets, written to the summary, and as much as a code host takes."""
        clean = secrets.redact_secrets(text)
        if self._file:
            _write(self._file, clean, added=self._added)
        if len(clean) <= _MOST:
            return clean
        whole_lines, _, _ = clean[:_MOST].rpartition("\n")
        return f"{whole_lines}\n\nThe rest is in the log of the job.\n"

    def _kept(self, noun: str, keep: "Callable[[CodeHostWire], Kept]") -> None:
        from .. import code_hosts

        try:
            with code_hosts.connect_code_host(self.job, warn) as wire:
                kept = keep(wire)
        except LmssyncError as failed:
            warn(f"the {noun} was not written: {failed.message}", failed.hint)
            if self._file:
                click.echo("    the summary of the job has what it would say", err=True)
        else:
            click.echo(f"{noun}: {kept}", err=True)


def warn(text: str, hint: str = "") -> None:
    """Says on stderr what could not be done, and what to do about it."""
    click.echo(f"warning: {escape_invisible(text)}", err=True)
    if hint:
        click.echo(f"    {escape_invisible(hint)}", err=True)


def _write(file: Path, text: str, *, added: bool) -> None:
    """Adds to a file of the job, or writes one that somebody has named."""
    from ..support.writing import write_whole

    try:
        if added:
            with file.open("a", encoding="utf-8") as opened:
                opened.write(text)
        else:
            write_whole(file, [text.encode()])
    except OSError as error:
        warn(f"{file} cannot be written: {error.strerror}")
