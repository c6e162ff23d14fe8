"""What the rules of other resources need to know about a course, without opening its form.

A topic whose content the manifest cannot hold is made empty (spec 2.2), and a person fills it.
Until somebody attests that it is filled, no rule of completion can rely on it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from ...kind import Data, Json
from ...resource import Form
from ...vocabulary.enums import FILLED_TOPICS, SHELL_TOPICS, CourseKind, CreateStatus, TopicType
from ..moments import after, latest
from .form import MAIN, ONE_TOPIC
from .tree import Row, name, topics

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


def facts(data: Data, form: Form) -> dict[str, Json]:
    """The plain values that are given, and what blocks learners."""
    plain = {name: form[name] for name in _PLAIN if form.get(name) is not None}
    rows = [row for _, row in topics(form)]
    if _has_article(form, rows):
        plain["article"] = True
    # Somebody vouches for a topic in the document; its name stands in the form.
    both = zip(rows, topics(data), strict=True)
    attested = frozenset(name(*row) for row, (_, raw) in both if raw[-1].get("attested"))
    return plain | reach(form, rows, attested)


def _has_article(form: Form, rows: Iterable[Row]) -> bool:
    """Whether there is an article that the rules about reading can look at."""
    if form.get("kind") == CourseKind.ARTICLE or form.get("articleVariant"):
        return True
    return any(row[-1]["type"] == TopicType.ARTICLE for row in rows)


def goes_live(course: Mapping[str, Any]) -> bool:
    """Whether the manifest opens the course to learners, now or at a date."""
    return course.get("status") == CreateStatus.PUBLISHED or bool(course.get("futurePublishDate"))


def made_empty(topic: Mapping[str, Any]) -> bool:
    """Whether a topic has no content once it is made: shell, placeholder, package without file."""
    kind = topic["type"]
    return kind not in FILLED_TOPICS or (kind in FETCHED and not topic.get(FETCHED[kind]))


def reach(form: Form, rows: Sequence[Row], attested: Set[str]) -> dict[str, Json]:
    """What blocks learners on the way to the end: empty for most courses.

    `hollow` holds the types of the empty topics by path. `late` holds the sections that open after
    the course has ended, and `gate` the topic that nobody can pass if pages are taken in order,
    with the pages up to it; both say how many of how many pages can be seen.
    """
    hollow = {path: kind for path, kind in _empty(form, rows) if path not in attested}
    blocks = {"hollow": hollow, "late": _late(form, rows), "gate": _gate(form, rows, hollow)}
    return {key: value for key, value in blocks.items() if value}


def _empty(form: Form, rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    if kind := ONE_TOPIC.get(form.get("kind", "")):
        main = {**form, "type": kind}
        if made_empty(main):
            yield MAIN, main["type"]
    for row in rows:
        if made_empty(row[-1]):
            yield name(*row), row[-1]["type"]


def access_end(course: Mapping[str, Any]) -> str | None:
    """The date after which nobody has access."""
    return latest(course, ("courseEndDate", "gracePeriodEndDate"))


def _late(form: Form, rows: Iterable[Row]) -> dict[str, Json]:
    end = access_end(form)
    sections = form.get("sections") or ()
    late = {s["id"]: s["releaseDate"] for s in sections if after(s.get("releaseDate"), end)}
    if not late:
        return {}
    pages = [row[0]["id"] in late for row in rows]
    return {"sections": late, "seen": pages.count(False), "of": len(pages)}


def _gate(form: Form, rows: Iterable[Row], hollow: Mapping[str, str]) -> dict[str, Json]:
    """The first shell that stops everybody; a placeholder can at least be looked at."""
    shells = {path for path, kind in hollow.items() if kind in SHELL_TOPICS}
    if not (form.get("forceLinearProgress") and shells):
        return {}
    pages = [name(*row) for row in rows]
    first = next(number for number, path in enumerate(pages) if path in shells)
    seen = dict.fromkeys(pages[: first + 1], True)
    return {"topic": pages[first], "open": seen, "seen": first + 1, "of": len(pages)}
