"""Open edX archives (OLX): a tree of small XML files that point to each other.

The course, its chapters, sequentials and verticals are read here; `olx_blocks` reads what
stands in a vertical.
"""

import json
import posixpath
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from . import olx_blocks, plain
from .outline import (
    Body,
    Course,
    File,
    Lesson,
    Loss,
    Nowhere,
    Section,
    Target,
    Topic,
    without_empty,
)
from .sources import Files, NotReadable
from .xml_trees import read_xml_tree

_DATES = {
    "start": "courseStartDate",
    "end": "courseEndDate",
    "enrollment_start": "enrollmentStartDate",
    "enrollment_end": "enrollmentEndDate",
}
_NO_DATES = ("2030-01-01", "1970-01-01")
"""With these the authoring tool marks what has no date."""
_OTHER_PAGES = ("/jump_to_id/", "/jump_to/", "/courses/", "/course/", "jump_to_id/")
_ELSEWHERE = {
    "tabs": "pages of their own beside the outline",
    "info": "news of the course",
    "drafts": "drafts that were not published",
}
_UNSET = {None, "", "false", "null"}
_BOOKS = ("textbooks", "pdf_textbooks", "html_textbooks")
_GRADES = ("graded", "format", "due", "weight")
_LINKS_MOST = 20
"""Files in a row that an element may point through."""
_ELEMENTS_MOST = 50_000
"""Elements of a course: files that point to each other could make any number."""


def read_olx_courses(files: Files) -> Iterator[Course]:
    """The courses of an archive: one for each `course.xml` at the same depth."""
    roots = [name for name in files.sizes if posixpath.basename(name) == "course.xml"]
    if not roots:
        raise NotReadable(f"{files.shown} has no course.xml", "an OLX archive has one at its top")
    depth = min(name.count("/") for name in roots)
    for name in sorted(roots):
        if name.count("/") == depth:
            yield _Reading(files, posixpath.dirname(name)).read_course(name)


