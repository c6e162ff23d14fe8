"""From the platform into the manifests: what people have changed there since it was recorded."""

from collections.abc import Mapping, Sequence

from ...errors import WrongUse
from ...planning import diff, plan_loading as planning
from ...planning.workspace import Workspace
from ...platform.client import Reader
from ...resource import Address, Resource
from ...state import Record, Store
from .context import PullContext, Pulled
from .pulling import Pulling, PullSelection

_ROUNDS = 4
"""Parts may have been moved into parts that came: sections, lessons, topics, and a last look."""


def pull_changes(
    workspace: Workspace,
    store: Store,
    reader: Reader,
    wanted: Sequence[PullSelection],
    *,
    dry_run: bool,
) -> Pulled:
    """Writes what people have changed on the platform into the manifests, and records it.

    What was moved to another parent is read again once it stands there: its fields are pulled then.
    """
    rounds: list[Pulling] = []
    with store.hold_state():
        workspace.check_state(store)
        reader.ping_platform()
        while wanted and len(rounds) < _ROUNDS:
            one = _pull_round(PullContext(workspace, store, reader), wanted, dry_run=dry_run)
            rounds.append(one)
            if dry_run:
                break
            wanted = [selection for selection in wanted if selection.address in one.again]
    return _join_rounds(rounds, dry_run=dry_run)


def _pull_round(context: PullContext, wanted: Sequence[PullSelection], *, dry_run: bool) -> Pulling:
    """Reads what is wanted, plans the edits for it, and writes them.

    What cannot be written is left to people: the edits are planned again without it.
    """
    catalog = planning.load_catalog(context.workspace).resources
    records = [_require_record(context.store, catalog, one.address) for one in wanted]
    instance = diff.Instance(context.reader, context.binder(catalog), context.store, context.routes)
    looked = diff.read_live(instance, list({record.address: record for record in records}.values()))
    seen = {record.address: state for record, state in looked}
    left: dict[Address, str] = {}
    while True:
        pulling = Pulling(context, catalog, seen, left)
        for one, record in zip(wanted, records, strict=True):
            pulling.take(one, record)
        pulling.arrange()
        more = pulling.unsafe() or ({} if dry_run else pulling.write())
        if not more:
            return pulling
        left |= more


def _require_record(store: Store, desired: Mapping[Address, Resource], address: Address) -> Record:
    record = store.find_record(address)
    if address not in desired:
        raise WrongUse(
            f"{address} is not in the catalog",
            "write its manifest first, or import it where the instance lists it",
        )
    if record is None:
        raise WrongUse(
            f"nothing is recorded for {address}",
            f"`lmssync adopt {address}=ID` or `lmssync apply` records it",
        )
    return record


def _join_rounds(rounds: Sequence[Pulling], *, dry_run: bool) -> Pulled:
    """What all rounds did; what is refused is asked anew of what is looked at again."""
    refused = [
        one
        for each in rounds
        for one in each.refused
        if each is rounds[-1] or one[0] not in each.again
    ]
    return Pulled(
        [field for one in rounds for field in one.taken],
        [part for one in rounds for part in one.pulled_parts],
        refused,
        sorted({file for one in rounds for file in one.written}),
        dry_run,
    )
