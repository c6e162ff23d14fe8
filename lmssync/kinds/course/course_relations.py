"""What a course means to others: facts for their rules, its prerequisites, effects on people.

A topic whose content the manifest cannot hold is made empty (spec 2.2), and a person fills it.
Until somebody attests that it is filled, no rule of completion can rely on it. The models say how
a change of a field affects people; here is what concerns parts alone.
"""

from collections.abc import Iterator, Mapping, Set
from typing import Any

from ...kind import Data, Effect, Json, Spec, Subject, SubjectKind
from ...problems import Finding, Rule, warning_rule
from ...resource import Address, Form, Reference, Resource
from ...vocabulary.enums import FILLED_TOPICS, SHELL_TOPICS, CourseKind, CreateStatus, TopicType
from ..platform_values import begins_after, latest_date
from ..reference_fields import own_node
from .course_form import (
    MAIN,
    ONE_TOPIC,
    ROOTS,
    all_topics,
    list_pages,
    list_topics,
    name_of_row,
    spell_path,
    walk_parts,
)

PREREQUISITE_DRAFT = Rule(
    "prerequisite-draft",
    "A published course has a prerequisite that is a draft, so nobody can take the course.",
    "Publish the prerequisite first, or keep both as drafts.",
    fixed=False,
)
PREREQUISITE_LATE = Rule(
    "prerequisite-late",
    "A course has a prerequisite that opens only after the course has ended.",
    "Open the prerequisite earlier, or end the course later.",
    fixed=False,
)
PREREQUISITE_CLOSED = warning_rule(
    "prerequisite-closed",
    "A course has a prerequisite that ends before the course opens. Learners who have not "
    "completed it by then can never start.",
    "End the prerequisite later if new learners should be able to join.",
)


_IN_PARTS = {
    "title": Effect.EDITORIAL,
    "body": Effect.EDITORIAL,
    "preTextBlock": Effect.EDITORIAL,
    "postTextBlock": Effect.EDITORIAL,
    "openType": Effect.ACCESS,
    "releaseDate": Effect.ACCESS,
    "scormUrl": Effect.PROGRESS,
}
"""Anything else that changes inside a section is structural."""
FOLLOWS = {
    Effect.EDITORIAL: "they read the new text at once",
    Effect.STRUCTURAL: "they find the changed parts at once",
    Effect.PROGRESS: "their way through the course changes",
    Effect.ACCESS: "who may enter, and when, changes for them too",
    Effect.COMMERCE: "new buyers buy on these terms",
}
REMAINS = {Effect.COMMERCE: "what is bought meanwhile stays bought at that price"}


def effects_in(model: type[Spec]) -> dict[str, Effect]:
    """The effects of the fields of a course, or of a further session."""
    return {
        name: mark
        for name, field in model.model_fields.items()
        for mark in field.metadata
        if isinstance(mark, Effect)
    } | {f"*.{field}": effect for field, effect in _IN_PARTS.items()}


def course_subjects(address: Address, before: Form, after: Form) -> Iterator[Subject]:
    """The course, then each topic that was there and is another now, or is gone: learners may be
    at it."""
    yield Subject(SubjectKind.COURSE, own_node(address, id="course"))
    if before and after and any(before.get(level) != after.get(level) for level in ROOTS):
        was, now = _topics_by_path(before), _topics_by_path(after)
        changed = (path for path in was if was[path] != now.get(path))
        yield from (Subject(SubjectKind.TOPIC, own_node(address, part=path)) for path in changed)


def _topics_by_path(form: Form) -> Mapping[str, Any]:
    """Topics by their paths; nothing of the kinds whose one topic is the course."""
    if not form or form.get("kind") in ONE_TOPIC:
        return {}
    return {name_of_row(*row): row[-1] for _, row in list_topics(form)}


_NAMES = """
    sku status futurePublishDate priceInCents purchasable freeWithRegistration
    enrollmentStartDate enrollmentEndDate courseStartDate courseEndDate gracePeriodEndDate
"""
_PLAIN = _NAMES.split()
FETCHED: Mapping[str, str] = {
    TopicType.SHAREABLE_CONTENT_OBJECT: "scormUrl",
    TopicType.X_API_OBJECT: "scormUrl",
    TopicType.PDF_VIEWER: "pdfUrl",
}
"""Types whose whole content is one address."""
_FULL = FILLED_TOPICS - FETCHED.keys()
"""Types of which no topic is ever empty."""


def course_facts(data: Data, form: Form) -> dict[str, Json]:
    """The plain values that are given, and what blocks learners."""
    plain = {name: form[name] for name in _PLAIN if form.get(name) is not None}
    types = {topic["type"] for topic in all_topics(form)}
    one = form.get("kind") == CourseKind.ARTICLE or form.get("articleVariant")
    if one or TopicType.ARTICLE in types:  # that the rules about reading can look at
        plain["article"] = True
    return plain | _blocking_facts(data, form, types)


def goes_live(course: Mapping[str, Any]) -> bool:
    """Whether the manifest opens the course to learners, now or at a date."""
    return course.get("status") == CreateStatus.PUBLISHED or bool(course.get("futurePublishDate"))


def made_empty(topic: Mapping[str, Any]) -> bool:
    """Whether a topic has no content once it is made: shell, placeholder, package without file."""
    kind = topic["type"]
    return kind not in FILLED_TOPICS or (kind in FETCHED and not topic.get(FETCHED[kind]))


