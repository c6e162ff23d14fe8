"""Checks whether a saved plan's updates follow from what is recorded and what the plan shows."""

from collections.abc import Iterator, Sequence, Set

from ...errors import WrongUse
from ...kind import CallPart, FormChange, as_meant
from ...kinds import KINDS
from ...resource import Address, Form, unpack_form
from ...state import Store, rename_in_form, spell_moves
from ...vocabulary.routes import CORE_ROUTES
from ..diff import compare_forms, merge_drift
from .contents import outcome
from .effects import effect_of_update, is_milder
from .plan import Action, Plan, PlannedChange


def refuse_underived(plan: Plan, store: Store, routes: Set[str] = CORE_ROUTES) -> None:
    """Raises `WrongUse` if an update sends anything but the difference between record and form, or
    does more to people than the plan shows.

    The state must be the one that the plan was made from, and `routes` are those that the instance
    has. It skips what cannot be derived again: calls whose answer decides the outcome.
    """
    moved = {i.was: i.address for i in plan.with_action(Action.MOVE) if i.was}
    approved = {one.address for one in plan.approved}
    sent: dict[Address, list[CallPart]] = {}
    for part in plan.parts:
        sent.setdefault(part.address, []).append(part)
    for planned in (
        *plan.with_action(Action.UPDATE),
        *plan.with_action(Action.MOVE),
        *plan.with_action(Action.ADOPT),
    ):
        kind = KINDS[planned.address.kind]
        calls = sent.get(planned.address, [])
        if not calls or kind.calls.result is not as_meant:
            continue
        known = plan.adoptions.get(planned.address)
        before = unpack_form(known.packed) if known else _before(store, planned, moved)
        after = outcome(plan, planned.address)
        before, after, _ = merge_drift(before, after, planned.drift)
        change = FormChange(planned.address, before, after, routes, planned.address in plan.allowed)
        is_exact = planned.address in approved
        for wrong in _contradictions(planned, change, calls, is_exact=is_exact):
            text = f"the plan contradicts itself: {wrong.format(planned.address)}"
            raise WrongUse(text, "make it again with `plan --out`")
    for planned in plan.with_action(Action.FORGET):
        form = _before(store, planned, moved)
        if is_milder(planned.effect, KINDS[planned.address.kind].calls.removal(form).effect):
            text = f"the plan contradicts itself: {_MILDER.format(planned.address)}"
            raise WrongUse(text, "make it again with `plan --out`")


_MILDER = "what it does to people with {} is more than it shows"


def _contradictions(
    planned: PlannedChange, change: FormChange, calls: Sequence[CallPart], *, is_exact: bool
) -> Iterator[str]:
    """What the calls of an update do that the plan does not show.

    Where people have approved an effect, it has to be the one: others approve a milder one.
    """
    kind = KINDS[planned.address.kind]
    described = kind.calls.update(change)
    if not _same(described.calls, calls):
        yield "what it sends for {} is not what it shows"
    shown = {field.path for field in planned.fields} | {one.path for one in planned.drift}
    differing = list(compare_forms(change.before, change.after))
    if not {field.path for field in differing} <= shown:
        yield "it does not show every field of {} that it changes"
    losses = list(kind.impact.losses(change.before, change.after))
    meant = effect_of_update(kind, change.before, change.after, planned.fields, described, losses)
    taken = {*described.losses, *(loss.reason for loss in losses)}
    if is_milder(planned.effect, meant) or not taken <= {*planned.losses}:
        yield _MILDER
    elif is_exact and planned.effect is not meant:
        yield f"the effect of {{}} on people is {meant}, and not {planned.effect}"


def _before(store: Store, planned: PlannedChange, moved: dict[Address, Address]) -> Form:
    """The recorded form with the addresses that the plan uses."""
    record = store.find_record(planned.was or planned.address)
    if record is None:
        return {}
    return unpack_form(
        rename_in_form(record.packed, spell_moves(moved)) if moved else record.packed
    )


def _same(meant: Sequence[CallPart], sent: Sequence[CallPart]) -> bool:
    return len(meant) == len(sent) and all(map(CallPart.sends_as, meant, sent))
