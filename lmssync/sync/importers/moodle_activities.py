"""The activities of a Moodle section, opened, and the topics that each becomes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import chain
from typing import NamedTuple, Protocol
from xml.etree.ElementTree import Element

from ...vocabulary.enums import TopicType
from .course_outline import (
    Body,
    ContentRef,
    Course,
    Loss,
    QuizAnswer,
    QuizQuestion,
    Topic,
    file_topic,
    link_topic,
    make_link_paragraph,
    name_parameters,
    spell_questions,
)
from .moodle_questions import QuestionBank, mark_file_owners
from .source_texts import child_text, fold_to_line, html_to_prose, parse_seconds

_PLAIN, _MARKDOWN = {"0", "2"}, "4"
"""Formats of a text; 1, the usual one, is HTML."""


_AREAS = {"chapter": "chapter", "page": "page_contents"}
"""By the element of a part of an activity: the area of its files."""
_LESSON_AREAS = {
    ("page", "contents"): "page_contents",
    ("answer", "answer_text"): "page_answers",
    ("answer", "response"): "page_responses",
}


class Activity(NamedTuple):
    """An activity as the list of the backup has it."""

    id: str
    kind: str
    title: str
    folder: str


class BackupContext(Protocol):
    """What an activity needs of the backup that is being read."""

    @property
    def course(self) -> Course: ...
    def read_xml(self, name: str) -> Element: ...
    def find_place(self, name: str) -> str: ...
    def list_activity_files(self, context: str) -> list[str]: ...
    @property
    def questions(self) -> QuestionBank: ...


class OpenedActivity(NamedTuple):
    """An activity whose file is open."""

    reading: BackupContext
    title: str
    place: str
    data: Element
    """The element that has the name of the module."""
    context: str
    files: list[str]

    def read_activity_text(self, path: str, element: Element | None = None) -> Body:
        """A text of the activity, with the context, the area and the item of its files."""
        holder = self.data if element is None else element
        area = path if element is None else _AREAS.get(holder.tag, path)
        item = "0" if element is None else holder.get("id", "")
        text, format_ = child_text(holder, path), child_text(holder, f"{path}format")
        return make_formatted_body(text, format_, self.place, f"{self.context}/{area}/{item}")

    def make_topic(self, type_: TopicType, body: Body | None = None, address: str = "") -> Topic:
        target = ContentRef(address, self.context) if address else None
        return Topic(self.title, type_, self.place, body=body, address=target)

    def note_loss(self, message: str, loss: Loss = Loss.LOST) -> None:
        """Notes what could not be carried over of the activity."""
        self.reading.course.note_loss(self.place, message, loss)


def make_formatted_body(text: str, format_: str, place: str, context: str) -> Body:
    """A text with the number of its format: 1 is HTML, 4 Markdown, the others plain text."""
    if format_ in _PLAIN and text and "<" not in text:
        lines = (escape(line, quote=False) for line in text.split("\n\n"))
        text = "".join(f"<p>{line}</p>\n" for line in lines)
    return Body(text, place, context, markdown=format_ == _MARKDOWN)


_PAGE, _NO_PAGES = "20", {"21", "30", "31"}
"""Types of the pages of a lesson: one with content, and marks of where a branch begins or ends."""


def _read_page(opened: OpenedActivity) -> list[Topic]:
    intro, content = opened.read_activity_text("intro"), opened.read_activity_text("content")
    # Options are in the format of PHP, in which this text says that the introduction is shown.
    shows_intro = html_to_prose(intro.text) and 's:10:"printintro";s:1:"1"' in child_text(
        opened.data, "displayoptions"
    )
    # Markdown and HTML cannot be joined to one text.
    if shows_intro and intro.markdown == content.markdown:
        content = content._replace(text=f"{intro.text}\n\n{content.text}")
    return [opened.make_topic(TopicType.TEXT, content)]


def _read_label(opened: OpenedActivity) -> list[Topic]:
    return [opened.make_topic(TopicType.TEXT, opened.read_activity_text("intro"))]


def _list_intro(opened: OpenedActivity) -> list[Topic]:
    """The introduction of an activity as a page of its own, if it says something."""
    intro = opened.read_activity_text("intro")
    return [opened.make_topic(TopicType.TEXT, intro)] if html_to_prose(intro.text) else []


def _read_book(opened: OpenedActivity) -> list[Topic]:
    """A topic for each chapter."""
    topics = _list_intro(opened)
    for chapter in opened.data.iterfind("chapters/chapter"):
        title = fold_to_line(child_text(chapter, "title"))
        if child_text(chapter, "hidden") == "1":
            opened.note_loss(f"the hidden chapter “{title}” of “{opened.title}”")
            continue
        body = opened.read_activity_text("content", chapter)
        topics.append(Topic(title, TopicType.TEXT, opened.place, body=body))
    return topics


def _read_lesson_pages(opened: OpenedActivity) -> list[Topic]:
    """A topic for each page: a text, or an empty quiz below the question."""
    pages = {page.get("id", ""): page for page in opened.data.iterfind("pages/page")}
    topics = _list_intro(opened)
    for step in _order_lesson_pages(pages):
        kind = child_text(step, "qtype")
        title = fold_to_line(child_text(step, "title")) or opened.title
        if kind in _NO_PAGES:
            continue
        type_ = TopicType.TEXT if kind == _PAGE else TopicType.QUIZ
        topic = Topic(title, type_, opened.place, body=opened.read_activity_text("contents", step))
        if type_ is TopicType.QUIZ:
            topic.questions = spell_questions([_read_lesson_question(opened, step)], opened.place)
        topics.append(topic)
    shown = [page for page in pages.values() if child_text(page, "qtype") == _PAGE]
    buttons = (child_text(one, "answer_text") for page in shown for one in page.iter("answer"))
    if named := dict.fromkeys(f"“{html_to_prose(text)}”" for text in buttons if text):
        message = f"the buttons of the pages of “{opened.title}”: {', '.join(named)}"
        opened.note_loss(message)
    if len(shown) < len(pages):
        opened.note_loss(f"“{opened.title}”: pages come one after the other", Loss.CHANGED)
    return topics


def _read_lesson_question(opened: OpenedActivity, page: Element) -> QuizQuestion:
    """The question of a page, with the answers that give points or lead on."""
    mark_file_owners(page, _LESSON_AREAS)
    answers = [
        QuizAnswer(
            child_text(one, "answer_text"),
            child_text(one, "score").strip("0.").isdecimal() or child_text(one, "grade") == "100",
            fold_to_line(child_text(one, "response")),
        )
        for one in page.iter("answer")
        if child_text(one, "answer_text")
    ]
    return QuizQuestion(child_text(page, "contents"), "", answers, base=opened.context)


def _order_lesson_pages(pages: Mapping[str, Element]) -> Iterator[Element]:
    """Pages as each names the next; those that none names at the end."""
    left = dict(pages)
    first = (id_ for id_, page in pages.items() if child_text(page, "prevpageid") in {"", "0"})
    next_ = next(first, "")
    # Each page is taken out, so that pages which name each other in a circle come to an end.
    while (page := left.pop(next_, None)) is not None:
        yield page
        next_ = child_text(page, "nextpageid")
    yield from left.values()


_QUESTIONS = "the questions of “{}” have to be written again"
_SHELLS: Mapping[str, tuple[TopicType, str]] = {
    "quiz": (TopicType.QUIZ, _QUESTIONS),
    "hvp": (TopicType.QUIZ, "the content of “{}” (H5P) has to be made again"),
    "h5pactivity": (TopicType.QUIZ, "the content of “{}” (H5P) has to be made again"),
    "assign": (TopicType.ASSIGNMENT, "the settings of the assignment “{}” are not carried over"),
    "assignment": (
        TopicType.ASSIGNMENT,
        "the settings of the assignment “{}” are not carried over",
    ),
    "workshop": (TopicType.ASSIGNMENT, "the phases of the workshop “{}” are not carried over"),
    "choice": (TopicType.SURVEY, "the options of “{}” have to be written again"),
    "feedback": (TopicType.SURVEY, _QUESTIONS),
    "survey": (TopicType.SURVEY, _QUESTIONS),
    "questionnaire": (TopicType.SURVEY, _QUESTIONS),
    "forum": (TopicType.DISCUSSION_BOARD, ""),
    "lti": (TopicType.LTI, "the tool of “{}” has to be set up again"),
}


_TASKS = {
    "activity": "What to do",
    "instructauthors": "How to hand it in",
    "instructreviewers": "How to assess it",
    "conclusion": "At the end",
    "page_after_submit": "At the end",
    "feedbacks/feedback/feedbacktext": "Feedback on the whole",
}
"""Texts of an activity besides its introduction."""


_LIMITS = (
    *("timeopen", "timeclose", "available", "deadline", "allowsubmissionsfromdate", "duedate"),
    *("cutoffdate", "timelimit", "attempts_number", "maxattempt"),
)
"""Fields of activities with moments, with seconds, and with a number of attempts."""
_NO_LIMIT = {"", "0", "-1"}
_MOMENT = len("1767225600")
_SHOWN = 200
"""Characters of a description that the report shows."""


LESSONS = {"book", "lesson"}
"""Activities whose topics, such as the chapters of a book, are a lesson of their own."""


def read_activity(reading: BackupContext, activity: Activity) -> list[Topic] | None:
    """The topics that an activity becomes; None where it becomes none. What is lost is noted."""
    name = f"{activity.folder}/{activity.kind}.xml"
    root = reading.read_xml(name)
    place = reading.find_place(name)
    data = root.find(activity.kind)
    if data is None:
        reading.course.note_loss(place, f"“{activity.title}”: its file is missing")
        return None
    context = root.get("contextid", "")
    files = reading.list_activity_files(context)
    opened = OpenedActivity(reading, activity.title, place, data, context, files)
    _note_limits(opened)
    if activity.kind == "forum" and child_text(data, "type") == "news":
        opened.note_loss(f"“{activity.title}”, the announcements of the course")
        return None
    if activity.kind in _SHELLS:
        return [_shell_topic(opened, *_SHELLS[activity.kind])]
    read = _READERS.get(activity.kind)
    if read is None:
        return _read_unknown(opened, activity.kind)
    topics = read(opened)
    _keep_intro(opened, topics)
    return topics


def _note_limits(opened: OpenedActivity) -> None:
    given = {name: child_text(opened.data, name) for name in _LIMITS}
    limits = {
        name: parse_seconds(text) if len(text) == _MOMENT else text
        for name, text in given.items()
        if text not in _NO_LIMIT
    }
    opened.reading.course.note_limits(opened.place, opened.title, limits)


def _keep_intro(opened: OpenedActivity, topics: Sequence[Topic]) -> None:
    """Puts an introduction above what has no text; elsewhere it was shown beside the link."""
    intro = opened.read_activity_text("intro")
    text = html_to_prose(intro.text)
    if not text or any(one.body and text in html_to_prose(one.body.text) for one in topics):
        return
    first = topics[0] if topics else None
    if first and first.body is None and first.type is not TopicType.TEXT:
        first.body = intro
    else:
        message = f"the description of “{opened.title}”: {text[:_SHOWN]}"
        opened.note_loss(message)


def _shell_topic(opened: OpenedActivity, type_: TopicType, message: str) -> Topic:
    questions = _list_questions(opened)
    if message and not questions:
        tool = child_text(opened.data, "toolurl") if type_ is TopicType.LTI else ""
        given = child_text(opened.data, "instructorcustomparameters").splitlines()
        words = message.format(opened.title) + (f": {fold_to_line(tool)}" if tool else "")
        words += name_parameters(given)
        opened.note_loss(words, Loss.PLACEHOLDER)
    topic = opened.make_topic(type_, opened.read_activity_text("intro"))
    topic.questions = questions
    return topic


def _list_questions(opened: OpenedActivity) -> list[Body]:
    """What stands in a quiz, a choice or a feedback form, as a text for each question."""
    found: Iterable[QuizQuestion] = ()
    if opened.data.tag == "quiz":
        found = opened.reading.questions.list_quiz_questions(opened.data)
    elif opened.data.tag == "choice":
        options = [child_text(one, "text") for one in opened.data.iter("option")]
        answers = [QuizAnswer(escape(text, quote=False)) for text in options if text]
        found = [QuizQuestion("", "One answer; none is right", answers)] if answers else ()
    elif opened.data.tag == "feedback":
        found = (_read_feedback_item(one) for one in opened.data.iterfind("items/item"))
    tasks = (
        QuizQuestion(text, words, base=opened.context)
        for path, words in _TASKS.items()
        for one in opened.data.iterfind(path)
        if html_to_prose(text := "".join(one.itertext()))
    )
    return spell_questions(chain(found, tasks), opened.place)


def _read_feedback_item(item: Element) -> QuizQuestion:
    shown, typ = child_text(item, "presentation"), child_text(item, "typ")
    # The options are on one line, after a mark of their kind; a number has its bounds there.
    kind, mark, listed = shown.partition(">>>>>")
    options = listed.partition("<<<<<")[0].split("|") if mark else []
    words = {"r": "One answer", "d": "One answer", "c": "Several answers"}.get(kind, "")
    if typ == "numeric":
        words = f"A number from {' to '.join(escape(bound) for bound in shown.split('|'))}"
    # An option of a scale begins with its number and `####`.
    named = (one.rpartition("####") for one in options)
    texts = (f"{text} ({number})" if number else text for number, _, text in named)
    answers = [QuizAnswer(escape(fold_to_line(one), quote=False)) for one in texts]
    text = child_text(item, "name") or (shown if "<" in shown else "")
    return QuizQuestion(text, words or typ.capitalize(), answers)


def _read_unknown(opened: OpenedActivity, kind: str) -> list[Topic]:
    """What the platform has nothing for: its introduction stays, if there is one."""
    intro = opened.read_activity_text("intro")
    message = f"“{opened.title}”: the platform has nothing like `{kind}`"
    if not html_to_prose(intro.text):
        opened.note_loss(message)
        return []
    opened.note_loss(f"{message}; its introduction is a text", Loss.PLACEHOLDER)
    return [opened.make_topic(TopicType.TEXT, intro)]


def _read_url(opened: OpenedActivity) -> list[Topic]:
    return [link_topic(child_text(opened.data, "externalurl"), opened.title, opened.place)]


def _read_resource(opened: OpenedActivity) -> list[Topic]:
    """A file: shown where the platform can show it, else linked."""
    if not opened.files:
        opened.note_loss(f"the file of “{opened.title}” is not in the backup")
        return []
    main, *others = opened.files
    for other in others:
        opened.note_loss(f"{other}, a further file of “{opened.title}”")
    file = ContentRef(f"@@PLUGINFILE@@/{main}", opened.context)
    return [file_topic(file, opened.title, opened.place)]


def _read_folder(opened: OpenedActivity) -> list[Topic]:
    links = "".join(make_link_paragraph(f"@@PLUGINFILE@@/{name}", name) for name in opened.files)
    intro = opened.read_activity_text("intro")
    return [opened.make_topic(TopicType.TEXT, intro._replace(text=f"{intro.text}\n\n{links}"))]


def _read_package(opened: OpenedActivity) -> list[Topic]:
    reference = child_text(opened.data, "reference")
    address = f"@@PLUGINFILE@@/{reference}" if reference in opened.files else reference
    intro = opened.read_activity_text("intro")
    return [opened.make_topic(TopicType.SHAREABLE_CONTENT_OBJECT, intro, address)]


_READERS: Mapping[str, Callable[[OpenedActivity], list[Topic]]] = {
    "page": _read_page,
    "label": _read_label,
    "book": _read_book,
    "lesson": _read_lesson_pages,
    "url": _read_url,
    "resource": _read_resource,
    "folder": _read_folder,
    "scorm": _read_package,
}
