"""importers: courses of other systems become manifests, bodies and copies of their files.

A format makes an outline of what it reads, and says what it had to leave out; one writer makes
folders of all of them, or of none. It knows nothing of plans, the state or the platform.
"""

import os
import posixpath
import secrets
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ...catalog.manifests.catalog_files import BODY_BYTES, MANIFEST_BYTES
from ...catalog.manifests.export import put_beside
from ...catalog.manifests.formatter import Unproven, format_manifest
from ...catalog.manifests.yaml import write_yaml_document
from ...errors import LmssyncError, WrongUse
from ...kinds import KINDS
from ...support.file_writing import ensure_below, write_below
from ...support.safe_files import Outside
from .course_assets import CourseAssets
from .course_document import (
    KIND,
    Data,
    DocumentWriter,
    fit_document,
    list_document_topics,
    make_course_key,
)
from .course_outline import ANYWHERE, Course, Loss as Loss, LossNote
from .course_table import read_spreadsheets
from .imscc_cartridge import read_cartridge
from .markdown_folder import read_markdown_courses
from .moodle_backup import read_backup
from .olx_archive import read_olx_courses
from .source_files import COPY_BYTES, NotReadable, SourceFiles, open_source
from .video_transcripts import add_transcripts

_LINES, _LETTERS = 4, 400
"""A body of no more than this stands in the manifest."""


def extract_long_bodies(data: Data) -> dict[str, str]:
    """Takes long bodies out of a document; their texts by the names that stand there instead."""
    slots = list(KINDS[KIND].authoring.body_fields(data))
    texts: dict[str, str] = {}
    put_beside(data, slots, texts, goes=_is_long)
    for slot in slots:
        for way in ("markdown", "body"):
            if way in slot.holder:
                slot.holder[way] = _strip_line_end(slot.holder[way])
    return texts


def _is_long(text: str) -> bool:
    return text.count("\n") > _LINES or len(text) > _LETTERS


def _strip_line_end(text: str) -> str:
    # No browser shows that end.
    return text if "\n" in text.rstrip("\n") else text.rstrip("\n")


MANIFEST = f"{KIND}.yaml"


class CopiedFile(NamedTuple):
    """A file of the source that a course needs."""

    source: str
    file: str
    url: str
    """Its address, if it is known where the files are hosted."""


class ImportedCourse(NamedTuple):
    """A course that was written."""

    key: str
    title: str
    source: str
    """The archive, folder or file."""
    place: str
    """Where it stands in the source; places of what was lost are those of files beside it."""
    files: list[str]
    """The manifest, the bodies and the copies, by their paths from the folder of the course."""
    topics: Mapping[str, int]
    """How many topics of each type."""
    copies: list[CopiedFile]
    lost: list[LossNote]


class FileImportOptions(NamedTuple):
    """What an import from files is asked for."""

    base: str | None = None
    """Where the copied files will be hosted."""
    title_column: str | None = None
    """The column of a table with the titles of the courses, if one has to be named."""
    as_html: bool = False
    """Write bodies as HTML even where Markdown says the same."""
    transcripts: bool = False
    """Make transcripts of videos pages."""
    force: bool = False
    """Write over the files of courses that are there."""


_NOTHING_ASKED = FileImportOptions()


class StagedCourses:
    """Courses in a hidden folder, until all of them can take their places."""

    def __init__(self, out: Path, hidden: Path, options: FileImportOptions) -> None:
        self._out, self._hidden = out, hidden
        self.options = options
        self._taken: set[str] = set()
        self._unique: set[tuple[str, str]] = set()
        """Fields and values that no two courses may have alike."""
        self.imported: list[ImportedCourse] = []

    def stage_course(self, course: Course, files: SourceFiles) -> None:
        """Writes a course into the hidden folder. Raises `LmssyncError`."""
        key = make_course_key(course, self._taken)
        if course.key and key != course.key:
            course.note_loss(course.place, f"the key `{course.key}`; it is `{key}`", Loss.CHANGED)
        self._taken.add(key.casefold())
        # `lexists`: a link that leads nowhere is in the way as well.
        if not self.options.force and os.path.lexists(self._out / key):
            raise WrongUse(
                f"there is already {self._out / key}; nothing was written",
                "choose another folder with --out, or pass --force to write over its files",
            )
        add_transcripts(course, files, wanted=self.options.transcripts)
        assets = CourseAssets(course, files, key, self.options.base)
        writer = DocumentWriter(course, key, assets, self.options.as_html)
        data = writer.write_document()
        # Before anything is left out of the document: its parts are paired with those of the
        # course.
        questions = writer.write_questions(data)
        fit_document(data, course)
        self._drop_taken_values(data, course)
        topics = Counter(topic["type"] for topic in list_document_topics(data))
        bodies = extract_long_bodies(data)
        texts = {MANIFEST: _format_manifest(write_yaml_document(data)), **bodies, **questions}
        self._write_course_folder(key, texts, assets)
        copies = [
            CopiedFile(source, path, assets.find_address(path))
            for source, path in assets.copies.items()
        ]
        written = [*texts, *assets.copies.values()]
        self.imported.append(
            ImportedCourse(
                key, data["title"], files.shown, course.place, written, topics, copies, course.lost
            )
        )

    def _drop_taken_values(self, data: Data, course: Course) -> None:
        """Takes out of a course what another one has that must be its own, such as the sku."""
        for field in data.keys() & set(KINDS[KIND].relations.unique):
            if (field, data[field]) in self._unique:
                course.note_loss(
                    course.place, f"`{field}` {data.pop(field)}: another course has it"
                )
            else:
                self._unique.add((field, data[field]))

    def _write_course_folder(
        self, key: str, texts: Mapping[str, str], assets: CourseAssets
    ) -> None:
        for name, text in texts.items():
            data = text.encode()
            most = MANIFEST_BYTES if name == MANIFEST else BODY_BYTES
            if len(data) > most:
                raise LmssyncError(f"{key}/{name} would have more than {most:,} bytes")
            write_below(self._hidden, f"{key}/{name}", [data])
        for source, path in assets.copies.items():
            write_below(
                self._hidden, f"{key}/{path}", [assets.files.read_content(source, COPY_BYTES)]
            )

    def move_into_place(self) -> None:
        """Moves every course to its place; if one cannot be moved, none is."""
        for course in self.imported:
            for name in course.files:
                # All of them before the first is moved: a link among the folders must not lead half
                # of it away.
                ensure_below(self._out, f"{course.key}/{name}")
        moved: list[Path] = []
        try:
            for course in self.imported:
                place = self._out / course.key
                if os.path.lexists(place):
                    # Other files in its folder stay.
                    for name in course.files:
                        data = (self._hidden / course.key / name).read_bytes()
                        write_below(self._out, f"{course.key}/{name}", [data])
                else:
                    (self._hidden / course.key).rename(place)
                    moved.append(place)
        except OSError:
            # Courses that were written over cannot be undone: the message says that each file is
            # whole.
            for place in reversed(moved):
                place.rename(self._hidden / place.name)
            raise


