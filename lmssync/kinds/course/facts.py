"""What the rules of other resources need to know about a course, without opening its form.

A topic whose content the manifest cannot hold is made empty (spec 2.2), and a person fills it.
Until somebody attests that it is filled, no rule of completion can rely on it.
"""

from collections.abc import Mapping, Set
from typing import Any

from ...kind import Data, Json
from ...resource import Form
from ...vocabulary.enums import FILLED_TOPICS, SHELL_TOPICS, CourseKind, CreateStatus, TopicType
from ..moments import begins_after, latest_date
from .form import MAIN, ONE_TOPIC
from .tree import all_topics, list_pages, list_topics, name_of_row, walk_parts

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

    `hollow` holds the types of the empty topics by path. `late` holds the sections that open after
    the course has ended, and `gate` the topic that nobody can pass if pages are taken in order,
    with the pages up to it; both say how many of how many pages can be seen.
    """
    hollow = (
        {} if types <= _FULL and form.get("kind") not in ONE_TOPIC else _hollow_topics(data, form)
    )
    blocks = {"hollow": hollow, "late": _late_dates(form), "gate": _find_gate(form, hollow)}
    return {key: value for key, value in blocks.items() if value}


def _hollow_topics(data: Data, form: Form) -> dict[str, str]:
    """What is empty, and what nobody vouches for in the document: its name stands in the form."""
    rows = list_topics(form)
    both = zip(rows, list_pages(walk_parts(data)), strict=True)
    attested = {name_of_row(*row) for (_, row), (_, raw) in both if raw.get("attested")}
    empty = {name_of_row(*row): row[-1]["type"] for _, row in rows if made_empty(row[-1])}
    kind = ONE_TOPIC.get(form.get("kind", ""))
    if kind and made_empty({**form, "type": kind}):
        empty = {MAIN: kind} | empty
    return {path: kind for path, kind in empty.items() if path not in attested}


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
    if not (form.get("forceLinearProgress") and shells):
        return {}
    names = [name_of_row(*row) for _, row in list_topics(form)]
    first = next(number for number, path in enumerate(names) if path in shells)
    seen = dict.fromkeys(names[: first + 1], True)
    return {"topic": names[first], "open": seen, "seen": first + 1, "of": len(names)}
