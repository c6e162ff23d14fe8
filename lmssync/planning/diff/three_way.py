"""Compares desired, recorded and live field by field, and says what becomes of each difference.

Changed in git only: an update. Changed on the platform only: drift, which stays unless somebody
decides for git. Changed on both sides to the same: nothing to send. Changed on both sides,
each in its own way: a conflict, which waits for a decision, with what goes with it. What git
begins to manage is sent, and the plan shows what the platform has.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from ...platform.live import LiveState
from ...resource import Address, Form, is_within
from ...support.decisions import Side
from .field_paths import (
    ABSENT,
    ORDER,
    FieldChange,
    compare_forms,
    is_plain_mapping,
    paths_overlap,
    put_value,
    value_at,
)

UNKNOWN = "unknown"
"""The time of a change whose time nobody knows."""
Decide = Callable[[str], Side | None]
"""Returns the side that somebody has decided for at a path, if anybody has."""
ValuesEqual = Callable[[str, Any, Any], bool]
"""Whether a desired and a live value of a path are the same for the platform."""


class Resolution(StrEnum):
    """The decision about a field that was changed on the platform."""

    KEPT = "kept"
    """Only the platform has changed it: it stays as it is there."""
    GIT = "git"
    """Somebody has decided for git: its value is sent."""
    PLATFORM = "platform"
    """Somebody has decided for the platform: nothing is sent."""
    CONVERGED = "converged"
    """Both say the same by now: it is recorded."""
    BEGUN = "begun"
    """Git begins to manage it: its value is sent in the place of what the platform has."""
    CONFLICT = "conflict"
    """Both have changed it, and nobody has decided."""
    WAITING = "waiting"
    """Only git has changed it, but it goes with a field in conflict."""

    @property
    def is_undecided(self) -> bool:
        """True if it is not sent before somebody has decided."""
        return self in {Resolution.CONFLICT, Resolution.WAITING}

    @property
    def stays(self) -> bool:
        """True if the platform keeps its value, and the record its own."""
        return self in {Resolution.KEPT, Resolution.PLATFORM} or self.is_undecided


class Drift(NamedTuple):
    """A field whose live value is not the recorded one."""

    path: str
    recorded: Any
    live: Any
    """`None` for one that nobody can read."""
    decision: Resolution = Resolution.KEPT
    noticed_at: str = ""
    """When its part was changed, if no route shows whether the field was: then nobody knows its
    live value."""
    places: Mapping[str, Any] = {}
    """The objects that keep the field with different values, and what each has."""

    def describe_places(self) -> str:
        """`the session has “A” and the course group has “B”`"""
        return " and ".join(f"the {holder} has “{value}”" for holder, value in self.places.items())


class Merged(NamedTuple):
    """The forms that an update starts from and leads to."""

    before: Form
    """The form of the platform."""
    after: Form
    """The form that the platform should have."""
    recorded: Form
    """The form to record then: fields that stay different keep their recorded value, so that they
    are still drift in the next plan."""


def find_drift(recorded: Form, live: LiveState) -> Iterator[Drift]:
    """Yields the fields that people have changed on the platform; parts that came or went are not
    among them."""
    for change in compare_forms(recorded, live.form):
        if not change.path.endswith("]"):
            there = value_at(live.form, change.path)
            drift = _make_drift(recorded, change.path, change.after if there is ABSENT else there)
            drift = drift._replace(places=live.contradictions.get(change.path, {}))
            in_order = change.path.endswith(f".{ORDER}")  # of parts that are on both sides
            yield drift._replace(recorded=change.before) if in_order else drift
    for part in sorted(live.noticed):
        times = (mark for path, mark in live.marks.items() if is_within(part, path))
        noticed_at = next(times, UNKNOWN)
        for path in _unseen_fields(recorded, live, part):
            yield _make_drift(recorded, path, None)._replace(noticed_at=noticed_at)


def _make_drift(recorded: Form, path: str, live: Any) -> Drift:
    known = value_at(recorded, path)
    return Drift(path, None if known is ABSENT else known, live)


def _unseen_fields(recorded: Form, live: LiveState, part: str) -> Iterator[str]:
    """The fields of a part, or the field, that no read has compared: with a value that is
    recorded, or that git begins to manage."""
    held = value_at(live.form, part)
    inner = held if is_plain_mapping(held) else {}
    for path in [f"{part}.{name}" for name in inner if name != "id"] or [part]:
        if value_at(recorded, path) is None or value_at(live.form, path) is ABSENT:
            continue
        if not any(is_within(p, path) for p in live.proven | live.unshown):
            yield path


def judge_drift(
    recorded: Form, desired: Form, drift: Iterable[Drift], decide: Decide, equal: ValuesEqual
) -> list[Drift]:
    """The drift of fields that the manifest manages, each with what becomes of it."""
    changed = list(compare_forms(recorded, desired))
    judged: list[Drift] = []
    for one in drift:
        wanted = value_at(desired, one.path)
        if wanted is not ABSENT:
            # Of several places, the first value that git does not want is the one to be replaced.
            others = (live for live in one.places.values() if not equal(one.path, wanted, live))
            field = one._replace(live=next(others, one.live))
            decision = _resolve_drift(field, recorded, desired, changed, decide, equal)
            judged.append(field._replace(decision=decision))
    return judged


def _resolve_drift(
    one: Drift,
    recorded: Form,
    desired: Form,
    changed: Sequence[FieldChange],
    decide: Decide,
    equal: ValuesEqual,
) -> Resolution:
    in_git = any(paths_overlap(field.path, one.path) for field in changed)
    # A change that was only noticed shows no value, so nobody can say that both are the same.
    if in_git and not one.noticed_at and equal(one.path, value_at(desired, one.path), one.live):
        return Resolution.CONVERGED
    # A person decides about conflicts and about drift alike, whatever git says.
    if side := decide(one.path):
        return Resolution.GIT if side is Side.GIT else Resolution.PLATFORM
    if value_at(recorded, one.path) is ABSENT and not one.noticed_at:
        return Resolution.BEGUN
    return Resolution.CONFLICT if in_git else Resolution.KEPT


def merge_drift(
    recorded: Form, desired: Form, drift: Sequence[Drift], *, with_undecided: bool = False
) -> Merged:
    """The update that sends what git has changed, and leaves alone what stays.

    With `with_undecided` it is the update that git wants, conflicts or not, which nobody sends.
    """
    before, after = recorded, desired
    for one in drift:
        before = _put_value(before, one.path, _start_value(one, desired))
        if one.decision.stays and not (with_undecided and one.decision.is_undecided):
            after = _put_value(after, one.path, _start_value(one, desired))
    return Merged(before, after, as_recorded(after, drift))


def _start_value(one: Drift, desired: Form) -> Any:
    if one.decision is Resolution.CONVERGED:
        return value_at(desired, one.path)
    if one.noticed_at:
        # The live value is unknown: an update that starts from nothing sends git's value for sure.
        return ABSENT if one.decision is Resolution.GIT else _recorded_value(one)
    return one.live


def _recorded_value(one: Drift) -> Any:
    """The recorded value of a field that stays; none where the catalog only begins to manage it."""
    return ABSENT if one.noticed_at and one.recorded is None else one.recorded


def explain_places(address: Address, one: Drift) -> str:
    """Which objects have which value of a field that a manifest says once, and what to do."""
    return f"{one.describe_places()}, and {explain_decision(address, one)}"


def explain_decision(address: Address, one: Drift) -> str:
    """The two ways to settle a field that two objects keep with different values."""
    return (
        f"a manifest has one {one.path} for both: an apply with `--keep git {address}:{one.path}` "
        "sends that value to both; or give both one value in the admin interface, and "
        f"then `lmssync pull {address}` writes it into the manifest"
    )


def as_recorded(form: Form, drift: Iterable[Drift]) -> Form:
    """A form that an update leads to, as it is recorded: what stays on the platform is not."""
    for one in drift:
        if one.decision.stays and value_at(form, one.path) is not ABSENT:
            form = _put_value(form, one.path, _recorded_value(one))
    return form


def _put_value(form: Form, path: str, value: Any) -> Form:
    """The form with a value in place, if the part that it belongs to is there."""
    parent = path.rpartition("].")[0]
    if parent and value_at(form, f"{parent}]") is ABSENT:
        return form
    changed: Form = put_value(form, path, value)
    return changed
