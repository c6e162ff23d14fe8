"""`lmssync show`."""

import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Unpack

import click

from ..errors import LmssyncError, WrongUse
from ..problems import suggest_near
from ..resource import Address
from . import options, report_output
from .chosen_workspace import choose_workspace, read_plan_secret, read_readable_catalog
from .command_help import PROJECT_EXITS, documented_command
from .report_output import show_in_form
from .safe_output import name_run_environment
from .terminal_output import choose_text_style, print_report, print_view


@documented_command(
    "show",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync show release.plan.json", "show a saved plan"),
        ("lmssync show release.plan.json --full", "show it with every value in full"),
        ("lmssync show release.plan.json --format html > plan.html", "write it as a web page"),
        ("lmssync show course.safety-101", "show one course: what is wanted, recorded and proven"),
    ),
)
@click.argument("shown", metavar="FILE|ADDRESS", type=options.FILE)
@options.where
@report_output.printed
@options.full
def command(*, shown: Path, form: str, full: bool, **given: Unpack[options.WhereOptions]) -> None:
    """Show a saved plan (FILE), or one resource of the catalog (ADDRESS).

    `plan --out` saves a plan; with --json, its calls are shown as well. Of a resource it shows each
    field: as the catalog wants it, as it is recorded, and whether a read of the platform has proven
    it. Needs no network.
    """
    if os.path.exists(shown):  # noqa: PTH110 - Path.exists raises for what is too long to be a name
        from ..planning import plan

        saved = plan.restore_plan(shown, read_plan_secret())
        try:
            chosen = choose_workspace(**given).name
        except LmssyncError:
            chosen = ""  # a saved plan can be shown where no catalog is, or none is chosen
        if chosen != saved.environment:
            name_run_environment(saved.environment)
        then_apply = f"`lmssync apply {shlex.quote(str(shown))}`"
        show_in_form(saved, form, full=full, calls=True, next_step=then_apply)
        return
    _show_resource(str(shown), form, full=full, **given)


def _show_resource(
    text: str, form: str, *, full: bool, **given: Unpack[options.WhereOptions]
) -> None:
    from ..learners.people import People
    from ..planning import diff
    from ..report.comparison_report import resource_status_json, resource_status_text

    address = _parse_shown_address(text)
    if form not in {"text", "json"}:
        raise WrongUse(
            f"a resource has no {form}", "use --format text or json, or name a saved plan"
        )
    place = choose_workspace(**given)
    catalog = read_readable_catalog(place.root, place.name)
    with place.store(read_only=True) as store:
        resources = People(store, catalog).conceal_catalog(catalog).resources
        if address not in catalog.resources and store.find_record(address) is None:
            raise _unknown_address(address, [*catalog.resources, *store.fingerprints()])
        status = diff.find_resource_status(address, resources, store, place.platform.routes)
    origin = status.desired.origin if status.desired else None
    where = catalog.find_places({text: origin})[text] if origin else None
    if form == "json":
        print_view(resource_status_json(status, where))
    else:
        currency = place.project.currency or ""
        paint = choose_text_style(sys.stdout)
        print_report(resource_status_text(status, where, paint, full=full, currency=currency))


def _parse_shown_address(text: str) -> Address:
    """The address that was typed; raises `WrongUse` for what cannot be one."""
    from ..kinds import KINDS

    address = Address.parse(text)
    if not address.key or address.kind not in KINDS:
        raise WrongUse(
            f"there is no file {text}, and it is not an address",
            "name a plan that `plan --out` saved, or a resource: course.safety-101",
        )
    return address


def _unknown_address(address: Address, known: Iterable[Address]) -> WrongUse:
    hint = suggest_near(str(address), sorted({str(one) for one in known}))
    text = f"{address} is neither in the catalog nor recorded, and there is no file of that name"
    return WrongUse(text, hint or "`lmssync outline` and `lmssync state list` list what there is")