def _blocking_facts(data: Data, form: Form, types: Set[str]) -> dict[str, Json]:
    """What blocks learners on the way to the end: empty for most courses.

    `hollow` has the types of the empty topics by path, `attested` who has filled others. `late` has
    the sections that open after the course has ended, and `gate` the topic that nobody can pass if
    pages are taken in order, with the pages up to it; both say how many of how many pages can be
    seen.
    """
    # Of these types no topic is ever empty. Most courses have no others, and no walk is needed.
    hollow = (
        {} if types <= _FULL and form.get("kind") not in ONE_TOPIC else _hollow_topics(data, form)
    )
    attested = _attestations(data, form) if not types <= _FULL else {}
    late, gate = _late_dates(form), _find_gate(form, hollow)
    blocks = {"hollow": hollow, "attested": attested, "late": late, "gate": gate}
    return {key: value for key, value in blocks.items() if value}


def _hollow_topics(data: Data, form: Form) -> dict[str, str]:
    """The types of the topics that are empty and that nobody has attested in the document."""
    rows = list_topics(form)
    both = zip(rows, list_pages(walk_parts(data)), strict=True)
    attested = {name_of_row(*row) for (_, row), (_, raw) in both if raw.get("attested")}
    empty = {name_of_row(*row): row[-1]["type"] for _, row in rows if made_empty(row[-1])}
    kind = ONE_TOPIC.get(form.get("kind", ""))
    if kind and made_empty({**form, "type": kind}):
        empty = {MAIN: kind} | empty
    return {path: kind for path, kind in empty.items() if path not in attested}


def _attestations(data: Data, form: Form) -> dict[str, Json]:
    """What the document says of topics that people have filled: by the path of each, as reads
    spell it, who, when, and where the document says so."""
    both = zip(list_topics(form), list_pages(walk_parts(data)), strict=True)
    return {
        spell_path(form, name_of_row(*row)): {**raw["attested"], "place": [*path, "attested"]}
        for (path, row), (_, raw) in both
        if raw.get("attested") and made_empty(row[-1])
    }


def access_end(course: Mapping[str, Any]) -> str | None:
    """The date after which nobody has access."""
    return latest_date(course, ("courseEndDate", "gracePeriodEndDate"))


def _late_dates(form: Form) -> dict[str, Json]:
    end = access_end(form)
    sections = form.get("sections") or ()
    late = {s["id"]: s["releaseDate"] for s in sections if begins_after(s.get("releaseDate"), end)}
    if not late:
        return {}
    hidden = [row[0]["id"] in late for _, row in list_topics(form)]
    return {"sections": late, "seen": hidden.count(False), "of": len(hidden)}


def _find_gate(form: Form, hollow: Mapping[str, str]) -> dict[str, Json]:
    """The first shell that stops everybody; a placeholder can at least be looked at."""
    shells = {path for path, kind in hollow.items() if kind in SHELL_TOPICS}
    # Where pages may be taken in any order, an empty one stops nobody.
    if not (form.get("forceLinearProgress") and shells):
        return {}
    names = [name_of_row(*row) for _, row in list_topics(form)]
    first = next(number for number, path in enumerate(names) if path in shells)
    seen = dict.fromkeys(names[: first + 1], True)
    return {"topic": names[first], "open": seen, "seen": first + 1, "of": len(names)}


OPENS = ("enrollmentStartDate", "courseStartDate", "futurePublishDate")
_JOINED = ("enrollmentStartDate", "futurePublishDate")


def can_be_taken(course: Resource, reference: Reference, first: Resource) -> Iterator[Finding]:
    """No learner can take a draft, so nobody gets past it."""
    # A draft that publishes itself at a date will be there in time, or another rule says so.
    is_draft = first.facts.get("status") == CreateStatus.DRAFT and not goes_live(first.facts)
    if is_draft and goes_live(course.facts):
        yield PREREQUISITE_DRAFT.at(
            reference.path,
            f"learners must complete `{reference.name}` first, but it is a draft: "
            "nobody can take it",
            f"publish `{reference.name}` first, or keep this course a draft as well",
        )


def comes_too_late(course: Resource, reference: Reference, first: Resource) -> Iterator[Finding]:
    """Yields a finding for a prerequisite that opens only after this course has ended."""
    opens, end = latest_date(first.facts, OPENS), access_end(course.facts)
    if begins_after(opens, end):
        yield PREREQUISITE_LATE.at(
            reference.path,
            f"`{reference.name}` opens on {opens}, but this course ends on {end}: "
            "nobody can complete it first",
            "open it earlier, or end this course later",
        )


def is_closed(course: Resource, reference: Reference, first: Resource) -> Iterator[Finding]:
    """Yields a finding for a prerequisite that ends before anybody can join this course: new
    learners can never start."""
    opens, end = latest_date(course.facts, _JOINED), access_end(first.facts)
    if begins_after(opens, end):
        yield PREREQUISITE_CLOSED.at(
            reference.path,
            f"`{reference.name}` ends on {end}, before anybody can join this course on {opens}: "
            "learners who have not completed it by then can never start",
            "end it later if new learners should be able to join",
        )


REFERENCE_RULES = {"prerequisiteCourses": (can_be_taken, comes_too_late, is_closed)}
