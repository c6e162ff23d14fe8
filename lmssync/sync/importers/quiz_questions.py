"""The questions of a quiz as a text for whoever writes them on the platform, which takes none."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape, unescape
from itertools import islice
from typing import NamedTuple

from ...texts.html_to_markdown import html_to_markdown
from .course_outline import Body
from .source_texts import fold_to_line, html_to_prose

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
    """A text without blanks and escapes: code of the source is escaped twice."""
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
