"""IMS Common Cartridge (.imscc): a manifest with a tree of items, and a resource for each."""

import posixpath
import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from ...vocabulary.enums import TopicType
from .course_outline import (
    Body,
    ContentRef,
    Course,
    Lesson,
    Loss,
    Section,
    SourceFile,
    Target,
    Topic,
    UnreachableTarget,
    drop_empty_parts,
    file_topic,
    link_topic,
)
from .source_files import NotReadable, SourceFiles
from .source_texts import child_text, fold_to_line, html_to_prose, read_xml_tree

_HEAD = re.compile(r"(?is)^.*?<body\b[^>]*>|</body\s*>.*$")
_IN_HEAD = re.compile(r"(?i)<(script|style|link)\b")
_PAGES = (".html", ".htm", ".xhtml")
_ASSIGNMENT = "assignment_settings.xml"
"""The file with the rules of an assignment, beside the page with its text."""
_LEFT_OVER = {
    "question-bank": "a bank of questions",
    "assessment": "a test outside the outline",
    "imsdt": "a discussion outside the outline",
}


class ImsResource(NamedTuple):
    """A resource of the manifest; paths from the top of the archive."""

    type: str
    href: str
    files: list[str]


def read_resource(element: Element, root: str) -> ImsResource:
    """A resource as the manifest has it."""

    def resource_path(href: str | None) -> str:
        return posixpath.normpath(posixpath.join(root, href)) if href else ""

    files = [resource_path(file.get("href")) for file in element.iterfind("file")]
    return ImsResource(
        element.get("type", ""), resource_path(element.get("href")), [f for f in files if f] or [""]
    )


def describe_unused(resource: ImsResource) -> str:
    """What is lost with a resource that no item stands for; empty for a file."""
    if resource.type == "webcontent" and resource.href.endswith(_PAGES):
        return "a page outside the outline"
    return next((words for mark, words in _LEFT_OVER.items() if mark in resource.type), "")


def make_cartridge_topics(
    reading: "CartridgeReading", resource: ImsResource, title: str
) -> Iterator[Topic]:
    """The topic that a resource becomes, if any."""
    kind, place = resource.type, resource.href or resource.files[0]
    if place not in reading.files:
        reading.course.note_loss(place or "imsmanifest.xml", f"“{title}”: its file is missing")
    elif "assignment" in kind or any(f.endswith(_ASSIGNMENT) for f in resource.files):
        yield _assignment_topic(reading, place, title)
    elif kind == "webcontent" or "learning-application-resource" in kind:
        yield from _content_topics(reading, place, title, resource)
    elif "imswl" in kind:
        yield _link_topic(reading, place, title)
    elif "imsdt" in kind:
        yield _discussion_topic(reading, place, title)
    elif "imsqti" in kind or "assessment" in kind:
        reading.course.note_loss(
            place, f"the questions of “{title}” have to be written again", Loss.PLACEHOLDER
        )
        yield Topic(title, TopicType.QUIZ, place)
    elif "imsbasiclti" in kind:
        yield _tool_topic(reading, place, title)
    else:
        reading.course.note_loss(
            place, f"“{title}”: the platform has nothing like the type `{kind}`"
        )


def _content_topics(
    reading: "CartridgeReading", place: str, title: str, resource: ImsResource
) -> Iterator[Topic]:
    """A page or a file."""
    base, name = posixpath.split(place)
    ending = posixpath.splitext(name)[1].lower()
    if "learning-application-resource" in resource.type and ending not in _PAGES:
        message = f"“{title}” is the other system's own, and the platform cannot read it"
        reading.course.note_loss(place, message)
    elif ending in _PAGES:
        yield Topic(title, TopicType.TEXT, place, body=read_page_body(reading, place))
    else:
        yield file_topic(ContentRef(name, base), title, place)


def read_page_body(reading: "CartridgeReading", place: str) -> Body:
    """What stands in the body of a whole page of HTML."""
    text = reading.files.read_text(place)
    inner = _HEAD.sub("", text) if "<body" in text.lower() else text
    head = text[: text.find(inner)] if inner and inner != text else ""
    if _IN_HEAD.search(head):
        reading.course.note_loss(place, "styles and scripts from the head of the page")
    return Body(inner.strip() + "\n", place, posixpath.dirname(place))


def _link_topic(reading: "CartridgeReading", place: str, title: str) -> Topic:
    link = read_xml_tree(reading.files, place).find("url")
    url = link.get("href", "") if link is not None else ""
    return link_topic(url, title, place)


def _discussion_topic(reading: "CartridgeReading", place: str, title: str) -> Topic:
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


def _assignment_topic(reading: "CartridgeReading", place: str, title: str) -> Topic:
    message = f"the rules of the assignment “{title}” are not carried over"
    reading.course.note_loss(place, message, Loss.PLACEHOLDER)
    if place.lower().endswith(_PAGES):
        return Topic(title, TopicType.ASSIGNMENT, place, body=read_page_body(reading, place))
    text = child_text(read_xml_tree(reading.files, place), "text")
    body = Body(text, place, posixpath.dirname(place))
    return Topic(title, TopicType.ASSIGNMENT, place, body=body)


def _tool_topic(reading: "CartridgeReading", place: str, title: str) -> Topic:
    launch = child_text(read_xml_tree(reading.files, place), "launch_url")
    secure = child_text(read_xml_tree(reading.files, place), "secure_launch_url")
    message = f"the tool of “{title}” has to be set up again: {secure or launch}"
    reading.course.note_loss(place, message, Loss.PLACEHOLDER)
    return Topic(title, TopicType.LTI, place)


