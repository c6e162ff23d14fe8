"""The activities of a Moodle section that are read: pages, labels, books, lessons."""

from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from ..vocabulary.enums import TopicType
from . import plain
from .moodle_activity import BackupContext, Found, Opened
from .outline import Loss, Topic
from .xml_trees import child_text

_PAGE, _NO_PAGES = "20", {"21", "30", "31"}
"""Types of the pages of a lesson: one with content, and marks of where a branch begins or ends."""


def read_page(_reading: BackupContext, opened: Opened) -> Found:
    intro, content = opened.read_activity_text("intro"), opened.read_activity_text("content")
    shows_intro = plain.html_to_prose(intro.text) and 's:10:"printintro";s:1:"1"' in child_text(
        opened.data, "displayoptions"
    )
    if shows_intro and intro.markdown == content.markdown:
        content = content._replace(text=f"{intro.text}\n\n{content.text}")
    return Found([opened.make_topic(TopicType.TEXT, content)])


def read_label(_reading: BackupContext, opened: Opened) -> Found:
    return Found([opened.make_topic(TopicType.TEXT, opened.read_activity_text("intro"))])


def read_book(reading: BackupContext, opened: Opened) -> Found:
    """A topic for each chapter."""
    topics = []
    for chapter in opened.data.iterfind("chapters/chapter"):
        title = plain.fold_to_line(child_text(chapter, "title"))
        if child_text(chapter, "hidden") == "1":
            reading.note_loss(opened.place, f"the hidden chapter “{title}” of “{opened.title}”")
            continue
        body = opened.read_activity_text("content", chapter)
        topics.append(Topic(title, TopicType.TEXT, opened.place, body=body))
    return Found(topics, is_lesson=True)


def read_lesson_pages(reading: BackupContext, opened: Opened) -> Found:
    """A topic for each page: a text, or an empty quiz below the question."""
    pages = {page.get("id", ""): page for page in opened.data.iterfind("pages/page")}
    topics = [opened.make_topic(TopicType.TEXT, opened.read_activity_text("intro"))]
    topics = topics if plain.html_to_prose(child_text(opened.data, "intro")) else []
    for step in _in_order(pages):
        kind = child_text(step, "qtype")
        title = plain.fold_to_line(child_text(step, "title")) or opened.title
        if kind in _NO_PAGES:
            continue
        type_ = TopicType.TEXT if kind == _PAGE else TopicType.QUIZ
        if type_ is TopicType.QUIZ:
            message = f"the answers to “{title}” have to be written again"
            reading.note_loss(opened.place, message, Loss.PLACEHOLDER)
        topics.append(
            Topic(title, type_, opened.place, body=opened.read_activity_text("contents", step))
        )
    if any(child_text(page, "qtype") != _PAGE for page in pages.values()):
        reading.note_loss(
            opened.place, f"“{opened.title}”: pages come one after the other", Loss.CHANGED
        )
    return Found(topics, is_lesson=True)


def _in_order(pages: Mapping[str, Element]) -> Iterator[Element]:
    """Pages as each names the next; those that none names at the end."""
    left = dict(pages)
    first = (id_ for id_, page in pages.items() if child_text(page, "prevpageid") in {"", "0"})
    next_ = next(first, "")
    while (page := left.pop(next_, None)) is not None:
        yield page
        next_ = child_text(page, "nextpageid")
    yield from left.values()
