"""What every format becomes: a course with sections, lessons and topics, and what was lost.

A format fills these values from its files. It knows nothing of manifests, ids or folders. The
platform takes no questions, so those of a quiz become a text for whoever writes them there.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape, unescape
from itertools import islice
from typing import Any, NamedTuple

from ...texts.html_to_markdown import html_to_markdown
from ...vocabulary.enums import TopicType
from .source_texts import fold_to_line, html_to_prose


class Loss(StrEnum):
    """What happened to something that the course had in its source."""

    LOST = "lost"
    """It is not in the catalog."""
    PLACEHOLDER = "placeholder"
    """Its place is in the catalog, empty or with other content: a person has to fill it."""
    HOSTING = "hosting"
    """A file was copied; learners see it once it is hosted and its address is written."""
    CHANGED = "changed"
    """It is in the catalog, but in another form than in the source."""


class LossNote(NamedTuple):
    """One thing that could not be carried over as it was."""

    loss: Loss
    place: str
    """Where it stands in the source: a file, a line of a table."""
    message: str


ANYWHERE = "*/"
"""Before the name of a file, as the place of a note on all files of that name."""


class Body(NamedTuple):
    """A text that learners read, as HTML or as Markdown."""

    text: str
    place: str
    """The file that it stands in."""
    base: str = ""
    """What its format needs to find the files that the text refers to."""
    markdown: bool = False


class ContentRef(NamedTuple):
    """The content of a video, a PDF or a package: an http address, or a file of the source."""

    target: str
    base: str = ""


class SourceFile(NamedTuple):
    """A file of the source that a text or a topic needs."""

    name: str
    """Its name in the source."""
    shown: str
    """The name that people know it by."""


class UnreachableTarget(NamedTuple):
    """Something that only the other system can show, such as another page of the course."""

    why: str


Target = SourceFile | UnreachableTarget | None
"""Where an address of a text leads; none if it is an address like any other."""
Resolve = Callable[[str, str], Target]
"""Says where an address leads that stands in a text with some base."""


class TranscriptFile(NamedTuple):
    """A file with what is said in a video."""

    name: str
    """What the source calls it."""
    language: str
    file: SourceFile | None
    """None if the source does not contain it."""


@dataclass
class Topic:
    """A page of a lesson."""

    title: str
    type: TopicType
    place: str
    name: str = ""
    """What the source calls it, for an id where the title has no letters for one."""
    id: str = ""
    """The id that the source itself asks for; so with lessons and sections."""
    body: Body | None = None
    """The content, or the text above it where the content is something else."""
    address: ContentRef | None = None
    questions: list[Body] = field(default_factory=list)
    """What a person has to write on the platform, a text in Markdown for each question."""
    transcripts: Sequence[TranscriptFile] = ()
    """What is said in a video, where its source names files for it."""


@dataclass
class Lesson:
    title: str
    topics: list[Topic] = field(default_factory=list)
    name: str = ""
    id: str = ""
    open_type: str = ""
    stands_alone: bool = False
    """It is a lesson in the source too: what follows it is no part of it."""


@dataclass
class Section:
    title: str
    lessons: list[Lesson] = field(default_factory=list)
    name: str = ""
    id: str = ""
    release: str = ""
    """The date until which it is hidden."""
    loose_lessons: int = 0

    def lesson_for_pages(self) -> Lesson:
        """The lesson for pages that stand in the section itself; a new one after a real one."""
        if not self.lessons or self.lessons[-1].stands_alone:
            number = self.loose_lessons = self.loose_lessons + 1
            title = self.title if number == 1 else f"{self.title} ({number})"
            self.lessons.append(Lesson(title, name=f"{self.name}-{number}"))
        return self.lessons[-1]


@dataclass
class Course:
    """A course as its source has it."""

    title: str
    place: str
    resolve: Resolve
    name: str = ""
    key: str = ""
    """The key that the source itself asks for."""
    fields: dict[str, Any] = field(default_factory=dict)
    """Further fields, by the names of the manifest."""
    image: SourceFile | None = None
    """The picture on its tile."""
    shown_names: Mapping[str, str] = field(default_factory=dict)
    """By the name of a file in the source: what people call it, where that is another name."""
    sections: list[Section] = field(default_factory=list)
    lost: list[LossNote] = field(default_factory=list)

    def note_loss(self, place: str, message: str, loss: Loss = Loss.LOST) -> None:
        """Notes what could not be carried over."""
        self.lost.append(LossNote(loss, place, message))

    def note_limits(self, place: str, title: str, limits: Mapping[str, str]) -> None:
        """Notes the dates and limits of a part: the platform has no field for them."""
        if limits:
            given = ", ".join(f"{name}={value}" for name, value in limits.items())
            self.note_loss(place, f"dates and limits of “{title}”: {given}")

    def keep_filled_parts(self, sections: Iterable[Section]) -> None:
        """Takes the sections and lessons that have topics; others are noted by their titles."""
        for section in sections:
            filled = [lesson for lesson in section.lessons if lesson.topics]
            empty = [lesson for lesson in section.lessons if not lesson.topics]
            for part in empty if filled else [section]:
                if part.title and not _NUMBERED.fullmatch(part.title):
                    self.note_loss(self.place, f"“{part.title}”, which has no pages")
            section.lessons = filled
            self.sections += [section] if filled else []


_NUMBERED = re.compile(r"Section \d+")
"""The title of a part that nobody named."""


_PLAYERS = (
    (
        re.compile(
            r"https?://(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com/(?:watch\?(?:.*&)?v=|embed/|v/)"
            r"|youtu\.be/)([\w-]{6,20})"
        ),
        "https://www.youtube.com/embed/{}",
    ),
    (
        re.compile(r"https?://(?:www\.|player\.)?vimeo\.com/(?:video/)?(\d+)"),
        "https://player.vimeo.com/video/{}",
    ),
)
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")
_VIDEOS = (".mp4", ".webm", ".mov", ".m4v")


def make_player(address: str, title: str) -> str:
    """The HTML that shows such a video; empty if the address is of another kind."""
    for pattern, template in _PLAYERS:
        if match := pattern.match(address.strip()):
            source = escape(template.format(match[1]))
            return f'<iframe title="{escape(title)}" src="{source}" allowfullscreen></iframe>\n'
    return ""


def link_topic(url: str, title: str, place: str) -> Topic:
    """A page that leads elsewhere; a video of a site with a player is shown in that.

    The platform fetches files, not pages.
    """
    if embedded := make_player(url, title):
        return Topic(title, TopicType.EMBED, place, body=Body(embedded, place))
    return Topic(title, TopicType.TEXT, place, body=Body(make_link_paragraph(url, title), place))


def file_topic(file: ContentRef, title: str, place: str) -> Topic:
    """A file: shown where the platform can show it, else linked."""
    ending = posixpath.splitext(file.target)[1].lower()
    if ending == ".pdf":
        return Topic(title, TopicType.PDF_VIEWER, place, address=file)
    if ending in _VIDEOS:
        return Topic(title, TopicType.VIDEO, place, address=file)
    html = make_link_paragraph(file.target, title)
    if ending in PICTURES:
        html = f'<p><img src="{escape(file.target)}" alt="{escape(title)}"></p>\n'
    return Topic(title, TopicType.TEXT, place, body=Body(html, place, file.base))


def name_parameters(given: Iterable[str]) -> str:
    """The names of the parameters of a tool, for a report: their values may be secrets."""
    names = (one.partition("=")[0].strip(" \"'") for one in given)
    listed = ", ".join(filter(None, names))
    return f", with the parameters {listed}" if listed else ""


def make_link_paragraph(address: str, text: str) -> str:
    """A paragraph with nothing but a link."""
    return f'<p><a href="{escape(address)}">{escape(text, quote=False)}</a></p>\n'


QUESTIONS_MOST = 1_000
"""Questions of one quiz: banks that name each other could make any number."""
ANSWERS_MOST = 200
"""Answers of one question."""
_COMPARED_MOST = 2_000_000_000
"""Texts of a source times letters that are searched for each of them: about a second."""
UNSAID = "Also in the source"
"""Above what has no words here."""
_PARAGRAPH = "\n\n"
_BLOCK = re.compile(r"(?i)<(?:p|div|[ou]l|table|h[1-6]|pre|blockquote)\b")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")


class QuizAnswer(NamedTuple):
    """An answer that learners can choose, or one that counts as right."""

    text: str
    """HTML."""
    is_right: bool = False
    note: str = ""
    """What else its source says of it: its share of the points, what it says to learners."""


class QuizQuestion(NamedTuple):
    """A question of any system."""

    text: str
    """HTML."""
    kind: str = ""
    """What learners do, in words."""
    answers: Sequence[QuizAnswer] = ()
    notes: Sequence[tuple[str, str]] = ()
    """What its source says of it, such as points, feedback and hints: a word for it, and HTML."""
    base: str = ""
    """What its format needs to find the files that the text refers to."""


def with_unsaid_texts(
    questions: Sequence[QuizQuestion], texts: Iterable[str]
) -> list[QuizQuestion]:
    """The questions; texts of their source that none of them has are below the last one.

    So nothing is lost where an author uses elements in another way than the format means them.
    """
    htmls = [html for one in questions for html in _list_html(one)]
    said = _squeeze(" ".join(htmls))
    squeezed = {_squeeze(text): fold_to_line(text) for text in texts}
    left = ["More than can be compared: look there."]
    if len(squeezed) * len(said) <= _COMPARED_MOST:
        left = [text for short, text in squeezed.items() if short not in said]
    if not left:
        return list(questions)
    note = (UNSAID, "".join(f"<p>{escape(text, quote=False)}</p>" for text in left))
    last = questions[-1] if questions else QuizQuestion("", "Exercise")
    return [*questions[:-1], last._replace(notes=[*last.notes, note])]


def _list_html(question: QuizQuestion) -> Iterator[str]:
    yield question.text
    for answer in question.answers:
        yield from (answer.text, answer.note)
    yield from (html for _, html in question.notes)


def _squeeze(html: str) -> str:
    """A text without blanks and escapes."""
    # Code of the source is escaped twice.
    return "".join(unescape(unescape(html)).split())


def spell_questions(questions: Iterable[QuizQuestion], place: str) -> list[Body]:
    """A text in Markdown for each question, below its number."""
    left = iter(questions)
    bodies = [
        Body("\n\n".join(_spell_question(number, one)) + "\n", place, one.base, markdown=True)
        for number, one in enumerate(islice(left, QUESTIONS_MOST), 1)
    ]
    if next(left, None):
        bodies.append(Body("There are more questions in the source.\n", place, markdown=True))
    return bodies


def _spell_question(number: int, question: QuizQuestion) -> Iterator[str]:
    yield f"## {number}. {fold_to_line(question.kind) or 'Question'}"
    if text := spell_markdown(question.text):
        yield text
    if question.answers:
        more = ["- and more in the source"] if len(question.answers) > ANSWERS_MOST else []
        yield "\n".join([*map(_spell_answer, question.answers[:ANSWERS_MOST]), *more])
    for word, html in question.notes:
        if text := spell_markdown(html):
            is_line = text[0].isalnum() and text.isprintable()
            yield f"**{word}:**{' ' if is_line else _PARAGRAPH}{text}"


def _spell_answer(answer: QuizAnswer) -> str:
    text = spell_markdown(answer.text) or "(empty)"
    right = " **(right)**" if answer.is_right else ""
    note = f": {spell_markdown(fold_to_line(answer.note))}" if answer.note else ""
    if "\n" in text or text.startswith("<"):
        right, note = right and f"\n\n{right.strip()}", note and f"\n\n{note[2:]}"
    first, *rest = f"{text}{right}{note}".split("\n")
    return "\n".join([f"- {first}", *(f"  {line}" if line else "" for line in rest)])


def spell_markdown(html: str) -> str:
    """HTML of a question as Markdown, without a line end; HTML in one block where it cannot be."""
    html = html.strip()
    if not html:
        return ""
    first = _BLOCK.search(html)
    words = first.start() if first else len(html)
    # What comes before the first paragraph is one itself.
    text = html_to_markdown(html) or html_to_markdown(f"<p>{html[:words]}</p>{html[words:]}")
    if text is None and not html_to_prose(html) and "<" not in html:
        return ""
    return text.strip() if text else f"<div>{_BLANK_LINES.sub(chr(10), html)}</div>"
