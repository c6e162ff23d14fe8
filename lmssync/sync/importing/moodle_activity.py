"""An activity of a Moodle backup: its file, opened, and the topics that it becomes."""

from html import escape
from typing import NamedTuple, Protocol
from xml.etree.ElementTree import Element

from ...vocabulary.enums import TopicType
from .outline import Body, ContentRef, Loss, Topic
from .xml_trees import child_text

_PLAIN, _MARKDOWN = {"0", "2"}, "4"
"""Formats of a text; 1, the usual one, is HTML."""


class Activity(NamedTuple):
    """An activity as the list of the backup has it."""

    id: str
    kind: str
    title: str
    folder: str


class Found(NamedTuple):
    """The topics of an activity."""

    topics: list[Topic]
    is_lesson: bool = False
    """They are a lesson of their own, such as the chapters of a book."""

    @staticmethod
    def text_topic(title: str, body: Body) -> Topic:
        return Topic(title, TopicType.TEXT, body.place, body=body)


class BackupContext(Protocol):
    """What an activity needs of the backup that is being read."""

    def read_xml(self, name: str) -> Element | None: ...
    def find_place(self, name: str) -> str: ...
    def list_activity_files(self, context: str) -> list[str]: ...
    def note_loss(self, place: str, message: str, loss: Loss = Loss.LOST) -> None: ...


class Opened(NamedTuple):
    """An activity whose file is open."""

    title: str
    place: str
    data: Element
    """The element that has the name of the module."""
    context: str
    files: list[str]

    def read_activity_text(self, path: str, element: Element | None = None) -> Body:
        """A text of the activity, with the context that its files belong to."""
        holder = self.data if element is None else element
        format_ = child_text(holder, f"{path}format")
        return make_formatted_body(child_text(holder, path), format_, self.place, self.context)

    def make_topic(self, type_: TopicType, body: Body | None = None, address: str = "") -> Topic:
        target = ContentRef(address, self.context) if address else None
        return Topic(self.title, type_, self.place, body=body, address=target)


def make_formatted_body(text: str, format_: str, place: str, context: str) -> Body:
    """A text with the number of its format: 1 is HTML, 4 Markdown, the others plain text."""
    if format_ in _PLAIN and text and "<" not in text:
        lines = (escape(line, quote=False) for line in text.split("\n\n"))
        text = "".join(f"<p>{line}</p>\n" for line in lines)
    return Body(text, place, context, markdown=format_ == _MARKDOWN)