MANIFEST = "imsmanifest.xml"
_BASES = ("$IMS-CC-FILEBASE$", "$IMS_CC_FILEBASE$")
_ABSOLUTE = re.compile(r"/|[\w+.-]+:")
_OTHER_PAGES = (
    "$CANVAS_OBJECT_REFERENCE$",
    "$CANVAS_COURSE_REFERENCE$",
    "$WIKI_REFERENCE$",
    "%24CANVAS_OBJECT_REFERENCE%24",
    "%24CANVAS_COURSE_REFERENCE%24",
    "%24WIKI_REFERENCE%24",
)
_GENERAL = "metadata/lom/general"


def read_cartridge(files: SourceFiles) -> Iterator[Course]:
    """The one course of a cartridge."""
    name = files.find_topmost(MANIFEST, "a cartridge has one at its top")
    yield CartridgeReading(files, name).read_course()


class CartridgeReading:
    """One cartridge."""

    def __init__(self, files: SourceFiles, name: str) -> None:
        self.files, self._name = files, name
        self._root = posixpath.dirname(name)
        self.course = Course("", name, self._resolve_address)
        self._resources: dict[str, ImsResource] = {}
        self._used: set[str] = set()

    def read_course(self) -> Course:
        course = self.course
        manifest = read_xml_tree(self.files, self._name)
        if "SCORM" in child_text(manifest, "metadata/schema").upper():
            raise NotReadable(
                f"{self.files.shown} is a SCORM package, not a cartridge",
                "host it, and write a course of kind shareableContentObject with its address",
            )
        course.title = fold_to_line(child_text(manifest, f"{_GENERAL}/title"))
        course.name = posixpath.basename(self.files.shown).partition(".")[0]
        course.fields = {
            "description": html_to_prose(child_text(manifest, f"{_GENERAL}/description"))
        }
        self._resources = {
            r.get("identifier", ""): read_resource(r, self._root)
            for r in manifest.iterfind("resources/resource")
        }
        top = manifest.find("organizations/organization/item")
        if top is None:
            raise self.files.file_error(
                self._name, "has no organization: nothing says what comes when"
            )
        course.sections = drop_empty_parts(list(self._read_sections(top)))
        self._note_unused_resources()
        return course

    def _read_sections(self, top: Element) -> Iterator[Section]:
        """A section for each item at the top; what is not in one comes into one of its own."""
        loose: Section | None = None
        for item in top.iterfind("item"):
            if item.find("item") is not None:
                loose = None
                yield self._read_section(item)
                continue
            if loose is None:
                loose = Section(self.course.title)
                yield loose
            loose.lesson_for_pages().topics += self._read_topics(item, "")

    def _read_section(self, item: Element) -> Section:
        """The lessons of a section: items with items in them, headings, and what stands between."""
        title = _item_title(item)
        section = Section(title, name=item.get("identifier", ""))
        for inner in item.iterfind("item"):
            is_folder = inner.find("item") is not None
            if is_folder or not inner.get("identifierref"):
                lesson = Lesson(_item_title(inner), name=inner.get("identifier", ""))
                # What follows a folder is no part of it; what follows a heading is.
                lesson.stands_alone = is_folder
                lesson.topics += self._read_topics_below(inner)
                section.lessons.append(lesson)
            else:
                section.lesson_for_pages().topics += self._read_topics(inner, title)
        return section

    def _read_topics_below(self, item: Element) -> Iterator[Topic]:
        """The topics of a lesson; deeper folders are laid flat."""
        for inner in item.iterfind("item"):
            if inner.find("item") is not None:
                message = (
                    f"the folder “{_item_title(inner)}” is laid flat into “{_item_title(item)}”"
                )
                self.course.note_loss(self._name, message, Loss.CHANGED)
                yield from self._read_topics_below(inner)
            else:
                yield from self._read_topics(inner, _item_title(item))

    def _read_topics(self, item: Element, above: str) -> Iterator[Topic]:
        reference = item.get("identifierref", "")
        title = _item_title(item) or above
        resource = self._resources.get(reference)
        if resource is None:
            self.course.note_loss(self._name, f"“{title}” stands for nothing in the cartridge")
            return
        self._used.add(reference)
        yield from make_cartridge_topics(self, resource, title)

    def _resolve_address(self, address: str, base: str) -> Target:
        """A file of the cartridge; `base` is the folder of the text that names it."""
        if address.startswith(_OTHER_PAGES):
            return UnreachableTarget("leads to another page of the old course")
        path = unquote(address.partition("#")[0].partition("?")[0])
        mark = next((mark for mark in _BASES if path.startswith(mark)), "")
        if not mark and (not path or _ABSOLUTE.match(path)):
            return None
        path = path.removeprefix(mark).lstrip("/")
        folders = (self._root, posixpath.join(self._root, "web_resources"), base)
        for folder in folders if mark else (base, self._root):
            name = posixpath.normpath(posixpath.join(folder, path))
            if name in self.files:
                return self._find_target(name)
        return UnreachableTarget("is not in the cartridge")

    def _find_target(self, name: str) -> Target:
        if name.endswith((".html", ".htm", ".xhtml")):
            return UnreachableTarget("leads to another page of the old course")
        return SourceFile(name, posixpath.basename(name))

    def _note_unused_resources(self) -> None:
        """Names the resources that no item stands for, other than files that texts need."""
        for key, resource in self._resources.items():
            if key not in self._used and (kind := describe_unused(resource)):
                self.course.note_loss(resource.href or resource.files[0], kind)


def _item_title(item: Element) -> str:
    return fold_to_line(child_text(item, "title"))
