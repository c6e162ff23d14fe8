"""Whether siblings in a course can be told apart."""

from collections.abc import Iterator, Sequence
from typing import Any

from ...problems import Finding, Rule, warning_rule
from ..sibling_names import find_repeated, part_names
from .course_manifest import CourseSpec, Topic
from .course_relations import goes_live

ID_TWICE = Rule(
    "id-twice",
    "Two siblings have the same `id`.",
    "Change one of them.",
    within="a lesson",
    wrong="topics:\n  - {id: a, title: One, type: quiz}\n  - {id: a, title: Two, type: quiz}",
    right="topics:\n  - {id: a, title: One, type: quiz}\n  - {id: b, title: Two, type: quiz}",
)
PART_ID = warning_rule(
    "part-id",
    "A section, lesson or topic of a course that goes live has no `id`, so its title is its "
    "name. With another title it would become a new part, and what learners did in the old "
    "one would be lost.",
    "Run `lmssync fmt --ids`: it writes the ids that the parts have already; `--short-ids` writes "
    "shorter ones. After that a title may change.",
    source="O11",
    wrong="status: published\nsections:\n  - {title: Start, lessons: []}",
    right="status: published\nsections:\n  - {id: start, title: Start, lessons: []}",
)
TITLE_TWICE = warning_rule(
    "title-twice",
    "Two siblings have the same title; only their order tells them apart on the platform.",
    "Change one of the two titles.",
    source="O18",
    within="a lesson",
    wrong="topics:\n  - {id: a, title: One, type: quiz}\n  - {id: b, title: One, type: quiz}",
    right="topics:\n  - {id: a, title: One, type: quiz}\n  - {id: b, title: Two, type: quiz}",
)


def check_part_ids(course: CourseSpec) -> Iterator[Finding]:
    """Yields a finding for each id that two siblings share."""
    for path, _, siblings in course.lists:
        given = [item.id for item in siblings if item.id]
        if len(set(given)) == len(given):  # as nearly always, which is quick to see
            continue
        for position, first in find_repeated(siblings, lambda item: item.id or None):
            message = f"the id `{first.id}` is used twice in `{path[-1]}`"
            hint = "ids must differ among siblings; they are how criteria name topics"
            yield ID_TWICE.at((*path, position, "id"), message, hint)


def check_part_titles(course: CourseSpec) -> Iterator[Finding]:
    """Siblings are found again by their titles, topics by title and type (O15, O18)."""
    for path, _, siblings in course.lists:
        if len({item.title for item in siblings}) == len(siblings):
            continue
        for position, first in find_repeated(siblings, _title_and_type):
            yield TITLE_TWICE.at(
                (*path, position, "title"),
                f"the title “{first.title}” is used twice in `{path[-1]}`; the platform gives no "
                "ids, so only their order tells the two apart",
            )


def _title_and_type(item: Any) -> tuple[str, str]:
    return item.title, item.type if isinstance(item, Topic) else ""


def check_named_parts(course: CourseSpec) -> Iterator[Finding]:
    """Learners lose a part whose title changes, if its id is made from the title."""
    if not goes_live(vars(course)):
        return
    nameless = [
        ((*path, position), item, name)
        for path, _, siblings in course.lists
        if not all(item.id for item in siblings)
        for position, (item, name) in enumerate(
            zip(siblings, _sibling_names(siblings), strict=True)
        )
        if not item.id
    ]
    if nameless:
        path, first, name = nameless[0]
        others = len(nameless) - 1
        plural = "s" if others > 1 else ""
        more = f" and {others} other part{plural} have" if others else " has"
        yield PART_ID.at(
            path,
            f"“{first.title}”{more} no `id`: with another title it would become a new part, "
            "and what learners did in the old one would be lost",
            "`lmssync fmt --ids` writes the id that each part gets from its title, such as "
            f"`id: {name}`",
        )


def _sibling_names(siblings: Sequence[Any]) -> Sequence[str]:
    return part_names([{"id": item.id, "title": item.title} for item in siblings])


OUTLINE_RULES = (check_part_ids, check_part_titles, check_named_parts)
