"""`lmssync validate`."""

import sys
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from . import options
from .exits import Exit

if TYPE_CHECKING:
    from ..manifests.baseline import Sorted
    from ..problems import Problem

FORMATS = ("text", "json", "sarif", "github", "junit")
_PAUSE = 0.5
"""Seconds between two looks at the files."""


class Wish(NamedTuple):
    """What is to be told, and how."""

    form: str = "text"
    since: str | None = None
    limit: int | None = None
    strict: bool = False
    """Warnings fail as well."""
    baseline: bool = True
    """What the baseline knows is not told."""
    write: bool = False
    """All warnings become the baseline."""


@click.command("validate")
@options.catalog
@click.option("-e", "--environment", help="Check what one environment wants; default: each.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="How to tell.")
@click.option("--json", "json_", is_flag=True, help="The same as --format json.")
@click.option("--changed-since", "since", metavar="REV", help="Tell only of files changed since.")
@click.option(
    "--limit", type=click.IntRange(min=0), help="Show at most so many problems; 0 shows all."
)
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option(
    "--baseline/--no-baseline", default=True, help="Leave out known warnings, or show them."
)
@click.option(
    "--write-baseline", "write", is_flag=True, help="Write down all warnings as known ones."
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
def command(*, root: Path, environment: str | None, json_: bool, watch: bool, **wishes: Any) -> int:
    """Check every manifest of the catalog, offline; all mistakes are shown at once."""
    from ..errors import WrongUse

    root = root.absolute()
    environment = environment or options.given("environment")
    wish = Wish(**wishes)
    wish = wish._replace(form="json") if json_ else wish
    if wish.write and (wish.since or watch or not wish.baseline):
        raise WrongUse("--write-baseline is about the whole catalog", "give it alone")
    if not watch:
        return _once(root, environment, wish)
    try:
        return _again_and_again(root, environment, wish)
    except KeyboardInterrupt:
        return Exit.DONE


def _once(root: Path, environment: str | None, wish: Wish) -> int:
    from .. import checking
    from ..errors import InvalidCatalog
    from ..manifests.git import changed, prefix
    from ..manifests.stock.outcome import Outcome
    from ..problems import errors
    from ..report import Checked, bounds, page, problems_in
    from .terminal import ink

    limits = bounds(wish.form, wish.limit)
    told_of = partial(_told, root, wish, cache(partial(changed, root, wish.since or "")))
    try:
        found = checking.validate(
            root, environment, lambda every: page(told_of(every).told, limits).shown
        )
    except InvalidCatalog as error:
        found = Outcome(0, 0, error.problems)
    if wish.write:
        _write(root, found.problems)
    told, quiet, stale = told_of(found.problems)
    checked = Checked(found.files, found.resources, quiet)
    folder = prefix(root) if wish.form in {"sarif", "github", "junit"} else ""
    shown = page(told, limits)
    text = problems_in(wish.form, told, checked, prefix=folder, ink=ink(sys.stdout), shown=shown)
    click.echo(text if wish.form == "text" else text.encode(), nl=False)
    if stale and not environment:
        _say_stale(stale)
    return Exit.INVALID if errors(told) or (wish.strict and told) else Exit.DONE


def _told(
    root: Path,
    wish: Wish,
    changed: Callable[[frozenset[str]], set[str]],
    problems: "Sequence[Problem]",
) -> "Sorted":
    """The problems that are asked for, and how many the baseline keeps quiet.

    `changed` says which files of some have been changed since the revision that is asked for.
    """
    from ..manifests import baseline

    found = baseline.Sorted(list(problems))
    if wish.baseline:
        found = baseline.sort_out(root, problems)
    if wish.since:
        files = changed(frozenset(problem.where.file for problem in found.told))
        told = [p for p in found.told if p.across or p.where.file in files]
        found = found._replace(told=told)
    return found


def _write(root: Path, problems: "Sequence[Problem]") -> None:
    from ..errors import LmssyncError
    from ..manifests import baseline
    from ..report.words import counted

    try:
        number = baseline.write(root, problems)
    except OSError as error:
        raise LmssyncError(f"{baseline.FILE} cannot be written: {error.strerror}") from error
    click.echo(f"wrote {counted(number, 'known warning')} to {baseline.FILE}", err=True)


def _say_stale(number: int) -> None:
    from ..manifests import baseline
    from ..report.words import counted

    told = f"{counted(number, 'warning')} of {baseline.FILE} {'is' if number == 1 else 'are'}"
    click.echo(f"note: {told} no longer found; --write-baseline writes the file anew", err=True)


def _again_and_again(root: Path, environment: str | None, wish: Wish) -> int:
    """Ends when somebody interrupts it; a catalog that cannot be read at all is told and waited
    for."""
    from ..errors import LmssyncError
    from ..manifests.stock.walk import walk
    from .exits import say_error

    seen = None
    while True:
        there = walk(root)
        if there != seen:
            seen = there
            click.clear()
            try:
                _once(root, environment, wish)
            except LmssyncError as error:
                say_error(error)
        time.sleep(_PAUSE)
