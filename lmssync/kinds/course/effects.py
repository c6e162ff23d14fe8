"""How a change of a course affects people, and whom it concerns.

The models say what a field does; here is what concerns parts alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ...kind import Effect, Spec, Subject, SubjectKind
from ...resource import Address, Form
from ..references import own_node
from .form import ONE_TOPIC
from .tree import ROOTS, list_topics, name_of_row

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
    Effect.COMMERCE: "whoever buys from now on buys on these terms",
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
