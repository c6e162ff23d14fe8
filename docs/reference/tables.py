"""Tables in Markdown."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table; bars inside cells are escaped, columns that are empty at the end are left out."""
    rows = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    width = len(head)
    while width and not any(row[width - 1] for row in rows):
        width -= 1
    shown = [list(head[:width]), ["---"] * width, *(row[:width] for row in rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in shown)


def words(found: Iterable[str]) -> str:
    """`a`, `b`, `c`."""
    return ", ".join(f"`{word}`" for word in found)
