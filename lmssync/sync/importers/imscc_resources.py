"""The resources of a cartridge, and the topic that each becomes."""

import posixpath
import re
from collections.abc import Container, Iterator, Mapping
from functools import cache
from html import escape
from typing import NamedTuple, Protocol
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from ...vocabulary.enums import TopicType
from .course_outline import (
    Body,
    ContentRef,
    Course,
    Loss,
    QuizQuestion,
    Topic,
    file_topic,
    link_topic,
    name_parameters,
    spell_questions,
)
from .qti_questions import read_qti_questions
from .source_files import NotReadable, SourceFiles
from .source_texts import NO_ELEMENT, child_text, fold_to_line, html_to_prose, read_xml_tree

_HEAD = re.compile(r"(?is)^.*?<body\b[^>]*>|</body\s*>.*$")
_TITLE = re.compile(r"(?is)<title[^>]*>(?P<title>.*?)</title\s*>")
_IN_HEAD = re.compile(r"(?i)<(script|style|link)\b")
_PAGES = (".html", ".htm", ".xhtml")
ASSIGNMENT_SETTINGS = "assignment_settings.xml"
"""The file with the rules of an assignment, beside the page with its text."""
QUIZ_SETTINGS = "assessment_meta.xml"
"""The file with the rules of a quiz, beside its questions."""
_OWN = "learning-application-resource"
"""In the type of what only the other system reads."""
_OUTSIDE = {
    "question-bank": "a bank of questions",
    "assessment": "a test outside the outline",
    "imsdt": "a discussion outside the outline",
    "imswl": "a web link outside the outline",
    "imsbasiclti": "a tool outside the outline",
}
"""What a resource is that no item names, by a part of its type."""
_LISTS = {
    "rubrics.xml": ("the rubrics", "rubric"),
    "learning_outcomes.xml": ("the learning outcomes", "learningOutcome"),
}
"""Files with lists whose titles the report gives, and the element of an entry."""
SYLLABUS = "course_settings/syllabus.html"


_LIMITS = {"qmd_timelimit", "cc_maxattempts"}
_CANVAS_LIMITS = ("unlock_at", "due_at", "lock_at", "time_limit", "allowed_attempts")
_NO_LIMIT = {"", "-1"}


class ImsResource(NamedTuple):
    """A resource of the manifest; paths from the top of the archive."""

    type: str
    href: str
    files: list[str]
    needs: list[str]
    """Identifiers of the resources that it depends on."""

    @property
    def main_file(self) -> str:
        return self.href or self.files[0]


def read_resource(element: Element, root: str, known: Container[str]) -> ImsResource:
    """A resource as the manifest has it; its address may lack the ending of a known file."""

    def resource_path(href: str | None) -> str:
        # An address is a URI; some tools write the name of the file as it is.
        names = [
            posixpath.normpath(posixpath.join(root, h)) for h in (href, unquote(href or "")) if h
        ]
        return next((name for name in names if name in known), names[0] if names else "")

    files = [resource_path(file.get("href")) for file in element.iterfind("file")]
    files = [file for file in files if file] or [""]
    href = resource_path(element.get("href"))
    if href not in known:
        # Some tools write an address without its ending; the list of files has the whole name.
        href = next((file for file in files if file in known), href)
    needs = [one.get("identifierref", "") for one in element.iterfind("dependency")]
    return ImsResource(element.get("type", ""), href, files, needs)


class CartridgeContext(Protocol):
    """What a resource needs of the cartridge that is being read."""

    @property
    def files(self) -> SourceFiles: ...
    @property
    def course(self) -> Course: ...
    @property
    def resources(self) -> Mapping[str, ImsResource]: ...


def is_page(name: str) -> bool:
    """Whether a file is a page of HTML."""
    return name.lower().endswith(_PAGES)


def is_assignment(resource: ImsResource) -> bool:
    return "assignment" in resource.type or any(
        f.endswith(ASSIGNMENT_SETTINGS) for f in resource.files
    )


def is_content(resource: ImsResource) -> bool:
    """Whether learners meet a resource by itself, as they do a page and not a picture."""
    if resource.type == "webcontent":
        return is_page(resource.main_file)
    return is_assignment(resource) or any(
        mark in resource.type for mark in _OUTSIDE if mark != "question-bank"
    )


