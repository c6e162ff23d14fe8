"""What `lmssync ci` does before it posts anything: validates, plans, marks lines."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import InvalidCatalog, WrongUse
from ..visible import visible
from . import options

if TYPE_CHECKING:
    from ..code_hosts import CiJob
    from ..plan import Plan
    from ..workspace import Workspace


def refuse_invalid(root: Path, job: "CiJob") -> None:
    """Shows all problems of the catalog, on GitHub beside the lines; raises `InvalidCatalog`."""
    from .. import checking
    from ..problems import errors
    from .validating import Wish, once

    if once(root, None, Wish(form="github" if job.host == "github" else "text")):
        raise InvalidCatalog(errors(checking.validate(root, None, errors).problems))


def planned(place: "Workspace", saved: Path | None, out: Path | None) -> "Plan":
    """The plan of a file, or a new one, which is saved if `out` says where; prints it."""
    from .. import plan
    from .terminal import show_plan

    if out:
        place.make_store()
    made = the_plan(place, saved)
    if out:
        plan.save(made, out, options.plan_secret())
        click.echo(visible(f"saved to {out}"), err=True)
    show_plan(made, full=False)
    return made


def the_plan(place: "Workspace", saved: Path | None) -> "Plan":
    """The plan of a file, or a new one; raises `WrongUse` for one of another environment."""
    from .. import pipeline, plan
    from .progress import Lines

    if saved is None:
        catalog = pipeline.load(place)
        with place.store(read_only=True) as store, place.reader() as reader:
            reader.pace.tell = Lines().note
            return pipeline.make_plan(place, catalog, store, reader)
    made = plan.restore(saved, options.plan_secret())
    if made.environment != place.name:
        raise WrongUse(
            f"the plan is for {made.environment}, but this run is for {place.name}",
            f"choose it with -e {made.environment}",
        )
    return made


def mark_blocked(root: Path, made: "Plan") -> None:
    """Prints what is blocked as commands of a GitHub workflow, each with its line."""
    from ..git import prefix
    from ..plan import Action
    from ..problems import Severity
    from ..report.problems import annotation
    from ..settings import PROJECT_FILE
    from ..source import Place
    from .reading import read

    blocked = made.of(Action.BLOCKED)
    if not blocked:
        return
    catalog, folder = read(root, made.environment), prefix(root)
    there = [one.address for one in blocked if one.address in catalog.resources]
    places = catalog.places({str(one): catalog.resources[one].origin for one in there})
    for one in blocked:
        place = places.get(str(one.address), Place(PROJECT_FILE))  # one that left has no line
        title = f"lmssync guard {one.guard}" if one.guard else "lmssync blocked"
        message = visible(f"{one.address}: {'; '.join(one.reasons)}")
        whole = place._replace(file=f"{folder}{place.file}")
        click.echo(annotation(Severity.ERROR, whole, title, message).encode())
