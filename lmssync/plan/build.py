"""Changes become planned changes and calls."""

from collections.abc import Iterable, Sequence

from ..diff import Change, Difference, as_recorded
from ..kind import CallPart, Effect, Kind, PermanentLoss, UpdatePlan
from ..kinds import KINDS
from ..resource import pack_form
from . import reasons
from .blockers import blockers, refusal
from .builder import Builder, to_the_end
from .context import Blocker
from .create import create
from .effects import effect_of_creation, effect_of_fields, effect_of_update
from .leaving import leaving
from .plan import Action, Adoption


def build(builder: Builder, changes: Iterable[Change]) -> None:
    """Fills the builder; changes may come in any order."""
    changes = list(changes)
    coming = builder.state.left_out - builder.state.recorded.keys()
    builder.new = {c.address for c in changes if c.difference is Difference.NEW} | coming
    blocked = builder.blockers = blockers(builder.state, changes)
    builder.moving = {c.address for c in changes if c.was and c.address not in blocked}
    builder.leaving = leaving(builder.state.recorded.keys(), changes)
    for change in changes:
        corrected = change.found or change.original
        if corrected and change.recorded and change.address not in blocked:
            record = change.recorded
            builder.adoptions[change.address] = Adoption(record.ids, record.packed)
        elif change.referring:
            record = change.referring
            builder.adoptions[record.address] = Adoption(record.ids, record.packed)
        if change.address in blocked:
            _block(builder, change, blocked[change.address])
        else:
            _HOW[change.difference](builder, change)


def _update(builder: Builder, change: Change) -> None:
    assert change.desired is not None
    kind = KINDS[change.address.kind]
    after = change.after
    others = change.desired.lifecycle.ignore
    asked = builder.state.change(change.address, change.before, after, others)
    described = kind.calls.update(asked)
    undecided = refusal(builder.state, change, described)
    if undecided:
        _block(builder, change, Blocker(undecided))
        return
    losses = list(kind.impact.losses(change.before, after))
    if not described.calls and not described.manual:
        _same(builder, change, losses)
        return
    effect = effect_of_update(kind, change.before, after, change.fields, described, losses)
    if described.calls:
        builder.call(change.desired, to_the_end(_recording(change, described.calls)))
    builder.plan(
        change,
        _word(change, described),
        effect,
        [
            *_seen(change),
            *reasons.permitted(builder.state, change),
            *reasons.replaced(change),
            *described.reasons,
            *(loss.reason for loss in losses),
            *reasons.released(change, described.clears),
        ],
        fields=change.fields,
        manual=described.manual,
        title=kind.authoring.title(after),
        losses=(*described.losses, *(loss.reason for loss in losses)),
        described=described,
    )


def _recording(change: Change, calls: Sequence[CallPart]) -> Sequence[CallPart]:
    """The calls, after which fields that stay as the platform has them keep their record."""
    if not any(one.decision.stays for one in change.drift):
        return calls
    return [
        call._replace(kept_after=pack_form(as_recorded(call.after, change.drift))) for call in calls
    ]


def _word(change: Change, described: UpdatePlan) -> Action:
    """The action to show: move, else update, else a manual step."""
    if change.was:
        return Action.MOVE
    if "" in change.found:
        return Action.ADOPT
    return Action.UPDATE if described.calls else Action.MANUAL


def _same(builder: Builder, change: Change, losses: Sequence[PermanentLoss] = ()) -> None:
    """The fingerprint differs, but nothing is to be done: fields left the manifest, for example."""
    if _is_recorded_anew(change):
        builder.releases[change.address] = change.packed_after
    inner = ["only the manifest differs: what the platform holds stays as it is"] * (
        not change.drift
    )
    taken_over = change.returned or bool(change.found)
    action = Action.MOVE if change.was else Action.ADOPT if taken_over else Action.UNCHANGED
    why = [
        *_seen(change),
        *(loss.reason for loss in losses),
        *reasons.released(change),
    ]
    title = (
        ""
        if action is Action.UNCHANGED and not (change.drift or change.came or change.gone)
        else KINDS[change.address.kind].authoring.title(change.after)
    )
    drifted = (KINDS[change.address.kind].impact.of(one.path) for one in change.drift)
    effect = Effect.strictest([*(loss.effect for loss in losses), *drifted])
    builder.plan(change, action, effect, why or inner, title=title)


def _is_recorded_anew(change: Change) -> bool:
    """True if the record is to change although nothing is sent."""
    if change.was:
        return change.before != change.after
    looked = bool(change.drift or change.gone or change.came)
    same = change.recorded and change.recorded.packed == change.packed_after
    return change.returned or not (looked and same)


def _seen(change: Change) -> list[str]:
    """Its earlier address, and what a look at the platform has shown."""
    return [
        *reasons.moved(change),
        *reasons.returned(change),
        *reasons.observed(change),
        *reasons.drifted(change),
    ]


def _leave(builder: Builder, change: Change) -> None:
    """Forgets it, unless a person has to do something first."""
    address, gone = change.address, builder.leaving
    whole = gone.whole(address)
    if whole and whole in gone.departures and whole in builder.blockers:
        reason = f"it leaves the catalog with {whole}, which is blocked"
        _block(builder, change, Blocker(reason, builder.blockers[whole].guard))
        return
    asked = gone.asked(address)
    builder.plan(
        change,
        Action.MANUAL if asked else Action.FORGET,
        gone.departures[address].effect,
        [
            *gone.reasons(address),
            *reasons.replaced(change),
            *reasons.permitted(builder.state, change),
        ],
        manual=asked,
        title=KINDS[address.kind].authoring.title(change.before),
    )


def _block(builder: Builder, change: Change, blocker: Blocker) -> None:
    kind = KINDS[change.address.kind]
    builder.plan(
        change,
        Action.BLOCKED,
        _effect(kind, change),
        [*reasons.moved(change), blocker.reason],
        fields=change.fields,
        title=kind.authoring.title(change.after or change.before),
        guard=blocker.guard,
    )


def _effect(kind: Kind, change: Change) -> Effect:
    if change.difference is Difference.GONE:
        return kind.calls.removal(change.before).effect
    if change.recorded is None:
        return effect_of_creation(kind, change.after)
    return effect_of_fields(kind, change.fields)


_HOW = {
    Difference.NEW: create,
    Difference.CHANGED: _update,
    Difference.SAME: _same,
    Difference.GONE: _leave,
}