def _format_manifest(text: str) -> str:
    """The text as `fmt` leaves it."""
    try:
        return format_manifest(text.encode()).decode()
    except Unproven:
        # Where that would take too long, it stays as it is: it is valid all the same.
        return text


@contextmanager
def open_staging(out: Path, options: FileImportOptions = _NOTHING_ASKED) -> Iterator[StagedCourses]:
    """Courses that are added take their places below `out` at the end, if nothing goes wrong.

    Raises `LmssyncError` in words.
    """
    # Inside its destination, since a rename works only within one file system.
    hidden = out / f".lmssync-import-{secrets.token_hex(4)}"
    made = not out.exists()
    try:
        hidden.mkdir(parents=True)
        courses = StagedCourses(out, hidden, options)
        yield courses
        courses.move_into_place()
    except OSError as error:
        whole = options.force and not isinstance(error, Outside)
        raise LmssyncError(
            f"{error.filename or out} cannot be written: {error.strerror}",
            "each file that was there is whole, old or new" if whole else "nothing was written",
        ) from error
    finally:
        shutil.rmtree(hidden, ignore_errors=True)
        # A run that failed leaves no empty folder that was not there before.
        if made and out.is_dir() and not any(out.iterdir()):
            out.rmdir()


Read = Callable[[SourceFiles], Iterator[Course]]
SOURCE_READERS: Mapping[str, Read] = {
    "olx": read_olx_courses,
    "imscc": read_cartridge,
    "moodle": read_backup,
    "markdown": read_markdown_courses,
    "csv": read_spreadsheets,
}
_MARKS = {"moodle_backup.xml": "moodle", "imsmanifest.xml": "imscc", "course.xml": "olx"}
"""Files by which a format is known; a backup of Moodle has a `course.xml` as well."""


def add_courses(courses: StagedCourses, form: str, path: Path) -> None:
    """Reads the courses of a source and adds them. Raises `WrongUse`, `NotReadable`."""
    read_courses = SOURCE_READERS[form]
    if title_column := courses.options.title_column:
        read_courses = partial(read_spreadsheets, title_column=title_column)
    with open_source(path) as files:
        names = {posixpath.basename(name) for name in files.sizes}
        looks = next((name for mark, name in _MARKS.items() if mark in names), form)
        try:
            read = []
            for course in read_courses(files):
                courses.stage_course(course, files)
                read.append(course)
            if read:
                for link in files.links:
                    read[0].note_loss(link, "a link, which is not followed")
                note_unused_files(files, read)
        except NotReadable as error:
            # Only another format than the one asked for makes a helpful remark.
            if looks == form:
                raise
            raise NotReadable(error.message, f"it looks like --format {looks}") from None


_UNUSED = "no page needs it, and it was not copied"


def note_unused_files(files: SourceFiles, courses: Sequence[Course]) -> None:
    """Notes each file that was not read, copied or named, in the course that is nearest to it."""
    notes = [note for course in courses for note in course.lost]
    named = {note.place for note in notes} | files.opened
    wide = {note.place for note in notes if note.loss is Loss.LOST}
    # Reversed, so that of several courses in a folder the first one gets the notes.
    by_folder = {posixpath.dirname(course.place): course for course in reversed(courses)}
    by_folder |= {course.place: course for course in courses}
    for name in files.sizes:
        if name in named or not wide.isdisjoint(_list_wide_places(name)):
            continue
        near = (by_folder[place] for place in _list_wide_places(name) if place in by_folder)
        course = next(near, courses[0])
        shown = course.shown_names.get(name, "")
        course.note_loss(name, f"{_UNUSED}: {shown}" if shown else _UNUSED)


def _list_wide_places(name: str) -> Iterator[str]:
    """The places of notes on many files that name this one too: its name, the folders above."""
    yield ANYWHERE + posixpath.basename(name)
    folder = posixpath.dirname(name)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
