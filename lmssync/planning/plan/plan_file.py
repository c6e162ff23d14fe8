"""Saves a plan to a file and restores it; a file is accepted only if all of it is intact.

Its calls must match its changes as well: a reviewer has seen every call.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from ...errors import WrongUse
from ...kind import CallPart, FormChange, as_meant, body_entries
from ...kinds import KINDS
from ...resource import Address, Form, load_form, unpack_form
from ...state import Store, rename_in_form, spell_moves
from ...support.disk_buffer import DiskBuffer
from ...support.file_writing import write_whole
from ...vocabulary.routes import CORE_ROUTES, ROUTES
from ..diff import FieldChange, compare_forms, merge_drift, value_or_none
from . import plan_codec, plan_document
from .change_effects import (
    GRAVE,
    effect_of_creation,
    effect_of_fields,
    effect_of_update,
    form_after_calls,
    is_milder,
)
from .consequences import share_restored
from .plan import Action, Plan, PlannedChange, Step
from .plan_document import (
    FORMAT,
    digest_document,
    parse_items,
    plan_digest,
    read_document,
    spell_saved_plan,
)
from .release_plans import update_visible_last


def refuse_underived(plan: Plan, store: Store, routes: Set[str] = CORE_ROUTES) -> None:
    """Raises `WrongUse` if an update sends anything but the difference between record and form, or
    does more to people than the plan shows.

    The state must be the one that the plan was made from, and `routes` are those that the instance
    has. It skips what cannot be derived again: calls whose answer decides the outcome.
    """
    wrong = next(_find_underived(plan, store, routes), "")
    if wrong:
        raise WrongUse(f"the plan contradicts itself: {wrong}", _AGAIN)


_AGAIN = "make it again with `plan --out`"
_MILDER = "what it does to people with {} is more than it shows"


def _find_underived(plan: Plan, store: Store, routes: Set[str]) -> Iterator[str]:
    """What the changes do that the plan does not show."""
    moved = {i.was: i.address for i in plan.with_action(Action.MOVE) if i.was}
    approved = {one.address for one in plan.approved}
    is_release = bool(plan.release_name)
    changed = [i for action in _CHANGES for i in plan.with_action(action)]
    sent: dict[Address, list[CallPart]] = {planned.address: [] for planned in changed}
    for part in plan.parts:
        if part.address in sent:
            sent[part.address].append(part)
    for planned in changed:
        address, calls = planned.address, sent[planned.address]
        if not calls or not _is_shown(address):
            continue
        known = plan.adoptions.get(address)
        before = unpack_form(known.packed) if known else _before(store, planned, moved)
        before, after, _ = merge_drift(before, form_after_calls(plan, address), planned.drift)
        change = FormChange(address, before, after, routes, address in plan.allowed)
        exact = address in approved
        for wrong in _contradictions(planned, change, calls, is_exact=exact, is_release=is_release):
            yield wrong.format(address)
    for planned in plan.with_action(Action.FORGET):
        form = _before(store, planned, moved)
        if is_milder(planned.effect, KINDS[planned.address.kind].calls.removal(form).effect):
            yield _MILDER.format(planned.address)


def _contradictions(
    planned: PlannedChange,
    change: FormChange,
    calls: Sequence[CallPart],
    *,
    is_exact: bool,
    is_release: bool,
) -> Iterator[str]:
    """What the calls of an update do that the plan does not show."""
    kind = KINDS[planned.address.kind]
    update = partial(update_visible_last, kind) if is_release else kind.calls.update
    described = update(change)
    if [*map(CallPart.sent_values, described.calls)] != [*map(CallPart.sent_values, calls)]:
        yield "what it sends for {} is not what it shows"
    shown = {field.path for field in planned.fields} | {one.path for one in planned.drift}
    differing = list(compare_forms(change.before, change.after))
    if not {field.path for field in differing} <= shown:
        yield "it does not show every field of {} that it changes"
    losses = list(kind.impact.losses(change.before, change.after))
    # Where people have approved an effect, it has to be the one: others approve a milder one.
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


_CALLS = frozenset({Action.CREATE, Action.UPDATE, Action.MOVE, Action.ADOPT})
_CHANGES = (Action.UPDATE, Action.MOVE, Action.ADOPT)
_TAKES_OVER = frozenset(
    {Action.ADOPT, Action.MOVE, Action.UPDATE, Action.MANUAL, Action.UNCHANGED, Action.BLOCKED}
)
"""Actions that may record what is on the platform already, or is not there any more: what is
blocked may name something that is made again."""
_RECORDS = frozenset({Action.ADOPT, Action.MOVE, Action.UNCHANGED})
"""Actions that may correct a record without a call."""


def find_contradiction(plan: Plan) -> str:
    """The first point where calls and changes do not agree; empty if they agree everywhere."""
    changes = {planned.address: planned for planned in plan.changes}
    if len(changes) < len(plan.changes):
        return "an address is listed twice"
    checks = (_find_altered, _find_misread, _find_belittled)
    found = chain(
        _find_uncovered(plan, changes), _find_unmade(plan), *(check(plan) for check in checks)
    )
    return next(found, "")


def _find_uncovered(plan: Plan, changes: Mapping[Address, PlannedChange]) -> Iterator[str]:
    """Calls and records without a matching change."""
    begun: set[Address] = set()
    for part in plan.parts:
        meant = changes.get(part.address)
        call = f"it calls {part.route} for {part.address}"
        if meant is None:
            yield f"{call}, which is not among its changes"
        elif meant.action not in _CALLS:
            yield f"{call}, but shows its action as {meant.action}"
        elif part.creates is not (meant.action is Action.CREATE and part.address not in begun):
            yield f"{call}, but that call does not {meant.action} it"
        # Only the first call of a creation creates; those that follow complete it.
        begun.add(part.address)
    for address in plan.adoptions:
        if address not in changes or changes[address].action not in _TAKES_OVER:
            yield f"it takes over {address}, which is not among its changes"
    for address in plan.releases:
        if address not in changes or changes[address].action not in _RECORDS:
            yield f"it changes the record of {address}, which is not among its changes"


def _find_unmade(plan: Plan) -> Iterator[str]:
    """Changes that the plan shows without making a call for them."""
    called = {part.address for part in plan.parts}
    for planned in (*plan.with_action(Action.CREATE), *plan.with_action(Action.UPDATE)):
        if planned.address not in called:
            yield f"it shows {planned.action} {planned.address}, but no call does that"


def _find_altered(plan: Plan) -> Iterator[str]:
    """Creates that send something other than what they show."""
    for planned in plan.with_action(Action.CREATE):
        if planned.fields:
            yield f"it shows fields of {planned.address} that its calls do not set"
    for part in plan.parts:
        if part.creates and _is_shown(part.address):
            create = KINDS[part.address.kind].calls.create
            meant = create(part.address, load_form(part.packed_after), part.marker)
            if part.sent_values() != meant.sent_values():
                yield f"what it sends for {part.address} is not what it shows"


def _find_misread(plan: Plan) -> Iterator[str]:
    """Fields that the calls do not leave as shown, and that are not manual steps."""
    for planned in (i for action in _CHANGES for i in plan.with_action(action)):
        form = form_after_calls(plan, planned.address)
        if not form or planned.manual or not _is_shown(planned.address):
            continue
        for field in planned.fields:
            if not _holds_field(form, field):
                yield f"{field.path} of {planned.address} will not be as it is shown"


def _find_belittled(plan: Plan) -> Iterator[str]:
    """Changes that affect people more than they show, by what is created and by their fields."""
    for planned in plan.changes:
        kind = KINDS[planned.address.kind]
        new = planned.action is Action.CREATE
        form = form_after_calls(plan, planned.address) if new else {}
        meant = effect_of_creation(kind, form) if new else effect_of_fields(kind, planned.fields)
        # A kind may say itself which grave effect an update has: `refuse_underived` asks it.
        both_grave = not new and {planned.effect, meant} <= GRAVE
        if is_milder(planned.effect, meant) and not both_grave:
            yield f"it shows {planned.address} as {planned.effect}, but it is {meant}"


def _is_shown(address: Address) -> bool:
    """Whether a call sends what its form shows."""
    # If the answer decides its outcome, more is sent than the form.
    return KINDS[address.kind].calls.result is as_meant


def _holds_field(form: Form, field: FieldChange) -> bool:
    held = value_or_none(form, field.path)
    if field.path.endswith(".order") and isinstance(held, list) and isinstance(field.after, list):
        return [name for name in held if name in field.after] == field.after
    return bool(held == field.after)


_PARTS = (
    plan_codec.HEAD
    | plan_codec.GUARDS
    | plan_codec.TRUTH
    | plan_codec.DECISIONS
    | plan_codec.RECORDS
)


def save_plan(plan: Plan, file: Path, secret: str = "") -> None:
    """Writes and signs the whole plan or nothing; raises `WrongUse` if that is not possible.

    Without a secret the plan is not signed.
    """
    try:
        # Private: bodies of a plan may quote what is not published yet.
        write_whole(file, spell_saved_plan(plan, secret), private=True)
    except OSError as error:
        raise WrongUse(f"the plan cannot be written to {file}: {error.strerror}") from None


def restore_plan(file: Path, secret: str = "") -> Plan:
    """Returns the plan in a file as it was saved; raises `WrongUse` for any other file.

    With a secret, it also raises `WrongUse` for a plan that was not signed with it.
    """
    data = _read_plan(file)
    stated = data.get("digest")
    # The digest finds accidents. Against somebody who writes another digest as well there is the
    # signature, and `find_contradiction` makes a plan do what its changes show.
    if stated is None:
        raise WrongUse(
            f"{file} has no digest, so lmssync cannot check whether it was altered", _AGAIN
        )
    lists = [name for name in ("changes", "steps") if name in data]
    try:
        fits = stated == digest_document(data | {name: parse_items(data, name) for name in lists})
    except (TypeError, ValueError) as error:  # it is nested deeper than any plan, or a step is cut
        raise WrongUse(f"{file} is damaged: {error}", _AGAIN) from None
    if not fits:
        raise WrongUse(
            f"{file} was altered or damaged: it does not match its own digest ({stated})", _AGAIN
        )
    if secret:
        plan_document.check_signature(file, data, secret)
    try:
        restored = _restore_document(data)
        del data  # where each change and call lies on the disk
        contradiction = find_contradiction(restored)
        # What is derived, such as counts and the budget, is computed again and must be the same.
        if not contradiction and plan_digest(restored) != stated:
            contradiction = "what it shows does not match its calls"
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise WrongUse(f"{file} is damaged: {error!r}", _AGAIN) from None
    if contradiction:
        raise WrongUse(f"{file} contradicts itself: {contradiction}", _AGAIN)
    return restored


def _read_plan(file: Path) -> dict[str, Any]:
    try:
        data = read_document(file, DiskBuffer())
    except OSError as error:
        raise WrongUse(f"the plan {file} cannot be read: {error.strerror}") from None
    except orjson.JSONDecodeError as error:
        raise WrongUse(f"{file} is not a plan: it is not JSON ({error})") from None
    except orjson.JSONEncodeError as error:  # what is nested too deeply is read, but not written
        raise WrongUse(f"{file} is damaged: {error!r}", _AGAIN) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or "steps" not in data:
        raise WrongUse(
            f"{file} is not a saved plan of this lmssync ({FORMAT})",
            "make one with `plan --out FILE`",
        )
    return data


def _restore_document(data: Mapping[str, Any]) -> Plan:
    changes = [_restore_change(change) for change in parse_items(data, "changes")]
    listed = sum(planned.action is Action.UNCHANGED for planned in changes)
    planning = plan_codec.require_type(dict, data["calls"])["planningByRoute"]
    spill = DiskBuffer()
    shared = {planned.address: planned.address for planned in changes}
    return Plan(
        **plan_codec.read_fields(_PARTS, data),
        changes=changes,
        steps=[_restore_step(step, spill, shared) for step in parse_items(data, "steps")],
        unchanged=plan_codec.NUMBER.read(data["summary"]["unchanged"]) - listed,
        planning={ROUTES[route].name: plan_codec.NUMBER.read(n) for route, n in planning.items()},
    )


def _restore_change(data: Any) -> PlannedChange:
    planned = PlannedChange(**plan_codec.read_fields(plan_codec.CHANGE, data))
    if planned.action is Action.MOVE and planned.was is None:
        raise ValueError(f"{planned.address} moves from nowhere")
    return share_restored(planned)


def _restore_step(
    step: Mapping[str, Any], spill: DiskBuffer, shared: Mapping[Address, Address]
) -> Step:
    """One call; the forms and bodies of its parts are in the buffer, and its addresses are the
    objects that the changes have."""
    route = ROUTES[plan_codec.TEXT.read(step["route"])].name
    params = plan_codec.require_type(dict, step["params"])
    parts: list[CallPart] = []
    for part in plan_codec.require_type(list, step["shares"]):
        given = plan_codec.read_fields(plan_codec.PART, part)
        given["address"] = shared.get(given["address"], given["address"])
        given["kept_body"] = spill.keep_bytes(given.pop("spelled_body"))
        given["kept_after"] = spill.keep_bytes(given.pop("packed_after"))
        if given["creates"]:
            given["look"] = hash(KINDS[given["address"].kind].reads.appearance(part["after"]))
        size = len(body_entries(route, part["body"]))
        parts.append(CallPart(**given, route=route, params=params, size=size))
    if not parts:
        raise ValueError("a step without shares")
    return Step(plan_codec.NUMBER.read(step["slot"]), tuple(parts))
