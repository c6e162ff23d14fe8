"""`lmssync drift`."""

import sys
from typing import TYPE_CHECKING, Any, Unpack

import click

from ..errors import BudgetSpent, InvalidCatalog, PlatformError, StateLocked, WrongUse
from ..report.terminal_style import TextStyle
from ..resource import careful_resources
from . import options
from .chosen_workspace import choose_online_workspace, read_readable_catalog
from .command_help import PLATFORM_EXITS, documented_command
from .exits import Exit, exit_code_of, print_message, print_warning
from .options import format_options
from .terminal_output import choose_text_style, print_report, print_view

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..catalog.manifests.catalog import Catalog
    from ..planning.workspace import Workspace
    from ..platform.client import Reader
    from ..resource import Resource
    from ..state import OpenStep
    from ..sync.drift import DriftResult, DriftScope, Survey
    from .progress import ProgressLines, ProgressWaits


DRIFT_FORMATS = ("text", "json", "markdown")


@documented_command(
    "drift",
    exits=PLATFORM_EXITS | {Exit.CHANGES},
    exit_meanings={Exit.CHANGES: "something differs"},
    examples=(
        ("lmssync drift", "compare everything that is recorded with the platform"),
        ("lmssync drift 'course.fire-*'", "compare some courses"),
        (
            "lmssync drift --budget 200 --json",
            "compare what was compared longest ago, with at most 200 calls",
        ),
    ),
)
@click.argument("patterns", nargs=-1, metavar="[ADDRESS]...")
@options.where
@format_options(click.Choice(DRIFT_FORMATS))
@options.budget
@click.option(
    "--refresh",
    type=click.Choice(("moved", "all")),
    default="moved",
    show_default=True,
    help="Read everything (all), or skip what lists show as unchanged (moved), where "
    "lmssync.yaml relies on their times (`content.times`).",
)
@click.option(
    "--unmanaged",
    is_flag=True,
    help="List what is on the platform and in no manifest, as far as lists show it.",
)
def command(
    *,
    patterns: tuple[str, ...],
    form: str,
    budget: int | None,
    refresh: str,
    unmanaged: bool,
    **given: Unpack[options.WhereOptions],
) -> int:
    """Show what people have changed on the platform, without changing anything there.

    Reads everything that is recorded, or what matches ADDRESS (`course.*`), and begins with what
    was compared longest ago.
    """
    from ..sync.drift import DriftScope
    from .run_news import collect_drift_news, tell_targets

    if unmanaged and (patterns or budget):
        raise WrongUse("--unmanaged lists everything", "use it without ADDRESS and --budget")
    place = choose_online_workspace(**given)
    paint = choose_text_style(sys.stdout)
    if unmanaged:
        unknown = list_unmanaged_at(place)
        print_view(format_survey(unknown, form, place.name, paint))
        return Exit.CHANGES if unknown.items else Exit.DONE
    scope = DriftScope(patterns, budget, everything=refresh == "all")
    look = look_for_drift_at(place, scope, **given)
    keep_look(place, look)
    view = format_look(look, form, place, paint)
    if form == "text":
        print_report(view)
    else:
        print_view(view)
    tell_targets(place, collect_drift_news(place, look))
    return end_look(look)


def look_for_drift_at(
    place: "Workspace",
    scope: "DriftScope",
    progress: "ProgressLines | ProgressWaits | None" = None,
    **given: Unpack[options.WhereOptions],
) -> "DriftResult":
    """Compares what is recorded with the platform, as far as it is wanted.

    Without a `progress`, lines on stderr tell how far it is.
    """
    from ..learners.people import People
    from ..sync import drift
    from .progress import ProgressLines

    routes = place.platform.routes
    with place.open_reader() as reader, progress or ProgressLines() as lines:
        reader.pace.tell, reader.most = lines.note, scope.budget
        catalog = _read_catalog(**given)
        closed = _close_steps(place, reader, catalog, scope)
        resources = catalog.resources if catalog else {}
        ignored = {one.address: {*one.lifecycle.ignore} for one in careful_resources(resources)}
        del catalog, resources  # it would take half as much memory as the look
        with place.store(read_only=True) as store:
            place.check_state(store)
            look = drift.look_for_drift(
                store,
                reader,
                routes,
                lines,
                scope,
                ignored,
                list_desired=lambda: _list_outlines(**given),
            )._replace(closed=closed)
            if not any(one.losses for one in look.findings):
                return look
            # Read once more, since few looks need it: it would take more memory than the look.
            people = People(store, _read_catalog(warn=False, **given))
            return look.with_people_located(people.with_places)


