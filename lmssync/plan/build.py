"""Changes become planned changes and calls."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from ..address import Address
from ..diff import Change, Difference
from ..kinds import KINDS
from ..kinds.call_part import CallPart
from ..kinds.kind import Change as KindChange
from ..kinds.kind import Described, Effect, Kind, Loss
from ..resource import Form, Reference, Resource, pack_form, unpack
from ..settings import Platform
from .blockers import Blocker, PlanState, blockers, refusal
from .leaving import Leaving, leaving
from .marker import marker
from .plan import Action, Adoption, PlannedChange
from .schedule import Work

NEW = "new in the catalog"


@dataclass
class Builder:
    """Collects what is meant and what is to be done."""

    platform: Platform
    state: PlanState
    left: Mapping[Address, int] = field(default_factory=dict)
    """How often something has moved away from an address: its mark went with it."""
    planned: list[PlannedChange] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)
    releases: dict[Address, bytes] = field(default_factory=dict)
    adoptions: dict[Address, Adoption] = field(default_factory=dict)
    new: set[Address] = field(default_factory=set)
    moving: set[Address] = field(default_factory=set)
    """New addresses of what can move."""
    blockers: Mapping[Address, Blocker] = field(default_factory=dict)
    leaving: Leaving = field(default_factory=Leaving)

    def exists(self, address: Address) -> bool:
        """True for what is on the platform, under the address that it has once this is applied."""
        return address in self.state.recorded or address in self.moving


def build(builder: Builder, changes: Iterable[Change]) -> None:
    """Fills the builder; changes come in any order."""
    changes = list(changes)
    builder.new = {c.address for c in changes if c.difference is Difference.NEW}
    found = builder.blockers = blockers(builder.state, changes)
    builder.moving = {c.address for c in changes if c.was and c.address not in found}
    builder.leaving = leaving(builder.state.recorded.keys(), changes)
    for change in changes:
        corrected = change.found or change.original
        if corrected and change.recorded and change.address not in found:
            record = change.recorded
            builder.adoptions[change.address] = Adoption(record.ids, record.packed)
        elif change.referring:
            record = change.referring
            builder.adoptions[record.address] = Adoption(record.ids, record.packed)
        if change.address in found:
            _block(builder, change, found[change.address])
        else:
            _HOW[change.difference](builder, change)


def _create(builder: Builder, change: Change) -> None:
    resource = change.desired
    assert resource is not None
    kind = KINDS[change.address.kind]
    packed = resource.packed
    form = unpack(packed)
    later = _deferred(builder, kind, resource)
    now = {key: value for key, value in form.items() if key not in later}
    left = builder.left.get(change.address, 0)
    mark = marker(change.address, kind, builder.platform, form, left)
    part = kind.create(change.address, now, mark)
    if not part.entries:
        _nothing_yet(builder, change)
        return
    made = part.after if part.packed_after else now
    last = made is now and now == form
    first = part._replace(
        packed_after=packed if last else part.packed_after or pack_form(now),
        marker=mark,
        last=last,
        creates=True,
        look=kind.look(made),
    )
    rest = Described() if made is now else kind.update(KindChange(change.address, made, now))
    parts = [first, *_to_the_end(rest.calls, whole=not later)]
    builder.works.append(Work(change.address, parts, _needs(builder, resource)))
    if later:
        _put_off(builder, kind, resource, now, form)
    reason = "deleted on the platform, and made again" if change.original else NEW
    losses = list(kind.losses({}, form))
    builder.planned.append(
        PlannedChange(
            change.address,
            Action.CREATE,
            Effect.strictest([kind.creation, *(loss.effect for loss in losses)]),
            [reason, *_replaced(change), *(loss.reason for loss in losses)],
            manual=[*kind.afterwards, *rest.manual],
            basis=_basis(change),
            title=kind.title(form),
        )
    )


def _to_the_end(calls: Sequence[CallPart], *, whole: bool = True) -> list[CallPart]:
    """The calls of a change, after the last of which the resource is as desired, if `whole`."""
    return [call._replace(last=whole and n == len(calls)) for n, call in enumerate(calls, 1)]


def _nothing_yet(builder: Builder, change: Change) -> None:
    """A manifest that asks for nothing yet: it is created once there is something to create."""
    reasons = ["there is nothing in it to create yet"]
    builder.planned.append(
        PlannedChange(change.address, Action.UNCHANGED, Effect.COSMETIC, reasons)
    )


def _deferred(builder: Builder, kind: Kind, resource: Resource) -> frozenset[str]:
    """Fields that name something which is not there when this is made."""
    return kind.deferrable & {
        str(reference.path[0])
        for reference in resource.references
        if reference.deferrable and reference.address in builder.new
    }


def _put_off(builder: Builder, kind: Kind, resource: Resource, now: Form, form: Form) -> None:
    """The update that sets the deferred fields once both ends exist."""
    described = kind.update(KindChange(resource.address, now, form))
    targets = frozenset(r.address for r in resource.references if r.deferrable)
    builder.works.append(Work(resource.address, described.calls, targets, follows=True))


def _needs(builder: Builder, resource: Resource) -> frozenset[Address]:
    """What must be done before: things to be made, and parts to be added to things that exist."""
    return frozenset(
        reference.address
        for reference in resource.references
        if reference.address != resource.address and _waits(builder, resource, reference)
    )


def _waits(builder: Builder, resource: Resource, reference: Reference) -> bool:
    if reference.address in builder.new:
        return not (reference.deferrable and resource.address in builder.new)
    if reference.part is None or not builder.exists(reference.address):
        return False
    return reference.part not in builder.state.parts_of(reference.address)


def _update(builder: Builder, change: Change) -> None:
    assert change.desired is not None
    kind = KINDS[change.address.kind]
    after = change.after
    described = kind.update(KindChange(change.address, change.before, after))
    undecided = refusal(builder.state, change, described)
    if undecided:
        _block(builder, change, Blocker(undecided))
        return
    losses = list(kind.losses(change.before, after))
    if not described.calls and not described.manual:
        _same(builder, change, losses)
        return
    effects = [described.effect or _effect(kind, change), *(loss.effect for loss in losses)]
    if described.calls:
        calls = _to_the_end(described.calls)
        builder.works.append(Work(change.address, calls, _needs(builder, change.desired)))
    builder.planned.append(
        PlannedChange(
            change.address,
            _word(change, described),
            Effect.strictest(effects),
            [
                *_moved(change),
                *_returned(change),
                *_observed(change),
                *_permitted(builder, change),
                *_replaced(change),
                *described.reasons,
                *(loss.reason for loss in losses),
                *_released(change, described.clears),
            ],
            change.fields,
            described.manual,
            _basis(change),
            kind.title(after),
            change.was,
        )
    )


def _word(change: Change, described: Described) -> Action:
    """The action to show: move, else update, else a manual step."""
    if change.was:
        return Action.MOVE
    if "" in change.found:
        return Action.ADOPT
    return Action.UPDATE if described.calls else Action.MANUAL


def _block(builder: Builder, change: Change, blocker: Blocker) -> None:
    builder.planned.append(
        PlannedChange(
            change.address,
            Action.BLOCKED,
            _effect(KINDS[change.address.kind], change),
            [*_moved(change), blocker.reason],
            change.fields,
            basis=_basis(change),
            title=KINDS[change.address.kind].title(change.after or change.before),
            was=change.was,
            guard=blocker.guard,
        )
    )


def _effect(kind: Kind, change: Change) -> Effect:
    if change.difference is Difference.GONE:
        return kind.departure(change.before).effect
    if change.recorded is None:
        return kind.creation
    return Effect.strictest(_effect_of(kind, field.path) for field in change.fields)


def _effect_of(kind: Kind, path: str) -> Effect:
    """By the field inside a part where the path leads to one, else by the field at the top."""
    leaf = path.rpartition("].")[2] if "]." in path else ""
    top = path.partition("[")[0].partition(".")[0]
    return kind.effects.get(f"*.{leaf}") or kind.effects.get(top, Effect.EDITORIAL)


def _released(change: Change, clears: Set[str] = frozenset()) -> list[str]:
    kept, cleared = "the platform keeps it (`{}: null` clears it)", "this change clears it"
    return [
        f"{name} left the manifest: {(cleared if name in clears else kept).format(name)}"
        for name in change.released
    ]


def _same(builder: Builder, change: Change, losses: Sequence[Loss] = ()) -> None:
    """The fingerprint differs, but nothing is to be done: fields left the manifest, for example."""
    if not change.was or change.before != change.after:
        builder.releases[change.address] = change.packed_after
    inner = ["only the manifest differs: what the platform holds stays as it is"]
    taken_over = change.returned or bool(change.found)
    action = Action.MOVE if change.was else Action.ADOPT if taken_over else Action.UNCHANGED
    builder.planned.append(
        PlannedChange(
            change.address,
            action,
            Effect.strictest(loss.effect for loss in losses),
            [
                *_moved(change),
                *_returned(change),
                *_observed(change),
                *(loss.reason for loss in losses),
                *_released(change),
            ]
            or inner,
            basis=_basis(change),
            title=""
            if action is Action.UNCHANGED
            else KINDS[change.address.kind].title(change.after),
            was=change.was,
        )
    )


def _moved(change: Change) -> list[str]:
    return [f"it was {change.was}: the same thing under a new key"] if change.was else []


def _returned(change: Change) -> list[str]:
    return ["it is back in the catalog: what was made before is managed again"] * change.returned


def _observed(change: Change) -> list[str]:
    """What a look at the platform has shown of it."""
    parts = [f"`{path}`" for path in change.found if path]
    reasons = ["it is on the platform already: it is taken over, and what no read shows is sent"]
    told = reasons * ("" in change.found)
    if parts:
        told.append(f"on the platform already, and taken over: {', '.join(parts)}")
    if change.gone:
        told.append(f"deleted on the platform: {', '.join(f'`{path}`' for path in change.gone)}")
    return told


def _replaced(change: Change) -> list[str]:
    """Reasons for something created anew that looks, or may look, like something that exists."""
    said = "parts of it are replaced by new ones: `--allow` says so"
    if change.twin:
        said = f"`--allow` says that {change.twin} is another thing"
    return [said] * bool(change.undecided) + list(change.hints)


def _permitted(builder: Builder, change: Change) -> list[str]:
    protected = change.desired.care.protect if change.desired else False
    guarded = protected or change.address in builder.state.protected
    return ["it is protected, and `--allow` names it"] * (
        guarded and change.address in builder.state.allowed
    )


def _basis(change: Change) -> str | None:
    """The fingerprint that a saved plan must still find; none for something forgotten."""
    if change.basis is None or change.returned:
        return None
    return change.basis.fingerprint


def _leave(builder: Builder, change: Change) -> None:
    """Forgets it, unless a person has to do something first."""
    address, gone = change.address, builder.leaving
    whole = gone.whole(address)
    if whole and whole in gone.departures and whole in builder.blockers:
        reason = f"it leaves the catalog with {whole}, which is blocked"
        _block(builder, change, Blocker(reason, builder.blockers[whole].guard))
        return
    asked = gone.asked(address)
    builder.planned.append(
        PlannedChange(
            address,
            Action.MANUAL if asked else Action.FORGET,
            gone.departures[address].effect,
            [*gone.reasons(address), *_replaced(change), *_permitted(builder, change)],
            manual=asked,
            basis=_basis(change),
            title=KINDS[change.address.kind].title(change.before),
        )
    )


_HOW = {
    Difference.NEW: _create,
    Difference.CHANGED: _update,
    Difference.SAME: _same,
    Difference.GONE: _leave,
}
