"""The formats by name, and which of them a source probably has."""

import posixpath
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from . import imscc, markdown, moodle, olx, spreadsheet
from .archives import open_source
from .folders import Staging
from .outline import Course
from .sources import Files, NotReadable

Read = Callable[[Files], Iterator[Course]]
FORMATS: Mapping[str, Read] = {
    "olx": olx.read_olx_courses,
    "imscc": imscc.read_cartridge,
    "moodle": moodle.read_backup,
    "markdown": markdown.read_markdown_courses,
    "csv": spreadsheet.read_spreadsheets,
}
_MARKS = {
    "moodle_backup.xml": "moodle",
    "imsmanifest.xml": "imscc",
    "course.xml": "olx",
}
"""Files by which a format is known; a backup of Moodle has a `course.xml` as well."""


def add_courses(courses: Staging, form: str, path: Path) -> None:
    """Reads the courses of a source and adds them. Raises `WrongUse`, `NotReadable`."""
    with open_source(path) as files:
        names = {posixpath.basename(name) for name in files.sizes}
        looks = next((name for mark, name in _MARKS.items() if mark in names), form)
        try:
            for number, course in enumerate(FORMATS[form](files)):
                for link in files.links if number == 0 else ():
                    course.note_loss(link, "a link, which is not followed")
                courses.stage_course(course, files)
        except NotReadable as error:
            if looks == form:
                raise
            raise NotReadable(error.message, f"it looks like --format {looks}") from None
