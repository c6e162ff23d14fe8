"""Reads the files that a document names into it, as if their text had been written there.

These are bodies in Markdown or HTML, and people in CSV files.
"""

import csv
import io
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from ....kind import BodyField, Table
from ....kinds import BODY_FILE
from ....problems import Finding, Rule, suggest_near
from ....resource import Origin, Place
from ....texts.values import body_file
from .. import validation_errors
from ..catalog_files import FILE_ENDING, CatalogFiles, NoFile

MARKDOWN, HTML = (".md", ".markdown"), (".html", ".htm")


def fill_bodies(
    files: CatalogFiles, origin: Origin, slots: Iterable[BodyField]
) -> Iterator[Finding]:
    """Puts the text of each `bodyFile` in its place, as `markdown` or `body`.

    A name is relative to the file that it stands in, which may be an overlay's.
    """
    for slot in slots:
        name, path = slot.holder[BODY_FILE], (*slot.path, BODY_FILE)
        manifest = origin.at(path).file
        if not name.endswith(MARKDOWN + HTML):
            message = f"`{name}` is neither Markdown nor HTML"
            yield FILE_ENDING.at(path, message, "name it .md or .html")
            continue
        try:
            text = files.read_attached_text(manifest, name)
        except NoFile as reason:
            yield reason.as_finding(path)
        else:
            markdown = name.endswith(MARKDOWN)
            file = spell_catalog_path(manifest, name)
            yield from body_file(path, file, text, slot.holder, markdown=markdown)
            slot.holder["markdown" if markdown else "body"] = text


def spell_catalog_path(manifest: str, name: str) -> str:
    """The path from the root of the catalog to a file that a manifest calls `name`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(manifest), name))


TABLE_ENDING = Rule(
    "table-ending", "By its name, the file of people is not a CSV file.", "Name it `.csv`."
)
TABLE_SYNTAX = Rule(
    "table-syntax",
    "The file is not valid CSV.",
    'Put text that contains a comma, a quote or a line break in "quotes".',
)
TABLE_HEADER = Rule(
    "table-header",
    "The first line of a table is missing, or has a column that the table does not have.",
    "Name the columns: `id,email,externalCustomerId`, or some of them.",
)
TABLE_ROW_BLANK = Rule("table-row-blank", "A row of a table names nobody.", "Delete it.")
TABLE_ROW_CELLS = Rule(
    "table-row-cells",
    "A row of a table has more or fewer cells than the first line.",
    "Separate cells by commas, and leave a cell empty where there is no value.",
)

ENDING = ".csv"
_SOMEBODY = re.compile(r"[@\d]")
"""Characters that are in identifiers of people but not in names of columns."""


class TableRow(NamedTuple):
    """One row that names somebody: the line it begins on, and its cells by column."""

    line: int
    cells: dict[str, str]


def fill_tables(files: CatalogFiles, origin: Origin, tables: Iterable[Table]) -> Iterator[Finding]:
    """Puts the rows of each table in their place; a finding names the line of the table."""
    for table in tables:
        name = table.holder.get(table.field)
        if name is None:
            continue
        path = (*table.path, table.field)
        manifest = origin.at(path).file
        if not name.lower().endswith(ENDING):
            yield TABLE_ENDING.at(path, f"`{name}` is not a CSV file by its name", "name it .csv")
            continue
        try:
            text = files.read_attached_text(manifest, name)
        except NoFile as reason:
            yield reason.as_finding(path)
            continue
        rows: list[TableRow] = []
        where = spell_catalog_path(manifest, name)
        for line, finding in read_rows(table, text, rows):
            yield finding._replace(path=path, place=Place(where, line))
        table.holder[table.into] = [row.cells for row in rows]
        if table.lines:
            table.holder[table.lines] = (where, [row.line for row in rows])


ByLine = Iterator[tuple[int, Finding]]
"""Findings with the line of the table that they are about."""


def read_rows(table: Table, text: str, rows: list[TableRow], delimiter: str = ",") -> ByLine:
    """Fills `rows`; reports everything that is wrong with them."""
    # Strict: without it the csv module reads `"a"b` as `ab` and goes on, and a row would name
    # somebody else.
    lines = csv.reader(io.StringIO(text, newline=None), strict=True, delimiter=delimiter)
    try:
        header = [name.strip() for name in next(lines, [])]
        wrong = list(_check_header(header, table))
        yield from ((1, finding) for finding in wrong)
        if not wrong:
            yield from _read_rows(lines, header, rows)
    except csv.Error as error:
        yield lines.line_num, TABLE_SYNTAX.at((), f"not CSV: {error}")
    yield from check_rows(table, rows)


def _check_header(header: Sequence[str], table: Table) -> Iterator[Finding]:
    known = list(table.row.model_fields)
    hint = f"the first line names the columns: {','.join(known)}, or some of them"
    if not any(header):
        yield TABLE_HEADER.at((), "there is no line that names the columns", hint)
        return
    if table.row.personal and _SOMEBODY.search(" ".join(header)):
        yield TABLE_HEADER.at((), "the first line looks like a person's row", hint)
        return
    for name in dict.fromkeys(header):
        if name not in known:
            text = f"`{name}` is not a column of this table" if name else "a column has no name"
            yield TABLE_HEADER.at((), text, suggest_near(name, known) or hint)
        elif header.count(name) > 1:
            yield TABLE_HEADER.at((), f"the column `{name}` is there twice", "keep one")


def _read_rows(lines: Any, header: Sequence[str], rows: list[TableRow]) -> ByLine:
    """The rows below the header; `lines` is a reader of the csv module, which counts lines."""
    line = lines.line_num + 1
    for cells in lines:
        # `line_num` is the last line of a row, which may span several; the row begins after the end
        # of the one before.
        here, line = line, lines.line_num + 1
        given = [cell.strip() for cell in cells]
        if not any(given):
            yield here, TABLE_ROW_BLANK.at((), "the row names nobody")
        elif len(given) != len(header):
            text = f"the row has {len(given)} cells, the first line {len(header)}"
            yield here, TABLE_ROW_CELLS.at((), text)
        else:
            named = zip(header, given, strict=True)
            rows.append(TableRow(here, {name: cell for name, cell in named if cell}))


def check_rows(table: Table, rows: Sequence[TableRow]) -> ByLine:
    """The mistakes in single rows, then those in some of them together."""
    for row in rows:
        try:
            table.row.model_validate(row.cells)
        except ValidationError as error:
            wrong = validation_errors.word_validation_error(error, table.row, row.cells)
            yield from ((row.line, finding) for finding in wrong)
    for rule in table.rules:
        for finding in rule([row.cells for row in rows]):
            yield rows[int(finding.path[0])].line, finding
