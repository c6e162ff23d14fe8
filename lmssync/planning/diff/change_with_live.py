"""Adds to a change what a look has shown: whether it exists and what others have changed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...kind import ByWord, Effect, Ids, Kind
from ...kinds import KINDS
from ...platform.live import LiveState
from ...resource import Address, Form, pack_form
from ...state import Names, Record
from ...support.decisions import NONE, Decisions
from .change import Change, Difference
from .field_paths import ABSENT, ORDER, FieldChange, compare_forms, top_field, value_at
from .live_records import NO_NAMES, drift_of
from .three_way import Drift, Resolution, ValuesEqual, judge_drift, merge_drift

_ALONE = frozenset({Effect.COSMETIC, Effect.EDITORIAL})
"""Effects of fields that say nothing about each other."""


def equal_exactly(_path: str, one: object, other: object) -> bool:
    return one == other


def with_live(
    change: Change,
    seen: LiveState | None,
    *,
    decided: Decisions = NONE,
    equal: ValuesEqual = equal_exactly,
    names: Names = NO_NAMES,
) -> Change:
    """The change with what a read has shown: whether it exists, and what others changed.

    `names` maps addresses that recorded forms mention to those that they have in the catalog.
    """
    if seen is None or change.recorded is None:
        return change
    if not seen.present:
        return change._replace(missing=True)
    drift = drift_of(change.recorded, seen, names)
    with_parts = _with_parts(change, seen, again=change.address in decided.recreate)
    return with_drift(_with_others(with_parts, seen), drift, decided, equal)


def _with_others(change: Change, seen: LiveState) -> Change:
    """The change with parts that people have added or moved, but in fields left to others."""
    record = change.original or change.recorded
    if record is None or seen.answer is None or change.desired is None:
        return change
    look = KINDS[change.address.kind].reads.part_drift
    came = look(change.applied, change.wanted, record.ids, seen.answer).came
    others = change.desired.lifecycle.ignore
    return change._replace(came=[part for part in came if top_field(part.path) not in others])


def with_drift(
    change: Change, drift: Iterable[Drift], decided: Decisions, equal: ValuesEqual
) -> Change:
    """The change with the fields that people have changed, and what becomes of each."""
    if change.desired is None:
        return change
    applied, wanted, others = change.applied, change.wanted, change.desired.lifecycle.ignore
    own = [one for one in drift if top_field(one.path) not in others]
    known = judge_drift(applied, wanted, own, lambda p: decided.side_for(change.address, p), equal)
    if not known:
        return change
    # One field in conflict holds up only itself and what goes with it. The rest of the resource is
    # planned as always.
    return _block_conflicting_fields(change, known) or change_between(change, known)


def _block_conflicting_fields(change: Change, known: Sequence[Drift]) -> Change | None:
    """The change without its conflicts and what goes with them; None if all of it has to wait."""
    conflicts = [one for one in known if one.decision is Resolution.CONFLICT]
    # The other fields cannot go first while parts, or the whole resource, are in question.
    whole = change.was or change.returned or change.found or change.gone or change.move_conflict
    if whole or not conflicts or any(one.path.endswith(f".{ORDER}") for one in conflicts):
        return None
    goes_along = {one.path: one for one in _find_waiting_fields(change, conflicts, known)}
    rest = [one for one in known if one.path not in goes_along]
    blocked: list[FieldChange] = []
    for one in (*conflicts, *goes_along.values()):
        there = one.recorded if one.noticed_at else one.live
        there = None if there is ABSENT else there
        blocked.append(FieldChange(one.path, there, value_at(change.wanted, one.path)))
    divided = change_between(change._replace(blocked_fields=blocked), [*rest, *goes_along.values()])
    opened = KINDS[change.address.kind].impact.open_to_learners
    # Nothing is published while some of its fields wait: learners would see a mixture.
    if not divided.fields or (opened(divided.after) and not opened(divided.before)):
        return None
    return divided


def _find_waiting_fields(
    change: Change, conflicts: Sequence[Drift], known: Sequence[Drift]
) -> Iterator[Drift]:
    """The fields that the catalog has changed and that go with a field in conflict, unless somebody
    has decided about them."""
    kind, before, after = KINDS[change.address.kind], change.applied, change.wanted
    begun = {one.path: one for one in known if one.decision is Resolution.BEGUN}
    decided = {one.path for one in known} - begun.keys()
    for field in compare_forms(before, after):
        path = field.path
        if path in decided or not any(_belong_together(kind, path, one.path) for one in conflicts):
            continue
        value = value_at(before, path)
        live = begun[path].live if path in begun else value
        yield Drift(path, value, live, Resolution.WAITING)


def _belong_together(kind: Kind, path: str, other: str) -> bool:
    """Whether a field must not be sent while another one waits: both belong to the same part, and
    to one mapping, to one word of it (`type`), or to what the other does to people."""
    (part, field), (holder, leaf) = _split_part(path), _split_part(other)
    if part != holder or field.endswith("]"):
        return False
    name, its = field.partition(".")[0], leaf.partition(".")[0]
    if name == its:
        return name not in kind.authoring.free_form
    effect = kind.impact.of(path)
    if effect not in _ALONE and effect is kind.impact.of(other):
        return True
    declared = (one for several in kind.authoring.together.values() for one in several)
    words = (word for one in declared if isinstance(one, ByWord) for word in one.words.values())
    return any({name, its} <= word.allowed for word in words)


def _split_part(path: str) -> tuple[str, str]:
    part, _, field = path.rpartition("].")
    return part, field


def change_between(change: Change, known: Sequence[Drift]) -> Change:
    """The change that leads from what the platform has to what git wants, but for what stays."""
    before, after, recorded = merge_drift(
        change.applied, change.wanted, known, with_undecided=not change.blocked_fields
    )
    fields = list(compare_forms(before, after))
    return change._replace(
        drift=known,
        live=pack_form(before),
        merged=pack_form(after),
        settled=pack_form(recorded),
        fields=fields,
        difference=Difference.CHANGED if fields else change.difference,
    )


def _with_parts(change: Change, seen: LiveState, *, again: bool) -> Change:
    """The change compared with what really exists: parts that were found, parts that are gone."""
    record = change.recorded
    if record is None or seen.answer is None or change.desired is None:
        return change
    reconcile = KINDS[change.address.kind].reads.reconcile
    shown = reconcile(change.applied, change.wanted, record.ids, seen.answer, again=again)
    if shown is None:
        return change
    if shown.ambiguity:
        return change._replace(unclear=shown.ambiguity)
    if not (shown.found or shown.gone):
        return change
    if change.difference is Difference.SAME:
        return change._replace(gone=shown.gone)
    corrected = _record_as(change, shown.ids, shown.form)
    return change._replace(
        recorded=corrected,
        original=record,
        renamed=None,
        fields=list(compare_forms(shown.form, change.wanted)),
        found=shown.found,
        gone=shown.gone,
    )


def take_over(change: Change, ids: Ids, form: Form) -> Change:
    """Something that is not in the state but already exists on the platform."""
    fields = list(compare_forms(form, change.after))
    return change._replace(
        difference=Difference.CHANGED if fields else Difference.SAME,
        recorded=_record_as(change, ids, form),
        fields=fields,
        found=("",),
    )


def make_again(change: Change) -> Change:
    """Treats something that no longer exists on the platform as if it had never been made."""
    return change._replace(
        difference=Difference.NEW,
        original=change.recorded,
        recorded=None,
        renamed=None,
        fields=(),
        released=(),
        drift=(),
        live=None,
        merged=None,
        settled=None,
        missing=False,
    )


def _record_as(change: Change, ids: Ids, form: Form) -> Record:
    known, packed = change.recorded, pack_form(form)
    return known.with_form(packed, ids) if known else Record.from_form(change.address, ids, packed)


def moving_addresses(changes: Iterable[Change]) -> Mapping[Address, Address]:
    """Addresses in the state that have another name in the catalog."""
    return {change.was: change.address for change in changes if change.was}
