"""What an item of a cartridge stands for: a page, a file, a link, a test, a discussion, a tool."""

import posixpath
import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple, Protocol
from xml.etree.ElementTree import Element

from ...vocabulary.enums import TopicType
from . import plain
from .media import file_topic, link_topic
from .outline import Body, ContentRef, Loss, Topic
from .sources import Files
from .xml_trees import child_text, read_xml_tree

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


class CartridgeContext(Protocol):
    """What a resource needs of the cartridge that is being read."""

    @property
    def files(self) -> Files: ...
    def note_loss(self, place: str, message: str, loss: Loss = Loss.LOST) -> None: ...


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
    reading: CartridgeContext, resource: ImsResource, title: str
) -> Iterator[Topic]:
    """The topic that a resource becomes, if any."""
    kind, place = resource.type, resource.href or resource.files[0]
    if place not in reading.files:
        reading.note_loss(place or "imsmanifest.xml", f"“{title}”: its file is missing")
    elif "assignment" in kind or any(f.endswith(_ASSIGNMENT) for f in resource.files):
        yield _assignment_topic(reading, place, title)
    elif kind == "webcontent" or "learning-application-resource" in kind:
        yield from _content_topics(reading, place, title, resource)
    elif "imswl" in kind:
        yield _link_topic(reading, place, title)
    elif "imsdt" in kind:
        yield _discussion_topic(reading, place, title)
    elif "imsqti" in kind or "assessment" in kind:
        reading.note_loss(
            place, f"the questions of “{title}” have to be written again", Loss.PLACEHOLDER
        )
        yield Topic(title, TopicType.QUIZ, place)
    elif "imsbasiclti" in kind:
        yield _tool_topic(reading, place, title)
    else:
        reading.note_loss(place, f"“{title}”: the platform has nothing like the type `{kind}`")


def _content_topics(
    reading: CartridgeContext, place: str, title: str, resource: ImsResource
) -> Iterator[Topic]:
    """A page or a file."""
    base, name = posixpath.split(place)
    ending = posixpath.splitext(name)[1].lower()
    if "learning-application-resource" in resource.type and ending not in _PAGES:
        message = f"“{title}” is the other system's own, and the platform cannot read it"
        reading.note_loss(place, message)
    elif ending in _PAGES:
        yield Topic(title, TopicType.TEXT, place, body=read_page_body(reading, place))
    else:
        yield file_topic(ContentRef(name, base), title, place)


def read_page_body(reading: CartridgeContext, place: str) -> Body:
    """What stands in the body of a whole page of HTML."""
    text = reading.files.read_text(place)
    inner = _HEAD.sub("", text) if "<body" in text.lower() else text
    head = text[: text.find(inner)] if inner and inner != text else ""
    if _IN_HEAD.search(head):
        reading.note_loss(place, "styles and scripts from the head of the page")
    return Body(inner.strip() + "\n", place, posixpath.dirname(place))


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
        reading.note_loss(place, f"the attachment {attached.get('href')} of “{title}”")
    return Topic(
        plain.fold_to_line(child_text(topic, "title")) or title,
        TopicType.DISCUSSION_BOARD,
        place,
        body=Body(prompt, place, posixpath.dirname(place)),
    )


def _assignment_topic(reading: CartridgeContext, place: str, title: str) -> Topic:
    message = f"the rules of the assignment “{title}” are not carried over"
    reading.note_loss(place, message, Loss.PLACEHOLDER)
    if place.lower().endswith(_PAGES):
        return Topic(title, TopicType.ASSIGNMENT, place, body=read_page_body(reading, place))
    text = child_text(read_xml_tree(reading.files, place), "text")
    body = Body(text, place, posixpath.dirname(place))
    return Topic(title, TopicType.ASSIGNMENT, place, body=body)


def _tool_topic(reading: CartridgeContext, place: str, title: str) -> Topic:
    launch = child_text(read_xml_tree(reading.files, place), "launch_url")
    secure = child_text(read_xml_tree(reading.files, place), "secure_launch_url")
    message = f"the tool of “{title}” has to be set up again: {secure or launch}"
    reading.note_loss(place, message, Loss.PLACEHOLDER)
    return Topic(title, TopicType.LTI, place)
