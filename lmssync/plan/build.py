"""Changes become intentions and steps."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..address import Address
from ..diff import Change, Difference
from ..kinds import KINDS
from ..kinds.kind import Change as KindChange
from ..kinds.kind import Described, Effect, Kind
from ..resource import Form, Reference, Resource, canonical, pack, unpack
from ..settings import Platform
from .marker import marker
from .part import part
from .plan import Action, Intention, entries
from .schedule import Work
from .stops import Ground, Stop, stops


@dataclass
class Builder:
    """Collects what is meant and what is to be done."""

    platform: Platform
    ground: Ground
    left: Mapping[Address, int] = field(default_factory=dict)
    """How often something has moved away from an address: its mark went with it."""
    intentions: list[Intention] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)
    releases: dict[Address, bytes] = field(default_factory=dict)
    new: set[Address] = field(default_factory=set)
    moving: set[Address] = field(default_factory=set)
    """New addresses of what can move."""

    def exists(self, address: Address) -> bool:
        """True for what is on the platform, under the address that it has once this is applied."""
        return address in self.ground.recorded or address in self.moving


def build(builder: Builder, changes: Iterable[Change]) -> None:
    """Fills the builder; changes come in any order."""
    changes = list(changes)
    builder.new = {c.address for c in changes if c.difference is Difference.NEW}
    found = stops(builder.ground, changes)
    builder.moving = {c.address for c in changes if c.was and c.address not in found}
    for change in changes:
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
    piece = kind.create(change.address, now, mark)
    if not entries(piece.route, piece.body):
        _nothing_yet(builder, change)
        return
    whole = piece.after == form
    after = packed if whole else pack(canonical(piece.after))
    made = part(piece, change.address, after=after, mark=mark, last=whole, creates=True)
    builder.works.append(Work(change.address, [made], _needs(builder, resource)))
    if not whole:
        _put_off(builder, kind, resource, piece.after, form)
    reasons, by_hand = ["new in the catalog", *_replaced(change)], kind.afterwards
    title = _title(form)
    builder.intentions.append(
        Intention(
            change.address, Action.CREATE, kind.creation, reasons, manual=by_hand, title=title
        )
    )


def _nothing_yet(builder: Builder, change: Change) -> None:
    """A manifest that asks for nothing: what it means is made once there is something to make."""
    reasons = ["there is nothing in it to make yet"]
    builder.intentions.append(Intention(change.address, Action.UNCHANGED, Effect.COSMETIC, reasons))


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
    parts = [part(piece, resource.address) for piece in described.pieces]
    builder.works.append(Work(resource.address, parts, targets, follows=True))


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
    return reference.part not in builder.ground.parts_of(reference.address)


def _update(builder: Builder, change: Change) -> None:
    assert change.desired is not None
    kind = KINDS[change.address.kind]
    after = change.after
    described = kind.update(KindChange(change.address, change.before, after))
    if described.stop:
        _block(builder, change, Stop(described.stop))
        return
    if not described.pieces and not described.manual:
        _same(builder, change)
        return
    count = len(described.pieces)
    parts = [
        part(piece, change.address, last=n == count) for n, piece in enumerate(described.pieces, 1)
    ]
    if parts:
        builder.works.append(Work(change.address, parts, _needs(builder, change.desired)))
    builder.intentions.append(
        Intention(
            change.address,
            _word(change, described),
            described.effect or _effect(kind, change),
            [
                *_moved(change),
                *_returned(change),
                *_permitted(builder, change),
                *_replaced(change),
                *described.reasons,
                *_released(change),
            ],
            change.fields,
            described.manual,
            _basis(change),
            _title(after),
            change.was,
        )
    )


def _word(change: Change, described: Described) -> Action:
    """What is told first: that it moves, else that it is updated, else that a person is needed."""
    if change.was:
        return Action.MOVE
    return Action.UPDATE if described.pieces else Action.MANUAL


def _block(builder: Builder, change: Change, stop: Stop) -> None:
    builder.intentions.append(
        Intention(
            change.address,
            Action.BLOCKED,
            _effect(KINDS[change.address.kind], change),
            [*_moved(change), stop.reason],
            change.fields,
            basis=_basis(change),
            title=_title(change.after or change.before),
            was=change.was,
            guard=stop.guard,
        )
    )


def _effect(kind: Kind, change: Change) -> Effect:
    if change.recorded is None:
        return kind.creation
    return Effect.strictest(_effect_of(kind, field.path) for field in change.fields)


def _effect_of(kind: Kind, path: str) -> Effect:
    """By the field inside a part where the path leads to one, else by the field at the top."""
    leaf = path.rpartition("].")[2] if "]." in path else ""
    top = path.partition("[")[0].partition(".")[0]
    return kind.effects.get(f"*.{leaf}") or kind.effects.get(top, Effect.EDITORIAL)


def _released(change: Change) -> list[str]:
    return [
        f"{name} left the manifest: the platform keeps it (`{name}: null` clears it)"
        for name in change.released
    ]


def _same(builder: Builder, change: Change) -> None:
    """The fingerprint differs and nothing is to be done: fields have left the manifest, say."""
    if not change.was or change.before != change.after:
        builder.releases[change.address] = change.packed_after
    inner = ["only the manifest differs: what the platform holds stays as it is"]
    action = Action.MOVE if change.was else Action.ADOPT if change.returned else Action.UNCHANGED
    builder.intentions.append(
        Intention(
            change.address,
            action,
            Effect.COSMETIC,
            [*_moved(change), *_returned(change), *_released(change)] or inner,
            basis=_basis(change),
            title="" if action is Action.UNCHANGED else _title(change.after),
            was=change.was,
        )
    )


def _moved(change: Change) -> list[str]:
    return [f"it was {change.was}: the same thing under a new key"] if change.was else []


def _returned(change: Change) -> list[str]:
    return ["it is back in the catalog: what was made before is managed again"] * change.returned


def _replaced(change: Change) -> list[str]:
    """What is made anew though it looks like what is there, and what only may be such a thing."""
    said = "parts of it are replaced by new ones: `--allow` says so"
    if change.twin:
        said = f"`--allow` says that {change.twin} is another thing"
    return [said] * bool(change.undecided) + list(change.hints)


def _permitted(builder: Builder, change: Change) -> list[str]:
    protected = change.desired.care.protect if change.desired else False
    guarded = protected or change.address in builder.ground.protected
    return ["it is protected, and `--allow` names it"] * (
        guarded and change.address in builder.ground.allowed
    )


def _basis(change: Change) -> str | None:
    """The fingerprint that a saved plan must still find; what was forgotten has none."""
    if change.recorded is None or change.returned:
        return None
    return change.recorded.fingerprint


def _forget(builder: Builder, change: Change) -> None:
    reason = "it left the catalog; nothing can be deleted, so the platform keeps it"
    builder.intentions.append(
        Intention(
            change.address,
            Action.FORGET,
            Effect.COSMETIC,
            [reason, *_replaced(change), *_permitted(builder, change)],
            basis=_basis(change),
            title=_title(change.before),
        )
    )


def _title(form: Form) -> str:
    found = form.get("title") or form.get("name") or form.get("label") or form.get("type") or ""
    return str(found)


_HOW = {
    Difference.NEW: _create,
    Difference.CHANGED: _update,
    Difference.SAME: _same,
    Difference.GONE: _forget,
}
