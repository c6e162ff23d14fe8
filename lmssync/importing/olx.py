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
from .xml_trees import tree

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


def courses(files: Files) -> Iterator[Course]:
    """The courses of an archive: one for each `course.xml` at the same depth."""
    roots = [name for name in files.sizes if posixpath.basename(name) == "course.xml"]
    if not roots:
        raise NotReadable(f"{files.shown} has no course.xml", "an OLX archive has one at its top")
    depth = min(name.count("/") for name in roots)
    for name in sorted(roots):
        if name.count("/") == depth:
            yield _Reading(files, posixpath.dirname(name)).course(name)


class _Reading:
    """One course of an archive."""

    def __init__(self, files: Files, root: str) -> None:
        self._files, self._root = files, root
        self._course = Course("", "", self._resolve)
        self._elements = 0

    def course(self, name: str) -> Course:
        course = self._course
        root, place = self._pointed(tree(self._files, name), name)
        settings = self._policy(root) | dict(root.attrib)
        course.title = plain.line(settings.get("display_name")) or root.get("course", "")
        course.name, course.place = root.get("course", "") or "course", place
        course.fields = self._about(settings)
        image = self._path(f"static/{settings.get('course_image', '')}")
        if image in self._files:
            course.image = File(image, posixpath.basename(image))
        for book in _BOOKS:
            if root.get(book) not in {*_UNSET, "[]"}:
                course.lose(place, f"the {book.replace('_', ' ')} of the course")
        course.sections = without_empty([self._section(*part) for part in self._below(root, place)])
        self._say_what_else()
        return course

    def _path(self, name: str) -> str:
        return posixpath.join(self._root, name)

    def _pointed(self, element: Element, place: str) -> tuple[Element, str]:
        """The element that one points to by its `url_name`, and the file that it stands in."""
        self._elements += 1
        if self._elements > _ELEMENTS_MOST:
            raise self._files.wrong(place, f"makes more than {_ELEMENTS_MOST:,} elements")
        for _ in range(_LINKS_MOST):
            url_name = element.get("url_name", "")
            file = self._path(f"{element.tag}/{url_name.replace(':', '/')}.xml")
            if len(element) or (element.text or "").strip() or file == place:
                break
            if file not in self._files:
                break
            below = tree(self._files, file)
            for key, value in element.attrib.items():
                below.attrib.setdefault(key, value)
            element, place = below, file
        return element, place

    def _below(self, element: Element, place: str) -> Iterator[tuple[Element, str]]:
        return (self._pointed(child, place) for child in element)

    def _policy(self, root: Element) -> dict[str, Any]:
        """The settings of the course that stand in its policy; grading has rules of its own."""
        run = root.get("url_name", "")
        name = self._path(f"policies/{run}/policy.json")
        if self._path(f"policies/{run}/grading_policy.json") in self._files:
            self._course.lose(
                self._path(f"policies/{run}/grading_policy.json"), "the grading policy"
            )
        if name not in self._files:
            return {}
        try:
            settings = json.loads(self._files.text(name)).get(f"course/{run}", {})
        except (ValueError, AttributeError, RecursionError):
            raise self._files.wrong(name, "is not a policy in JSON") from None
        return {k: v for k, v in settings.items() if isinstance(v, str | int | float | bool)}

    def _about(self, settings: dict[str, Any]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for short, field in _DATES.items():
            fields[field] = _date(settings.get(short))
        for name in ("about/short_description.html", "about/overview.html"):
            if self._path(name) in self._files:
                text = plain.prose(self._files.text(self._path(name)))
                if text and "description" not in fields:
                    fields["description"] = text
                    continue
                if text:
                    self._course.lose(self._path(name), "the long description of the course page")
        return fields

    def _section(self, chapter: Element, place: str) -> Section:
        section = Section(self._title(chapter), name=chapter.get("url_name", ""))
        section.release = _date(chapter.get("start"))
        self._hidden(chapter, place)
        if chapter.tag != "chapter":
            self._course.lose(place, f"the {chapter.tag} of the course")
            return section
        section.lessons = [self._lesson(*part) for part in self._below(chapter, place)]
        return section

    def _lesson(self, sequential: Element, place: str) -> Lesson:
        lesson = Lesson(self._title(sequential), name=sequential.get("url_name", ""))
        self._hidden(sequential, place)
        graded = [name for name in _GRADES if sequential.get(name) not in _UNSET]
        if graded:
            settings = ", ".join(f"{name}={sequential.get(name)}" for name in graded)
            self._course.lose(place, f"how “{lesson.title}” is graded: {settings}")
        if sequential.tag == "vertical":
            lesson.topics = list(self._topics(sequential, place))
            return lesson
        for vertical, where in self._below(sequential, place):
            lesson.topics += self._topics(vertical, where)
        return lesson

    def _topics(self, vertical: Element, place: str) -> Iterator[Topic]:
        """The blocks of a vertical, a topic each."""
        if vertical.tag != "vertical":
            blocks = [(vertical, place)]
        else:
            self._hidden(vertical, place)
            blocks = list(self._below(vertical, place))
        for block, where in blocks:
            page = self._title(vertical) if len(blocks) == 1 else ""
            title = page or self._title(block) or self._title(vertical)
            yield from olx_blocks.topics(self, block, where, title)

    def _title(self, element: Element) -> str:
        return plain.line(element.get("display_name"))

    def _hidden(self, element: Element, place: str) -> None:
        if element.get("visible_to_staff_only") == "true":
            title = self._title(element)
            message = f"“{title}” was only for staff, and learners would see it"
            self._course.lose(place, message, Loss.CHANGED)

    def lose(self, place: str, message: str, loss: Loss = Loss.LOST) -> None:
        """Notes what a block cannot bring along."""
        self._course.lose(place, message, loss)

    def html(self, block: Element, place: str) -> Body | None:
        """The HTML that a block points to; none if the file is missing."""
        name = block.get("filename", "") or block.get("url_name", "")
        file = self._path(f"html/{name.replace(':', '/')}.html")
        if file not in self._files:
            self.lose(place, f"the text of “{self._title(block)}”: {file} is missing")
            return None
        return Body(self._files.text(file), file)

    def children(self, block: Element, place: str) -> Iterator[tuple[Element, str]]:
        """The blocks that a block holds."""
        return self._below(block, place)

    def _resolve(self, address: str, _base: str) -> Target:
        path = address.partition("#")[0].partition("?")[0]
        if path.startswith(_OTHER_PAGES):
            return Nowhere("leads to another page of the old course")
        if not path.startswith(("/static/", "static/")):
            return None
        name = self._path(path.lstrip("/"))
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
                self.lose(self._path(top), f"{_ELSEWHERE[top]}: {files}")


def _date(text: Any) -> str:
    """A date of an attribute or a policy; empty for none."""
    date = plain.moment(str(text or ""))
    return "" if date.startswith(_NO_DATES) else date
