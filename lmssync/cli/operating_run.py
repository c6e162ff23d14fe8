"""A list is shown, sent, and told of: what the commands for lists do once they know theirs."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from . import printing
from .exits import Exit, code_of, say

if TYPE_CHECKING:
    from ..learners.operations.journal import ListInfo
    from ..learners.operations.operation import Operation, OperationRow
    from ..learners.operations.result import OperationReport
    from ..learners.operations.sending import OperationRun
    from ..planning.workspace import Workspace
    from ..state import Store


class ListedRows(NamedTuple):
    """A list that was read and found right."""

    operation: "Operation"
    rows: "Sequence[OperationRow]"
    name: str
    """Of its file, for messages."""
    file: Path | None = None

    @property
    def file_name(self) -> str:
        """Without the folders that it is in; empty where there is no file."""
        return self.file.name if self.file else ""


class How(NamedTuple):
    """How a list is sent."""

    recorded: Sequence[int] = ()
    """Lines of rows whose outcome is unknown, and that a person says are on the platform."""
    not_recorded: Sequence[int] = ()
    occasion: str = ""
    signed: bool = False


def ask_to_send(place: "Workspace", listed: ListedRows, how: How, *, json_: bool) -> bool:
    """Shows what would be sent; whether a person at a terminal wants it sent."""
    from ..learners.operations.journal import Journal
    from ..learners.operations.result import Ended
    from ..learners.operations.sending import foresee_operation
    from ..report.row_receipts import foreseen_text, receipt_json
    from . import terminal_output as terminal

    with place.store(read_only=True) as store:
        place.check_state(store)
        journal = Journal(store, _info(listed, how))
        report = foresee_operation(listed.operation, listed.rows, journal)
    if json_:
        printing.echo(receipt_json(report, place.name, dry_run=True))
        return False
    click.echo(foreseen_text(report, listed.name), nl=False)
    counts = report.count_ends
    if not counts[Ended.NOT_SENT] + counts[Ended.UNKNOWN]:
        return False
    if terminal.can_ask():
        return terminal.ask_yes_or_no(f"Send it to {place.environment.site.name}?")
    click.echo("nothing was sent; add --yes to send it", err=True)
    return False


def _info(listed: ListedRows, how: How) -> "ListInfo":
    from ..learners.operations.journal import ListInfo

    return ListInfo(listed.operation, how.occasion, listed.file_name)


def perform_list(place: "Workspace", listed: ListedRows, how: How) -> "OperationReport":
    """Sends it while the state is held, as an apply does; raises `StateLocked`."""
    from ..errors import StateError

    report: OperationReport | None = None
    with place.store() as store:
        try:
            with store.hold_state():
                report = _sent(place, store, listed, how)
        except StateError as error:  # what was sent is shown all the same
            if report is None:
                raise
            report = report._replace(error=report.error or error)
    return report


def _sent(place: "Workspace", store: "Store", listed: ListedRows, how: How) -> "OperationReport":
    """Sends it; the state must be locked."""
    from ..applying.apply import listening
    from ..learners.operations.journal import Journal
    from ..learners.operations.sending import MOST_TOGETHER, OperationRun, perform_operation
    from ..platform.client import Announced, send_within
    from ..state import instance_of
    from .progress import Lines

    instance = instance_of(place.environment.baseUrl)
    with place.writer() as writer, Lines() as progress, listening() as stop:
        place.check_state(store)
        store.claim_instance(place.name, instance)
        journal = Journal(store, _info(listed, how))
        writer.pace.tell, writer.pace.stops = progress.note, lambda: stop.asked
        writer.count_earlier(store.sent_within())
        timeout = place.project.platform.timeout
        run = OperationRun(listed.operation, writer, journal, timeout, how.signed)
        run.most = MOST_TOGETHER if store.shared else 1
        run.announced = Announced(send_within(shared=store.shared is not None))
        run.stops = lambda: stop.asked
        progress.begin(len(listed.rows))
        run.tell = progress.counting
        _prepare(run, listed, how)
        return perform_operation(run, listed.rows)


def _prepare(run: "OperationRun", listed: ListedRows, how: How) -> None:
    """What is known of rows that were sent before: from people, and from the platform."""
    from ..errors import LmssyncError
    from ..learners.operations.evidence import decide_rows, settle_rows

    run.writer.ping_platform()
    decide_rows(run, listed.rows, how.recorded, done=True)
    decide_rows(run, listed.rows, how.not_recorded, done=False)
    for failed in settle_rows(run, listed.rows):
        say(LmssyncError(f"rows without a clear answer could not be looked for: {failed}"))


def show(report: "OperationReport", place: "Workspace", name: str, *, json_: bool) -> None:
    from ..report.row_receipts import receipt_json, receipt_text

    printing.echo(receipt_json(report, place.name) if json_ else receipt_text(report, name))
    if report.error:
        sys.stdout.flush()
        say(report.error)


def wrote_receipts(files: Sequence[Path], report: "OperationReport", environment: str) -> bool:
    """Writes the receipts; tells of those that cannot be written."""
    from ..report.row_receipts import receipt_bytes
    from .applying import wrote_each

    return wrote_each(files, lambda form: receipt_bytes(form, report, environment))


def code(report: "OperationReport") -> int:
    """Unknown outcomes first, then what stopped the run, then refusals."""
    from ..learners.operations.result import Ended

    counts = report.count_ends
    if counts[Ended.UNKNOWN]:
        return Exit.UNKNOWN
    if report.error:
        return code_of(report.error)
    if report.interrupted:
        return Exit.INTERRUPTED
    if not counts[Ended.REFUSED]:
        return Exit.DONE
    return Exit.PARTIAL if counts[Ended.DONE] + counts[Ended.UNCHANGED] else Exit.ERROR
