"""Commands that do something for each row of a list: how it is read, shown, sent and reported."""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from ..errors import LmssyncError, StateError, WrongUse
from ..vocabulary.routes import ROUTES
from . import options, report_output
from .chosen_workspace import choose_online_workspace
from .exits import Exit, exit_code_of, print_message
from .options import combine_options, lock_timeout
from .terminal_output import ask_yes_or_no, can_ask, print_view

if TYPE_CHECKING:
    from ..learners.operations.operation_kinds import Operation, OperationReport, OperationRow
    from ..learners.operations.row_journal import ListInfo
    from ..learners.operations.row_sending import OperationRun
    from ..planning.workspace import Workspace
    from ..state import Store


class ListedRows(NamedTuple):
    """A list that was read and found right."""

    operation: "Operation"
    rows: "Sequence[OperationRow]"
    name: str
    """Of its file, for messages."""
    file: Path | None = None


class SendingChoices(NamedTuple):
    """How a list is sent."""

    recorded: Sequence[int] = ()
    """Lines of rows whose outcome is unknown, and that a person says are on the platform."""
    not_recorded: Sequence[int] = ()
    occasion: str = ""
    signed: bool = False


_PLAINLY = SendingChoices()


def ask_to_send(
    place: "Workspace", listed: ListedRows, how: SendingChoices, *, json_: bool
) -> bool:
    """Shows what would be sent; whether a person at a terminal wants it sent."""
    from ..learners.operations.operation_kinds import Ended
    from ..learners.operations.row_journal import Journal
    from ..learners.operations.row_sending import foresee_operation
    from ..report.row_receipts import foreseen_text, receipt_json

    with place.store(read_only=True) as store:
        place.check_state(store)
        journal = Journal(store, _list_info(listed, how))
        # Nothing is held while a person thinks: what was sent meanwhile is looked up again before
        # sending.
        report = foresee_operation(listed.operation, listed.rows, journal)
    if json_:
        print_view(receipt_json(report, place.name, dry_run=True))
        return False
    click.echo(foreseen_text(report, listed.name), nl=False)
    counts = report.count_ends
    if not counts[Ended.NOT_SENT] + counts[Ended.UNKNOWN]:
        return False
    if can_ask():
        return ask_yes_or_no(f"Send it to {place.environment.site.name}?")
    click.echo("nothing was sent; add --yes to send it", err=True)
    return False


def _list_info(listed: ListedRows, how: SendingChoices) -> "ListInfo":
    from ..learners.operations.row_journal import ListInfo

    # The folders that a file is in say nothing about a list.
    file = listed.file.name if listed.file else ""
    return ListInfo(listed.operation, how.occasion, file)


def perform_list(place: "Workspace", listed: ListedRows, how: SendingChoices) -> "OperationReport":
    """Sends it while the state is held, as an apply does; raises `StateLocked`."""
    report: OperationReport | None = None
    with place.store() as store:
        try:
            with store.hold_state():
                report = _send_all(place, store, listed, how)
        except StateError as error:  # what was sent is shown all the same
            if report is None:
                raise
            report = report._replace(error=report.error or error)
    return report


def _send_all(
    place: "Workspace", store: "Store", listed: ListedRows, how: SendingChoices
) -> "OperationReport":
    """Sends it; the state must be locked."""
    from ..applying.apply import catch_stop_signals
    from ..learners.operations.row_journal import Journal
    from ..learners.operations.row_sending import MOST_TOGETHER, OperationRun, perform_operation
    from ..platform.client import SendDeadline, send_within
    from ..state import instance_of
    from .progress import ProgressLines

    instance = instance_of(place.environment.baseUrl)
    with place.open_writer() as writer, ProgressLines() as progress, catch_stop_signals() as stop:
        place.check_state(store)
        store.claim_instance(place.name, instance)
        journal = Journal(store, _list_info(listed, how))
        writer.pace.tell, writer.pace.stops = progress.note, lambda: stop.asked
        # Calls of a run just before count against the same window of the platform.
        writer.count_earlier(store.sent_within())
        timeout = place.platform.timeout
        run = OperationRun(listed.operation, writer, journal, timeout, how.signed)
        # Writing to a shared log takes a round trip, so rows are announced together there.
        run.most = MOST_TOGETHER if store.shared else 1
        run.announced = SendDeadline(send_within(shared=store.shared is not None))
        run.stops = lambda: stop.asked
        progress.begin(len(listed.rows))
        run.tell = progress.counting
        _settle_earlier_rows(run, listed, how)
        return perform_operation(run, listed.rows)


