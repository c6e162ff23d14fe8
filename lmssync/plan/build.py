"""Changes become intentions and steps."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ..address import Address
from ..diff import Change, Difference
from ..kinds import KINDS
from ..kinds.kind import Change as KindChange
from ..kinds.kind import Effect, Kind
from ..resource import Form, Reference, Resource, canonical, pack
from ..settings import Platform
from ..state import Record
from .marker import marker
from .part import part
from .plan import Action, Intention
from .schedule import Work

RESOLVE = (
    "an earlier apply left it open: `lmssync apply` looks for it, or `lmssync resolve {address}`"
)


@dataclass
class Builder:
    """Collects what is meant and what is to be done."""

    platform: Platform
    recorded: Mapping[Address, str]
    """Fingerprints of everything that exists."""
    blocked: set[Address]
    """Addresses of open calls; what needs them joins them."""
    parts_of: Callable[[Address], Mapping[str, str]]
    """Recorded parts by address: a callable, so that few records are opened."""
    intentions: list[Intention] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)
    releases: dict[Address, bytes] = field(default_factory=dict)
    new: set[Address] = field(default_factory=set)


def build(builder: Builder, changes: Iterable[Change]) -> None:
    """Fills the builder; changes come in any order."""
    changes = list(changes)
    builder.new = {c.address for c in changes if c.difference is Difference.NEW}
    _spread(builder, changes)
    for change in changes:
        _HOW[change.difference](builder, change)


def _spread(builder: Builder, changes: list[Change]) -> None:
    """What cannot be made without something blocked is blocked as well."""
    grown = True
    while grown:
        grown = False
        for change in changes:
            waits_for = [r.address for r in _hard(change) if r.address in builder.blocked]
            exist = [a for a in waits_for if a in builder.recorded]
            if change.address not in builder.blocked and len(exist) < len(waits_for):
                builder.blocked.add(change.address)
                grown = True


def _hard(change: Change) -> list[Reference]:
    references = change.desired.references if change.desired else ()
    return [reference for reference in references if not reference.deferrable]


def _create(builder: Builder, change: Change) -> None:
    resource = change.desired
    assert resource is not None
    if change.address in builder.blocked:
        _block(builder, change, _why_blocked(builder, change))
        return
    kind = KINDS[change.address.kind]
    form = resource.form
    later = _deferred(builder, kind, resource)
    now = {key: value for key, value in form.items() if key not in later}
    mark = marker(change.address, kind, builder.platform, form)
    piece = kind.create(change.address, now, mark)
    after = pack(canonical(now)) if later else resource.packed
    made = part(piece, change.address, after=after, mark=mark, last=not later, creates=True)
    builder.works.append(Work(change.address, [made], _needs(builder, resource)))
    if later:
        _put_off(builder, kind, resource, now)
    reasons = ["new in the catalog"]
    builder.intentions.append(
        Intention(change.address, Action.CREATE, kind.creation, reasons, title=_title(form))
    )


def _deferred(builder: Builder, kind: Kind, resource: Resource) -> frozenset[str]:
    """Fields that name something which is not there when this is made."""
    return kind.deferrable & {
        str(reference.path[0])
        for reference in resource.references
        if reference.deferrable and reference.address in builder.new
    }


def _put_off(builder: Builder, kind: Kind, resource: Resource, now: Form) -> None:
    """The update that sets the deferred fields once both ends exist."""
    described = kind.update(KindChange(resource.address, now, resource.form))
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
    if reference.part is None or reference.address not in builder.recorded:
        return False
    return reference.part not in builder.parts_of(reference.address)


def _update(builder: Builder, change: Change) -> None:
    assert change.desired is not None
    assert change.recorded is not None
    stop = _stops(builder, change)
    if stop:
        _block(builder, change, stop)
        return
    kind = KINDS[change.address.kind]
    before, after = change.recorded.form, change.desired.form
    described = kind.update(KindChange(change.address, before, after))
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
            Action.UPDATE if parts else Action.MANUAL,
            _effect(kind, change),
            [*_returned(change), *_released(change)],
            change.fields,
            described.manual,
            _basis(change),
            _title(after),
        )
    )


def _stops(builder: Builder, change: Change) -> str:
    if change.address in builder.blocked:
        return _why_blocked(builder, change)
    if change.missing:
        return (
            "the platform does not have it any more: `lmssync state forget` lets it be made again"
        )
    if change.conflicts:
        told = "; ".join(
            f"{c.path} is {c.after!r} there and was {c.before!r} when it was last applied"
            for c in change.conflicts
        )
        return f"changed on the platform and in git: {told}"
    return ""


def _why_blocked(builder: Builder, change: Change) -> str:
    for reference in _hard(change):
        if reference.address in builder.blocked and reference.address not in builder.recorded:
            return f"it needs {reference.address}, which is blocked"
    return RESOLVE.format(address=change.address)


def _block(builder: Builder, change: Change, reason: str) -> None:
    kind = KINDS[change.address.kind]
    basis = _basis(change)
    title = _title(change.desired.form) if change.desired else ""
    builder.intentions.append(
        Intention(
            change.address,
            Action.BLOCKED,
            _effect(kind, change),
            [reason],
            change.fields,
            basis=basis,
            title=title,
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
    assert change.desired is not None
    assert change.recorded is not None
    builder.releases[change.address] = change.desired.packed
    inner = ["only the manifest differs: what the platform holds stays as it is"]
    builder.intentions.append(
        Intention(
            change.address,
            Action.ADOPT if change.returned else Action.UNCHANGED,
            Effect.COSMETIC,
            [*_returned(change), *_released(change)] or inner,
            basis=_basis(change),
            title=_title(change.desired.form) if change.returned else "",
        )
    )


def _returned(change: Change) -> list[str]:
    return ["it is back in the catalog: what was made before is managed again"] * change.returned


def _basis(change: Change) -> str | None:
    """The fingerprint that a saved plan must still find; what was forgotten has none."""
    if change.recorded is None or change.returned:
        return None
    return change.recorded.fingerprint


def _forget(builder: Builder, change: Change) -> None:
    if change.address in builder.blocked:
        _block(builder, change, _why_blocked(builder, change))
        return
    record: Record | None = change.recorded
    reason = "it left the catalog; nothing can be deleted, so the platform keeps it"
    builder.intentions.append(
        Intention(
            change.address,
            Action.FORGET,
            Effect.COSMETIC,
            [reason],
            basis=record.fingerprint if record else None,
            title=_title(record.form) if record else "",
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
