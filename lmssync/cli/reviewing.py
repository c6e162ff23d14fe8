"""What `lmssync ci` does before it posts anything: validates, plans, marks lines."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Unpack

import click

from ..errors import InvalidCatalog, WrongUse
from ..support.visible import escape_invisible
from . import chosen_workspace as meanings
from .options import Decided
from .printing import print_exactly

if TYPE_CHECKING:
    from ..code_hosts import CiJob
    from ..planning.plan import Plan
    from ..planning.workspace import Workspace
    from ..problems import Severity
    from ..resource import Address


def refuse_invalid(root: Path, job: "CiJob") -> None:
    """Shows all problems of the catalog, on GitHub beside the lines; raises `InvalidCatalog`."""
    from ..catalog import checking
    from ..problems import only_errors
    from .validating import Wish, once

    if once(root, None, Wish(form="github" if job.host == "github" else "text")):
        raise InvalidCatalog(only_errors(checking.validate(root, None, only_errors).problems))


def choose_workspace(saved: Path | None, **given: Unpack[Decided]) -> "Workspace":
    """The workspace of a review; a saved plan is for its own environment where nobody names one."""
    from ..planning import plan

    if saved and not meanings.is_environment_named(given["environment"]):
        try:
            given["environment"] = plan.restore_plan(saved, meanings.plan_secret()).environment
        except WrongUse:
            with suppress(WrongUse):
                return meanings.asking(**given)  # where a comment can say what is wrong with it
            raise
    return meanings.asking(**given)


def make_or_read_plan(place: "Workspace", saved: Path | None, out: Path | None) -> "Plan":
    """The plan of a file, or a new one, which is saved if `out` says where; prints it."""
    from ..planning import plan
    from .terminal_output import show_plan

    made = the_plan(place, saved, to_save=out is not None)
    if out:
        plan.save_plan(made, out, meanings.plan_secret())
        click.echo(escape_invisible(f"saved to {out}"), err=True)
    show_plan(made, full=False)
    return made


def the_plan(place: "Workspace", saved: Path | None, *, to_save: bool = False) -> "Plan":
    """The plan of a file, or a new one; raises `WrongUse` for one of another environment."""
    from ..planning import plan

    if saved is None:
        return new_plan(place, to_save=to_save)
    made = plan.restore_plan(saved, meanings.plan_secret())
    if made.environment != place.name:
        raise WrongUse(
            f"the plan is for {made.environment}, but this run is for {place.name}",
            f"choose it with -e {made.environment}",
        )
    return made


def new_plan(place: "Workspace", *, to_save: bool) -> "Plan":
    """A plan as the options want it. One that is saved is of a state, which is made if need be."""
    from ..planning import loading as planning
    from ..support.decisions import Refresh
    from .progress import Lines

    catalog = planning.load_catalog(place)
    if to_save:
        place.make_store()  # its codes for people are made there
    with place.store(read_only=True) as store:
        if place.decided.refresh is Refresh.OFFLINE:
            return planning.make_plan(place, catalog, store, None)
        with place.reader() as reader:
            reader.pace.tell = Lines().note
            return planning.make_plan(place, catalog, store, reader)


def mark_blocked(root: Path, made: "Plan") -> None:
    """Prints what guards say and what is blocked as commands of a GitHub workflow, with lines."""
    from ..report.problems import annotation
    from ..resource import PROJECT_FILE, Place
    from ..support.git import prefix
    from .reading import read

    marks = list(_marks(made))
    if not marks:
        return
    catalog, folder = read(root, made.environment), prefix(root)
    there = {address for one in marks for address in one.addresses if address in catalog.resources}
    places = catalog.find_places({str(one): catalog.resources[one].origin for one in there})
    for one in marks:
        # What has left the catalog, and what is said of a whole plan, has no line.
        for name in [*map(str, one.addresses)] or [""]:
            place = places.get(name, Place(PROJECT_FILE))
            whole = place._replace(file=f"{folder}{place.file}")
            line = annotation(one.severity, whole, one.title, escape_invisible(one.text))
            print_exactly(f"{line}\n".encode())


class _Mark(NamedTuple):
    """A text beside the manifests of some resources."""

    severity: "Severity"
    title: str
    addresses: "Sequence[Address]"
    text: str


def _marks(made: "Plan") -> Iterator[_Mark]:
    """What waits for `--allow` or for a decision; not what only an apply asks."""
    from ..planning.plan import AT_APPLY
    from ..problems import Severity

    for said in made.guards:
        if not said.permitted and said.guard not in AT_APPLY:
            hint = "" if said.allow in said.message else f": {said.allow} allows it"
            text = f"{said.message}{hint}"
            yield _Mark(said.severity, f"lmssync guard {said.guard}", said.addresses, text)
    for one in made.undecided_changes:
        if not one.guard:
            text = f"{one.address}: {one.block_reason}"
            yield _Mark(Severity.ERROR, "lmssync blocked", [one.address], text)