def _close_steps(
    place: "Workspace", reader: "Reader", catalog: "Catalog | None", scope: "DriftScope"
) -> "list[OpenStep]":
    """Closes steps for people that a read shows as done: to `drift` they would look like edits."""
    with place.store(read_only=True) as store:
        steps = [one for one in store.open_steps() if scope.names_address(one.address)]
    if not steps or catalog is None:
        return []
    from ..sync.record_edits import close_shown_steps

    try:
        with place.store() as store, store.hold_state():
            place.check_state(store)
            return close_shown_steps(place, catalog, store, reader, steps)
    except StateLocked as error:
        print_warning(f"no step for a person was confirmed: {error.message}", error.hint)
    except (BudgetSpent, PlatformError, InvalidCatalog):
        # The look that follows meets the same and says it, or needs no manifest.
        pass
    return []


def list_unmanaged_at(place: "Workspace") -> "Survey":
    """Lists the things that the platform has and nobody manages."""
    from ..sync import drift
    from .progress import ProgressLines

    with (
        place.store(read_only=True) as store,
        place.open_reader() as reader,
        ProgressLines() as progress,
    ):
        reader.pace.tell = progress.note
        place.check_state(store)
        routes = place.platform.routes
        return drift.list_unmanaged(store, reader, routes, progress.now)


def _read_catalog(*, warn: bool = True, **given: Unpack[options.WhereOptions]) -> "Catalog | None":
    """The catalog, if it can be read."""
    try:
        return read_readable_catalog(given["root"], given["environment"], warn=warn)
    except InvalidCatalog:
        return None


def _list_outlines(**given: Unpack[options.WhereOptions]) -> "Iterable[Resource]":
    """The resources of the catalog, read once more: a look that has nothing to read needs none."""
    catalog = _read_catalog(warn=False, **given)
    return catalog.iterate_outlines() if catalog else ()


def keep_look(place: "Workspace", look: "DriftResult") -> None:
    """Keeps in the state what was found and proven, and warns if another run has locked it."""
    if not (look.proofs or look.pairs):
        return
    found = {one.address: (one.missing, one.paths) for one in look.findings}
    with place.store() as store:
        try:
            with store.hold_state():
                store.keep_pairs(look.pairs)
                store.keep_found_parts(look.found_parts)
                store.keep_proofs(look.proofs_to_keep())
                store.note_drift(look.settled, found)
        except StateLocked as error:
            print_warning(f"the state does not get what was compared: {error.message}")


def format_look(look: "DriftResult", form: str, place: "Workspace", style: TextStyle) -> Any:
    from ..report import drift_report

    currency = place.project.currency or ""
    if form == "markdown":
        return drift_report.drift_markdown(look, currency)
    if form == "json":
        return drift_report.drift_json(look, place.name)
    return drift_report.drift_text(look, style, currency)


def format_survey(survey: "Survey", form: str, environment: str, style: TextStyle) -> Any:
    from ..report import drift_report

    if form == "markdown":
        return drift_report.unmanaged_markdown(survey)
    if form == "json":
        return drift_report.unmanaged_json(survey, environment)
    return drift_report.unmanaged_text(survey, style)


def end_look(look: "DriftResult") -> Exit:
    """The exit code; says what has ended the look early."""
    if look.error:
        print_message(look.error)
        return exit_code_of(look.error)
    return Exit.CHANGES if look.findings else Exit.DONE
