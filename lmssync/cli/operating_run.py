"""A list is shown, sent, and told of: what the commands for lists do once they know theirs."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from . import printing
from .exits import Exit, code_of, say

if TYPE_CHECKING:
    from ..operations.operation import Operation, OperationRow
    from ..operations.result import OperationReport
    from ..operations.sending import OperationRun
    from ..workspace import Workspace


class ListedRows(NamedTuple):
    """A list that was read and found right."""

    operation: "Operation"
    rows: "Sequence[OperationRow]"
    name: str
    """Of its file, for messages."""


class Decision(NamedTuple):
    """What a person says of rows whose outcome is unknown."""

    recorded: Sequence[int] = ()
    not_recorded: Sequence[int] = ()


class How(NamedTuple):
    """How a list is sent."""

    decision: Decision = Decision()
    occasion: str = ""
    signed: bool = False


def agreed(place: "Workspace", listed: ListedRows, how: How, *, json_: bool) -> bool:
    """Shows what would be sent; whether a person at a terminal wants it sent."""
    from ..operations.journal import Journal
    from ..operations.result import Ended
    from ..operations.sending import foreseen
    from ..report.receipts import foreseen_text, receipt_json
    from ..state import instance_of
    from . import terminal

    instance = instance_of(place.environment.baseUrl)
    with Journal.reading(place.operations, instance) as journal:
        report = foreseen(listed.operation, listed.rows, journal, how.occasion)
    if json_:
        printing.echo(receipt_json(report, place.name, dry_run=True))
        return False
    click.echo(foreseen_text(report, listed.name), nl=False)
    counts = report.summary
    if not counts[Ended.NOT_SENT] + counts[Ended.UNKNOWN]:
        return False
    if terminal.can_ask():
        return terminal.agreed(f"Send it to {place.environment.site.name}?")
    click.echo("nothing was sent; add --yes to send it", err=True)
    return False


def performed(place: "Workspace", listed: ListedRows, how: How) -> "OperationReport":
    from ..apply import listening
    from ..operations.journal import Journal
    from ..operations.sending import OperationRun, perform
    from ..settings import STATE
    from ..state import instance_of, keep_out_of_git
    from .progress import Lines

    instance, file = instance_of(place.environment.baseUrl), place.operations
    keep_out_of_git(file, place.root)
    inside = None if place.env.get(STATE) else place.root
    timeout = place.project.platform.timeout
    with (
        Journal.writing(file, inside, instance) as journal,
        place.writer() as writer,
        Lines() as progress,
        listening() as stop,
    ):
        writer.pace.tell, writer.pace.stops = progress.note, lambda: stop.asked
        run = OperationRun(listed.operation, writer, journal, timeout, how.occasion, how.signed)
        run.stops = lambda: stop.asked
        progress.begin(len(listed.rows))
        run.tell = progress.counting
        _prepare(run, listed, how.decision)
        return perform(run, listed.rows)


def _prepare(run: "OperationRun", listed: ListedRows, decision: Decision) -> None:
    """What is known of rows that were sent before: from people, and from the platform."""
    from ..errors import LmssyncError
    from ..operations.evidence import decide, settle

    run.writer.ping()
    decide(run, listed.rows, decision.recorded, done=True)
    decide(run, listed.rows, decision.not_recorded, done=False)
    for failed in settle(run, listed.rows):
        say(LmssyncError(f"rows without a clear answer could not be looked for: {failed}"))


def show(report: "OperationReport", place: "Workspace", name: str, *, json_: bool) -> None:
    from ..report.receipts import receipt_json, receipt_text

    printing.echo(receipt_json(report, place.name) if json_ else receipt_text(report, name))
    if report.error:
        sys.stdout.flush()
        say(report.error)


def wrote_receipts(files: Sequence[Path], report: "OperationReport", environment: str) -> bool:
    """Writes the receipts; tells of those that cannot be written."""
    from ..report.receipts import receipt_bytes
    from .applying import wrote_each

    return wrote_each(files, lambda form: receipt_bytes(form, report, environment))


def code(report: "OperationReport") -> int:
    """Unknown outcomes first, then what stopped the run, then refusals."""
    from ..operations.result import Ended

    counts = report.summary
    if counts[Ended.UNKNOWN]:
        return Exit.UNKNOWN
    if report.error:
        return code_of(report.error)
    if report.interrupted:
        return Exit.INTERRUPTED
    if not counts[Ended.REFUSED]:
        return Exit.DONE
    return Exit.PARTIAL if counts[Ended.DONE] + counts[Ended.UNCHANGED] else Exit.ERROR
