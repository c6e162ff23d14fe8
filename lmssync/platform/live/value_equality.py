"""Compares values of the platform with recorded ones, and puts what differs in their place."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...kind import Reads
from ...kinds import KINDS
from ...resource import Form
from ...state import Counts
from .binding import Binder, Nameless, Unbound
from .change_marks import Marks
from .fetch import CollectedReadings, ShownForm
from .readable_fields import (
    HOLDERS,
    ROWS,
    is_declared,
    is_mapping,
    is_parts,
    leaf_paths,
    pattern_of,
)


def values_equal(reads: Reads, bind: Callable[[Any], Any], path: str, one: Any, other: Any) -> bool:
    """True if both come to the same on the wire; values that cannot be sent yet are compared."""
    if one == other:
        return True
    try:
        sent = bind(one), bind(other)
    except (Unbound, Nameless):
        return False
    normal = reads.on_wire.get(pattern_of(path), lambda value: value)
    return bool(normal(sent[0]) == normal(sent[1]))


class _Differs(Exception):
    """Something is not plainly equal."""


class Expected(NamedTuple):
    """The way to compare a form."""

    reads: Reads
    bind: Callable[[Any], Any]
    readable: Set[str] | None
    """The fields that the routes of the instance show, as kinds declare them; None where what is
    not shown need not be counted."""


def count_equal(expected: Expected, form: Form, shown: Form) -> Counts | None:
    """How many fields of a form there are, and how many of them are shown, if those are equal."""
    walk = _Walk(expected)
    try:
        walk.walk_fields("", form, shown)
    except _Differs:
        return None
    return Counts(walk.proven + walk.unread, walk.proven, unverifiable=walk.unverifiable)


class _Walk:
    """Counts the fields of a form and those that are shown; raises `_Differs`."""

    def __init__(self, expected: Expected) -> None:
        self._reads, self._bind, self._readable = expected
        self._shown_at_all: dict[str, bool] = {}
        self.proven = self.unread = self.unverifiable = 0

    def walk_fields(self, above: str, form: Mapping[str, Any], shown: Form) -> None:
        """`above` is `*.` inside parts: so kinds name the fields of parts."""
        for key, value in form.items():
            if key == "id" and above:
                continue
            if key not in shown:
                self._count_unseen(above + key, value)
            # The usual case first: this runs for every field of every course that is read.
            elif not isinstance(value, HOLDERS) and value == shown[key]:
                self.proven += 1
            elif is_parts(value):
                self._walk_parts(key, value, shown[key])
            else:
                self._compare_value(above + key, value, shown[key])

    def _walk_parts(self, key: str, parts: Sequence[Form], shown: Any) -> None:
        if key in ROWS or not isinstance(shown, list) or len(parts) != len(shown):
            raise _Differs
        for part, there in zip(parts, shown, strict=True):
            # Another order differs as well: the slower comparison says how.
            if part["id"] != there["id"]:
                raise _Differs
            self.walk_fields("*.", part, there)

    def _compare_value(self, name: str, value: Any, shown: Any) -> None:
        normal = self._reads.on_wire.get(name)
        held = 1
        if isinstance(value, HOLDERS):
            if is_mapping(value):
                if not normal:
                    raise _Differs  # its fields may be shown in part
                held = len(leaf_paths({name: value}))
            try:
                value = self._bind(value)
            except (Unbound, Nameless):
                raise _Differs from None
        if value != shown and not (normal and normal(value) == normal(shown)):
            raise _Differs
        self.proven += held

    def _count_unseen(self, name: str, value: Any) -> None:
        """Counts a field that is not shown, or those that it holds."""
        if self._readable is None:
            return
        holds = isinstance(value, HOLDERS) and (is_mapping(value) or is_parts(value))
        form: Form = {name: value}
        for path in leaf_paths(form) if holds else form:
            self.unread += 1
            if path not in self._shown_at_all:
                self._shown_at_all[path] = is_declared(self._readable, path)
            self.unverifiable += not self._shown_at_all[path]


class Unchanged(NamedTuple):
    """The `LiveState` of a resource that is as recorded: its proven fields are only counted."""

    counts: Counts
    form: Form
    """The recorded one."""
    answer: Any
    readings: tuple[str, ...]
    marks: Marks

    @property
    def present(self) -> bool:
        return True


def as_recorded(
    binder: Binder, seen: CollectedReadings, readable: Set[str] | None
) -> Unchanged | None:
    """Recognises a resource that is as recorded; None where anything may differ, or was noticed by
    an earlier look: `read` compares that.

    `readable` are the fields that the routes of the instance show; None where only those that are
    shown have to be counted.
    """
    if not seen.present or not seen.since.is_untouched(seen.marks):
        return None
    shown = _join_forms(seen.shown)
    if shown is None:
        return None
    expected = Expected(KINDS[seen.record.address.kind].reads, binder.bind_value, readable)
    counts = count_equal(expected, seen.recorded, shown)
    return counts and Unchanged(counts, seen.recorded, seen.answer, seen.readings, seen.marks)


def _join_forms(parts: Sequence[ShownForm]) -> Form | None:
    """The values that all answers show; None if they contradict each other."""
    together: Form = {}
    for one in parts:
        if any(together.get(name, value) != value for name, value in one.form.items()):
            return None
        together |= one.form
    return together


Normal = Callable[[Any], Any]
"""Returns a value as the platform stores it."""


@dataclass
class Comparison:
    """Compares one recorded form with what readings show of it; keeps what was proven."""

    reads: Reads
    bind: Callable[[Any], Any]
    proven: set[str] = field(default_factory=set)
    """Paths of fields that were read and compared."""

    nodes: dict[str, Any] = field(default_factory=dict)
    """What a form says in the place of ids, as far as the readings tell."""

    def merge_shown(self, recorded: Form, live: Form, shown: Form) -> Form:
        """`live`, an earlier result or the recorded form, with what differs in `shown`."""
        return self._merge_mapping("", recorded, live, shown)

    def _merge_mapping(
        self, above: str, recorded: Mapping[str, Any], live: Mapping[str, Any], shown: Form
    ) -> Form:
        """`above` is what the paths of its fields begin with."""
        merged, named = dict(live), pattern_of(above)
        for key, value in recorded.items():
            if key not in shown or key == "id":
                continue
            path, normal = above + key, self.reads.on_wire.get(named + key)
            if normal or isinstance(value, HOLDERS) or value != shown[key]:
                merged[key] = self._merge_value(path, normal, value, live.get(key), shown[key])
            else:
                self.proven.add(path)
        return merged

    def _merge_value(
        self, path: str, normal: Normal | None, recorded: Any, live: Any, shown: Any
    ) -> Any:
        holds = isinstance(recorded, HOLDERS)
        if holds and is_parts(recorded) and isinstance(shown, list):
            return self._merge_parts(path, recorded, live, shown)
        inside = holds and is_mapping(recorded)
        if inside and not normal and is_mapping(shown) and is_mapping(live):
            return self._merge_mapping(f"{path}.", recorded, live, shown)
        try:
            sent = self.bind(recorded) if holds else recorded
        except (Unbound, Nameless):
            return live
        self.proven.add(path)
        if inside:
            self.proven.update(leaf_paths(recorded, path))
        same = sent == shown or bool(normal and normal(sent) == normal(shown))
        # A field that was recorded as null was cleared: the platform shows an empty text or list in
        # its place.
        if same or (recorded is None and not shown):
            return live
        # One new item must not make drift of the others, which mean the same in other words.
        if normal and isinstance(recorded, list) and isinstance(shown, list):
            shown = _keep_recorded(recorded, sent, shown, normal)
        # An id that was sent gets its name back, so that people read names on both sides.
        return _name_ids(shown, self.nodes | dict(_sent_ids(recorded, sent)))

    def _merge_parts(
        self, path: str, recorded: Sequence[Form], live: Sequence[Form], shown: Sequence[Form]
    ) -> list[Form]:
        """Parts in the order in which they are shown; those that are not shown are gone."""
        self.proven.add(f"{path}.order")
        was, now = ({item["id"]: item for item in items} for items in (recorded, live))
        return [
            self._merge_mapping(f"{path}[{name}].", was[name], now[name], item)
            for item in shown
            if (name := item["id"]) in was and name in now
        ]


def _keep_recorded(
    recorded: Sequence[Any], sent: Sequence[Any], shown: Sequence[Any], normal: Normal
) -> list[Any]:
    """The live value, with recorded mappings in place of those that mean the same."""
    pairs = [
        (normal([mine]), known)
        for known, mine in zip(recorded, sent, strict=True)
        if isinstance(mine, Mapping)
    ]
    return [next((k for mine, k in pairs if mine == normal([one])), one) for one in shown]


def _name_ids(shown: Any, known: Mapping[str, Any]) -> Any:
    """The live value, with nodes in place of ids."""
    if isinstance(shown, list):
        return [known.get(one, one) if isinstance(one, str) else one for one in shown]
    return known.get(shown, shown) if isinstance(shown, str) else shown


def _sent_ids(recorded: Any, sent: Any) -> Iterator[tuple[str, Any]]:
    pairs = zip(recorded, sent, strict=True) if isinstance(recorded, list) else [(recorded, sent)]
    for node, id_ in pairs:
        if isinstance(node, Mapping) and "$ref" in node and isinstance(id_, str):
            yield id_, node
