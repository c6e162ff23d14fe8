"""Steps for people: closed once a read of the platform shows that somebody has done them.

A step that no route shows stays open until a person confirms it.
"""

from collections.abc import Collection, Sequence

from ..catalog.manifests.catalog import Catalog
from ..kind import FormChange
from ..kinds import KINDS
from ..planning.diff import Change, Difference, Resolution, put_value, value_at
from ..planning.plan_loading import read_changes
from ..planning.workspace import Workspace
from ..platform.client import Reader
from ..resource import Form, pack_form
from ..state import OpenStep, Store


def close_shown_steps(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    reader: Reader,
    steps: Sequence[OpenStep],
) -> list[OpenStep]:
    """Closes those of some steps that a read shows as done; raises `PlatformError`.

    What was deleted by hand is forgotten, and keeps its ids: it is not made again without asking.
    """
    # Lists of people are compared with the accounts, by `drift` itself.
    judged = {one.address for one in steps if not KINDS[one.address.kind].concealed}
    closed: list[OpenStep] = []
    for change in list(read_changes(workspace, catalog, store, reader, judged)):
        own = [one for one in steps if one.address == change.address and not one.lasting]
        if change.difference is Difference.GONE:
            if change.missing and own:
                store.close_shown_steps(own, [])
                store.forget_addresses([change.address], reason="a read shows: deleted by hand")
                closed += own
        elif change.recorded and not (change.was or change.found or change.gone or change.missing):
            closed += _close_done_fields(workspace, store, change, own)
    return closed


def _close_done_fields(
    workspace: Workspace, store: Store, change: Change, own: Collection[OpenStep]
) -> list[OpenStep]:
    """Records the fields that are on the platform as git wants them, if steps asked for them."""
    assert change.recorded
    before = after = change.recorded.form
    for one in change.drift:
        if one.decision is Resolution.CONVERGED:
            after = put_value(after, one.path, value_at(change.wanted, one.path))
    asked = _list_asked(workspace, change, before) - _list_asked(workspace, change, after)
    closed = [one for one in own if one.manual.field in asked]
    if closed:
        store.close_shown_steps(closed, [change.recorded.with_form(pack_form(after))])
    return closed


def _list_asked(workspace: Workspace, change: Change, before: Form) -> set[str]:
    """The fields of the steps that lead from a form to the desired one."""
    others = change.desired.lifecycle.ignore if change.desired else ()
    routes = workspace.platform.routes
    wanted = FormChange(change.address, before, change.wanted, routes, others=others)
    return {step.field for step in KINDS[change.address.kind].calls.update(wanted).manual}
