"""A spreadsheet of courses as CSV: a row for a course, or for a topic of it.

Columns are the fields of a course, spelled in any way. Rows with a section, lesson or topic add
a page to their course, which is the one above where they name none.
"""

import csv
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any, NamedTuple, TypeVar

from ...vocabulary.enums import CourseKind, OpenType, TopicType
from .course_document import IN_ORDER, LISTS, NUMBERS, PLAIN, REFERENCES, SWITCHES
from .course_outline import (
    Body,
    ContentRef,
    Course,
    Lesson,
    Loss,
    Section,
    Target,
    Topic,
    make_player,
)
from .source_files import TEXT_BYTES, NotReadable, SourceFiles
from .source_texts import fold_to_line, parse_whole_number

PARTS = ("section", "lesson", "topic")
_MORE = ("key", "title", "kind", *PARTS, "type", "body", "markdown", "openType", "price")
_SYNONYMS = {
    "course": "title",
    "coursetitle": "title",
    "coursename": "title",
    "name": "title",
    "id": "key",
    "slug": "key",
    "courseid": "key",
    "coursekey": "key",
    "coursekind": "kind",
    "summary": "description",
    "tag": "tags",
    "keywords": "tags",
    "categories": "tags",
    "author": "authors",
    "module": "section",
    "chapter": "section",
    "unit": "lesson",
    "page": "topic",
    "topictitle": "topic",
    "topictype": "type",
    "content": "body",
    "html": "body",
    "text": "markdown",
    "video": "videoUrl",
    "pdf": "pdfUrl",
    "scorm": "scormUrl",
    "startdate": "courseStartDate",
    "enddate": "courseEndDate",
    "image": "asset",
    "thumbnail": "asset",
}
_PLAIN_NAME = re.compile(r"[\W_]+")
_YES = frozenset({"true", "yes", "y", "x", "1", "on"})
_NO = frozenset({"false", "no", "n", "0", "off"})
_PRICE = re.compile(r"(\d{1,15})(?:[.,](\d{1,2}))?")
_SEPARATORS = re.compile(r"[;|\n]")


def find_column_meanings(head: Sequence[str], title_column: str = "") -> list[str]:
    """The meaning of each column; empty where nobody knows it, or another column has it already.

    The title of a course is in the column `title_column`, if one is named.
    """
    known = {name.lower(): name for name in (*PLAIN, *_MORE, *_ADDRESSES)}
    columns: list[str] = []
    for title in head:
        word = _PLAIN_NAME.sub("", title).lower()
        meaning = known.get(word) or _SYNONYMS.get(word, "")
        if title_column:
            is_title = title.strip() == title_column
            meaning = "title" if is_title else meaning.replace("title", "")
        columns.append("" if meaning in columns else meaning)
    return columns


def parse_cell(field: str, cell: str) -> Any:
    """A cell as the value of a field; a text where it cannot be one, for the kind to refuse."""
    if field in LISTS:
        parts = _SEPARATORS.split(cell) if _SEPARATORS.search(cell) else cell.split(",")
        return list(dict.fromkeys(part.strip() for part in parts if part.strip()))
    if field in SWITCHES and cell.lower() in _YES | _NO:
        return cell.lower() in _YES
    if field in NUMBERS and (number := parse_whole_number(cell)) is not None:
        return number
    return cell.lower() if field == "status" else cell


def parse_cents(cell: str) -> int | None:
    """A price such as `19`, `19.5` or `19,00` in hundredths; none for anything else."""
    price = _PRICE.fullmatch(cell)
    return int(price[1]) * 100 + int((price[2] or "0").ljust(2, "0")) if price else None


Part = TypeVar("Part", Section, Lesson)
PartIndex = dict[tuple[int, str], Section | Lesson]
"""The sections and lessons of a table by their title, and by the list that holds them."""
_ENDINGS = (".csv", ".tsv")
_DELIMITERS = ",;\t|"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_TYPES = {word.lower(): word for word in TopicType}
_OPEN_TYPES = {word.lower(): word for word in OpenType}
_KINDS = {word.lower(): word for word in CourseKind}
_ADDRESSES = {
    "videoUrl": TopicType.VIDEO,
    "pdfUrl": TopicType.PDF_VIEWER,
    "scormUrl": TopicType.SHAREABLE_CONTENT_OBJECT,
}


_NO_TITLE = "has no column for the title of a course"


class SheetRow(NamedTuple):
    """The cells of a row that are not empty, by what their columns mean."""

    place: str
    cells: dict[str, str]
    strange: dict[str, str]
    """Cells of columns that nobody knows, by the title of the column."""


def read_spreadsheets(files: SourceFiles, title_column: str = "") -> Iterator[Course]:
    """The courses of all tables of a source; `title_column` is where their titles are."""
    names = [name for name in files.sizes if name.lower().endswith(_ENDINGS)]
    if not names:
        raise NotReadable(f"{files.shown} contains no table", "save the spreadsheet as CSV (UTF-8)")
    for name in names:
        yield from _Table(files, name, title_column).read_courses()


