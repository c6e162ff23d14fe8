"""What commands about drift need: a look, what to leave aside and keep, how to show it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import click

from ..errors import InvalidCatalog, StateLocked
from ..report.terminal_style import Ink
from . import options
from .exits import Exit, code_of, say

if TYPE_CHECKING:
    from ..catalog.manifests.catalog import Catalog
    from ..planning.workspace import Workspace
    from ..sync.drift import DriftResult, Others, Survey
    from .progress import Lines, Waits


def look_for_drift_at(
    place: "Workspace",
    patterns: Sequence[str],
    budget: int | None,
    progress: "Lines | Waits | None" = None,
    **given: Unpack[options.WhereOptions],
) -> "DriftResult":
    """Compares what is recorded and matches a pattern, or everything, with the platform.

    Without a `progress`, lines on stderr tell how far it is.
    """
    from ..learners.people import People
    from ..sync import drift
    from .progress import Lines

    routes = place.project.platform.routes
    with (
        place.store(read_only=True) as store,
        place.reader() as reader,
        progress or Lines() as told,
    ):
        reader.pace.tell = told.note
        place.check_state(store)
        look = drift.look_for_drift(
            store,
            reader,
            routes,
            told,
            patterns=patterns,
            others=_others(_catalog(**given)),
            budget=budget,
        )
        if not any(one.losses for one in look.findings):
            return look
        # Read once more, since few looks need it: it would take more memory than the look itself.
        return look.with_people_located(People(store, _catalog(warn=False, **given)).with_places)


def list_unmanaged_at(place: "Workspace") -> "Survey":
    """What the platform has and nobody manages."""
    from ..sync import drift
    from .progress import Lines

    with place.store(read_only=True) as store, place.reader() as reader, Lines() as progress:
        reader.pace.tell = progress.note
        place.check_state(store)
        routes = place.project.platform.routes
        return drift.list_unmanaged(store, reader, routes, progress.now)


def _catalog(*, warn: bool = True, **given: Unpack[options.WhereOptions]) -> "Catalog | None":
    """The catalog, if it can be read."""
    from .reading import read

    try:
        return read(given["root"], given["environment"], warn=warn)
    except InvalidCatalog:
        return None


def _others(catalog: "Catalog | None") -> "Others":
    """The fields that manifests leave to others, as far as the catalog can be read."""
    from ..resource import careful_resources

    resources = catalog.resources if catalog else {}
    return {one.address: {*one.lifecycle.ignore} for one in careful_resources(resources)}


def keep_look(place: "Workspace", look: "DriftResult") -> None:
    """Keeps in the state what was found and proven; it is told if another run holds the state."""
    if not look.proofs:
        return
    found = {one.address: (one.missing, one.paths) for one in look.findings}
    with place.store() as store:
        try:
            with store.hold_state():
                store.keep_proofs(look.proofs)
                store.note_drift(look.settled, found)
        except StateLocked as error:
            click.echo(f"warning: what was proven is not recorded: {error.message}", err=True)


def format_look(look: "DriftResult", form: str, environment: str, ink: Ink) -> Any:
    """The look in the form that was asked for."""
    from ..report import drift_report

    if form == "markdown":
        return drift_report.drift_markdown(look)
    if form == "json":
        return drift_report.drift_json(look, environment)
    return drift_report.drift_text(look, ink)


def format_survey(survey: "Survey", form: str, environment: str, ink: Ink) -> Any:
    """What is not managed, in the form that was asked for."""
    from ..report import drift_report

    if form == "markdown":
        return drift_report.unmanaged_markdown(survey)
    if form == "json":
        return drift_report.unmanaged_json(survey, environment)
    return drift_report.unmanaged_text(survey, ink)


def code(look: "DriftResult") -> Exit:
    """The exit code; says what has ended the look early."""
    if look.error:
        say(look.error)
        return code_of(look.error)
    return Exit.CHANGES if look.findings else Exit.DONE