def _settle_earlier_rows(run: "OperationRun", listed: ListedRows, how: SendingChoices) -> None:
    """What is known of rows that were sent before: from people, and from the platform."""
    from ..learners.operations.row_sending import decide_rows, settle_rows

    run.writer.ping_platform()
    decide_rows(run, listed.rows, how.recorded, done=True)
    decide_rows(run, listed.rows, how.not_recorded, done=False)
    for failed in settle_rows(run, listed.rows):
        print_message(LmssyncError(f"rows without a clear answer could not be looked up: {failed}"))


def print_report(report: "OperationReport", place: "Workspace", name: str, *, json_: bool) -> None:
    from ..report.row_receipts import receipt_json, receipt_text

    print_view(receipt_json(report, place.name) if json_ else receipt_text(report, name))
    if report.error:
        # Else the error, which is not buffered, stands above the report that it is about.
        sys.stdout.flush()
        print_message(report.error)


def find_report_code(report: "OperationReport") -> int:
    """Unknown outcomes first, then what stopped the run, then refusals."""
    from ..learners.operations.operation_kinds import Ended

    counts = report.count_ends
    if counts[Ended.UNKNOWN]:
        return Exit.UNKNOWN
    if report.error:
        return exit_code_of(report.error)
    if report.interrupted:
        return Exit.INTERRUPTED
    if not counts[Ended.REFUSED]:
        return Exit.DONE
    return Exit.PARTIAL if counts[Ended.DONE] + counts[Ended.UNCHANGED] else Exit.ERROR


_OPTIONS = "command line"
_SIGNED_BYTES = 4_500
"""Of the fields of a row: in a token they make an address of at most 8 kB."""
_LINES_SHOWN = 12
_DIGITS = 14
"""Of two line numbers."""


class SendingOptions(options.WhereOptions):
    """What the options of `where` and of `sending` bring."""

    yes: bool
    receipts: tuple[Path, ...]
    json_: bool
    lock_timeout: float


class RecordingOptions(SendingOptions):
    """The options of `where`, `sending` and `recording`; with them come the fields of one row."""

    occasion: str
    recorded: str | None
    not_recorded: str | None


sending = combine_options(
    click.option("--yes", is_flag=True, help="Send without asking."),
    report_output.receipt_option(
        "--out", "Write what became of each row to this file, .csv or .json; it names people."
    ),
    click.option("--json", "json_", is_flag=True, help="Print JSON; it names people."),
    lock_timeout,
)
recording = combine_options(
    click.option(
        "--occasion",
        default="",
        metavar="NAME",
        help="Name of this round, such as 2027: rows that were recorded for another round are "
        "recorded again.",
    ),
    click.option(
        "--recorded",
        metavar="LINES",
        help="Rows (17,20-25) that got no clear answer and are on the platform.",
    ),
    click.option(
        "--not-recorded",
        metavar="LINES",
        help="Rows that got no clear answer and are not on the platform; they are sent again.",
    ),
    sending,
)


def record_rows(
    operation: "Operation", file: Path | None, given: RecordingOptions, *, signed: bool = False
) -> int:
    """Shows what would be recorded, asks, and records it; the exit code."""
    listed = _list_rows(operation, file, given)
    if signed:
        _refuse_long(listed)
    sides = _parse_lines(given["recorded"]), _parse_lines(given["not_recorded"])
    how = SendingChoices(*sides, given["occasion"], signed)
    return send_rows(choose_sending_workspace(given), listed, given, how)


