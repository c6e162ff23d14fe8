"""What a change looks like to a learner: the page of a course as the preview has it, marked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...kinds import is_structure
from ...planning.plan import Plan, PlannedChange, forms_of_change
from ...support.pages import NEW, Document, complete_entry, mark_changes, sanitise_body
from ...texts.values import render_markdown

_BODIES = 40
"""Bodies of one resource that are shown."""
_TEXTS = "body", "preTextBlock", "postTextBlock"
"""The fields of a part, and of a language of it, that hold a body."""


class LearnerView(NamedTuple):
    """One resource as learners see it."""

    course: Document
    """With what differs marked, and without the bodies that do not differ."""
    left_out: int
    """Bodies that differ and are not shown."""


def learner_view(plan: Plan, planned: PlannedChange) -> LearnerView | None:
    """None for what has no parts that learners could see."""
    before, after = forms_of_change(plan, planned)
    if not any(is_structure(value) for value in after.values()):
        return None
    now = complete_entry(_sanitised_form(after))
    shown = _Shown()
    course = shown.part(
        mark_changes(now, complete_entry(_sanitised_form(before))) if before else now,
        new=not before,
    )
    return LearnerView(course, max(0, shown.bodies - _BODIES))


def _sanitised_form(value: Any) -> Any:
    """A form with sanitised HTML in the place of the nodes for it, and no body of an author."""
    if isinstance(value, list):
        return [_sanitised_form(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$markdown" in value:
        return _sanitise_text(render_markdown(value["$markdown"]))
    made = {name: _sanitised_form(item) for name, item in value.items()}
    clean = {n: _sanitise_text(made[n]) for n in _TEXTS if type(made.get(n)) is str}
    return {**made, **clean, "filled": bool(value.get("attested"))}


def _sanitise_text(html: str) -> str:
    """A body without `style`, which the policy of a report does not let count."""
    return sanitise_body(html, keeps_styles=False)


@dataclass
class _Shown:
    """Leaves out the bodies that are as they were, and those that are too many."""

    bodies: int = 0
    """Bodies that differ and were met so far."""

    def part(self, document: Document, *, new: bool) -> Document:
        """A part with everything in it; all bodies of one that is new differ."""
        new = new or document.get("mark") == NEW
        return dict(self._fields(document, new=new))

    def _fields(self, document: Document, *, new: bool) -> Iterator[tuple[str, Any]]:
        differs = document.get("was", {}).keys()
        for name, value in document.items():
            if name in _TEXTS:
                yield name, value if (new or name in differs) and self._has_room(value) else None
            elif isinstance(value, list) and all(isinstance(one, Mapping) for one in value):
                yield name, [self.part(one, new=new) for one in value]
            else:
                yield name, value

    def _has_room(self, body: Any) -> bool:
        self.bodies += bool(body)
        return self.bodies <= _BODIES
