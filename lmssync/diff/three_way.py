"""Compares desired, recorded and live field by field, and says what becomes of each difference.

Changed in git only: an update. Changed on the platform only: drift, which stays unless somebody
decides for git. Changed on both sides to the same: nothing to send. Changed on both sides,
each in its own way: a conflict, which waits for a decision.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from enum import StrEnum
from typing import Any, NamedTuple

from ..decisions import Side, is_within
from ..resource import Form
from .fields import FieldChange, compare
from .paths import ABSENT, overlap, put, value_at

Decide = Callable[[str], Side | None]
"""What somebody has decided about a path."""
Alike = Callable[[Any, Any], bool]
"""Whether a desired and a live value are the same for the platform."""


class Outcome(StrEnum):
    """What becomes of a field that was changed on the platform."""

    KEPT = "kept"
    """Only the platform has changed it: it stays as it is there."""
    GIT = "git"
    """Somebody has decided for git: its value is sent."""
    PLATFORM = "platform"
    """Somebody has decided for the platform: nothing is sent."""
    CONVERGED = "converged"
    """Both say the same by now: it is recorded."""
    CONFLICT = "conflict"
    """Both have changed it, and nobody has decided."""

    @property
    def stays(self) -> bool:
        """True if the platform keeps its value, and the record its own."""
        return self in {Outcome.KEPT, Outcome.PLATFORM, Outcome.CONFLICT}


class Drift(NamedTuple):
    """A field whose live value is not the recorded one."""

    path: str
    recorded: Any
    live: Any
    """`None` for one that nobody can read."""
    decision: Outcome = Outcome.KEPT
    noticed: bool = False
    """Its part was changed, and no route shows whether the field was: the live value is unknown."""


class Looked(NamedTuple):
    """What reads have shown of the form that is recorded."""

    form: Form
    """The recorded form with every live value that differs in its place."""
    proven: Set[str] = frozenset()
    """Paths of fields that were compared."""
    noticed: Set[str] = frozenset()
    """Paths of parts that somebody has changed after our last write."""


class Merged(NamedTuple):
    """What an update starts from and leads to."""

    before: Form
    """What the platform has."""
    after: Form
    """What it is to have."""
    recorded: Form
    """What to record then: fields that stay different keep their recorded value, so that they are
    still drift in the next plan."""


def drifts(recorded: Form, looked: Looked) -> Iterator[Drift]:
    """What people have changed on the platform; parts that came or went are not its business."""
    for change in compare(recorded, looked.form):
        if not change.path.endswith("]"):
            live = value_at(looked.form, change.path)
            yield _drift(recorded, change.path, change.after if live is ABSENT else live)
    for part in sorted(looked.noticed):
        for path in _unseen(recorded, part, looked.proven):
            yield _drift(recorded, path, None)._replace(noticed=True)


def _drift(recorded: Form, path: str, live: Any) -> Drift:
    known = value_at(recorded, path)
    return Drift(path, None if known is ABSENT else known, live)


def _unseen(recorded: Form, part: str, proven: Set[str]) -> Iterator[str]:
    """The fields of a part that no read has compared; not those of the parts in it."""
    fields = value_at(recorded, part)
    for name, value in fields.items() if isinstance(fields, dict) else ():
        path = f"{part}.{name}"
        if name != "id" and value is not None and not any(is_within(p, path) for p in proven):
            yield path


def judged(
    recorded: Form,
    desired: Form,
    drift: Iterable[Drift],
    decide: Decide,
    alike: Alike,
) -> list[Drift]:
    """The drift of fields that the manifest manages, each with what becomes of it."""
    changed = list(compare(recorded, desired))
    managed = [one for one in drift if value_at(desired, one.path) is not ABSENT]
    return [
        one._replace(decision=_outcome(one, desired, changed, decide, alike)) for one in managed
    ]


def _outcome(
    one: Drift, desired: Form, changed: Sequence[FieldChange], decide: Decide, alike: Alike
) -> Outcome:
    in_git = any(overlap(field.path, one.path) for field in changed)
    if in_git and not one.noticed and alike(value_at(desired, one.path), one.live):
        return Outcome.CONVERGED
    if side := decide(one.path):
        return Outcome.GIT if side is Side.GIT else Outcome.PLATFORM
    return Outcome.CONFLICT if in_git else Outcome.KEPT


def merged(recorded: Form, desired: Form, drift: Sequence[Drift]) -> Merged:
    """The update that sends what git has changed, and leaves alone what stays."""
    before, after = recorded, desired
    for one in drift:
        if not one.decision.stays:
            before = _put(before, one.path, _started(one, desired))
        else:
            before = _put(before, one.path, one.recorded if one.noticed else one.live)
            after = _put(after, one.path, one.recorded if one.noticed else one.live)
    return Merged(before, after, as_recorded(after, drift))


def _started(one: Drift, desired: Form) -> Any:
    """What an update of a field starts from."""
    if one.decision is Outcome.CONVERGED:
        return value_at(desired, one.path)
    return ABSENT if one.noticed else one.live


def as_recorded(form: Form, drift: Iterable[Drift]) -> Form:
    """A form that an update leads to, as it is recorded: what stays on the platform is not."""
    for one in drift:
        if one.decision.stays and value_at(form, one.path) is not ABSENT:
            form = _put(form, one.path, one.recorded)
    return form


def _put(form: Form, path: str, value: Any) -> Form:
    """The form with a value in place, if the part that it belongs to is there."""
    parent = path.rpartition("].")[0]
    if parent and value_at(form, f"{parent}]") is ABSENT:
        return form
    changed: Form = put(form, path, value)
    return changed
