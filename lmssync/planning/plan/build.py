"""Changes become planned changes and calls, with the marks by which a lost answer is found."""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from ...kind import CallPart, Effect, Kind, PermanentLoss, UpdatePlan
from ...kinds import KINDS
from ...resource import Address, Form, Resource, load_form, pack_form
from ...settings import Platform
from ...state import Store
from ...vocabulary.limits import SKU
from ..diff import Change, Difference, as_recorded, take_changes
from .blockers import (
    describe_conflicts,
    find_blockers,
    moved_reasons,
    permitted_reasons,
    released_reasons,
    replaced_reasons,
    seen_reasons,
    why_refused,
)
from .builder import Builder, sort_removals, to_the_end
from .change_effects import effect_of_creation, effect_of_fields, effect_of_update
from .plan import Action, Adoption
from .plan_context import Blocker
from .release_plans import find_turns, hide_until_last, update_visible_last
from .schedule import Work

_DIGITS = 10
NONE = "none"


def derive_marker(address: Address, left: int = 0) -> str:
    """Makes a mark that never changes for an address and is short enough for a sku (O18).

    People can read it, since a person may have to look for it in the admin interface. A resource
    that moves away keeps its mark: `left` counts the moves, so that the next one gets another mark.
    """
    whose = f"{address} {left}" if left else str(address)
    digest = hashlib.sha256(whose.encode()).hexdigest()[:_DIGITS]
    readable = re.sub(r"[^a-z0-9]+", "-", address.key.lower()).strip("-")
    return f"ls-{readable[: SKU - _DIGITS - 4].strip('-')}-{digest}"


def mark_of_author(resource: Resource, platform: Platform) -> str | None:
    """The mark that a manifest sets itself, which is the only mark on what was made by hand."""
    field = _marker_field(resource, platform)
    return f"{field}={resource.facts[field]}" if field and resource.facts.get(field) else None


def choose_markers(platform: Platform, store: Store) -> Callable[[Resource], str | None]:
    """Returns the function that says which mark something new will carry."""
    left = store.count_moves_away()

    def mark(resource: Resource) -> str | None:
        return marker_of(resource, platform, left.get(resource.address, 0))

    return mark


def marker_of(resource: Resource, platform: Platform, left: int = 0) -> str | None:
    """The author's own mark, else a derived one where the project file names a field for it.

    Written `field=value`, as the kind's create and match understand it.
    """
    field = _marker_field(resource, platform)
    if not field or field == NONE:
        return None
    return f"{field}={resource.facts.get(field) or derive_marker(resource.address, left)}"


def _marker_field(resource: Resource, platform: Platform) -> str | None:
    setting = KINDS[resource.address.kind].calls.marker_setting
    return getattr(platform, setting) if setting else None


NEW = "new in the catalog"


def _add_creation(builder: Builder, change: Change) -> None:
    resource = change.desired
    assert resource is not None
    kind, packed = KINDS[change.address.kind], resource.packed_form
    form = load_form(packed)
    later = _deferred(builder, kind, resource)
    now = {key: value for key, value in form.items() if key not in later}
    if builder.is_release:
        hidden = hide_until_last(kind, builder.state.change(change.address, {}, form))
        now, later = now | hidden, later | hidden.keys()
    mark = marker_of(resource, builder.platform, builder.left.get(change.address, 0))
    part = kind.calls.create(change.address, now, mark)
    if not part.size:  # a list of people that is still empty: there is no call to be sent
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
        look=hash(kind.reads.appearance(made)),
    )


def _rest(builder: Builder, kind: Kind, part: CallPart, now: Form) -> UpdatePlan:
    """What a create leaves to later updates: more people than a call takes, parts with twins."""
    if not part.packed_after:
        return UpdatePlan()
    return kind.calls.update(builder.state.change(part.address, part.after, now))


def _left_out(builder: Builder, resource: Resource) -> list[str]:
    """What the deferred fields of a resource wait for in vain."""
    named = {r.address for r in resource.references if r.deferrable}
    # Another plan sets them: this one was limited to some resources.
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
        [reason, *replaced_reasons(change), *(loss.reason for loss in losses), *left_out],
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
    turns = tuple(find_turns(kind, now, described.calls, form)) if builder.is_release else ()
    work = Work(resource.address, described.calls, targets, follows=True, turns=turns)
    builder.works.append(work)


def build_changes(builder: Builder, changes: Iterable[Change]) -> None:
    """Fills the builder; changes may come in any order."""
    changes = list(changes)
    builder.new = {c.address for c in changes if c.difference is Difference.NEW}
    builder.new |= builder.state.left_out - builder.state.recorded.keys()
    blocked = builder.blockers = find_blockers(builder.state, changes)
    builder.moving = {c.address for c in changes if c.was and c.address not in blocked}
    builder.removals = sort_removals(builder.state.recorded.keys(), changes)
    for change in take_changes(changes):
        corrected = change.found or change.original
        if corrected and change.recorded and change.address not in blocked:
            record = change.recorded
            builder.adoptions[change.address] = Adoption(record.ids, record.packed)
        elif change.referring:
            record = change.referring
            builder.adoptions[record.address] = Adoption(record.ids, record.packed)
        if change.address in blocked:
            _add_blocked(builder, change, blocked[change.address])
        else:
            _HOW[change.difference](builder, change)