class _Reading:
    """One course of an archive."""

    def __init__(self, files: Files, root: str) -> None:
        self._files, self._root = files, root
        self._course = Course("", "", self._resolve_address)
        self._elements = 0

    def read_course(self, name: str) -> Course:
        course = self._course
        root, place = self._follow_pointer(read_xml_tree(self._files, name), name)
        settings = self._read_policy(root) | dict(root.attrib)
        course.title = plain.fold_to_line(settings.get("display_name")) or root.get("course", "")
        course.name, course.place = root.get("course", "") or "course", place
        course.fields = self._course_fields(settings)
        image = self._path_in_archive(f"static/{settings.get('course_image', '')}")
        if image in self._files:
            course.image = File(image, posixpath.basename(image))
        for book in _BOOKS:
            if root.get(book) not in {*_UNSET, "[]"}:
                course.note_loss(place, f"the {book.replace('_', ' ')} of the course")
        course.sections = without_empty(
            [self._read_section(*part) for part in self._child_elements(root, place)]
        )
        self._say_what_else()
        return course

    def _path_in_archive(self, name: str) -> str:
        return posixpath.join(self._root, name)

    def _follow_pointer(self, element: Element, place: str) -> tuple[Element, str]:
        """The element that one points to by its `url_name`, and the file that it stands in."""
        self._elements += 1
        if self._elements > _ELEMENTS_MOST:
            raise self._files.file_error(place, f"makes more than {_ELEMENTS_MOST:,} elements")
        for _ in range(_LINKS_MOST):
            url_name = element.get("url_name", "")
            file = self._path_in_archive(f"{element.tag}/{url_name.replace(':', '/')}.xml")
            if len(element) or (element.text or "").strip() or file == place:
                break
            if file not in self._files:
                break
            below = read_xml_tree(self._files, file)
            for key, value in element.attrib.items():
                below.attrib.setdefault(key, value)
            element, place = below, file
        return element, place

    def _child_elements(self, element: Element, place: str) -> Iterator[tuple[Element, str]]:
        return (self._follow_pointer(child, place) for child in element)

    def _read_policy(self, root: Element) -> dict[str, Any]:
        """The settings of the course that stand in its policy; grading has rules of its own."""
        run = root.get("url_name", "")
        name = self._path_in_archive(f"policies/{run}/policy.json")
        if self._path_in_archive(f"policies/{run}/grading_policy.json") in self._files:
            self._course.note_loss(
                self._path_in_archive(f"policies/{run}/grading_policy.json"), "the grading policy"
            )
        if name not in self._files:
            return {}
        try:
            settings = json.loads(self._files.read_text(name)).get(f"course/{run}", {})
        except (ValueError, AttributeError, RecursionError):
            raise self._files.file_error(name, "is not a policy in JSON") from None
        return {k: v for k, v in settings.items() if isinstance(v, str | int | float | bool)}

    def _course_fields(self, settings: dict[str, Any]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for short, field in _DATES.items():
            fields[field] = _parse_date(settings.get(short))
        for name in ("about/short_description.html", "about/overview.html"):
            if self._path_in_archive(name) in self._files:
                text = plain.html_to_prose(self._files.read_text(self._path_in_archive(name)))
                if text and "description" not in fields:
                    fields["description"] = text
                    continue
                if text:
                    self._course.note_loss(
                        self._path_in_archive(name), "the long description of the course page"
                    )
        return fields

    def _read_section(self, chapter: Element, place: str) -> Section:
        section = Section(self._display_name(chapter), name=chapter.get("url_name", ""))
        section.release = _parse_date(chapter.get("start"))
        self._note_hidden(chapter, place)
        if chapter.tag != "chapter":
            self._course.note_loss(place, f"the {chapter.tag} of the course")
            return section
        section.lessons = [
            self._read_lesson(*part) for part in self._child_elements(chapter, place)
        ]
        return section

    def _read_lesson(self, sequential: Element, place: str) -> Lesson:
        lesson = Lesson(self._display_name(sequential), name=sequential.get("url_name", ""))
        self._note_hidden(sequential, place)
        graded = [name for name in _GRADES if sequential.get(name) not in _UNSET]
        if graded:
            settings = ", ".join(f"{name}={sequential.get(name)}" for name in graded)
            self._course.note_loss(place, f"how “{lesson.title}” is graded: {settings}")
        if sequential.tag == "vertical":
            lesson.topics = list(self._read_topics(sequential, place))
            return lesson
        for vertical, where in self._child_elements(sequential, place):
            lesson.topics += self._read_topics(vertical, where)
        return lesson

    def _read_topics(self, vertical: Element, place: str) -> Iterator[Topic]:
        """The blocks of a vertical, a topic each."""
        if vertical.tag != "vertical":
            blocks = [(vertical, place)]
        else:
            self._note_hidden(vertical, place)
            blocks = list(self._child_elements(vertical, place))
        for block, where in blocks:
            page = self._display_name(vertical) if len(blocks) == 1 else ""
            title = page or self._display_name(block) or self._display_name(vertical)
            yield from olx_blocks.make_block_topics(self, block, where, title)

    def _display_name(self, element: Element) -> str:
        return plain.fold_to_line(element.get("display_name"))

    def _note_hidden(self, element: Element, place: str) -> None:
        if element.get("visible_to_staff_only") == "true":
            title = self._display_name(element)
            message = f"“{title}” was only for staff, and learners would see it"
            self._course.note_loss(place, message, Loss.CHANGED)

    def note_loss(self, place: str, message: str, loss: Loss = Loss.LOST) -> None:
        """Notes what a block cannot bring along."""
        self._course.note_loss(place, message, loss)

    def read_block_html(self, block: Element, place: str) -> Body | None:
        """The HTML that a block points to; none if the file is missing."""
        name = block.get("filename", "") or block.get("url_name", "")
        file = self._path_in_archive(f"html/{name.replace(':', '/')}.html")
        if file not in self._files:
            self.note_loss(place, f"the text of “{self._display_name(block)}”: {file} is missing")
            return None
        return Body(self._files.read_text(file), file)

    def read_child_blocks(self, block: Element, place: str) -> Iterator[tuple[Element, str]]:
        """The blocks that a block holds."""
        return self._child_elements(block, place)

    def _resolve_address(self, address: str, _base: str) -> Target:
        path = address.partition("#")[0].partition("?")[0]
        if path.startswith(_OTHER_PAGES):
            return Nowhere("leads to another page of the old course")
        if not path.startswith(("/static/", "static/")):
            return None
        name = self._path_in_archive(path.lstrip("/"))
        for spelled in (name, name.replace(" ", "_"), name.replace("%20", " ")):
            if spelled in self._files:
                return File(spelled, posixpath.basename(spelled))
        return Nowhere("is not in the archive")

    def _say_what_else(self) -> None:
        """Names what stands beside the outline; static files count if a text needs them."""
        tops = (name.removeprefix(f"{self._root}/").partition("/")[0] for name in self._files.sizes)
        for top, number in Counter(tops).items():
            if top in _ELSEWHERE:
                files = f"{number:,} file{'' if number == 1 else 's'}"
                self.note_loss(self._path_in_archive(top), f"{_ELSEWHERE[top]}: {files}")


def _parse_date(text: Any) -> str:
    """A date of an attribute or a policy; empty for none."""
    date = plain.parse_moment(str(text or ""))
    return "" if date.startswith(_NO_DATES) else date