class _Table:
    """One file."""

    def __init__(self, files: SourceFiles, name: str, title_column: str) -> None:
        self._files, self._name, self._title_column = files, name, title_column
        self._courses: list[Course] = []
        self._named: dict[str, Course] = {}
        """By key and by title, as later rows may name them."""
        self._parts: PartIndex = {}

    def read_courses(self) -> Iterator[Course]:
        course: Course | None = None
        for row in self._read_rows():
            course = self._find_course(row, course)
            _add_row(course, row, self._parts)
        needs: dict[str, list[str]] = {course.key: [] for course in self._courses}
        for course in self._courses:
            _drop_impossible_references(course, needs)
            sections, course.sections = course.sections, []
            course.keep_filled_parts(sections)
            yield course

    def _read_rows(self) -> Iterator[SheetRow]:
        csv.field_size_limit(TEXT_BYTES)
        text = self._decode_text()
        delimiter = max(_DELIMITERS, key=text.partition("\n")[0].count)
        reader = csv.reader(StringIO(text), delimiter=delimiter)
        try:
            head = next(reader, [])
            means = find_column_meanings(head, self._title_column)
            if "title" not in means:
                wanted = self._title_column
                message = f"has no column `{wanted}`" if wanted else _NO_TITLE
                columns = ", ".join(f"`{title.strip()}`" for title in head)
                hint = f"say which one it is with --title-column: {columns}"
                raise self._files.file_error(self._name, message, hint)
            start = reader.line_num + 1
            for cells in reader:
                yield self._make_row(head, means, cells, start)
                start = reader.line_num + 1
        except csv.Error as error:
            message = f"is not CSV: line {reader.line_num}: {error}"
            raise self._files.file_error(self._name, message) from None

    def _decode_text(self) -> str:
        data = self._files.read_content(self._name)
        if not data.startswith(_UTF_16):
            return self._files.read_text(self._name)
        try:
            return data.decode("utf-16").replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise self._files.file_error(self._name, "is not UTF-16", "save it as UTF-8") from None

    def _make_row(self, head: list[str], means: list[str], cells: list[str], line: int) -> SheetRow:
        row = SheetRow(f"{self._name}:{line}", {}, {})
        for column, cell in enumerate(cells):
            if not cell.strip():
                continue
            if column < len(means) and means[column]:
                row.cells[means[column]] = cell.strip()
            else:
                title = head[column] if column < len(head) else f"column {column + 1}"
                row.strange[title.strip()] = cell.strip()
        return row

    def _find_course(self, row: SheetRow, above: Course | None) -> Course:
        """The course that a row is about: the one it names, or the one above."""
        cells = row.cells
        name = cells.get("key") or cells.get("title", "")
        if not name and above:
            return above
        if not name:
            raise self._files.file_error(self._name, f"names no course in {row.place}")
        title = fold_to_line(cells.get("title")) or name
        if name not in self._named:
            table = posixpath.splitext(posixpath.basename(self._name))[0]
            course = Course(title, row.place, _keep_address, table, cells.get("key", ""))
            self._courses.append(course)
            self._named[name] = course
            self._named.setdefault(title, course)
        course = self._named[name]
        if cells.get("title") and title != course.title:
            course.note_loss(row.place, f"`title`: a row above has another value than “{title}”")
        return course


def _keep_address(_address: str, _base: str) -> Target:
    # A table brings no files along, so an address is what it is.
    return None


def _add_row(course: Course, row: SheetRow, index: PartIndex) -> None:
    """What a row says of its course, and the page that it adds."""
    for title, cell in row.strange.items():
        course.note_loss(row.place, f"the column `{title}`: {cell}")
    is_page = any(part in row.cells for part in PARTS)
    _add_fields(course, row, but=set(_ADDRESSES) if is_page else set())
    if is_page:
        _add_page(course, row, index)
        return
    _note_homeless(
        course, row, ["body", "markdown", "type", "openType", *(_ADDRESSES.keys() - PLAIN)]
    )


def _note_homeless(course: Course, row: SheetRow, fields: Iterable[str]) -> None:
    """Names the cells of a row that are about a topic where there is none."""
    for field in fields:
        if field in row.cells:
            course.note_loss(row.place, f"`{field}` belongs to no topic: {row.cells[field]}")


def _add_fields(course: Course, row: SheetRow, *, but: set[str]) -> None:
    for field, cell in row.cells.items():
        if field in PLAIN and field not in but:
            _set_once(course, field, parse_cell(field, cell), row)
    _add_kind(course, row)
    _add_price(course, row)


def _set_once(course: Course, field: str, new: object, row: SheetRow, column: str = "") -> None:
    """The value of a field, unless a row above has given one; another value is named."""
    if course.fields.setdefault(field, new) != new:
        column = column or field
        message = f"`{column}`: a row above has another value than “{row.cells[column]}”"
        course.note_loss(row.place, message)


