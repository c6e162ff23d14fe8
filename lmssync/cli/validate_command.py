"""`lmssync validate`."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..errors import InvalidCatalog, LmssyncError, PlatformError, WrongUse
from ..problems import Problem, in_order, only_errors
from ..report.problems import FOR_TERMINALS, PROBLEM_FORMATS
from ..report.value_words import count_noun, join_words
from ..support.invisible_characters import escape_invisible
from . import options
from .chosen_workspace import choose_online_workspace
from .command_help import PLATFORM_EXITS, documented_command
from .exits import Exit, print_error
from .options import format_options
from .terminal_output import choose_display, print_exactly
from .typed_moments import parse_coming_moment

if TYPE_CHECKING:
    from ..sync.media_check import MediaReport
    from ..sync.online_check import Online


_Asked = Callable[[list[Problem]], list[Problem]]
"""Chooses among the problems of a catalog."""


class ValidationOptions(NamedTuple):
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
    media: bool = False
    """Look at the files that the manifests name by address."""
    private_hosts: bool = False
    apply_by: datetime | None = None
    """When what was checked will be applied; None: now."""


def validate_once(root: Path, environment: str | None, wish: ValidationOptions) -> int:
    """Checks a catalog, prints what was found, and returns the exit code."""
    from ..catalog.catalog_validation import (
        BaselineResult,
        apply_baseline,
        validate_catalog,
    )
    from ..catalog.manifests.cache import Validation
    from ..report.problems import Checked, SourceLines, choose_bounds, problems_in, select_problems
    from ..support.git_repository import folder_in_repository

    limits = choose_bounds(wish.form, wish.limit)
    asked = _make_filter(root, wish.files, wish.since)

    def choose_problems(every: "Sequence[Problem]") -> BaselineResult:
        """The problems that are asked for, and how many the baseline hides."""
        known = apply_baseline(root, every) if wish.baseline else BaselineResult(list(every))
        return known._replace(reported=asked(known.reported))

    def shown_of(every: "Sequence[Problem]") -> "Sequence[Problem]":
        # Once all warnings are written down as known, none of them is shown.
        writes = wish.write and not only_errors(every)
        chosen = [] if writes else choose_problems(every).reported
        is_placed = all(problem.place for problem in chosen)
        return [] if is_placed else select_problems(chosen, limits).shown

    try:
        outcome, is_whole = validate_catalog(root, environment, shown_of), True
    except InvalidCatalog as error:  # nothing else could be looked at
        outcome, is_whole = Validation(0, 0, error.problems), False
    asked_online = ask_online(root, environment) if wish.online and is_whole else None
    seen = look_at_media(root, environment, wish) if wish.media and is_whole else None
    reports: list[Online | MediaReport] = [asked_online.online] if asked_online else []
    reports += [seen] if seen else []
    outside = [problem for report in reports for problem in report.problems]
    every = in_order([*outcome.problems, *outside]) if outside else outcome.problems
    if wish.write:
        _write_baseline(root, every)
    problems, quiet, stale = choose_problems(every) if is_whole else BaselineResult(list(every))
    elsewhere = len(every) - quiet - len(problems)
    online = asked_online.document if asked_online else None
    checked = Checked(
        outcome.files, outcome.resources, elsewhere, quiet, online, seen and seen.document
    )
    folder = folder_in_repository(root) if PROBLEM_FORMATS[wish.form].in_repository else ""
    shown = select_problems(problems, limits)
    display = choose_display(sys.stdout, SourceLines(root))
    text = problems_in(wish.form, problems, checked, prefix=folder, display=display, shown=shown)
    if wish.form in FOR_TERMINALS:
        click.echo(text, nl=False)
    else:
        print_exactly(text.encode())
    if stale and not environment:
        _note_stale_baseline(stale)
    if seen:
        _report_media(seen)
    if asked_online:
        asked_online.report_answers()
    return Exit.INVALID if only_errors(problems) or (wish.strict and problems) else Exit.DONE


def _make_filter(root: Path, files: Sequence[str], since: str | None) -> _Asked:
    """For named files, their problems; for changed files, also problems they cause elsewhere.

    Raises `WrongUse` for a missing file; the returned function raises it for an unknown revision.
    """
    from ..catalog.manifests.catalog_files import choose_files
    from ..support.git_repository import changed_files

    named = choose_files(root, files) if files else None
    late = cache(partial(changed_files, root, since or ""))

    def asked(problems: list[Problem]) -> list[Problem]:
        if named is not None:
            problems = [problem for problem in problems if problem.where.file in named]
        if since:
            there = late(frozenset(problem.where.file for problem in problems))
            problems = [p for p in problems if p.across or p.where.file in there]
        return problems

    return asked


def _write_baseline(root: Path, problems: "Sequence[Problem]") -> None:
    from ..catalog.catalog_validation import BASELINE_FILE, write_baseline

    if only_errors(problems):
        why = "the catalog has errors, which may hide further warnings"
        click.echo(f"note: {BASELINE_FILE} was not written: {why}", err=True)
        return
    try:
        number = write_baseline(root, problems)
    except OSError as error:
        raise LmssyncError(f"{BASELINE_FILE} cannot be written: {error.strerror}") from error
    click.echo(f"wrote {count_noun(number, 'known warning')} to {BASELINE_FILE}", err=True)


def _note_stale_baseline(number: int) -> None:
    from ..catalog.catalog_validation import BASELINE_FILE

    count = f"{count_noun(number, 'warning')} of {BASELINE_FILE} {'is' if number == 1 else 'are'}"
    click.echo(f"note: {count} no longer found; --write-baseline rewrites the file", err=True)


_PAUSE = 0.5
"""Seconds between two checks of the files."""


@documented_command(
    "validate",
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync validate", "check the whole catalog"),
        ("lmssync validate courses/fire-safety.yaml", "show the problems of one file"),
        ("lmssync validate --changed-since main", "show the problems of what has changed"),
        ("lmssync validate --watch", "check again whenever a file changes"),
        (
            "lmssync validate --online -e sandbox",
            "also ask the sandbox whether what manifests name is there",
        ),
        ("lmssync validate --media", "also look at the files that the platform will fetch"),
    ),
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@options.catalog
@click.option(
    "-e", "--environment", metavar="ENV", help="Check only this environment; default: all."
)
@format_options(click.Choice(PROBLEM_FORMATS))
@click.option(
    "--changed-since",
    "since",
    metavar="REV",
    help="Show only problems in files that changed since REV.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show at most this many problems; 0 shows all.",
)
@click.option("--strict", is_flag=True, help="Fail on warnings as well.")
@click.option(
    "--baseline/--no-baseline",
    default=True,
    help="Hide or show the warnings that the baseline lists.",
)
@click.option(
    "--write-baseline", "write", is_flag=True, help="Write all present warnings into the baseline."
)
@click.option(
    "--online", is_flag=True, help="Ask the platform whether what manifests name is there."
)
@click.option(
    "--media", is_flag=True, help="Look at the pictures, packages, PDFs and videos at addresses."
)
@click.option(
    "--apply-by",
    metavar="TIME",
    help="With --media: signatures of addresses must last until then (default: now).",
)
@click.option(
    "--private-hosts",
    is_flag=True,
    help="With --media: look at files in your own network too; not in a pipeline.",
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
def command(*, root: Path, environment: str | None, watch: bool, **wishes: Any) -> int:
    """Check every manifest of the catalog, offline, and show all problems at once.

    With FILE (a manifest, a body, a table or a folder) only the problems in FILE are shown; the
    whole catalog is read nevertheless. With --online, lmssync also asks the platform of one
    environment whether the tags, clients, locations, courses, learning paths, ribbons and people
    that manifests name are there. With --media, it reads the beginning of each file that manifests
    name by address, and says which of them the platform could not use.
    """
    root = root.absolute()
    environment = environment or options.find_option_before("environment")
    apply_by = parse_coming_moment(wishes.pop("apply_by"), option="--apply-by")
    wish = ValidationOptions(**wishes, apply_by=apply_by)
    if wish.write and (wish.since or wish.files or watch or not wish.baseline):
        raise WrongUse(
            "--write-baseline covers the whole catalog",
            "use it without FILE, --changed-since and --watch",
        )
    if watch and wish.online:
        raise WrongUse("--watch would ask the platform after each change", "leave out --online")
    if watch and wish.media:
        raise WrongUse("--watch would fetch files after each change", "leave out --media")
    _require_media(wish)
    if not watch:
        return validate_once(root, environment, wish)
    _look_again(root, lambda: validate_once(root, environment, wish))
    return Exit.DONE


def _look_again(root: Path, look: Callable[[], object]) -> None:
    """Checks until it is interrupted; if the catalog cannot be read, waits until it can.

    It clears the terminal before each check, and prints what it is doing to stderr.
    """
    from ..catalog.manifests.catalog_files import walk_catalog

    seen = None
    with suppress(KeyboardInterrupt):
        while True:
            files = walk_catalog(root)
            if files != seen:
                seen = files
                click.clear()
                click.echo(f"Checking {escape_invisible(str(root))} ...", err=True)
                try:
                    look()
                except LmssyncError as error:
                    print_error(error)
                sys.stdout.flush()
                now = time.strftime("%H:%M:%S")
                click.echo(f"Checked at {now}. Waiting for changes; Ctrl-C ends this.", err=True)
            time.sleep(_PAUSE)


def _require_media(wish: ValidationOptions) -> None:
    """Raises `WrongUse` where `--media` cannot do what is asked, or is missing."""
    if not wish.media:
        if wish.private_hosts or wish.apply_by:
            raise WrongUse("--apply-by and --private-hosts are about files", "add --media")
        return
    if wish.private_hosts and os.environ.get("CI"):
        raise WrongUse(
            "--private-hosts in a pipeline would let a pull request reach into its network",
            "leave it out, or check on your own machine, where CI is not set",
        )
    from ..sync.media_files import require_media_packages

    require_media_packages()


def look_at_media(root: Path, environment: str | None, wish: ValidationOptions) -> "MediaReport":
    """Looks at the files that the manifests of one environment name by address."""
    from ..catalog.catalog_validation import load_readable_part
    from ..sync.media_check import check_media

    catalog, _ = load_readable_part(root, environment, os.environ)
    moment = wish.apply_by or datetime.now(UTC)
    return check_media(catalog, moment, private_hosts=wish.private_hosts)


def _report_media(found: "MediaReport") -> None:
    of = f"{found.files - found.unfetched:,} of " if found.unfetched else ""
    text = f"looked at {of}{count_noun(found.files, 'file')} of the web"
    click.echo(text if found.files else "there is no file to look at", err=True)
    for why, number in sorted(found.unread.items()):
        count = count_noun(number, "file")
        click.echo(f"note: {count} could not be looked into: {escape_invisible(why)}", err=True)


class OnlineAnswers(NamedTuple):
    """Answers of the platform; a failure is raised once everything else has been printed."""

    online: "Online"
    failure: "PlatformError | None" = None

    @property
    def document(self) -> dict[str, Any] | None:
        """For programs; nothing if the platform could not be asked."""
        if self.failure:
            return None
        _, asked, unchecked, calls = self.online
        return {"asked": asked, "calls": calls, "unchecked": dict(unchecked)}

    def report_answers(self) -> None:
        """Says on stderr what was asked; raises `PlatformError` if that failed."""
        if self.failure:
            raise self.failure
        _, asked, unchecked, calls = self.online
        number = "1 name or uuid" if asked == 1 else f"{asked:,} names and uuids"
        text = f"asked the platform about {number} in {count_noun(calls, 'call')}"
        click.echo(text if asked else "there is nothing to ask the platform about", err=True)
        if unchecked:
            names = [f"{noun} ({number:,})" for noun, number in sorted(unchecked.items())]
            why = "because no route of this instance shows them, or too many calls would be needed"
            click.echo(f"note: not checked, {why}: {join_words(names)}", err=True)


def ask_online(root: Path, environment: str | None) -> OnlineAnswers:
    """Asks the platform of one environment; raises `WrongUse` if it is not clear which one."""
    from ..catalog.catalog_validation import load_readable_part
    from ..sync.online_check import Online, check_online
    from .progress import ProgressLines

    place = choose_online_workspace(root=root, environment=environment)
    name = place.name if place.name in place.project.environments else None
    catalog, _ = load_readable_part(root, name, {})
    try:
        with place.open_reader() as reader:
            reader.pace.tell = ProgressLines().note
            open_state = partial(place.store, read_only=True)
            return OnlineAnswers(check_online(catalog, reader, place.platform.routes, open_state))
    except PlatformError as error:
        return OnlineAnswers(Online(), error)