def _list_rows(
    operation: "Operation", file: Path | None, given: Mapping[str, object]
) -> ListedRows:
    """The rows of a file, or the one that options name; raises `WrongUse`, `InvalidCatalog`."""
    named = {name: given.get(_option_of_field(name)) for name in operation.row.model_fields}
    cells = {name: str(value) for name, value in named.items() if value is not None}
    if bool(file) == bool(cells):
        raise WrongUse("name a FILE, or one row by its options", "`--help` lists the options")
    return read_listed_file(operation, file) if file else _check_cells(operation, [cells])


def _option_of_field(field: str) -> str:
    """The option of a field: `user_id` of `userId`."""
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", field)


def read_listed_file(operation: "Operation", file: Path) -> ListedRows:
    """The rows of a file; raises `WrongUse`, `InvalidCatalog`."""
    from ..learners.operations.row_lists import read_row_file

    return ListedRows(operation, read_row_file(operation, file), str(file), file)


def list_ids(operation: "Operation", ids: Sequence[str]) -> ListedRows:
    """The rows that have nothing but an id."""
    return _check_cells(operation, [{"id": id_} for id_ in ids])


def _check_cells(operation: "Operation", rows: Sequence[dict[str, str]]) -> ListedRows:
    from ..catalog.manifests.check import TableRow
    from ..learners.operations.row_lists import check_row_cells

    numbered = [TableRow(number, cells) for number, cells in enumerate(rows, 1)]
    return ListedRows(operation, check_row_cells(operation, numbered, _OPTIONS), _OPTIONS)


def choose_sending_workspace(given: SendingOptions) -> "Workspace":
    return choose_online_workspace(
        root=given["root"], environment=given["environment"], lock_timeout=given["lock_timeout"]
    )


def _refuse_long(listed: ListedRows) -> None:
    """Raises `WrongUse` for rows that make an address longer than servers read."""
    import orjson

    long = [str(row.line) for row in listed.rows if len(orjson.dumps(row.body)) > _SIGNED_BYTES]
    if long:
        raise WrongUse(
            f"{listed.name} has rows that are too long for a token, on these lines: "
            f"{', '.join(long[:_LINES_SHOWN])}",
            "shorten `gradeFeedback`, or leave --jwt out",
        )


def send_rows(
    place: "Workspace",
    listed: ListedRows,
    given: SendingOptions,
    how: SendingChoices = _PLAINLY,
) -> int:
    """Shows what would be sent, asks, and sends it; the exit code."""
    from ..report.row_receipts import receipt_bytes

    _refuse_missing(place, listed.operation.route)
    # Before anything is sent: a receipt would replace the only copy of the list.
    if any(file.absolute() == Path(listed.name).absolute() for file in given["receipts"]):
        raise WrongUse(
            f"{listed.name} is the list itself: the receipt would replace it", "name another file"
        )
    if not given["yes"] and not ask_to_send(place, listed, how, json_=given["json_"]):
        return Exit.DONE
    report = perform_list(place, listed, how)
    print_report(report, place, listed.name, json_=given["json_"])
    wrote = report_output.write_people_receipts(
        given["receipts"], lambda form: receipt_bytes(form, report, place.name)
    )
    # A receipt that could not be written makes a run that did all else fail.
    return find_report_code(report) if wrote else find_report_code(report) or Exit.ERROR


def _refuse_missing(place: "Workspace", name: str) -> None:
    """Raises `WrongUse` for a route that nobody has said this instance has."""
    route, setting = ROUTES[name], f"platform: {{capabilities: {{{name}: true}}}}"
    if name not in place.platform.routes:
        raise WrongUse(
            f"not every instance has {route.method} {route.path}",
            f"if yours has it, say so in lmssync.yaml: `{setting}`",
        )


def _parse_lines(text: str | None) -> list[int]:
    """`17,20-25` as numbers; raises `WrongUse`."""
    found: list[int] = []
    for part in (text or "").split(",") if text else ():
        first, _, last = part.strip().partition("-")
        last = last or first
        is_range = first.isdecimal() and last.isdecimal() and len(first + last) <= _DIGITS
        lines = range(int(first), int(last) + 1) if is_range else ()
        if not lines:
            raise WrongUse(f"`{part}` names no lines", "write lines as 17,20-25")
        found += lines
    return found
