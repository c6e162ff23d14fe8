"""Manual steps: remembers which are open, and closes them when a person confirms them."""

from collections.abc import Callable, Collection, Iterable, Sequence

from ...errors import WrongUse
from ...kind import ManualStep
from ...kinds import KINDS
from ...planning.diff import Change, Difference
from ...planning.plan import Action, Plan, PlannedChange
from ...problems import suggest_near
from ...resource import Address
from ...state import Record, Store

_OURS = {Action.CREATE, Action.UPDATE, Action.ADOPT, Action.MOVE}


def keep_manual_steps(store: Store, plan: Plan) -> None:
    """Remembers the manual steps of a plan, except those recorded with a creation."""
    store.keep_requests({i.address: _steps_of_comparison(i) for i in plan.changes if i.manual})


def _steps_of_comparison(planned: PlannedChange) -> list[ManualStep]:
    """Leaves out the steps of a creation: they may have been confirmed since the plan was saved."""
    afterwards = {step.field for step in KINDS[planned.address.kind].calls.after_create}
    return [step for step in planned.manual if step.field not in afterwards]


def confirm_manual_steps(
    store: Store,
    plan: Plan,
    addresses: Sequence[Address],
    look: Callable[[Collection[Address]], Iterable[Change]],
) -> list[Address]:
    """Records resources as desired, drops those that left; returns the ones with manual steps.

    The plan says what is open; `look` gives the changes without the fields in conflict, which keep
    their record. Raises `WrongUse` and records nothing if one of them waits for lmssync itself.
    """
    meant = {old: i for i in plan.changes for old in (i.was, i.address) if old}
    for address in addresses:
        _refuse_unclear(store, address, meant.get(address))
    done = {a for a in addresses if a in meant and meant[a].manual}
    if done:
        differing = list(look(done))
        store.confirm_steps(
            sorted(done),
            records=[_as_desired(c) for c in differing if c.difference is Difference.CHANGED],
            gone=[c.address for c in differing if c.difference is Difference.GONE],
        )
    return sorted(done)


def _refuse_unclear(store: Store, address: Address, meant: PlannedChange | None) -> None:
    """Refuses addresses that are unknown, undecided, or for lmssync itself to handle."""
    if address in store.unresolved_addresses():
        raise WrongUse(
            f"a call for {address} waits for a decision, so its steps cannot be confirmed yet",
            f"run `lmssync apply` to look for it, or `lmssync resolve {address} --adopt ID`",
        )
    if meant is None:
        _refuse_unknown(store, address)
    elif meant.action is Action.BLOCKED:
        raise WrongUse(f"{address} is blocked: {'; '.join(meant.reasons)}")
    elif meant.action in _OURS:
        raise WrongUse(
            f"{address} has changes that lmssync makes itself",
            "run `lmssync apply` first, and decide with `--keep` about what it leaves",
        )
    elif meant.action is Action.FORGET:
        raise WrongUse(
            f"{address} has left the catalog, and no manual step was open for it",
            "`lmssync apply` forgets it",
        )


def _refuse_unknown(store: Store, address: Address) -> None:
    known = store.fingerprints()
    if address not in known:
        raise WrongUse(
            f"{address} is neither in the catalog nor in the state, so it has no manual step",
            suggest_near(str(address), [str(one) for one in known]),
        )


def _as_desired(change: Change) -> Record:
    """The record after a person has done everything; parts that were removed have no id."""
    record = change.recorded
    assert record is not None
    if record.unpaired:
        return record.with_form(change.packed_after)
    paths = KINDS[change.address.kind].authoring.parts(change.after)
    parts = {path: id_ for path, id_ in record.ids.parts.items() if path in paths}
    return record.with_form(change.packed_after, record.ids._replace(parts=parts))
