"""What the commands share that do something for each row of a list."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import WrongUse
from . import chosen_workspace as meanings, options, report_options
from .exits import Exit
from .holding import lock_timeout
from .operating_run import (
    How,
    ListedRows,
    ask_to_send,
    code,
    perform_list,
    show,
    wrote_receipts,
)
from .options import together

if TYPE_CHECKING:
    from ..learners.operations.operation import Operation
    from ..planning.workspace import Workspace

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
    """The same with those of `recording`; besides them come the fields of one row."""

    occasion: str
    recorded: str | None
    not_recorded: str | None


sending = together(
    click.option("--yes", is_flag=True, help="Send it without asking."),
    report_options.receipt(
        "--out", "Write what became of each row to this file, *.csv or *.json. It names people."
    ),
    click.option("--json", "json_", is_flag=True, help="Print JSON. It names people."),
    lock_timeout,
)
recording = together(
    click.option(
        "--occasion",
        default="",
        metavar="NAME",
        help="A name for this time, to record again what the journal has as recorded: 2027.",
    ),
    click.option(
        "--recorded",
        metavar="LINES",
        help="Rows without a clear answer that are on the platform: 17,20-25.",
    ),
    click.option(
        "--not-recorded",
        metavar="LINES",
        help="Rows without a clear answer that are not on the platform: they are sent again.",
    ),
    sending,
)


def record(
    operation: "Operation", file: Path | None, given: RecordingOptions, *, signed: bool = False
) -> int:
    """Shows what would be recorded, asks, and records it; the exit code."""
    listed = _list_rows(operation, file, given)
    if signed:
        _refuse_long(listed)
    sides = _lines(given["recorded"]), _lines(given["not_recorded"])
    return _operate(place_of(given), listed, How(*sides, given["occasion"], signed), given)


def _list_rows(
    operation: "Operation", file: Path | None, given: Mapping[str, object]
) -> ListedRows:
    """The rows of a file, or the one that options name; raises `WrongUse`, `InvalidCatalog`."""
    named = {name: given.get(_option(name)) for name in operation.row.model_fields}
    cells = {name: str(value) for name, value in named.items() if value is not None}
    if bool(file) == bool(cells):
        raise WrongUse("name a FILE, or one row by its options", "`--help` lists the options")
    return of_file(operation, file) if file else _of_cells(operation, [cells])


def _option(field: str) -> str:
    """The option of a field: `user_id` of `userId`."""
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", field)


def of_file(operation: "Operation", file: Path) -> ListedRows:
    """The rows of a file; raises `WrongUse`, `InvalidCatalog`."""
    from ..learners.operations.rows import from_file

    return ListedRows(operation, from_file(operation, file), str(file), file)


def of_ids(operation: "Operation", ids: Sequence[str]) -> ListedRows:
    """The rows that have nothing but an id."""
    return _of_cells(operation, [{"id": id_} for id_ in ids])


def _of_cells(operation: "Operation", rows: Sequence[dict[str, str]]) -> ListedRows:
    from ..catalog.manifests.check import TableRow
    from ..learners.operations.rows import from_cells

    numbered = [TableRow(number, cells) for number, cells in enumerate(rows, 1)]
    return ListedRows(operation, from_cells(operation, numbered, _OPTIONS), _OPTIONS)


def place_of(given: SendingOptions) -> "Workspace":
    return meanings.asking(
        root=given["root"],
        environment=given["environment"],
        lock_timeout=given["lock_timeout"],
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


def send(place: "Workspace", listed: ListedRows, given: SendingOptions) -> int:
    """Shows what would be sent, asks, and sends it; the exit code."""
    return _operate(place, listed, How(), given)


def _operate(place: "Workspace", listed: ListedRows, how: How, given: SendingOptions) -> int:
    _refuse_missing(place, listed.operation.route)
    if any(file.absolute() == Path(listed.name).absolute() for file in given["receipts"]):
        raise WrongUse(f"{listed.name} cannot hold both the list and its receipt")
    if not given["yes"] and not ask_to_send(place, listed, how, json_=given["json_"]):
        return Exit.DONE
    report = perform_list(place, listed, how)
    show(report, place, listed.name, json_=given["json_"])
    wrote = wrote_receipts(given["receipts"], report, place.name)
    return code(report) if wrote else code(report) or Exit.ERROR


def _refuse_missing(place: "Workspace", name: str) -> None:
    """Raises `WrongUse` for a route that nobody has said this instance has."""
    from ..vocabulary.routes import ROUTES

    route, setting = ROUTES[name], f"platform: {{capabilities: {{{name}: true}}}}"
    if name not in place.project.platform.routes:
        raise WrongUse(
            f"not every instance has {route.method} {route.path}",
            f"if yours has it, say so in lmssync.yaml: `{setting}`",
        )


def _lines(text: str | None) -> list[int]:
    """`17,20-25` as numbers; raises `WrongUse`."""
    found: list[int] = []
    for part in (text or "").split(",") if text else ():
        first, _, last = part.strip().partition("-")
        lines = _range(first, last or first)
        if not lines:
            raise WrongUse(f"`{part}` names no lines", "write lines as 17,20-25")
        found += lines
    return found


def _range(first: str, last: str) -> Sequence[int]:
    if not (first.isdecimal() and last.isdecimal() and len(first + last) <= _DIGITS):
        return ()
    return range(int(first), int(last) + 1)
