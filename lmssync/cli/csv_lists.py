"""Lists that people keep in CSV files."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from ..errors import WrongUse
from ..support import safe_files

_BYTES_MOST = 64 * 1024 * 1024
_HEADINGS = frozenset({"id", "address"})


def read_csv_rows(file: Path, holds: str) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each line that is neither empty, a heading nor a remark (`#`).

    Cells are separated by `,`, or by `;` where the file begins so. Raises `WrongUse` for a file
    that is no text, and for one without such a line; `holds` is what it should have there.
    """
    lines = 0
    try:
        text = _read_bytes(file).decode("utf-8-sig")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=_find_delimiter(text))
        for row in reader:
            cells = [cell.strip() for cell in row]
            first = cells[0] if cells else ""
            if first and not first.startswith("#") and first.lower() not in _HEADINGS:
                lines += 1
                yield reader.line_num, cells
    except (UnicodeDecodeError, csv.Error) as error:
        raise WrongUse(f"{file} is not a CSV file in UTF-8: {error}") from None
    if not lines:
        why = "has nothing but headings, remarks and empty lines" if reader.line_num else "is empty"
        raise WrongUse(f"{file} {why}, so there is nothing to do", f"each line has {holds}")


def _find_delimiter(text: str) -> str:
    """Spreadsheets of some languages write `;`."""
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return ";" if first.count(";") > first.count(",") else ","


def _read_bytes(file: Path) -> bytes:
    try:
        return safe_files.read_named(file, _BYTES_MOST)
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None


def read_first_column(file: Path, holds: str) -> Iterator[str]:
    """The first cell of each of these lines."""
    return (cells[0] for _, cells in read_csv_rows(file, holds))