def note_unused_resource(reading: CartridgeContext, resource: ImsResource) -> None:
    """Names what is lost with a resource that no item names; files by themselves are none."""
    place = resource.main_file
    if place not in reading.files:
        reading.course.note_loss(
            place or "imsmanifest.xml", "is listed, and is not in the cartridge"
        )
    elif is_assignment(resource):
        reading.course.note_loss(place, "an assignment outside the outline")
    elif resource.type == "webcontent":
        if is_page(place):
            reading.course.note_loss(place, "a page outside the outline")
    elif _OWN in resource.type:
        for name in resource.files:
            _note_settings(reading, name)
    else:
        words = next((words for mark, words in _OUTSIDE.items() if mark in resource.type), "")
        words = words or f"the platform has nothing like the type `{resource.type}`"
        reading.course.note_loss(place, words + _title_and_address(reading, place))


def _note_settings(reading: CartridgeContext, name: str) -> None:
    """Names a file of settings; of a list that authors made, with the titles in it."""
    words, element = _LISTS.get(posixpath.basename(name), ("", ""))
    root = try_reading_xml(reading, name) if words else NO_ELEMENT
    if titles := [child_text(one, "title") for one in root.iter(element)]:
        named = ", ".join(f"“{fold_to_line(title)}”" for title in titles)
        reading.course.note_loss(name, f"{words}: {named}")
    elif name != SYLLABUS and name in reading.files:
        reading.course.note_loss(name, "settings of the other system")


def _title_and_address(reading: CartridgeContext, place: str) -> str:
    """The title of a resource and where it leads, for a report; empty where it has neither."""
    root = try_reading_xml(reading, place)
    link = root.find("url")
    title = fold_to_line(child_text(root, "title"))
    address = link.get("href", "") if link is not None else _launch_address(root)
    return (f": “{title}”" if title else "") + (f", {address}" if address else "")


def try_reading_xml(reading: CartridgeContext, name: str) -> Element:
    """A file that is only named in the report; `NO_ELEMENT` if it is missing or damaged, which
    stops no import."""
    try:
        return read_xml_tree(reading.files, name)
    except NotReadable:
        return NO_ELEMENT


def find_resource_title(reading: CartridgeContext, resource: ImsResource) -> str:
    """The title that a resource itself has, else the name of its file."""
    place = resource.main_file
    if is_page(place):
        found = _TITLE.search(reading.files.read_text(place)) if place in reading.files else None
        title = html_to_prose(found["title"]) if found else ""
    else:
        root = try_reading_xml(reading, place)
        below = root.find("assessment")
        title = child_text(root, "title") or (below.get("title", "") if below is not None else "")
    return fold_to_line(title) or posixpath.splitext(posixpath.basename(place))[0]


def make_cartridge_topics(
    reading: CartridgeContext, resource: ImsResource, title: str
) -> Iterator[Topic]:
    """The topic that a resource becomes, if any."""
    kind, place = resource.type, resource.main_file
    if place not in reading.files:
        reading.course.note_loss(place or "imsmanifest.xml", f"“{title}”: its file is missing")
    elif is_assignment(resource):
        yield _assignment_topic(reading, place, title)
    elif kind == "webcontent" or _OWN in kind:
        yield from _content_topics(reading, place, title, resource)
    elif "imswl" in kind:
        yield _link_topic(reading, place, title)
    elif "imsdt" in kind:
        yield _discussion_topic(reading, place, title)
    elif "imsqti" in kind or "assessment" in kind:
        yield _quiz_topic(reading, place, title)
    elif "imsbasiclti" in kind:
        yield _tool_topic(reading, place, title)
    else:
        reading.course.note_loss(
            place, f"“{title}”: the platform has nothing like the type `{kind}`"
        )


def _content_topics(
    reading: CartridgeContext, place: str, title: str, resource: ImsResource
) -> Iterator[Topic]:
    base, name = posixpath.split(place)
    ending = posixpath.splitext(name)[1].lower()
    if _OWN in resource.type and ending not in _PAGES:
        message = f"“{title}” is the other system's own, and the platform cannot read it"
        reading.course.note_loss(place, message)
    elif is_page(name):
        yield Topic(title, TopicType.TEXT, place, body=read_page_body(reading, place))
    else:
        yield file_topic(ContentRef(name, base), title, place)


def read_page_body(reading: CartridgeContext, place: str) -> Body:
    """What stands in the body of a whole page of HTML."""
    text = reading.files.read_text(place)
    # A fragment without a body has no head either, and stays whole.
    inner = _HEAD.sub("", text) if "<body" in text.lower() else text
    head = text[: text.find(inner)] if inner and inner != text else ""
    if _IN_HEAD.search(head):
        reading.course.note_loss(place, "styles and scripts from the head of the page")
    return Body(inner.strip() + "\n", place, posixpath.dirname(place))


