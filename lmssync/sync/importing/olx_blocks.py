"""The blocks of an Open edX vertical: texts, videos, problems, discussions, packages."""

from collections.abc import Iterator
from typing import Protocol
from xml.etree.ElementTree import Element, tostring

from ...vocabulary.enums import TopicType
from . import plain
from .media import make_player
from .outline import Body, ContentRef, Loss, Topic

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
_PACKAGES = {"scorm", "scormxblock"}
_PDFS = {"pdf"}
_HOLDERS = {"vertical", "wrapper", "conditional", "split_test", "randomize", "problemset"}
_DEPTH_MOST = 10
_CHOOSES = {"conditional", "split_test", "randomize"}


class CourseContext(Protocol):
    """What a block needs of the course that is being read."""

    def note_loss(self, place: str, message: str, loss: Loss = Loss.LOST) -> None: ...
    def read_block_html(self, block: Element, place: str) -> Body | None: ...
    def read_child_blocks(self, block: Element, place: str) -> Iterator[tuple[Element, str]]: ...


def make_block_topics(
    reading: CourseContext, block: Element, place: str, title: str, depth: int = 0
) -> Iterator[Topic]:
    """The topics that a block becomes: one, none, or those of the blocks that it holds."""
    tag = block.tag
    name = block.get("url_name", "")
    if tag in _HOLDERS and depth < _DEPTH_MOST:
        if tag in _CHOOSES:
            message = f"<{tag}> showed each learner a choice of what is in “{title}”; all get all"
            reading.note_loss(place, message, Loss.CHANGED)
        for inner, where in reading.read_child_blocks(block, place):
            inner_title = plain.fold_to_line(inner.get("display_name")) or title
            yield from make_block_topics(reading, inner, where, inner_title, depth + 1)
    elif tag == "html":
        body = _inline_html(block, place) or reading.read_block_html(block, place)
        yield Topic(title or "Text", TopicType.TEXT, place, name, body=body)
    elif tag == "video":
        yield _video_topic(reading, block, place, title or "Video")
    elif tag in _PDFS:
        address = ContentRef(block.get("url", ""))
        yield Topic(title or "PDF", TopicType.PDF_VIEWER, place, name, address=address)
    elif tag in _PACKAGES:
        message = f"the package of “{title}” is not in the archive"
        reading.note_loss(place, message, Loss.PLACEHOLDER)
        yield Topic(title or "Package", TopicType.SHAREABLE_CONTENT_OBJECT, place, name)
    elif tag in _TYPES:
        yield _shell_topic(reading, block, place, title)
    else:
        reading.note_loss(place, f"“{title}”: the platform has nothing like <{tag}>")


def _inline_html(block: Element, place: str) -> Body | None:
    """HTML that stands in the XML itself, as in older archives."""
    if not len(block) and not (block.text or "").strip():
        return None
    inner = "".join(tostring(child, encoding="unicode", method="html") for child in block)
    return Body(f"{block.text or ''}{inner}", place)


def _shell_topic(reading: CourseContext, block: Element, place: str, title: str) -> Topic:
    """A topic that the platform makes empty."""
    type_, message = _TYPES[str(block.tag)]
    title = title or str(block.tag).replace("_", " ").capitalize()
    if message:
        launch = block.get("launch_url") or block.get("lti_1p3_launch_url") or ""
        reading.note_loss(place, message.format(title, launch), Loss.PLACEHOLDER)
    return Topic(title, type_, place, block.get("url_name", ""))


def _video_topic(reading: CourseContext, block: Element, place: str, title: str) -> Topic:
    name = block.get("url_name", "")
    for transcript in {t.get("src", "") for t in block.iter("transcript")} | {block.get("sub", "")}:
        if transcript:
            reading.note_loss(place, f"the transcript {transcript} of “{title}”")
    sources = [block.get("source", ""), *(s.get("src", "") for s in block.iter("source"))]
    sources += [part for part in block.get("html5_sources", "").split('"') if "//" in part]
    file = next(filter(None, sources), "")
    if file and not make_player(file, title):
        return Topic(title, TopicType.VIDEO, place, name, address=ContentRef(file))
    youtube = block.get("youtube_id_1_0") or _speed_one(block.get("youtube", ""))
    address = file or (f"https://www.youtube.com/watch?v={youtube}" if youtube else "")
    if embedded := make_player(address, title):
        return Topic(title, TopicType.EMBED, place, name, body=Body(embedded, place))
    return Topic(title, TopicType.VIDEO, place, name)


def _speed_one(speeds: str) -> str:
    """The id of a video, out of `0.75:abc,1.00:def`."""
    pairs = (pair.partition(":") for pair in speeds.split(","))
    return next((id_ for speed, _, id_ in pairs if speed.strip() in {"1", "1.0", "1.00"}), "")
