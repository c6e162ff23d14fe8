"""What `lmssync apply` needs around a run: the saved plan, the receipt, and the exit code."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ..applying.apply import Report
from ..errors import StateError, WrongUse
from ..planning import plan
from ..planning.plan import Plan
from ..planning.workspace import Workspace
from ..resource import Address
from ..state import CallStatus, Store
from . import (
    chosen_workspace as meanings,
    options,
    report_options,
    terminal_output as terminal,
)
from .exits import Exit, code_of, say
from .showing import write_report

IdsOf = Mapping[Address, Mapping[str, str]]
_UNDECIDED = {CallStatus.INTENT, CallStatus.UNKNOWN}

if TYPE_CHECKING:
    from .progress import Lines
    from .progress_events import Events


def refuse_unasked(file: Path | None, *, yes: bool, **given: Unpack[options.Decided]) -> None:
    """Raises `WrongUse` where nobody can agree, or where the saved plan says what is given."""
    if not yes and not file and not terminal.can_ask():
        raise WrongUse(
            "apply needs a terminal to ask for confirmation, and there is none",
            "review `lmssync plan --out FILE`, then `lmssync apply FILE`; or pass --yes",
        )
    if file:
        meanings.refuse_decisions(**given)


def place_of(saved: Plan | None, **given: Unpack[options.Decided]) -> Workspace:
    """The workspace of a run; a saved plan is for its own environment where nobody names one.

    A named one that differs is refused before anything is sent.
    """
    if saved and not meanings.is_environment_named(given["environment"]):
        given["environment"] = saved.environment
    return meanings.asking(**given)


def saved_plan(file: Path | None, digest: str | None) -> Plan | None:
    """The plan in a file, if it is the one that the digest names."""
    if file is None:
        if digest is not None:
            raise WrongUse("--digest needs a saved plan", "`lmssync apply FILE --digest D`")
        return None
    saved = plan.restore_plan(file, meanings.plan_secret())
    if digest is not None and digest.strip().lower() != plan.digest(saved):
        raise WrongUse(
            f"{file} is another plan: its digest is {plan.digest(saved)}, not {digest}",
            "`lmssync show FILE` shows what is in it",
        )
    return saved


def shown_progress(how: str) -> "Lines | Events":
    """What tells of the progress, as `--progress` wants it."""
    from .progress import Lines
    from .progress_events import Events

    return Events() if how == "json" else Lines(plain=how == "plain")


def ids_of(store: Store, report: Report) -> IdsOf:
    """The ids of everything that was done, as they are recorded now."""
    records = ((address, store.find_record(address)) for address in report.done)
    return {address: record.ids.own for address, record in records if record and record.ids.own}


def wrote_receipts(
    files: tuple[Sequence[Path], Sequence[Path]],
    report: Report,
    made: Plan | None,
    ids: IdsOf,
    environment: str,
) -> bool:
    """Writes what was done, and what became of each person; tells of files that cannot be written.

    The first files get the one, the second ones the other.
    """
    from ..report.plan_formats import AppliedPlan, receipt_in
    from ..report.row_receipts import people_bytes

    reports, of_people = files
    applied = AppliedPlan(report, made, ids, environment)
    wrote = wrote_each(of_people, lambda form: people_bytes(form, report.people, environment))
    for file in reports:
        try:
            write_report(file, receipt_in(report_options.form_of(file), applied))
        except WrongUse as error:
            say(error)
            wrote = False
    return wrote


def wrote_each(files: Sequence[Path], of_form: Callable[[str], Iterable[bytes]]) -> bool:
    """Writes receipts that name people, for their owner only; tells of those that fail."""
    from ..support.writing import write_whole

    wrote = True
    for file in files:
        try:
            form = report_options.RECEIPT_FORMS[file.suffix.lower()]
            write_whole(file, of_form(form), private=True)
        except OSError as error:
            say(WrongUse(f"{file} cannot be written: {error.strerror}"))
            wrote = False
    return wrote


def waits_for_decision(report: Report, store: Store) -> bool:
    """True if a call is open; where the run was interrupted, only if its outcome is unknown, since
    the next run follows the jobs of the others without being told."""
    if not report.interrupted:
        return bool(store.unresolved_addresses())
    return any(call.parts and call.status in _UNDECIDED for call in store.open_calls())


def code(report: Report, *, waiting: bool) -> int:
    """The exit code: a state that failed first, for what it says of calls may be out of date, then
    unknown outcomes, what stopped the run, failures."""
    counts = report.summary
    if isinstance(report.error, StateError):
        return code_of(report.error)
    if waiting or (counts["unknown"] and not report.interrupted):
        return Exit.UNKNOWN
    if report.error:
        return code_of(report.error)
    if report.interrupted:
        return Exit.INTERRUPTED
    if report.forbidden_all:
        return Exit.INVALID
    failed_jobs = any(job.is_lost or job.status == "failed" for job in report.jobs)
    return Exit.PARTIAL if report.fell_short or failed_jobs else Exit.DONE