def _add_update(builder: Builder, change: Change) -> None:
    assert change.desired is not None
    kind = KINDS[change.address.kind]
    after = change.after
    others = change.desired.lifecycle.ignore
    asked = builder.state.change(change.address, change.before, after, others)
    update = partial(update_visible_last, kind) if builder.is_release else kind.calls.update
    described = update(asked)
    undecided = why_refused(builder.state, change, described)
    if undecided:
        _add_blocked(builder, change, Blocker(undecided))
        return
    losses = list(kind.impact.losses(change.before, after))
    if not described.calls and not described.manual:
        if change.blocked_fields:
            _add_blocked(builder, change, Blocker(describe_conflicts(change)))
        else:
            _add_record_only(builder, change, losses)
        return
    effect = effect_of_update(kind, change.before, after, change.fields, described, losses)
    waits = [describe_conflicts(change)] if change.blocked_fields else []
    if described.calls:
        calls = to_the_end(_record_calls(change, described.calls))
        builder.add_calls(change.desired, calls, change.before)
    builder.add_change(
        change,
        _action_of(change, described),
        effect,
        [
            *waits,
            *seen_reasons(change),
            *permitted_reasons(builder.state, change),
            *replaced_reasons(change),
            *described.reasons,
            *(loss.reason for loss in losses),
            *released_reasons(change, described.clears),
        ],
        fields=change.fields,
        manual=described.manual,
        title=kind.authoring.title(after),
        losses=(*described.losses, *(loss.reason for loss in losses)),
        described=described,
        after=after,
        blocked_fields=change.blocked_fields,
        blocked_because="".join(waits),
    )


def _record_calls(change: Change, calls: Sequence[CallPart]) -> Sequence[CallPart]:
    """The calls, after which fields that stay as the platform has them keep their record."""
    if not any(one.decision.stays for one in change.drift):
        return calls
    # Recorded as the platform has it, such a field would no longer be drift in the next plan.
    return [
        call._replace(kept_after=pack_form(as_recorded(call.after, change.drift))) for call in calls
    ]


def _action_of(change: Change, described: UpdatePlan) -> Action:
    """The action to show: move, else update, else a manual step."""
    if change.was:
        return Action.MOVE
    if "" in change.found:
        return Action.ADOPT
    return Action.UPDATE if described.calls else Action.MANUAL


def _add_record_only(
    builder: Builder, change: Change, losses: Sequence[PermanentLoss] = ()
) -> None:
    """Adds a change for which nothing is to be done."""
    if _is_recorded_anew(change):
        builder.releases[change.address] = change.packed_after
    # The fingerprint differs: fields left the manifest, for example.
    inner = ["only the manifest differs: the platform keeps what it has"]
    taken_over = change.returned or bool(change.found)
    action = Action.MOVE if change.was else Action.ADOPT if taken_over else Action.UNCHANGED
    why = [*seen_reasons(change), *(loss.reason for loss in losses), *released_reasons(change)]
    shown = action is not Action.UNCHANGED or change.drift or change.came or change.gone
    title = KINDS[change.address.kind].authoring.title(change.after) if shown else ""
    drifted = (KINDS[change.address.kind].impact.of(one.path) for one in change.drift)
    effect = Effect.strictest_effect([*(loss.effect for loss in losses), *drifted])
    builder.add_change(change, action, effect, why or ([] if change.drift else inner), title=title)


def _is_recorded_anew(change: Change) -> bool:
    """True if the record is to change although nothing is sent."""
    if change.was:
        return change.before != change.after
    looked = bool(change.drift or change.gone or change.came)
    same = change.recorded and change.recorded.packed == change.packed_after
    return change.returned or not (looked and same)


def _add_removal(builder: Builder, change: Change) -> None:
    """Forgets it, unless a person has to do something first."""
    address, gone = change.address, builder.removals
    whole = gone.find_removed_owner(address)
    if whole and whole in gone.departures and whole in builder.blockers:
        reason = f"it leaves the catalog with {whole}, which is blocked"
        _add_blocked(builder, change, Blocker(reason, builder.blockers[whole].guard))
        return
    asked = gone.manual_steps_of(address)
    builder.add_change(
        change,
        Action.MANUAL if asked else Action.FORGET,
        gone.departures[address].effect,
        [
            *gone.reasons_of(address),
            *replaced_reasons(change),
            *permitted_reasons(builder.state, change),
        ],
        manual=asked,
        title=KINDS[address.kind].authoring.title(change.before),
    )


def _add_blocked(builder: Builder, change: Change, blocker: Blocker) -> None:
    kind = KINDS[change.address.kind]
    builder.add_change(
        change,
        Action.BLOCKED,
        _effect_of(kind, change),
        [*moved_reasons(change), blocker.reason],
        fields=[*change.blocked_fields, *change.fields],
        title=kind.authoring.title(change.after or change.before),
        guard=blocker.guard,
    )


def _effect_of(kind: Kind, change: Change) -> Effect:
    if change.difference is Difference.GONE:
        return kind.calls.removal(change.before).effect
    if change.recorded is None:
        return effect_of_creation(kind, change.after)
    return effect_of_fields(kind, change.fields)


_HOW = {
    Difference.NEW: _add_creation,
    Difference.CHANGED: _add_update,
    Difference.SAME: _add_record_only,
    Difference.GONE: _add_removal,
}