def _quiz_topic(reading: CartridgeContext, place: str, title: str) -> Topic:
    """An empty quiz; its questions are read from the fuller of the two files that Canvas writes."""
    folder, _ = posixpath.split(place)
    root, name = posixpath.split(folder)

    @cache
    def find_bank(name: str) -> Element:
        file = posixpath.join(root, "non_cc_assessments", f"{name}.xml.qti")
        return try_reading_xml(reading, file)

    # The file of the standard leaves out what only the own format of Canvas can say.
    whole = find_bank(name) if folder else NO_ELEMENT
    tree = try_reading_xml(reading, place) if whole is NO_ELEMENT else whole
    questions = spell_questions(read_qti_questions(tree, find_bank), place)
    topic = Topic(title, TopicType.QUIZ, place, questions=questions)
    if not topic.questions:
        message = f"the questions of “{title}” have to be written again"
        reading.course.note_loss(place, message, Loss.PLACEHOLDER)
    about = posixpath.join(folder, QUIZ_SETTINGS)
    settings = try_reading_xml(reading, about)
    if text := child_text(settings, "description"):
        topic.body = Body(text, about, folder)
    reading.course.note_limits(place, title, dict(_list_limits(tree, settings)))
    return topic


def _list_limits(test: Element, settings: Element) -> Iterator[tuple[str, str]]:
    """The dates and limits of a test: by the standard, and in the own file of Canvas."""
    for field in test.iterfind("assessment/qtimetadata/qtimetadatafield"):
        name, value = child_text(field, "fieldlabel"), child_text(field, "fieldentry")
        if name in _LIMITS and value:
            yield name, value
    for name in _CANVAS_LIMITS:
        if (value := child_text(settings, name)) not in _NO_LIMIT:
            yield name, value


def _link_topic(reading: CartridgeContext, place: str, title: str) -> Topic:
    link = read_xml_tree(reading.files, place).find("url")
    url = link.get("href", "") if link is not None else ""
    return link_topic(url, title, place)


def _discussion_topic(reading: CartridgeContext, place: str, title: str) -> Topic:
    topic = read_xml_tree(reading.files, place)
    text = topic.find("text")
    prompt = "".join(text.itertext()) if text is not None else ""
    if text is not None and text.get("texttype") == "text/plain":
        prompt = f"<p>{escape(prompt, quote=False)}</p>"
    for attached in topic.iterfind("attachments/attachment"):
        reading.course.note_loss(place, f"the attachment {attached.get('href')} of “{title}”")
    return Topic(
        fold_to_line(child_text(topic, "title")) or title,
        TopicType.DISCUSSION_BOARD,
        place,
        body=Body(prompt, place, posixpath.dirname(place)),
    )


def _assignment_topic(reading: CartridgeContext, place: str, title: str) -> Topic:
    message = f"the rules of the assignment “{title}” are not carried over"
    reading.course.note_loss(place, message, Loss.PLACEHOLDER)
    if place.lower().endswith(_PAGES):
        return Topic(title, TopicType.ASSIGNMENT, place, body=read_page_body(reading, place))
    task, base = read_xml_tree(reading.files, place), posixpath.dirname(place)
    topic = Topic(
        title, TopicType.ASSIGNMENT, place, body=Body(child_text(task, "text"), place, base)
    )
    if said := child_text(task, "instructor_text"):
        questions = [QuizQuestion(said, "For who assesses it", base=base)]
        topic.questions = spell_questions(questions, place)
    return topic


def _tool_topic(reading: CartridgeContext, place: str, title: str) -> Topic:
    tool = read_xml_tree(reading.files, place)
    custom = [one.get("name", "") for one in tool.iterfind("custom/property")]
    message = f"the tool of “{title}” has to be set up again: {_launch_address(tool)}"
    message += name_parameters(custom)
    reading.course.note_loss(place, fold_to_line(message), Loss.PLACEHOLDER)
    about = child_text(tool, "description")
    body = Body(f"<p>{escape(about, quote=False)}</p>\n", place) if about else None
    return Topic(title, TopicType.LTI, place, body=body)


def _launch_address(tool: Element) -> str:
    return child_text(tool, "secure_launch_url") or child_text(tool, "launch_url")
