"""The calls that make something new."""

from collections.abc import Sequence

from ...kind import CallPart, Effect, Kind, UpdatePlan
from ...kinds import KINDS
from ...resource import Form, Resource, pack_form, unpack_form
from ..diff import Change
from . import reasons
from .builder import Builder, to_the_end
from .effects import effect_of_creation
from .marker import marker_of
from .plan import Action
from .schedule import Work

NEW = "new in the catalog"


def create(builder: Builder, change: Change) -> None:
    resource = change.desired
    assert resource is not None
    kind, packed = KINDS[change.address.kind], resource.packed_form
    form = unpack_form(packed)
    later = _deferred(builder, kind, resource)
    now = {key: value for key, value in form.items() if key not in later}
    mark = marker_of(resource, builder.platform, builder.left.get(change.address, 0))
    part = kind.calls.create(change.address, now, mark)
    if not part.size:
        nothing_yet = ["there is nothing in it to create yet"]
        builder.add_change(change, Action.UNCHANGED, Effect.COSMETIC, nothing_yet, basis=None)
        return
    rest = _rest(builder, kind, part, now)
    first = _first(kind, part._replace(marker=mark), now, packed if now == form else b"")
    builder.add_calls(resource, [first, *to_the_end(rest.calls, whole=not later)])
    left_out = _left_out(builder, resource) if later else []
    if later and not left_out:
        _put_off(builder, kind, resource, now, form)
    _intend(builder, change, form, rest, left_out)


def _first(kind: Kind, part: CallPart, now: Form, packed: bytes) -> CallPart:
    """The call that makes it; `packed` is the desired form, if nothing of it is put off."""
    made = part.after if part.packed_after else now
    return part._replace(
        kept_after=part.kept_after or packed or pack_form(now),
        last=bool(packed) and made is now,
        creates=True,
        look=kind.reads.appearance(made),
    )


def _rest(builder: Builder, kind: Kind, part: CallPart, now: Form) -> UpdatePlan:
    """What a create leaves to later updates: more people than a call takes, parts with twins."""
    if not part.packed_after:
        return UpdatePlan()
    return kind.calls.update(builder.state.change(part.address, part.after, now))


def _left_out(builder: Builder, resource: Resource) -> list[str]:
    """What its deferred fields wait for in vain: another plan sets them."""
    named = {r.address for r in resource.references if r.deferrable}
    missing = sorted((named & builder.state.left_out) - builder.state.recorded.keys())
    return [f"what names {one} is set once that exists: this plan leaves it out" for one in missing]


def _intend(
    builder: Builder, change: Change, form: Form, rest: UpdatePlan, left_out: Sequence[str]
) -> None:
    kind = KINDS[change.address.kind]
    reason = "deleted on the platform, and made again" if change.original else NEW
    losses = list(kind.impact.losses({}, form))
    builder.add_change(
        change,
        Action.CREATE,
        effect_of_creation(kind, form),
        [reason, *reasons.replaced_reasons(change), *(loss.reason for loss in losses), *left_out],
        manual=[*kind.calls.after_create, *rest.manual],
        title=kind.authoring.title(form),
        losses=tuple(loss.reason for loss in losses),
        after=form,
    )


def _deferred(builder: Builder, kind: Kind, resource: Resource) -> frozenset[str]:
    """Fields that name something which does not exist yet when this is made."""
    return kind.calls.deferrable & {
        str(reference.path[0])
        for reference in resource.references
        if reference.deferrable and reference.address in builder.new
    }


def _put_off(builder: Builder, kind: Kind, resource: Resource, now: Form, form: Form) -> None:
    """The update that sets the deferred fields once both ends exist."""
    described = kind.calls.update(builder.state.change(resource.address, now, form))
    targets = frozenset(r.address for r in resource.references if r.deferrable)
    builder.works.append(Work(resource.address, described.calls, targets, follows=True))
