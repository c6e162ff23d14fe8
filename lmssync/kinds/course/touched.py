"""Whom a change of a course concerns: those in it, and those at the topics that it changes."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...address import Address
from ...kind import Subject, SubjectKind
from ...resource import Form
from ..references import own
from .form import ONE_TOPIC
from .tree import ROOTS, name, topics


def touches(address: Address, before: Form, after: Form) -> Iterator[Subject]:
    """The course, then each topic that was there and is another now, or is gone."""
    yield Subject(SubjectKind.COURSE, own(address, id="course"))
    if before and after and any(before.get(level) != after.get(level) for level in ROOTS):
        was, now = _topics(before), _topics(after)
        changed = (path for path in was if was[path] != now.get(path))
        yield from (Subject(SubjectKind.TOPIC, own(address, part=path)) for path in changed)


def _topics(form: Form) -> Mapping[str, Any]:
    """Topics by their paths; nothing of the kinds whose one topic is the course."""
    if not form or form.get("kind") in ONE_TOPIC:
        return {}
    return {name(*row): row[-1] for _, row in topics(form)}
