"""The calls that make something new."""

from ..diff import Change
from ..kinds import KINDS
from ..kinds.kind import Change as KindChange
from ..kinds.kind import Described, Effect, Kind
from ..resource import Form, Resource, pack_form, unpack
from . import reasons
from .builder import Builder, to_the_end
from .marker import marker
from .plan import Action
from .schedule import Work

NEW = "new in the catalog"


def create(builder: Builder, change: Change) -> None:
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
        nothing_yet = ["there is nothing in it to create yet"]
        builder.plan(change, Action.UNCHANGED, Effect.COSMETIC, nothing_yet, basis=None)
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
    builder.call(resource, [first, *to_the_end(rest.calls, whole=not later)])
    if later:
        _put_off(builder, kind, resource, now, form)
    reason = "deleted on the platform, and made again" if change.original else NEW
    losses = list(kind.losses({}, form))
    effects = [kind.creation, *(loss.effect for loss in losses)]
    builder.plan(
        change,
        Action.CREATE,
        Effect.strictest(effects),
        [reason, *reasons.replaced(change), *(loss.reason for loss in losses)],
        manual=[*kind.afterwards, *rest.manual],
        title=kind.title(form),
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
