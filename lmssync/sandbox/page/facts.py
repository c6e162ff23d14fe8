"""The facts of a session in its card: people, dates, seats, custom fields, what goes with it."""

from typing import Any

from ..platform import Platform
from . import wording
from .markup import Html, el
from .shelf import link_to

Doc = dict[str, Any]
_DATES = {
    "enrollmentStartDate": "Enroll from",
    "enrollmentEndDate": "Enroll until",
    "courseStartDate": "Runs from",
    "courseEndDate": "Runs until",
    "gracePeriodEndDate": "Access until",
}
_FLAGS = {
    "forceLinearProgress": ("Order", "One page after the other"),
    "availableToPublic": ("Without login", "Yes"),
    "discussionsEnabled": ("Discussions", "Yes"),
}


def facts(platform: Platform, group: Doc, course: Doc) -> Html:
    """Those that somebody set."""
    told = {
        "By": ", ".join(group.get("authors") or ()),
        "Source": group.get("source"),
        "Sku": course.get("sku"),
        "ISBN": group.get("isbn"),
        "Seats": str(course.get("enrollmentLimit") or ""),
        **{word: _day(course.get(name)) for name, word in _DATES.items()},
        **{word: value for name, (word, value) in _FLAGS.items() if course.get(name)},
        **_custom(group.get("customFields")),
        **_custom(course.get("sessionCustomFields")),
    }
    rows = [part for name, value in told.items() if value for part in _row(name, value)]
    return el("dl", *rows, *_links(platform, group, course))


def _row(name: str, value: str | Html | list[Html]) -> tuple[Html, Html]:
    return el("dt", name), el("dd", value)


def _day(stamp: str | None) -> str | None:
    return wording.day(stamp[:10]) if stamp else None


def _custom(values: Doc | None) -> dict[str, str]:
    return {
        slug: ", ".join(value) if isinstance(value, list) else str(value or "")
        for slug, value in (values or {}).items()
    }


def _links(platform: Platform, group: Doc, course: Doc) -> list[Html]:
    """What comes first, and what goes with it."""
    first = [
        *(course.get("prerequisiteCourseIds") or ()),
        *(course.get("prerequisiteLearningPathIds") or ()),
    ]
    parts: list[Html] = []
    for name, ids in {"First": first, "Related": group.get("relatedCourseGroupIds") or ()}.items():
        links = [el("div", link) for id_ in ids if (link := link_to(platform, id_))]
        parts += _row(name, links) if links else ()
    return parts
