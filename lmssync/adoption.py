"""Takes over what people have found on the platform for resources of the catalog."""

from collections.abc import Sequence

from . import apply, pipeline, plan
from .address import Address
from .apply import Progress
from .errors import LmssyncError, Refused, Unreadable, WrongUse
from .state import Store
from .workspace import Workspace


def adopt(
    workspace: Workspace,
    store: Store,
    progress: Progress,
    pairs: Sequence[tuple[Address, str]],
    *,
    unverified: bool,
) -> Iterator[tuple[Address, str | LmssyncError]]:
    """Takes over what a person has found for some resources: how each was checked, or why not."""
    catalog = pipeline.load(workspace)
    with pipeline.session(workspace, store, progress, catalog) as opened:
        resources = opened.people.concealed(catalog).resources
        routes = workspace.project.platform.routes
        for address, id_ in pairs:
            try:
                if address not in resources:
                    raise WrongUse(f"{address} is not in the catalog", "write its manifest first")
                mark = plan.mark_of_author(resources[address], workspace.project.platform)
                yield (
                    address,
                    apply.take_over(
                        opened, resources[address], id_, mark, routes, unverified=unverified
                    ),
                )
            except (WrongUse, Refused, Unreadable) as error:
                yield address, error