def _add_kind(course: Course, row: SheetRow) -> None:
    cell = row.cells.get("kind", "")
    kind = _KINDS.get(cell.replace(" ", "").lower())
    if kind is CourseKind.MICRO_COURSE or (cell and not kind):
        message = f"the kind `{cell}`; it is a {CourseKind.COURSE_GROUP}"
        course.note_loss(row.place, message, Loss.CHANGED)
        course.fields.setdefault("kind", CourseKind.COURSE_GROUP.value)
    elif kind:
        _set_once(course, "kind", kind.value, row)


def _add_price(course: Course, row: SheetRow) -> None:
    cell = row.cells.get("price", "")
    price = parse_cents(cell)
    if price is not None:
        _set_once(course, "priceInCents", price, row, "price")
    elif cell:
        course.note_loss(row.place, f"the price `{cell}`: write it as 19.00, without a currency")


def _add_page(course: Course, row: SheetRow, index: PartIndex) -> None:
    cells = row.cells
    section = _find_or_add_part(course.sections, Section, cells.get("section"), course.title, index)
    lesson = _find_or_add_part(section.lessons, Lesson, cells.get("lesson"), section.title, index)
    _open_lesson(course, lesson, row)
    filled = [field for field in ("topic", "markdown", "body", *_ADDRESSES) if field in cells]
    if not filled:
        _note_homeless(course, row, ["type"])
        return
    wanted = _TYPES.get(cells.get("type", "").replace(" ", "").lower())
    # The address of the type that the row names comes first.
    addresses = [field for field in _ADDRESSES if field in cells]
    named, *others = sorted(addresses, key=lambda f: _ADDRESSES[f] is not wanted) or [""]
    for field in others:
        course.note_loss(row.place, f"`{field}`, beside `{named}`: {cells[field]}")
    title = cells.get("topic") or lesson.title
    usual = _ADDRESSES[named] if named else TopicType.TEXT
    if "type" in cells and wanted is None:
        message = f"the type `{cells['type']}`; it is a {usual}"
        course.note_loss(row.place, message, Loss.CHANGED)
    topic = Topic(fold_to_line(title), wanted or usual, row.place)
    topic.body = _page_body(row)
    if "markdown" in cells and "body" in cells:
        course.note_loss(row.place, f"`body`, beside `markdown`: {cells['body']}")
    if named:
        topic.address = ContentRef(cells[named])
        _embed_video(topic, topic.body)
    lesson.topics.append(topic)


def _open_lesson(course: Course, lesson: Lesson, row: SheetRow) -> None:
    """Who may open a lesson, as the first row of it says."""
    cell = row.cells.get("openType", "")
    word = _OPEN_TYPES.get(cell.replace(" ", "").lower(), "")
    if cell and not word:
        course.note_loss(row.place, f"the openType `{cell}`: write one of {', '.join(OpenType)}")
    elif word and lesson.open_type and word != lesson.open_type:
        course.note_loss(row.place, f"`openType`: a row above has another value than “{cell}”")
    lesson.open_type = lesson.open_type or word


def _page_body(row: SheetRow) -> Body:
    """The text of a page: HTML if it has tags and does not stand in the column for Markdown."""
    markdown, html = row.cells.get("markdown", ""), row.cells.get("body", "")
    text = markdown or html
    return Body(f"{text}\n", row.place, markdown=bool(markdown) or "<" not in text)


def _embed_video(topic: Topic, body: Body) -> None:
    """Shows a video on a site with a player of its own in that, below the text."""
    embedded = make_player(topic.address.target, topic.title) if topic.address else ""
    if embedded:
        topic.type, topic.address = TopicType.EMBED, None
        topic.body = body._replace(text=f"{body.text}\n{embedded}")


def _find_or_add_part(
    parts: list[Part], made: type[Part], title: str | None, usual: str, index: PartIndex
) -> Part:
    """The section or lesson of a title; the last one where none is named."""
    wanted = fold_to_line(title)
    if not wanted and parts:
        return parts[-1]
    key = id(parts), wanted or usual
    part = index.get(key)
    if not isinstance(part, made):
        part = index[key] = made(wanted or usual)
        parts.append(part)
    return part


def _drop_impossible_references(course: Course, needs: dict[str, list[str]]) -> None:
    """Takes out references to courses that the table does not have, or that lead back here."""
    for field in REFERENCES & course.fields.keys():
        kept = []
        for name in course.fields[field]:
            if name not in needs:
                course.note_loss(course.place, f"`{field}`: no row has the key `{name}`")
            elif name == course.key or (
                field == IN_ORDER and _needs_course(needs, name, course.key)
            ):
                course.note_loss(course.place, f"`{field}`: `{name}` needs this course itself")
            else:
                kept.append(name)
        course.fields[field] = kept
        needs[course.key] += kept if field == IN_ORDER else []


def _needs_course(needs: dict[str, list[str]], start: str, goal: str) -> bool:
    """Whether a course needs another one, at once or by way of others."""
    waiting, seen = [start], {start}
    while waiting:
        name = waiting.pop()
        if name == goal:
            return True
        waiting += [other for other in needs[name] if other not in seen]
        seen.update(needs[name])
    return False
