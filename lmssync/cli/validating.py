"""What a validation reports: all problems, or those asked for, without known warnings."""

import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from .exits import Exit
from .printing import print_exactly

if TYPE_CHECKING:
    from ..problems import Problem


_Asked = Callable[[list["Problem"]], list["Problem"]]
"""Chooses among the problems of a catalog."""


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
    online: bool = False
    """Ask the platform about what the manifests name."""


def once(root: Path, environment: str | None, wish: Wish) -> int:
    """Checks a catalog, prints what was found, and returns the exit code."""
    from ..catalog import checking
    from ..catalog.checking import Sorted, sort_out
    from ..catalog.manifests.cache import Validation
    from ..errors import InvalidCatalog
    from ..problems import in_order, only_errors
    from ..report.problems import FORMATS, Checked, bounds, page, problems_in
    from ..support.git import prefix
    from .asking import ask
    from .terminal_output import ink

    limits = bounds(wish.form, wish.limit)
    asked = _asked_about(root, wish.files, wish.since)

    def choose_problems(every: "Sequence[Problem]") -> Sorted:
        """The problems that are asked for, and how many the baseline hides."""
        known = sort_out(root, every) if wish.baseline else Sorted(list(every))
        return known._replace(told=asked(known.told))

    def shown_of(every: "Sequence[Problem]") -> "Sequence[Problem]":
        # Once all warnings are written down as known, none of them is shown.
        writes = wish.write and not only_errors(every)
        return [] if writes else page(choose_problems(every).told, limits).shown

    try:
        outcome, is_whole = checking.validate(root, environment, shown_of), True
    except InvalidCatalog as error:  # nothing else could be looked at
        outcome, is_whole = Validation(0, 0, error.problems), False
    every, asked_online = outcome.problems, None
    if wish.online and is_whole:
        asked_online = ask(root, environment)
        every = in_order([*every, *asked_online.online.problems])
    if wish.write:
        _write(root, every)
    problems, quiet, stale = choose_problems(every) if is_whole else Sorted(list(every))
    elsewhere = len(every) - quiet - len(problems)
    online = asked_online.document if asked_online else None
    checked = Checked(outcome.files, outcome.resources, elsewhere, quiet, online)
    folder = prefix(root) if FORMATS[wish.form].in_repository else ""
    shown, colours = page(problems, limits), ink(sys.stdout)
    text = problems_in(wish.form, problems, checked, prefix=folder, ink=colours, shown=shown)
    if wish.form == "text":
        click.echo(text, nl=False)
    else:
        print_exactly(text.encode())
    if stale and not environment:
        _say_stale(stale)
    if asked_online:
        asked_online.report()
    return Exit.INVALID if only_errors(problems) or (wish.strict and problems) else Exit.DONE


def _asked_about(root: Path, files: Sequence[str], since: str | None) -> _Asked:
    """For named files, their problems; for changed files, also problems they cause elsewhere.

    Raises `WrongUse` for a missing file; the returned function raises it for an unknown revision.
    """
    from ..catalog.manifests.files import choose_files
    from ..support.git import changed_files

    named = choose_files(root, files) if files else None
    late = cache(partial(changed_files, root, since or ""))

    def asked(problems: list["Problem"]) -> list["Problem"]:
        if named is not None:
            problems = [problem for problem in problems if problem.where.file in named]
        if since:
            there = late(frozenset(problem.where.file for problem in problems))
            problems = [p for p in problems if p.across or p.where.file in there]
        return problems

    return asked


def _write(root: Path, problems: "Sequence[Problem]") -> None:
    from ..catalog.checking import baseline
    from ..errors import LmssyncError
    from ..problems import only_errors
    from ..report.value_words import count_noun

    if only_errors(problems):
        why = "the catalog has errors, which may hide further warnings"
        click.echo(f"note: {baseline.FILE} was not written: {why}", err=True)
        return
    try:
        number = baseline.write(root, problems)
    except OSError as error:
        raise LmssyncError(f"{baseline.FILE} cannot be written: {error.strerror}") from error
    click.echo(f"wrote {count_noun(number, 'known warning')} to {baseline.FILE}", err=True)


def _say_stale(number: int) -> None:
    from ..catalog.checking import baseline
    from ..report.value_words import count_noun

    count = f"{count_noun(number, 'warning')} of {baseline.FILE} {'is' if number == 1 else 'are'}"
    click.echo(f"note: {count} no longer found; --write-baseline rewrites the file", err=True)
