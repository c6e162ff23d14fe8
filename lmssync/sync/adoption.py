"""Takes over what people have found on the platform for resources of the catalog."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..applying import apply, pipeline
from ..applying.apply import ApplyProgress, ApplySession
from ..errors import LmssyncError, PlatformError, Refused, StateError, Unreadable, WrongUse
from ..kinds import KINDS
from ..planning import plan, plan_loading as planning
from ..planning.verification_coverage import count_fields
from ..planning.workspace import Workspace
from ..platform.live import KeptAnswers
from ..resource import Address, Resource
from ..state import Counts, Store

FoundId = tuple[Address, str]
"""A resource of the catalog, and the id under which a person has found it."""
AdoptionOutcome = str | LmssyncError
"""How it was checked, or why it was not taken over."""


def adopt_found(
    workspace: Workspace,
    store: Store,
    progress: ApplyProgress,
    pairs: Sequence[FoundId],
    *,
    unverified: bool,
    sends_unread: bool,
) -> list[tuple[Address, AdoptionOutcome]]:
    """Takes over what a person has found for some resources; returns what became of each.

    What no read shows is taken to be as the manifests say, or is sent by the next apply.
    """
    catalog = planning.load_catalog(workspace)
    with pipeline.open_session(workspace, store, progress, catalog) as opened:
        opened.kept = KeptAnswers()
        desired = opened.people.conceal_catalog(catalog).resources
        if store.is_empty:  # the next run must not take it for the state of all that was made
            store.note_doubt("the state began with what people have found on the platform")
        outcomes: dict[int, AdoptionOutcome] = {}
        for number in _order_by_read(pairs, desired):
            outcomes[number] = _adopt_one(
                opened,
                workspace,
                pairs[number],
                desired,
                unverified=unverified,
                sends_unread=sends_unread,
            )
        taken = [pairs[n][0] for n, outcome in outcomes.items() if isinstance(outcome, str)]
        apply.compare_adopted(opened, taken)
    return [(address, outcomes[number]) for number, (address, _) in enumerate(pairs)]


def count_adopted_fields(
    workspace: Workspace, store: Store, outcomes: Sequence[tuple[Address, AdoptionOutcome]]
) -> Counts:
    """The fields of what was taken over, by what the routes of the instance show of them."""
    taken = [address for address, outcome in outcomes if isinstance(outcome, str)]
    counted = count_fields(store, taken, workspace.platform.routes)
    return Counts(*map(sum, zip(*counted.values(), strict=True))) if counted else Counts()


def _order_by_read(pairs: Sequence[FoundId], desired: Mapping[Address, Resource]) -> list[int]:
    """The places of the pairs, with those side by side that one read shows: a course, and then its
    criteria."""
    reads = [_name_read(address, desired) for address, _ in pairs]
    first = {about: place for place, (about, *_) in reversed(list(enumerate(reads)))}
    return sorted(range(len(pairs)), key=lambda number: (first[reads[number][0]], reads[number]))


def _name_read(address: Address, desired: Mapping[Address, Resource]) -> tuple[str, bool, str]:
    """What is read to check a resource: the resource that the read is about, whether that is
    another one, and the route."""
    if address not in desired:
        return str(address), False, ""
    form, reads = desired[address].form, KINDS[address.kind].reads
    if request := reads.request(address, form):
        about = next(_list_references(request.params.values()), str(address))
        return about, about != str(address), request.route
    search = reads.search(form, None)
    return (repr(search.request) if search else str(address)), False, ""


def _list_references(values: Any) -> Iterator[str]:
    return (str(one["$ref"]) for one in values if isinstance(one, dict) and "$ref" in one)


def _adopt_one(
    opened: ApplySession,
    workspace: Workspace,
    found: FoundId,
    desired: Mapping[Address, Resource],
    *,
    unverified: bool,
    sends_unread: bool,
) -> AdoptionOutcome:
    """How one was checked, or why it is something else."""
    (address, id_), platform = found, workspace.platform
    try:
        if address not in desired:
            raise WrongUse(f"{address} is not in the catalog", "write its manifest first")
        wanted = desired[address]
        mark = plan.mark_of_author(wanted, platform)
        return apply.take_over(
            opened, wanted, id_, mark, unverified=unverified, sends_unread=sends_unread
        )
    except (Refused, Unreadable) as error:
        return error
    except (PlatformError, StateError):
        raise  # the next one would fail in the same way
    except LmssyncError as error:
        return error
