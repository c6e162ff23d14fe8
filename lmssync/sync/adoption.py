"""Takes over what people have found on the platform for resources of the catalog."""

from collections.abc import Mapping, Sequence

from ..applying import apply, pipeline
from ..applying.apply import ApplyProgress, ApplySession
from ..errors import LmssyncError, Refused, Unreadable, WrongUse
from ..planning import plan, plan_loading as planning
from ..planning.workspace import Workspace
from ..resource import Address, Resource
from ..state import Store


def adopt_found(
    workspace: Workspace,
    store: Store,
    progress: ApplyProgress,
    pairs: Sequence[tuple[Address, str]],
    *,
    unverified: bool,
) -> list[tuple[Address, str | LmssyncError]]:
    """Takes over what a person has found for some resources: how each was checked, or why not."""
    catalog = planning.load_catalog(workspace)
    with pipeline.open_session(workspace, store, progress, catalog) as opened:
        desired = opened.people.conceal_catalog(catalog).resources
        if store.is_empty:  # the next run must not take it for the state of all that was made
            store.note_doubt("the state began with what people have found on the platform")
        return [
            (address, _adopt_one(opened, workspace, address, desired, id_, unverified=unverified))
            for address, id_ in pairs
        ]


def _adopt_one(
    opened: ApplySession,
    workspace: Workspace,
    address: Address,
    desired: Mapping[Address, Resource],
    id_: str,
    *,
    unverified: bool,
) -> str | LmssyncError:
    """How one was checked, or why it is something else."""
    platform = workspace.project.platform
    try:
        if address not in desired:
            raise WrongUse(f"{address} is not in the catalog", "write its manifest first")
        wanted = desired[address]
        mark = plan.mark_of_author(wanted, platform)
        return apply.take_over(opened, wanted, id_, mark, unverified=unverified)
    except (WrongUse, Refused, Unreadable) as error:
        return error
