"""Open edX archives (OLX): a tree of small XML files that point to each other."""

import json
import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any
from xml.etree.ElementTree import Element, tostring

from ...vocabulary.enums import TopicType
from .course_outline import (
    Body,
    ContentRef,
    Course,
    Lesson,
    Loss,
    QuizQuestion,
    Section,
    Target,
    Topic,
    UnreachableTarget,
    name_parameters,
    spell_questions,
)
from .olx_media import OlxStaticFiles, find_static_name, make_video_topic
from .olx_problems import read_block_questions
from .source_files import NotReadable, SourceFiles
from .source_texts import fold_to_line, html_to_prose, normalise_moment, read_xml_tree

_QUESTIONS = "the questions of “{}” have to be written again"
_LIBRARY = "the library behind “{}” is not carried over"
_TASK = "the task of “{}” has to be written again"
_TOOL = "the tool of “{}” has to be set up again: {}"
_TYPES = {
    "problem": (TopicType.QUIZ, _QUESTIONS),
    "library_content": (TopicType.QUIZ, _LIBRARY),
    "itembank": (TopicType.QUIZ, _LIBRARY),
    "drag-and-drop-v2": (TopicType.QUIZ, _QUESTIONS),
    "discussion": (TopicType.DISCUSSION_BOARD, ""),
    "openassessment": (TopicType.ASSIGNMENT, _TASK),
    "edx_sga": (TopicType.ASSIGNMENT, _TASK),
    "poll": (TopicType.SURVEY, _QUESTIONS),
    "survey": (TopicType.SURVEY, _QUESTIONS),
    "word_cloud": (TopicType.SURVEY, _QUESTIONS),
    "poll_question": (TopicType.SURVEY, _QUESTIONS),
    "lti": (TopicType.LTI, _TOOL),
    "lti_consumer": (TopicType.LTI, _TOOL),
}
_LIBRARIES = {"library_content", "itembank"}
_PACKAGES = {"scorm", "scormxblock"}
_PDFS = {"pdf"}
_HOLDERS = {"vertical", "wrapper", "conditional", "split_test", "randomize", "problemset"}
_DEPTH_MOST = 10
_CHOOSES = {"conditional", "split_test", "randomize"}


def make_block_topics(
    reading: "OlxReading", block: Element, place: str, title: str, depth: int = 0
) -> Iterator[Topic]:
    """The topics that a block becomes: one, none, or those of the blocks that it holds."""
    tag = block.tag
    name = block.get("url_name", "")
    reading.note_hidden_element(block, place, title)
    if tag in _HOLDERS and depth < _DEPTH_MOST:
        if tag in _CHOOSES:
            message = f"<{tag}> showed each learner a choice of what is in “{title}”; all get all"
            reading.course.note_loss(place, message, Loss.CHANGED)
        for inner, where in reading.read_child_elements(block, place):
            inner_title = fold_to_line(inner.get("display_name")) or title
            yield from make_block_topics(reading, inner, where, inner_title, depth + 1)
    elif tag == "html":
        body = _inline_html(block, place) or reading.read_block_html(block, place)
        yield Topic(title or "Text", TopicType.TEXT, place, name, body=body)
    elif tag == "video":
        yield make_video_topic(reading.course, reading.static, block, place, title or "Video")
    elif tag in _PDFS:
        address = ContentRef(block.get("url", ""))
        yield Topic(title or "PDF", TopicType.PDF_VIEWER, place, name, address=address)
    elif tag in _PACKAGES:
        message = f"the package of “{title}” is not in the archive"
        reading.course.note_loss(place, message, Loss.PLACEHOLDER)
        yield Topic(title or "Package", TopicType.SHAREABLE_CONTENT_OBJECT, place, name)
    elif tag in _TYPES:
        yield _shell_topic(reading, block, place, title)
    else:
        where = block.get("embed_code") or block.get("href") or block.get("url") or ""
        message = f"“{title}”: the platform has nothing like <{tag}>"
        reading.course.note_loss(place, message + (f": {fold_to_line(where)}" if where else ""))


