"""completion_criterion: one rule by which a learner completes a course (spec 2.3)."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Annotated

from pydantic import Field

from ..address import Address
from ..problems import Finding
from ..resource import Form, Reference
from ..vocabulary import limits
from ..vocabulary.enums import TOPIC_CRITERIA, CriterionType, TopicType
from .between import criteria
from .call_part import CallPart
from .criterion_words import title
from .kind import (
    Change,
    Data,
    Departure,
    Described,
    Doubt,
    Effect,
    Ids,
    Json,
    Kind,
    Manual,
    Reading,
)
from .managed import Managed
from .refers import is_uuid, meant, node, own, shown
from .texts import quality
from .types import Choice, PartId, Positive, Shown, Title

UPDATE, READ = "criteria.update", "course.read"
C = CriterionType

NEEDS: Mapping[CriterionType, frozenset[str]] = {
    C.COURSE_PERCENT_VIEWED: frozenset({"percent"}),
    C.ARTICLE_PERCENT_VIEWED: frozenset({"percent"}),
    C.VIDEO_PERCENT_VIEWED: frozenset({"percent", "topic"}),
    C.ARTICLE_TIME_VIEWED_IN_SECONDS: frozenset({"seconds"}),
} | {topic_type: frozenset({"topic"}) for topic_type in TOPIC_CRITERIA}

FITS: Mapping[CriterionType, frozenset[str]] = {
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
    type: Choice[CriterionType]
    """The rule of completion; it decides which of `percent`, `seconds` and `topic` are needed."""
    percent: Annotated[
        Annotated[int, Field(ge=limits.PERCENT_LEAST, le=limits.PERCENT_MOST)] | None, Shown((80,))
    ] = None
    """Share of the course, article or video that must be viewed."""
    seconds: Annotated[Positive | None, Shown((300,))] = None
    """Time that the article must be viewed."""
    topic: Annotated[Title | None, Shown(("check/final/quiz",))] = None
    """Path of a topic, `section/lesson/topic` (`main` where the platform made it), or its uuid."""


def needs(criterion: CriterionSpec) -> Iterator[Finding]:
    """Each type takes its own fields and no others (spec 2.3)."""
    wanted = NEEDS[criterion.type]
    for field in ("percent", "seconds", "topic"):
        given = getattr(criterion, field) is not None
        if field in wanted and not given:
            yield Finding(
                "criterion-needs",
                (),
                f"a {criterion.type} criterion needs `{field}`",
                f"add `{field}`",
            )
        if given and field not in wanted:
            yield Finding(
                "criterion-field",
                (field,),
                f"`{field}` does not belong to a {criterion.type} criterion",
                f"it takes: {', '.join(sorted(wanted))}",
            )


def outside(criterion: CriterionSpec) -> Iterator[Finding]:
    """The parts of a course that is not in the catalog have no names here."""
    topic = criterion.topic
    if topic is not None and is_uuid(criterion.course) and not is_uuid(topic):
        yield Finding(
            "topic-outside",
            ("topic",),
            f"`{topic}` is a path, but only topics of a course in the catalog have paths",
            "name the topic by its uuid",
        )


def references(data: Data) -> Iterator[Reference]:
    """The course, and the topic in it."""
    if is_uuid(data["course"]):
        return
    yield Reference(("course",), "course", data["course"])
    if data.get("topic") and not is_uuid(data["topic"]):
        kind = CriterionType(data["type"])
        yield Reference(
            ("topic",), "course", data["course"], data["topic"], FITS.get(kind, frozenset())
        )


def normalise(_key: str, data: Data) -> Form:
    """Type and value as written; course and topic as nodes."""
    given = ("type", "percent", "seconds")
    form = {key: data[key] for key in given if data.get(key) is not None}
    form["course"] = node("course", data["course"], id="course")
    if data.get("topic"):
        path = data["topic"]
        form["topic"] = path.lower() if is_uuid(path) else node("course", data["course"], part=path)
    return form


def fields(form: Form) -> dict[str, Json]:
    """The type-named fields that the platform takes (spec 2.3)."""
    kind = CriterionType(form["type"])
    if kind in TOPIC_CRITERIA:
        return {kind.value: form["topic"]}
    if kind is C.VIDEO_PERCENT_VIEWED:
        return {kind.value: form["percent"], "videoTopicId": form["topic"]}
    return {kind.value: form["seconds"] if "seconds" in form else form["percent"]}


def create(address: Address, form: Form, _marker: str | None) -> CallPart:
    entry = {"courseId": form["course"], "type": form["type"], **fields(form)}
    return CallPart.of(address, UPDATE, {"criteria": [entry]}, adds=True, repeatable=False)


def update(change: Change) -> Described:
    """The same route with the id; the platform clears the fields of an old type itself."""
    if change.before["course"] != change.after["course"]:
        return Described(undecided="a criterion cannot move to another course: give it a new key")
    entry = {"id": own(change.address), "type": change.after["type"], **fields(change.after)}
    call = CallPart.of(change.address, UPDATE, {"criteria": [entry]}, change.after)
    return Described([call], clears=cleared(change))


def cleared(change: Change) -> Set[str]:
    """A new type takes the fields of the old one away (spec 4, criteria rule 2)."""
    if change.before.get("type") == change.after["type"]:
        return frozenset()
    return change.before.keys() - change.after.keys()


def departure(form: Form) -> Departure:
    """No route deletes a criterion (O11)."""
    text = (
        f"delete the completion criterion “{title(form)}” (`{form['type']}`) of course "
        f"`{shown(form['course'])}` in the admin interface, or put it back into the catalog"
    )
    return Departure(
        Effect.PROGRESS,
        "learners still have to meet it",
        [Manual("removal", text)],
        meant(form["course"]),
    )


def failures(answer: Json, entries: Sequence[Json]) -> dict[int, str]:
    """Entries that are named in `errors` of a successful answer: by course, type and record.

    Where more entries fit than were refused and the record does not tell which, none is blamed:
    a read shows which of them was made.
    """
    errors = list(answer.get("errors") or [])
    found: dict[int, str] = {}
    for number, error in enumerate(errors):
        alike = [n for n, entry in enumerate(entries) if n not in found and _same(error, entry)]
        blamed = sum(_same(other, entries[alike[0]]) for other in errors[number:]) if alike else 0
        told = [n for n in alike if _in_record(error, entries[n])]
        if told or 0 < len(alike) <= blamed:
            found[(told or alike)[0]] = str(error.get("error"))
    return found


def _same(error: Json, entry: Json) -> bool:
    if "id" in entry:
        return str(entry["id"]) in str(error.get("record"))
    return bool(error.get("courseId") == entry["courseId"] and error.get("type") == entry["type"])


def _in_record(error: Json, entry: Json) -> bool:
    record = str(error.get("record"))
    return all(str(value) in record for value in entry.values())


def reading(_address: Address, form: Form) -> Reading:
    """A criterion is read with its course (O22, O25)."""
    return Reading(READ, {"id": form["course"]})


def match(
    form: Form, _marker: str | None, live: Json, taken: Set[str], _known: Ids | None = None
) -> Ids | Doubt | None:
    """The criterion of the same type and value; `form` has its nodes bound to ids."""
    criteria = live.get("completionCriteria")
    if criteria is None:
        return Doubt("the read of its course does not list completion criteria")
    wanted = fields(form)
    for criterion in criteria:
        same = all(criterion.get(field) == value for field, value in wanted.items())
        if criterion["type"] == form["type"] and same and criterion["id"] not in taken:
            return Ids({"id": criterion["id"]})
    return None


def seen(form: Form, ids: Ids, live: Json) -> Form | None:
    """Its type and number; nothing if its course has it no longer."""
    criteria = live.get("completionCriteria")
    if criteria is None:
        return {}
    mine = next((one for one in criteria if one["id"] == ids.own["id"]), None)
    if mine is None:
        return None
    number = "seconds" if "seconds" in form else "percent"
    shown = mine.get(mine["type"])
    return {"type": mine["type"]} | ({number: shown} if isinstance(shown, int) else {})


KIND = Kind(
    name="criterion",
    resource="completionCriterion",
    noun="completion criterion",
    spec=CriterionSpec,
    normalise=normalise,
    title=title,
    references=references,
    rules=(needs, outside, quality),
    facts=criteria.facts,
    between=criteria.BETWEEN,
    family="course",
    among=criteria.AMONG,
    effects=dict.fromkeys(("type", "percent", "seconds", "topic", "course"), Effect.PROGRESS),
    creation=Effect.PROGRESS,
    create=create,
    departure=departure,
    update=update,
    failures=failures,
    readback=True,
    reading=reading,
    match=match,
    seen=seen,
)
