"""The plan of a release: what people see comes last, and a guard lets it pass whole or not at all.

Prices come after pages and publishing after both. In other plans the fewest calls count.
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum

from ...kind import CallPart, Effect, FormChange, Kind, UpdatePlan
from ...problems import Severity
from ...resource import Form
from ..diff import compare_forms
from .plan import Plan
from .verdict import GuardContext, GuardVerdict


class ReleaseTurn(IntEnum):
    """The turn of a call in a release: all calls of a turn come before those of the next."""

    CONTENT = 0
    PRICES = 1
    OPENING = 2


def update_visible_last(kind: Kind, change: FormChange) -> UpdatePlan:
    """An update whose prices are sent once the pages are there; a kind publishes last anyway."""
    opens = kind.calls.further if _opens(kind, change.before, change.after) else ()
    sold = {
        one.path
        for one in compare_forms(change.before, change.after)
        if one.path in change.after and kind.impact.of(one.path) is Effect.COMMERCE
    }
    # A kind is asked for each stage as if it were a change of its own: what is sent for the whole
    # can be derived again from the forms alone, as a saved plan is when it is applied.
    whole, before = UpdatePlan(), change.before
    stages = [_put_back(change, {*sold, *opens}), _put_back(change, {*opens}), change.after]
    for after in stages if sold else [change.after]:
        if after == before:
            continue
        part = kind.calls.update(change._replace(before=before, after=after))
        whole = _join(whole, part)
        before = part.calls[-1].after if part.calls else before
    return whole


def _opens(kind: Kind, before: Form, after: Form) -> bool:
    is_open = kind.impact.open_to_learners
    return is_open(after) and not (before and is_open(before))


def _put_back(change: FormChange, names: set[str]) -> Form:
    """The form after a change, but for some fields, which are as before."""
    kept = {name: value for name, value in change.after.items() if name not in names}
    return kept | {name: change.before[name] for name in names if name in change.before}


def _join(first: UpdatePlan, then: UpdatePlan) -> UpdatePlan:
    """Two updates, one after the other; what both ask of a person is asked once."""
    effects = [one for one in (first.effect, then.effect) if one]
    return UpdatePlan(
        [*first.calls, *then.calls],
        [*dict.fromkeys((*first.manual, *then.manual))],
        [*dict.fromkeys((*first.reasons, *then.reasons))],
        Effect.strictest_effect(effects) if effects else None,
        first.undecided or then.undecided,
        {*first.clears, *then.clears},
        [*dict.fromkeys((*first.losses, *then.losses))],
    )


def hide_until_last(kind: Kind, change: FormChange) -> Form:
    """Values with which something new is made, so that nobody sees it before the rest is there.

    None where no call would show it afterwards.
    """
    form, copied = change.after, kind.authoring.in_copy
    hidden = {name: copied[name] for name in kind.calls.further if name in copied and name in form}
    unseen = {**form, **hidden}
    if not _opens(kind, unseen, form):
        return {}
    shown = kind.calls.update(change._replace(before=unseen))
    return hidden if shown.calls and not shown.manual else {}


def find_turns(
    kind: Kind, before: Form, calls: Sequence[CallPart], whole: Form
) -> Iterator[ReleaseTurn]:
    """The turn of each call of a resource; `whole` is the form that a create makes."""
    for call in calls:
        after = call.after if call.packed_after else whole
        yield _find_turn(kind, before, after, creates=call.creates)
        before = after


def _find_turn(kind: Kind, before: Form, after: Form, *, creates: bool) -> ReleaseTurn:
    impact = kind.impact
    if _opens(kind, before, after):
        return ReleaseTurn.OPENING
    if creates:
        return ReleaseTurn.PRICES if impact.creation is Effect.COMMERCE else ReleaseTurn.CONTENT
    effects = {impact.of(one.path) for one in compare_forms(before, after)}
    if impact.for_customers and Effect.ACCESS in effects:
        return ReleaseTurn.OPENING
    is_seen = impact.for_customers or impact.open_to_learners(after)
    return ReleaseTurn.PRICES if is_seen and Effect.COMMERCE in effects else ReleaseTurn.CONTENT


RELEASE = "release"
_SHOWN = 3
"""How many addresses a message names."""


def guard_release(plan: Plan, by: GuardContext) -> Iterator[GuardVerdict]:
    """Nothing lifts it: a release is changed in git. A plan says early what only an apply has to
    wait for."""
    gate = by.release
    if gate is None or not plan.limits:
        return
    name = f"the release {gate.name}"
    waits = [str(one.address) for one in plan.undecided_changes]
    if waits:
        more = f" and {len(waits) - _SHOWN:,} more" if len(waits) > _SHOWN else ""
        text = f"{name} is applied whole, and {', '.join(waits[:_SHOWN])}{more} cannot be"
        yield _say(f"{text}: decide about that, or take it out of the release")
    if plan.limits.held:
        others = " and ".join(plan.limits.held)
        text = f"{name} changes something that the release {others} changes too"
        yield _say(f"{text}: put both into one, or name the address in one of them only")
    if gate.ended and plan.has_changes:
        text = f"{name} was applied at {gate.ended[:16]}Z, and these changes are not part of that"
        yield _say(f"{text}: give it another moment (`at`) in its file, or another release a name")
    if gate.at:
        text = f"{name} may be applied from {gate.at.isoformat(' ', 'minutes')} on"
        grade = Severity.ERROR if by.now else Severity.WARNING
        yield _say(f"{text}: wait until then, or change `at` in its file")._replace(severity=grade)


def _say(text: str) -> GuardVerdict:
    return GuardVerdict(RELEASE, Severity.ERROR, (), text)
