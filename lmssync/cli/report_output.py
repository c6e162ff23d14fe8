"""In which form a plan is printed, and which files get reports and receipts of a run."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import WrongUse
from ..report.plan_formats import PLAN_FORMATS, plan_in
from . import options
from .exits import print_message
from .options import format_options
from .terminal_output import print_json_pieces, show_plan

if TYPE_CHECKING:
    from ..planning.plan import Plan

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice


class _Form(_Choice):
    """One of these, or the name of a report that an installed package brings."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices and _is_plugged(value):
            return str(value)
        return super().convert(value, param, ctx)


def _is_plugged(form: str) -> bool:
    from .. import plugins

    return plugins.plugin_report(form) is not None


printed = format_options(_Form(PLAN_FORMATS))
"""In which form a plan is printed."""
_FORMS = {one.ending: name for name, one in PLAN_FORMATS.items()}


def report_form_of(file: Path) -> str:
    """The form of a report, by the name of its file."""
    ending = file.suffix.lower()
    return _FORMS.get(ending, ending.removeprefix("."))


def _check_reports(
    _ctx: click.Context, _option: click.Parameter, files: tuple[Path, ...]
) -> tuple[Path, ...]:
    """Files whose form is known, in folders that are there: checked before anything is done."""
    for file in files:
        if file.suffix.lower() not in _FORMS and not _is_plugged(report_form_of(file)):
            from .. import plugins

            raise _unknown_ending(
                file, "report", [*_FORMS, *(f".{n}" for n in plugins.report_names())]
            )
        _require_folder(file, "report")
    return files


def _unknown_ending(file: Path, noun: str, known: Iterable[str]) -> WrongUse:
    return WrongUse(
        f"lmssync writes no {noun} with the ending of {file.name}", f"use one of {', '.join(known)}"
    )


def _require_folder(file: Path, noun: str) -> None:
    if not file.parent.is_dir():
        raise WrongUse(f"there is no folder {file.parent} for the {noun}", "make it first")


def refuse_overwriting(plan: Path | None, reports: Iterable[Path]) -> None:
    """Raises `WrongUse` where a report would take the place of a saved plan."""
    if plan and any(file.absolute() == plan.absolute() for file in reports):
        raise WrongUse(
            f"{plan} is named both for the plan and for a report", "give them different names"
        )


written = click.option(
    "--report",
    "reports",
    multiple=True,
    type=options.FILE,
    callback=_check_reports,
    help="Also write a report to this file, in the form that its ending names: "
    + ", ".join(_FORMS)
    + ".",
)
RECEIPT_FORMS = {".csv": "csv", ".json": "json"}
"""Of receipts, by the ending of the file."""


def _check_receipts(
    _ctx: click.Context, _option: click.Parameter, files: tuple[Path, ...]
) -> tuple[Path, ...]:
    """Files that can be written: checked before anything is sent."""
    for file in files:
        if file.suffix.lower() not in RECEIPT_FORMS:
            raise _unknown_ending(file, "receipt", RECEIPT_FORMS)
        _require_folder(file, "receipt")
    return files


def receipt_option(name: str, help_: str) -> options.Decorator:
    """An option for files that say what became of each row of a list."""
    return click.option(
        name,
        "receipts",
        multiple=True,
        type=options.FILE,
        callback=_check_receipts,
        metavar="FILE",
        help=help_,
    )


reports = options.combine_options(
    written,
    receipt_option(
        "--receipt",
        "Write what became of each person in license assignments to this file, .csv or .json; "
        "it names people.",
    ),
)
"""What an apply writes about itself."""


def show_in_form(
    made: "Plan", form: str, *, full: bool, calls: bool = False, next_step: str = ""
) -> str:
    """Prints it; as JSON with its calls where `calls` asks for them. Returns the text, if it is
    one."""
    from ..planning import plan

    if form == "text":
        return show_plan(made, full=full, next_step=next_step)
    if form == "json":
        print_json_pieces(plan.spell_printed_plan(made, calls=calls))
    else:
        for piece in plan_in(form, made):
            click.echo(piece, nl=False)
    return ""


def write_reports(made: "Plan", files: Sequence[Path]) -> None:
    """Writes each file in the form that its name asks for."""
    for file in files:
        write_report(file, plan_in(report_form_of(file), made))


def write_report(file: Path, pieces: Iterable[bytes]) -> None:
    """Writes a report whole; raises `WrongUse` where that is not possible."""
    from ..support.file_writing import write_whole

    try:
        write_whole(file, pieces)
    except OSError as error:
        raise WrongUse(f"the report cannot be written to {file}: {error.strerror}") from None


def write_people_receipts(files: Sequence[Path], of_form: Callable[[str], Iterable[bytes]]) -> bool:
    """Writes receipts that name people, for their owner only; tells of those that fail."""
    from ..support.file_writing import write_whole

    wrote = True
    for file in files:
        try:
            form = RECEIPT_FORMS[file.suffix.lower()]
            write_whole(file, of_form(form), private=True)
        except OSError as error:
            print_message(WrongUse(f"{file} cannot be written: {error.strerror}"))
            wrote = False
    return wrote
