"""Lists become rows, or problems with their lines: nothing is sent while a list has any."""

import codecs
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ...catalog.manifests.check import TableRow, check_rows, read_rows
from ...errors import InvalidCatalog, WrongUse
from ...kind import Table
from ...problems import Finding, Problem, in_order
from ...resource import Origin, Place
from ...support import safe_files
from .operation_kinds import Operation, OperationRow

BYTES_MOST = 50_000_000
ROWS_MOST = 100_000
_SPLIT = "put the rest into another file"
_AS_UTF8 = "save it as UTF-8; in a spreadsheet program that is `CSV UTF-8`"


def read_row_file(operation: Operation, file: Path) -> list[OperationRow]:
    """The rows of a CSV file whose first line names the columns.

    Raises `WrongUse` for what is no such file, `InvalidCatalog` with everything that is wrong.
    """
    text, rows = _read_text(file), list[TableRow]()
    found = read_rows(_table_of(operation), text, rows, _guess_delimiter(text))
    return _check_rows(operation, rows, list(_make_problems(str(file), found)), str(file))


def check_row_cells(
    operation: Operation, rows: Sequence[TableRow], name: str
) -> list[OperationRow]:
    """The rows of a list that were read already; `name` is what messages call the list."""
    found = list(_make_problems(name, check_rows(_table_of(operation), rows)))
    return _check_rows(operation, rows, found, name)


def _check_rows(
    operation: Operation, rows: Sequence[TableRow], problems: Sequence[Problem], name: str
) -> list[OperationRow]:
    if problems:
        raise InvalidCatalog(in_order(problems))
    if not rows:
        raise WrongUse(f"{name} has no rows, so there is nothing to do")
    if len(rows) > ROWS_MOST:
        raise WrongUse(f"{name} has {len(rows):,} rows; a list has {ROWS_MOST:,} at most", _SPLIT)
    return [OperationRow(row.line, _row_body(operation, row)) for row in rows]


def _row_body(operation: Operation, row: TableRow) -> dict[str, object]:
    model = operation.row.model_validate(row.cells)
    return model.model_dump(mode="json", exclude_none=True)


def _table_of(operation: Operation) -> Table:
    return Table((), {}, "", "", operation.row, operation.rules)


def _make_problems(name: str, found: Iterable[tuple[int, Finding]]) -> Iterator[Problem]:
    for line, finding in found:
        yield finding._replace(place=Place(name, line)).at(Origin(name), None)


def _read_text(file: Path) -> str:
    try:
        data = safe_files.read_named(file, BYTES_MOST)
    except safe_files.TooLarge:
        raise WrongUse(f"{file} has more than {BYTES_MOST:,} bytes", _SPLIT) from None
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise WrongUse(f"{file} is UTF-16", _AS_UTF8)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise WrongUse(f"{file} is not UTF-8: line {line:,} has other bytes", _AS_UTF8) from None


def _guess_delimiter(text: str) -> str:
    """Some spreadsheet programs write semicolons or tabs; no column has one in its name."""
    header = text.partition("\n")[0]
    return next((sign for sign in ";\t" if sign in header and "," not in header), ",")
