"""Lists that people keep in CSV files."""

import csv
from collections.abc import Iterator
from pathlib import Path

from ..errors import WrongUse

_HEADINGS = frozenset({"id", "address"})


def rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each line that is neither empty, a heading nor a remark (`#`).

    Raises `WrongUse` for a file that is no text.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened:
            reader = csv.reader(opened)
            for row in reader:
                cells = [cell.strip() for cell in row]
                first = cells[0] if cells else ""
                if first and not first.startswith("#") and first.lower() not in _HEADINGS:
                    yield reader.line_num, cells
    except (UnicodeDecodeError, csv.Error) as error:
        raise WrongUse(f"{file} is not a CSV file in UTF-8: {error}") from None