def join_texts(topics: Iterable[Topic]) -> list[Topic]:
    """Topics of one unit, where texts of the same title that follow each other are one."""
    joined: list[Topic] = []
    for topic in topics:
        last = joined[-1] if joined else None
        if last and {last.type, topic.type} == {TopicType.TEXT} and last.title == topic.title:
            if last.body and topic.body:
                last.body = last.body._replace(text=f"{last.body.text}\n{topic.body.text}")
            last.body = last.body or topic.body
        else:
            joined.append(topic)
    return joined


def _inline_html(block: Element, place: str) -> Body | None:
    """HTML that stands in the XML itself."""
    if not len(block) and not (block.text or "").strip():
        return None
    # Older archives have it there, newer ones in a file of its own.
    inner = "".join(tostring(child, encoding="unicode", method="html") for child in block)
    return Body(f"{block.text or ''}{inner}", place)


def _shell_topic(reading: "OlxReading", block: Element, place: str, title: str) -> Topic:
    """A topic that the platform makes empty."""
    type_, message = _TYPES[str(block.tag)]
    title = title or str(block.tag).replace("_", " ").capitalize()
    questions = spell_questions(_list_block_questions(reading, block, place), place)
    if message and not questions:
        launch = block.get("launch_url") or block.get("lti_1p3_launch_url") or ""
        given = block.get("custom_parameters", "").strip("[]").split(",")
        words = message.format(title, launch) + name_parameters(given)
        reading.course.note_loss(place, words, Loss.PLACEHOLDER)
    subject = fold_to_line(block.get("discussion_target"))
    if subject not in {"", title}:
        reading.course.note_loss(place, f"the subject of the discussion “{title}”: {subject}")
    about = block.get("description", "")
    body = Body(f"<p>{about}</p>\n", place) if about else None
    return Topic(title, type_, place, block.get("url_name", ""), body=body, questions=questions)


def _list_block_questions(
    reading: "OlxReading", block: Element, place: str, depth: int = 0
) -> Iterator[QuizQuestion]:
    """The questions of a block; a library holds problems, of which each learner gets some."""
    if block.tag not in _LIBRARIES:
        yield from read_block_questions(block)
    elif depth < _DEPTH_MOST:
        number = block.get("max_count", "")
        if number and len(block):
            words = f"Each learner gets {escape(number)} of the following questions."
            yield QuizQuestion(words, "A choice of questions")
        for inner, where in reading.read_child_elements(block, place):
            yield from _list_block_questions(reading, inner, where, depth + 1)


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
_UNSET = {None, False, "", "false", "False", "null", "[]", "{}"}
_BOOKS = ("textbooks", "pdf_textbooks", "html_textbooks")
_GRADES = ("graded", "format", "due", "weight")
_LIMITS = (
    "start",
    "due",
    "hide_after_due",
    "is_time_limited",
    "default_time_limit_minutes",
)
"""Dates and limits of a part that the platform has no place for."""
_PARTS = {"chapter", "sequential", "vertical"}
_UNNAMED = {"", "Unit", "Text", "Raw HTML", "Text Component", "Blank HTML Page"}
"""Titles that the authoring tool gives to what has none."""
_READ = {"display_name", "course_image", "url_name", "org", "course", *_DATES, *_BOOKS}
"""Settings that are carried over, or named by themselves."""
_LINKS_MOST = 20
"""Files in a row that an element may point through."""
_ELEMENTS_MOST = 50_000
"""Elements of a course: files that point to each other could make any number."""


def read_olx_courses(files: SourceFiles) -> Iterator[Course]:
    """The courses of an archive: one for each `course.xml` at the same depth."""
    roots = [name for name in files.sizes if posixpath.basename(name) == "course.xml"]
    if not roots:
        raise NotReadable(f"{files.shown} has no course.xml", "an OLX archive has one at its top")
    depth = min(name.count("/") for name in roots)
    for name in sorted(roots):
        if name.count("/") == depth:
            yield OlxReading(files, posixpath.dirname(name)).read_course(name)


