"""What an author may write of a completion criterion, and what its words mean (spec 2.3)."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Annotated, Any

from pydantic import Field

from ...kind import ByWord, Data, Json, Meanings, Subject, SubjectKind, Together, Word
from ...problems import Finding, Rule
from ...resource import Address, Form, NamedId, Reference
from ...vocabulary import limits
from ...vocabulary.enums import TOPIC_CRITERIA, CriterionType as C, TopicType
from ..field_types import Choice, PartId, Positive, Shown, Title
from ..reference_fields import is_uuid, points_at, reference_node
from ..shared_fields import Managed

CRITERION_NEEDS = Rule(
    "criterion-needs",
    "The rule of completion needs a field that is missing.",
    "See the [rules of completion](manifests.md#rules-of-completion).",
    source="spec 2.3",
    within="a completion criterion",
    wrong="type: articleTimeViewedInSeconds",
    right="type: articleTimeViewedInSeconds\nseconds: 300",
)
CRITERION_FIELD = Rule(
    "criterion-field",
    "The rule of completion has a field that belongs to another rule.",
    "Delete it.",
    source="spec 2.3",
    within="a completion criterion",
    wrong="type: coursePercentViewed\npercent: 80\nseconds: 300",
    right="type: coursePercentViewed\npercent: 80",
)
TOPIC_OUTSIDE = Rule(
    "topic-outside",
    "A criterion names a topic by path in a course that is not in the catalog.",
    "Name the topic by its uuid.",
)


NEEDS: Mapping[C, frozenset[str]] = {
    C.COURSE_PERCENT_VIEWED: frozenset({"percent"}),
    C.ARTICLE_PERCENT_VIEWED: frozenset({"percent"}),
    C.VIDEO_PERCENT_VIEWED: frozenset({"percent", "topic"}),
    C.ARTICLE_TIME_VIEWED_IN_SECONDS: frozenset({"seconds"}),
} | {topic_type: frozenset({"topic"}) for topic_type in TOPIC_CRITERIA}
FITS: Mapping[C, frozenset[str]] = {
    C.VIDEO_PERCENT_VIEWED: frozenset({TopicType.VIDEO}),
    C.COURSE_TOPIC_VIEWED: frozenset(TopicType),
    C.COURSE_ASSESSMENT_PASSED: frozenset({TopicType.QUIZ, TopicType.TEST}),
    C.COURSE_ASSIGNMENT_COMPLETE: frozenset({TopicType.ASSIGNMENT}),
    C.COURSE_MEETING_ATTENDED: frozenset({TopicType.MEETING_INFO, TopicType.IN_PERSON_EVENT}),
    C.SCORM_COMPLETE: frozenset({TopicType.SHAREABLE_CONTENT_OBJECT}),
    C.X_API_COMPLETE: frozenset({TopicType.X_API_OBJECT}),
    C.SURVEY_TOOL_COMPLETE: frozenset({TopicType.SURVEY_TOOL}),
    C.PARTNER_ASSIGNMENT_COMPLETED: frozenset({TopicType.PARTNER}),
    C.PROCTORED_TOPIC_COMPLETE: frozenset({TopicType.QUIZ, TopicType.TEST}),
}
"""Types of topic by which each rule can be met."""


class CriterionSpec(Managed):
    """A completion criterion; `percent`, `seconds` and `topic` as its type needs them."""

    course: Annotated[Title, Shown(("safety-101",), wire="courseId")]
    """Key of the course, or its uuid."""
    id: Annotated[PartId | None, Shown(("pass",))] = None
    """Name within the course, in the short form."""
    type: Choice[C]
    """The rule of completion; it decides which of `percent`, `seconds` and `topic` are needed."""
    percent: Annotated[
        Annotated[int, Field(ge=limits.PERCENT_LEAST, le=limits.PERCENT_MOST)] | None, Shown((80,))
    ] = None
    """Share of the course, article or video that must be viewed."""
    seconds: Annotated[Positive | None, Shown((300,))] = None
    """Time that the article must be viewed."""
    topic: Annotated[Title | None, Shown(("check/final/quiz",))] = None
    """Path of a topic, `section/lesson/topic` (`main` where the platform made it), or its uuid."""


def criterion_references(data: Data) -> Iterator[Reference]:
    if is_uuid(data["course"]):
        return
    yield Reference(("course",), "course", data["course"])
    if data.get("topic") and not is_uuid(data["topic"]):
        kind = C(data["type"])
        yield Reference(
            ("topic",), "course", data["course"], data["topic"], FITS.get(kind, frozenset())
        )


def criterion_ids(form: Form) -> Iterator[NamedId]:
    """The course and the topic, where they are uuids."""
    for field in ("course", "topic"):
        if isinstance(form.get(field), str):
            yield NamedId((field,), field, form[field])


def criterion_subjects(_address: Address, before: Form, after: Form) -> Iterator[Subject]:
    """Learners of the course, and those at the topic."""
    form = after or before
    yield Subject(SubjectKind.COURSE, form["course"])
    if form.get("topic"):
        yield Subject(SubjectKind.TOPIC, form["topic"])


def normalise_criterion(_key: str, data: Data) -> Form:
    """Type and value as written; course and topic as nodes."""
    given = ("type", "percent", "seconds")
    form = {key: data[key] for key in given if data.get(key) is not None}
    form["course"] = reference_node("course", data["course"], id="course")
    if data.get("topic"):
        path = data["topic"]
        form["topic"] = (
            path.lower() if is_uuid(path) else reference_node("course", data["course"], part=path)
        )
    return form


def criterion_facts(_data: Data, form: Form) -> dict[str, Json]:
    """The course, the rule and what it is about."""
    about = {key: form[key] for key in ("type", "percent", "topic") if key in form}
    if isinstance(form.get("topic"), dict):
        about["topic"] = form["topic"]["part"]
    return about | {"course": points_at(form["course"])}


_TITLES: Mapping[C, str] = {
    C.COURSE_PERCENT_VIEWED: "View {percent} % of the course",
    C.ARTICLE_PERCENT_VIEWED: "View {percent} % of the article",
    C.VIDEO_PERCENT_VIEWED: "View {percent} % of the video {topic}",
    C.ARTICLE_TIME_VIEWED_IN_SECONDS: "View the article for {seconds} seconds",
    C.COURSE_TOPIC_VIEWED: "View {topic}",
    C.COURSE_ASSESSMENT_PASSED: "Pass {topic}",
    C.COURSE_ASSIGNMENT_COMPLETE: "Complete the assignment {topic}",
    C.COURSE_MEETING_ATTENDED: "Attend {topic}",
    C.SCORM_COMPLETE: "Complete the SCORM package {topic}",
    C.X_API_COMPLETE: "Complete the xAPI package {topic}",
    C.SURVEY_TOOL_COMPLETE: "Complete the survey {topic}",
    C.PARTNER_ASSIGNMENT_COMPLETED: "Complete the partner assignment {topic}",
    C.PROCTORED_TOPIC_COMPLETE: "Complete {topic} under supervision",
}


def criterion_title(form: Form, course: Form | None = None) -> str:
    """The rule in words; its type where the form lacks what that needs.

    The topic is named by its title and its lesson if the form of the course has them.
    """
    topic = form.get("topic")
    part = topic.get("part") if isinstance(topic, dict) else topic
    named = {"topic": _name_topic(part, course or {})} if part else {}
    try:
        return _TITLES[C(form["type"])].format_map({**form, **named})
    except (KeyError, ValueError):  # a person has set another type on the platform
        return str(form.get("type", ""))


_QUOTED = "\N{LEFT SINGLE QUOTATION MARK}{}\N{RIGHT SINGLE QUOTATION MARK}".format
"""Single marks, since a title is shown between double ones."""
_LEVELS = ("sections", "lessons", "topics")


def _name_topic(path: str, course: Form) -> str:
    """The title of the topic and that of its lesson; or the path if one of them has none."""
    titles: list[str] = []
    holder: Any = course
    whole = not any(level in course for level in _LEVELS)
    # The only topic of a course without a structure has the name of the course.
    for own in () if whole else path.split("/"):
        parts = chain.from_iterable(holder.get(level) or () for level in _LEVELS)
        holder = next((part for part in parts if part.get("id") == own), {})
        titles.append(str(holder.get("title") or ""))
    titles = [" ".join(title.split()) for title in titles or [str(course.get("title") or "")]]
    return " in ".join(map(_QUOTED, titles[:-3:-1])) if all(titles) else path


_WORDS = {word: Word(NEEDS[word], NEEDS[word]) for word in C}
BY_TYPE = ByWord("type", _WORDS, "a criterion of type")
TOGETHER: Together = {CriterionSpec: [BY_TYPE]}


def check_needed_fields(criterion: CriterionSpec) -> Iterator[Finding]:
    """Each type takes its own fields and no others (spec 2.3)."""
    for field in BY_TYPE.missing_fields(criterion):
        message = f"a {criterion.type} criterion needs `{field}`"
        yield CRITERION_NEEDS.at((), message, f"add `{field}`")
    for field in BY_TYPE.stray_fields(criterion):
        message = f"`{field}` does not belong to a {criterion.type} criterion"
        hint = f"it takes: {', '.join(sorted(NEEDS[criterion.type]))}"
        yield CRITERION_FIELD.at((field,), message, hint)


def check_outside_topic(criterion: CriterionSpec) -> Iterator[Finding]:
    """The parts of a course that is not in the catalog have no names here."""
    topic = criterion.topic
    if topic is not None and is_uuid(criterion.course) and not is_uuid(topic):
        message = f"`{topic}` is a path, but only topics of a course in the catalog have paths"
        yield TOPIC_OUTSIDE.at(("topic",), message)


def _meaning_of(word: C) -> str:
    needs = " and ".join(sorted(NEEDS[word]))
    fits = FITS.get(word, frozenset())
    if not fits or fits == frozenset(TopicType):
        return f"{_MET[word]} Needs {needs}."
    return f"{_MET[word]} Needs {needs}, of type {' or '.join(sorted(fits))}."


_MET: Mapping[C, str] = {
    C.COURSE_PERCENT_VIEWED: "Met when a share of the pages was viewed.",
    C.ARTICLE_PERCENT_VIEWED: "Met when a share of the article was viewed.",
    C.VIDEO_PERCENT_VIEWED: "Met when a share of a video was viewed.",
    C.ARTICLE_TIME_VIEWED_IN_SECONDS: "Met when the article was open for a time.",
    C.COURSE_TOPIC_VIEWED: "Met when a topic was viewed.",
    C.COURSE_ASSESSMENT_PASSED: "Met when an assessment was passed.",
    C.COURSE_ASSIGNMENT_COMPLETE: "Met when an assignment is complete.",
    C.COURSE_MEETING_ATTENDED: "Met when a meeting was attended.",
    C.SCORM_COMPLETE: "Met when a SCORM package is complete.",
    C.X_API_COMPLETE: "Met when an xAPI activity is complete.",
    C.SURVEY_TOOL_COMPLETE: "Met when a survey of the survey tool is complete.",
    C.PARTNER_ASSIGNMENT_COMPLETED: "Met when an assignment of the partner is complete.",
    C.PROCTORED_TOPIC_COMPLETE: "Met when a proctored topic is complete.",
}
MEANINGS: Meanings = {C: {word: _meaning_of(word) for word in C}}
