"""What a validation reports: all problems, or those asked for, without known warnings."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from .asked import Asked, asked_about
from .exits import Exit

if TYPE_CHECKING:
    from ..checking import Sorted
    from ..problems import Problem


_Choice = Callable[["Sequence[Problem]"], "Sorted"]


class Wish(NamedTuple):
    """What to report, and how."""

    form: str = "text"
    files: tuple[str, ...] = ()
    """Empty: all files."""
    since: str | None = None
    limit: int | None = None
    strict: bool = False
    """Warnings fail as well."""
    baseline: bool = True
    """Leave out the warnings that the baseline knows."""
    write: bool = False
    """All warnings become the baseline."""


def once(root: Path, environment: str | None, wish: Wish) -> int:
    """Checks a catalog, prints what was found, and returns the exit code."""
    from .. import checking
    from ..checking import Sorted
    from ..errors import InvalidCatalog
    from ..git import prefix
    from ..manifests.cache import Outcome
    from ..problems import errors
    from ..report.problems import Checked, bounds, page, problems_in
    from .terminal import ink

    limits = bounds(wish.form, wish.limit)
    told_of: _Choice = partial(_told, root, wish, asked_about(root, wish.files, wish.since))

    def shown_of(every: "Sequence[Problem]") -> "Sequence[Problem]":
        # Once all warnings are written down as known, none of them is shown.
        writes = wish.write and not errors(every)
        return [] if writes else page(told_of(every).told, limits).shown

    try:
        found = checking.validate(root, environment, shown_of)
    except InvalidCatalog as error:  # nothing else could be looked at
        found, told_of = Outcome(0, 0, error.problems), lambda every: Sorted(list(every))
    if wish.write:
        _write(root, found.problems)
    told, quiet, stale = told_of(found.problems)
    elsewhere = len(found.problems) - quiet - len(told)
    checked = Checked(found.files, found.resources, elsewhere, quiet)
    folder = prefix(root) if wish.form in {"sarif", "github", "junit"} else ""
    shown = page(told, limits)
    text = problems_in(wish.form, told, checked, prefix=folder, ink=ink(sys.stdout), shown=shown)
    click.echo(text if wish.form == "text" else text.encode(), nl=False)
    if stale and not environment:
        _say_stale(stale)
    return Exit.INVALID if errors(told) or (wish.strict and told) else Exit.DONE


def _told(root: Path, wish: Wish, asked: Asked, problems: "Sequence[Problem]") -> "Sorted":
    """The problems that are `asked` for, and how many the baseline hides."""
    from ..checking import baseline

    every = list(problems)
    found = baseline.sort_out(root, every) if wish.baseline else baseline.Sorted(every)
    return found._replace(told=asked(found.told))


def _write(root: Path, problems: "Sequence[Problem]") -> None:
    from ..checking import baseline
    from ..errors import LmssyncError
    from ..problems import errors
    from ..report.words import counted

    if errors(problems):
        why = "the catalog has errors, which may hide further warnings"
        click.echo(f"note: {baseline.FILE} was not written: {why}", err=True)
        return
    try:
        number = baseline.write(root, problems)
    except OSError as error:
        raise LmssyncError(f"{baseline.FILE} cannot be written: {error.strerror}") from error
    click.echo(f"wrote {counted(number, 'known warning')} to {baseline.FILE}", err=True)


def _say_stale(number: int) -> None:
    from ..checking import baseline
    from ..report.words import counted

    told = f"{counted(number, 'warning')} of {baseline.FILE} {'is' if number == 1 else 'are'}"
    click.echo(f"note: {told} no longer found; --write-baseline rewrites the file", err=True)
