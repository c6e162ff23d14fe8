"""A course of a source as the document that an author would have written, so that it validates."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from pydantic import ValidationError

from ...catalog.manifests.catalog_files import BODY_BYTES
from ...catalog.manifests.question_files import FOR_WHOM, QUESTIONS
from ...errors import LmssyncError
from ...kinds import KINDS, part_names
from ...problems import Severity
from ...resource import KEY, KEY_MOST, SHORT_ID, Path, spell_path
from ...texts.html_to_markdown import html_to_markdown
from ...texts.values import judge_texts, render_markdown
from ...vocabulary import limits
from ...vocabulary.enums import CourseKind, OpenType, TopicType
from .course_assets import CourseAssets
from .course_outline import Body, Course, Lesson, Loss, Section, Topic
from .source_texts import fold_to_line, make_slug, strip_controls

KIND = "course"
_SHORT_KEY = 40
"""Characters of a key that is made from a title."""
_WITH_BODY = frozenset({TopicType.TEXT, TopicType.EMBED, TopicType.ARTICLE})
_FIELD = {
    TopicType.VIDEO: "videoUrl",
    TopicType.SHAREABLE_CONTENT_OBJECT: "scormUrl",
    TopicType.X_API_OBJECT: "scormUrl",
    TopicType.PDF_VIEWER: "pdfUrl",
}
"""Types whose content is one address, and the field that it stands in."""

Data = dict[str, Any]


def make_course_key(course: Course, taken: set[str]) -> str:
    """The key of a course: the one it asks for, or a short slug of its title; never one twice."""
    if _is_key(course.key) and course.key.casefold() not in taken:
        return course.key
    wanted = map(make_slug, (course.key, course.title, course.name, KIND))
    items = [{"id": key} for key in taken] + [{"title": next(filter(None, wanted))}]
    return part_names(items, _SHORT_KEY)[-1]


def _is_key(text: str) -> bool:
    return len(text) <= KEY_MOST and re.fullmatch(KEY, text) is not None


class DocumentWriter(NamedTuple):
    """Makes the document of one course, and notes in the course what it leaves out."""

    course: Course
    key: str
    assets: CourseAssets
    as_html: bool = False
    """Whether bodies are HTML even where Markdown says the same."""

    def write_document(self) -> Data:
        """The document, with all bodies in it."""
        course = self.course
        fields = {name: value for name, value in course.fields.items() if value not in ("", [])}
        data = {
            "resource": KIND,
            "key": self.key,
            "kind": CourseKind.COURSE_GROUP.value,
            "title": _fit_title(course.title or course.name),
            **self._shorten_fields(fields),
        }
        image = course.image
        if image and (
            url := self.assets.copy_and_address(image, course.place, f"the picture {image.shown}")
        ):
            data["asset"] = url
        if course.sections or data["kind"] == CourseKind.COURSE_GROUP:
            if not course.sections:
                course.note_loss(course.place, "the course has no pages", Loss.PLACEHOLDER)
            parts = _pair_with_ids(course.sections, "section")
            data["sections"] = [self._write_section(part, id_) for part, id_ in parts]
        return data

    def write_questions(self, data: Data) -> dict[str, str]:
        """What a person has to write on the platform, by the name of a file: a text for each quiz.

        The name has the ids of the section, the lesson and the topic in the document.
        """
        texts: dict[str, str] = {}
        for section, its in zip(self.course.sections, data.get("sections", ()), strict=True):
            for lesson, below in zip(section.lessons, its["lessons"], strict=True):
                for topic, page in zip(lesson.topics, below["topics"], strict=True):
                    if text := self._spell_questions(topic):
                        path = f"{its['id']}/{below['id']}/{page['id']}"
                        name = f"{QUESTIONS}/{path}.md"
                        texts[name] = text
                        message = f"the content of “{topic.title}” has to be written again"
                        self.course.note_loss(
                            topic.place, f"{message}: it is in {name}", Loss.PLACEHOLDER
                        )
        return texts

    def _spell_questions(self, topic: Topic) -> str:
        """The text for a quiz; empty where there is none, or where it would be too long."""
        bodies = (self._clean_body(one, beside="../../..") for one in topic.questions)
        texts = [body.text for body in bodies if body]
        heading = f"# {escape(_fit_title(topic.title), quote=False)}\n"
        text = "\n".join([heading, f"{FOR_WHOM}\n", *texts]) if texts else ""
        if len(text.encode()) <= BODY_BYTES:
            return text
        message = f"the questions of “{topic.title}” are too long for one file"
        self.course.note_loss(topic.place, message, Loss.PLACEHOLDER)
        return ""

    def _shorten_fields(self, fields: Data) -> Data:
        """The fields of the course within the limits of the platform."""
        description, tags = fields.get("description"), fields.get("tags") or []
        if isinstance(description, str) and len(description) > limits.DESCRIPTION:
            message = f"the description is cut after {limits.DESCRIPTION:,} characters"
            self.course.note_loss(self.course.place, message, Loss.CHANGED)
            fields["description"] = description[: limits.DESCRIPTION].rstrip()
        if len(tags) > limits.TAGS:
            left = ", ".join(tags[limits.TAGS :])
            self.course.note_loss(self.course.place, f"tags beyond the first {limits.TAGS}: {left}")
            fields["tags"] = tags[: limits.TAGS]
        return fields

    def _write_section(self, section: Section, id_: str) -> Data:
        data: Data = {"id": id_, "title": _fit_title(section.title)}
        if section.release:
            data["releaseDate"] = section.release
        lessons = _pair_with_ids(section.lessons, "lesson")
        return data | {"lessons": [self._write_lesson(part, id_) for part, id_ in lessons]}

    def _write_lesson(self, lesson: Lesson, id_: str) -> Data:
        return {
            "id": id_,
            "title": _fit_title(lesson.title),
            "openType": lesson.open_type or OpenType.STUDENTS_ONLY.value,
            "topics": [
                self._write_topic(part, id_) for part, id_ in _pair_with_ids(lesson.topics, "topic")
            ],
        }

    def _write_topic(self, topic: Topic, id_: str) -> Data:
        data: Data = {"id": id_, "title": _fit_title(topic.title), "type": topic.type.value}
        body = self._clean_body(topic.body)
        if topic.type in _FIELD:
            data |= self._write_content(topic)
        elif topic.address:
            message = f"`{topic.address.target}` does not belong to a topic of type {topic.type}"
            self.course.note_loss(topic.place, message)
        if body and data["type"] in _WITH_BODY:
            # A video without an address has become a text: its own text takes the place of the line
            # about the video that is missing.
            data.pop("markdown", None)
            data |= _body_fields(body, as_html=self.as_html)
        elif body:
            # Topics of this type have no body; the platform shows this text above them.
            data["preTextBlock"] = _body_html(body)
        return data

    def _write_content(self, topic: Topic) -> Data:
        """The address of a video, a PDF or a package; a video without one becomes a text."""
        address = topic.address
        url = self.assets.find_content_address(address, topic.place) if address else ""
        if url:
            return {_FIELD[topic.type]: url}
        if topic.type is not TopicType.VIDEO:
            if not address:
                what = f"the source does not name the content of “{topic.title}”"
                self.course.note_loss(topic.place, what, Loss.PLACEHOLDER)
            return {}
        what = f"“{topic.title}” is a text until its video has an address"
        self.course.note_loss(topic.place, what, Loss.PLACEHOLDER)
        shown = f": {address.target}" if address else ""
        return {"type": TopicType.TEXT.value, "markdown": f"This video is still missing{shown}."}

    def _clean_body(self, body: Body | None, beside: str = "") -> Body | None:
        """A body that is not empty, without what no text may hold, and with its addresses."""
        if body is None or not body.text.strip():
            return None
        if len(body.text.encode()) > BODY_BYTES:
            message = f"a text of {len(body.text):,} characters is too long for a page"
            self.course.note_loss(body.place, message, Loss.PLACEHOLDER)
            return None
        clean = strip_controls(body.text)
        if clean != body.text:
            number = len(body.text) - len(clean)
            self.course.note_loss(body.place, f"{number:,} control characters", Loss.CHANGED)
        return self.assets.replace_body_addresses(body._replace(text=clean), beside)


def list_document_topics(data: Data) -> Iterator[Data]:
    """The topics of a document that was made here."""
    for section in data.get("sections", ()):
        for lesson in section["lessons"]:
            yield from lesson["topics"]


def _body_fields(body: Body, *, as_html: bool) -> Data:
    """A body as Markdown where that says the same, or as HTML."""
    if as_html:
        return {"body": _body_html(body)}
    markdown = body.text if body.markdown else html_to_markdown(body.text)
    return {"body": body.text} if markdown is None else {"markdown": markdown}


def _body_html(body: Body) -> str:
    return render_markdown(body.text) if body.markdown else body.text


def _fit_title(text: str) -> str:
    return fold_to_line(text) or "Untitled"


def _pair_with_ids(parts: Sequence[Any], noun: str) -> Iterable[tuple[Any, str]]:
    """Parts with short ids, made from their titles or, where those have no letters, their names."""
    items: list[dict[str, str]] = []
    taken: set[str] = set()
    for part in parts:
        title = make_slug(part.title) or make_slug(part.name) or noun
        given = part.id if _is_key(part.id) and part.id not in taken else ""
        taken.add(given)
        items.append({"id": given, "title": title})
    return zip(parts, part_names(items, SHORT_ID), strict=True)


_STRUCTURE = {
    "resource",
    "key",
    "title",
    "kind",
    "sections",
    "topics",
    "articleVariant",
    "completionCriteria",
    "purchasePaths",
    "customFields",
    "sessionCustomFields",
    "moved",
    "lifecycle",
}
PLAIN = frozenset(KINDS[KIND].spec.model_fields) - _STRUCTURE
LISTS = frozenset(
    {"tags", "authors", "relatedCourses", "prerequisiteCourses", "prerequisiteLearningPaths"}
)
REFERENCES = frozenset({"relatedCourses", "prerequisiteCourses"})
"""Lists of keys of other courses."""
IN_ORDER = "prerequisiteCourses"
"""The one of them in which courses may not need each other in a circle."""
SWITCHES = frozenset(
    {
        "freeWithRegistration",
        "purchasable",
        "discussionsEnabled",
        "availableToPublic",
        "forceLinearProgress",
        "showProgress",
        "embeddedEnabled",
        "resetSessionAfterComplete",
    }
)
NUMBERS = frozenset({"priceInCents", "enrollmentLimit", "width", "height"})


def make_field_value(field: str, value: Any) -> Any:
    """A value of front matter; one text stands for a list of one."""
    if field not in LISTS:
        return value
    values = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(str(item) for item in values if item is not None))


_ROUNDS = 20
"""One mistake may hide another; each round leaves out all that can be seen."""


def fit_document(data: Data, course: Course) -> None:
    """Takes refused values out of the document. Raises `LmssyncError` if that does not help."""
    for _ in range(_ROUNDS):
        mistakes = dict(_find_mistakes(data))
        if not mistakes:
            return
        # From the end: an item that is taken out of a list moves those behind it.
        for path in sorted(mistakes, key=_deepest_order, reverse=True):
            # A mistake without a place is about the kind: the usual one takes every outline.
            if not path and data["kind"] != CourseKind.COURSE_GROUP:
                message = f"the kind `{data['kind']}`: {mistakes[path]}"
                course.note_loss(course.place, message, Loss.CHANGED)
                data["kind"] = CourseKind.COURSE_GROUP.value
                continue
            if not _leave_out(data, path):
                raise LmssyncError(
                    f"{course.place} cannot be a course here: {mistakes[path]}",
                    "correct it in its source",
                )
            course.note_loss(course.place, f"`{spell_path(path)}` {mistakes[path]}")
    raise LmssyncError(f"{course.place} cannot be a course here", "correct it in its source")


def _deepest_order(path: Path) -> list[tuple[int, str]]:
    """Sorts paths so that the last items of a list can be taken out first."""
    return [(step, "") if isinstance(step, int) else (-1, step) for step in path]


def _find_mistakes(data: Data) -> Iterator[tuple[Path, str]]:
    """Paths of what the model or, if that accepts the document, a rule refuses; and why."""
    kind = KINDS[KIND]
    try:
        spec = kind.spec.model_validate(data)
    except ValidationError as error:
        yield from ((wrong["loc"], wrong["msg"]) for wrong in error.errors())
        return
    for rule in (*kind.authoring.rules, judge_texts):
        for finding in rule(spec):
            if finding.severity is Severity.ERROR:
                yield finding.path, f"is left out: {finding.message}"


def _leave_out(data: Any, path: Path) -> bool:
    """Takes away what the path leads to or, if that is not there, what would have to hold it."""
    if not path:
        return False
    *way, last = path
    holder = data
    for step in way:
        if step not in (holder if isinstance(holder, dict) else range(len(holder))):
            return True  # it went away with what it was in
        holder = holder[step]
    if isinstance(holder, dict) and last not in holder:
        # A field that is needed and missing: what lacks it goes.
        return _leave_out(data, tuple(way))
    # Without these there is no course.
    if isinstance(holder, dict) and last in {"resource", "key", "kind", "title"} and not way:
        return False
    del holder[last]
    return True