class OlxReading:
    """One course of an archive."""

    def __init__(self, files: SourceFiles, root: str) -> None:
        self._files, self._root = files, root
        self.course = Course("", "", self._resolve_address)
        self._elements = 0
        self.static = OlxStaticFiles(files, root)

    def read_course(self, name: str) -> Course:
        course = self.course
        root, place = self._follow_pointer(read_xml_tree(self._files, name), name)
        settings = self._read_policy(root) | dict(root.attrib)
        course.title = fold_to_line(settings.get("display_name")) or root.get("course", "")
        course.name, course.place = root.get("course", "") or "course", place
        course.fields = self._course_fields(settings)
        course.image = self.static.find_file(str(settings.get("course_image", "")))
        for book in _BOOKS:
            if root.get(book) not in _UNSET:
                course.note_loss(place, f"the {book.replace('_', ' ')} of the course")
        course.keep_filled_parts(
            [self._read_section(*part) for part in self.read_child_elements(root, place)]
        )
        unread = sorted(k for k, v in settings.items() if v not in _UNSET and k not in _READ)
        if unread:
            course.note_loss(place, f"settings of the course: {', '.join(unread)}")
        self._note_unread_files()
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
            # A pointer has attributes alone; one to the file that it is in would lead back to
            # itself.
            if len(element) or (element.text or "").strip() or file == place:
                break
            if file not in self._files:
                if element.tag in _PARTS and element.keys() == ["url_name"]:
                    self.course.note_loss(place, f"the {element.tag} in {file}, which is missing")
                break
            below = read_xml_tree(self._files, file)
            # What the file says of itself goes before what stands at the pointer.
            for key, value in element.attrib.items():
                below.attrib.setdefault(key, value)
            element, place = below, file
        return element, place

    def read_child_elements(self, element: Element, place: str) -> Iterator[tuple[Element, str]]:
        return (self._follow_pointer(child, place) for child in element)

    def _read_policy(self, root: Element) -> dict[str, Any]:
        """The settings of the course that stand in its policy; grading has rules of its own."""
        run = root.get("url_name", "")
        name = self._path_in_archive(f"policies/{run}/policy.json")
        if self._path_in_archive(f"policies/{run}/grading_policy.json") in self._files:
            self.course.note_loss(
                self._path_in_archive(f"policies/{run}/grading_policy.json"), "the grading policy"
            )
        if name not in self._files:
            return {}
        try:
            settings = json.loads(self._files.read_text(name)).get(f"course/{run}", {})
        except (ValueError, AttributeError, RecursionError):
            raise self._files.file_error(name, "is not a policy in JSON") from None
        return {k: json.dumps(v) if isinstance(v, list | dict) else v for k, v in settings.items()}

    def _course_fields(self, settings: dict[str, Any]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for short, field in _DATES.items():
            fields[field] = _parse_date(settings.get(short))
        for name in ("about/short_description.html", "about/overview.html"):
            if self._path_in_archive(name) in self._files:
                text = html_to_prose(self._files.read_text(self._path_in_archive(name)))
                if text and "description" not in fields:
                    fields["description"] = text
                    continue
                if text:
                    self.course.note_loss(
                        self._path_in_archive(name), "the long description of the course page"
                    )
        return fields

    def _read_section(self, chapter: Element, place: str) -> Section:
        section = Section(self._display_name(chapter), name=chapter.get("url_name", ""))
        section.release = _parse_date(chapter.get("start"))
        self.note_hidden_element(chapter, place, section.title)
        self._note_limits(chapter, place, _LIMITS[1:])
        if chapter.tag != "chapter":
            self.course.note_loss(place, f"the {chapter.tag} of the course")
            return section
        section.lessons = [
            self._read_lesson(*part) for part in self.read_child_elements(chapter, place)
        ]
        return section

    def _read_lesson(self, sequential: Element, place: str) -> Lesson:
        lesson = Lesson(self._display_name(sequential), name=sequential.get("url_name", ""))
        self.note_hidden_element(sequential, place, lesson.title)
        self._note_limits(sequential, place, [n for n in _LIMITS if n not in _GRADES])
        graded = [name for name in _GRADES if sequential.get(name) not in _UNSET]
        if graded:
            settings = ", ".join(f"{name}={sequential.get(name)}" for name in graded)
            self.course.note_loss(place, f"how “{lesson.title}” is graded: {settings}")
        if sequential.tag == "vertical":
            lesson.topics = join_texts(self._read_topics(sequential, place))
            return lesson
        for vertical, where in self.read_child_elements(sequential, place):
            # Topics are named by their unit: one that nobody named has the title of the lesson.
            if self._display_name(vertical) in _UNNAMED:
                vertical.set("display_name", lesson.title)
            lesson.topics += join_texts(self._read_topics(vertical, where))
        return lesson

    def _read_topics(self, vertical: Element, place: str) -> Iterator[Topic]:
        """The blocks of a vertical, a topic each."""
        if vertical.tag != "vertical":
            blocks = [(vertical, place)]
        else:
            self.note_hidden_element(vertical, place, self._display_name(vertical))
            blocks = list(self.read_child_elements(vertical, place))
        for block, where in blocks:
            # A unit with one block is one page to learners, under the title of the unit.
            page = self._display_name(vertical) if len(blocks) == 1 else ""
            own = self._display_name(block)
            title = page or (own if own not in _UNNAMED else "") or self._display_name(vertical)
            yield from make_block_topics(self, block, where, title)

    def _display_name(self, element: Element) -> str:
        return fold_to_line(element.get("display_name"))

    def note_hidden_element(self, element: Element, place: str, title: str) -> None:
        """Notes what not all learners saw: the platform shows it to each of them."""
        for name, people in (("visible_to_staff_only", "staff"), ("group_access", "some groups")):
            if element.get(name) not in _UNSET:
                message = f"“{title}” was only for {people}, and learners would see it"
                self.course.note_loss(place, message, Loss.CHANGED)

    def _note_limits(self, element: Element, place: str, names: Iterable[str]) -> None:
        """Notes the dates and limits of a part that are set."""
        given = {name: element.get(name, "") for name in names}
        limits = {
            name: value
            for name, value in given.items()
            if value not in _UNSET and not str(value).strip('"').startswith(_NO_DATES)
        }
        self.course.note_limits(place, self._display_name(element), limits)

    def read_block_html(self, block: Element, place: str) -> Body | None:
        """The HTML that a block points to; none if the file is missing."""
        name = block.get("filename", "") or block.get("url_name", "")
        file = self._path_in_archive(f"html/{name.replace(':', '/')}.html")
        if file not in self._files:
            self.course.note_loss(
                place, f"the text of “{self._display_name(block)}”: {file} is missing"
            )
            return None
        return Body(self._files.read_text(file), file)

    def _resolve_address(self, address: str, _base: str) -> Target:
        path = address.partition("#")[0].partition("?")[0]
        if path.startswith(_OTHER_PAGES):
            return UnreachableTarget("leads to another page of the old course")
        name = find_static_name(path)
        if name is None:
            return None
        return self.static.find_file(name) or UnreachableTarget("is not in the archive")

    def _note_unread_files(self) -> None:
        """Names what stands beside the outline; static files count if a text needs them."""
        tops = (name.removeprefix(f"{self._root}/").partition("/")[0] for name in self._files.sizes)
        for top, number in Counter(tops).items():
            if top in _ELSEWHERE:
                files = f"{number:,} file{'' if number == 1 else 's'}"
                self.course.note_loss(self._path_in_archive(top), f"{_ELSEWHERE[top]}: {files}")


def _parse_date(text: Any) -> str:
    """A date of an attribute or a policy; empty for none."""
    date = normalise_moment(str(text or ""))
    return "" if date.startswith(_NO_DATES) else date
