"""What a change looks like to a learner: the outline with what is new, gone and different in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...diff import FieldChange
from ...kinds import is_structure
from ...plan import Action, Plan, PlannedChange, outcome
from ...resource import Form
from ...visible import visible
from .. import words
from ..word_diff import Segment, segments, word_changes
from .bodies import sanitised

_BODIES = 40
"""Bodies of one resource that are shown."""
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_SHOWN = "title", "description"
"""Texts at the top that learners read first."""


class BodyPair(NamedTuple):
    """A text in both versions, as HTML; None where there is none."""

    before: str | None
    after: str | None


class LearnerPart(NamedTuple):
    """A part of what learners see."""

    title: str
    was: str
    """Its title before; empty unless that was another."""
    type: str
    mark: str
    """`new`, `gone`, `changed`, or empty."""
    bodies: Sequence[BodyPair]
    parts: Sequence["LearnerPart"]


class LearnerView(NamedTuple):
    """One resource as learners see it."""

    texts: Sequence[tuple[str, Sequence[Segment]]]
    """What stands at the top, by its name, with the words that differ."""
    parts: Sequence[LearnerPart]
    left_out: int
    """Bodies that are not shown."""


def seen(plan: Plan, planned: PlannedChange) -> LearnerView | None:
    """None for what has no parts that learners could see."""
    form = outcome(plan, planned.address)
    if not any(is_structure(value) for value in form.values()):
        return None
    walk = _Walk({one.path: one for one in planned.fields}, planned.action is Action.CREATE)
    parts = list(walk.parts("", form))
    texts = [(name, _words(*walk.both(name, form))) for name in _SHOWN]
    left_out = max(0, walk.count - _BODIES)
    return LearnerView([text for text in texts if text[1]], parts, left_out)


def _words(before: str, after: str) -> list[Segment]:
    """A text with its differences in it, or both where they have too little in common."""
    if pieces := word_changes(before, after):
        return [*segments(pieces, full=True)]
    return [Segment(sign, visible(text)) for sign, text in (("-", before), ("+", after)) if text]


@dataclass
class _Walk:
    """The parts of a form, each compared with what changes at its path."""

    changes: Mapping[str, FieldChange]
    new: bool
    count: int = 0
    """Bodies that were met."""

    def both(self, name: str, holder: Form, path: str = "") -> tuple[str, str]:
        """A text before and after."""
        after = holder.get(name)
        change = self.changes.get(f"{path}{name}")
        before = change.before if change else None if self.new else after
        return words.text_of(before) or "", words.text_of(after) or ""

    def parts(self, path: str, holder: Form) -> Iterator[LearnerPart]:
        for name, items in holder.items():
            if not is_structure(items):
                continue
            for item in items:
                yield self.part(f"{path}{name}[{item['id']}]", item)
            yield from self._gone(f"{path}{name}", items)

    def _gone(self, path: str, items: Sequence[Form]) -> Iterator[LearnerPart]:
        there = {item["id"] for item in items}
        for where, change in self.changes.items():
            name = where.removeprefix(path)[1:-1]
            if change.after is None and where == f"{path}[{name}]" and name not in there:
                yield _Walk({}, new=False).part(where, change.before)._replace(mark="gone")

    def part(self, path: str, item: Form) -> LearnerPart:
        change = self.changes.get(path)
        inner = _Walk({}, new=True) if change and change.before is None else self
        was, title = inner.both("title", item, f"{path}.")
        bodies = list(inner.texts(f"{path}.", item))
        here = any(is_within_part(path, where) for where in self.changes)
        mark = "new" if inner.new else "changed" if here else ""
        kind = item["type"] if isinstance(item.get("type"), str) else ""
        below = list(inner.parts(f"{path}.", item))
        self.count += inner.count if inner is not self else 0
        return LearnerPart(
            title, was if was != title and not inner.new else "", kind, mark, bodies, below
        )

    def texts(self, path: str, item: Form) -> Iterator[BodyPair]:
        """Every body that is new or differs."""
        for name, value in item.items():
            change = self.changes.get(f"{path}{name}")
            if not _is_body(name, value) or not (self.new or change):
                continue
            self.count += 1
            if self.count <= _BODIES:
                yield BodyPair(
                    None if self.new or not change else _html(change.before), _html(value)
                )


def is_within_part(path: str, where: str) -> bool:
    """True if a field of this very part is at the path, and of none below it."""
    rest = where.removeprefix(f"{path}.")
    return rest != where and "[" not in rest


def _is_body(name: str, value: Any) -> bool:
    if isinstance(value, dict):
        return "$markdown" in value
    return isinstance(value, str) and (name == "body" or bool(_TAG.search(value)))


def _html(value: Any) -> str | None:
    text = words.text_of(value)
    return None if text is None else sanitised(text, is_markdown=isinstance(value, dict))
