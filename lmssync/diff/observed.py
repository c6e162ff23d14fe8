"""Adds to a change what a look has shown: whether it exists and what others have changed."""

from collections.abc import Iterator
from dataclasses import replace

from ..kind import Ids
from ..kinds import KINDS
from ..live import LiveState
from ..resource import Form, pack_form
from ..state import Record
from .change import Change, Difference
from .fields import FieldChange, compare


def with_live(change: Change, seen: LiveState | None, *, again: bool = False) -> Change:
    """The change with what a read has shown: whether it exists, and what others changed.

    `again` says that parts which somebody has deleted by hand will be created again.
    """
    if seen is None or change.recorded is None:
        return change
    if not seen.present:
        return replace(change, missing=True)
    return replace(
        _with_parts(change, seen, again=again), conflicts=list(_conflicts(change, seen.form))
    )


def _conflicts(change: Change, live: Form) -> Iterator[FieldChange]:
    """Fields that were changed in git and on the platform, each in its own way."""
    recorded = change.recorded.form if change.recorded else {}
    touched = {field.path: field.after for field in change.fields}
    for drift in compare(recorded, live):
        if drift.path in touched and touched[drift.path] != drift.after:
            yield drift


def _with_parts(change: Change, seen: LiveState, *, again: bool) -> Change:
    """The change compared with what really exists: parts that were found, parts that are gone."""
    record = change.recorded
    if record is None or seen.answer is None or change.desired is None:
        return change
    reconcile = KINDS[change.address.kind].reads.reconcile
    shown = reconcile(change.before, change.after, record.ids, seen.answer, again=again)
    if shown is None:
        return change
    if shown.ambiguity:
        return replace(change, unclear=shown.ambiguity)
    if not (shown.found or shown.gone):
        return change
    corrected = _record(change, shown.ids, shown.form)
    return replace(
        change,
        recorded=corrected,
        original=record,
        renamed=None,
        fields=list(compare(shown.form, change.after)),
        found=shown.found,
        gone=shown.gone,
    )


def taken_over(change: Change, ids: Ids, form: Form) -> Change:
    """Something that is not in the state but already exists on the platform."""
    fields = list(compare(form, change.after))
    return replace(
        change,
        difference=Difference.CHANGED if fields else Difference.SAME,
        recorded=_record(change, ids, form),
        fields=fields,
        found=("",),
    )


def made_again(change: Change) -> Change:
    """Treats something that no longer exists on the platform as if it had never been made."""
    return replace(
        change,
        difference=Difference.NEW,
        original=change.recorded,
        recorded=None,
        renamed=None,
        fields=(),
        released=(),
        conflicts=(),
        missing=False,
    )


def _record(change: Change, ids: Ids, form: Form) -> Record:
    known, packed = change.recorded, pack_form(form)
    return known.holding(packed, ids) if known else Record.of(change.address, ids, packed)
