"""`lmssync apply`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import WrongUse
from . import options
from .exits import Exit, code_of, say

if TYPE_CHECKING:
    from ..apply import Report
    from ..plan import Plan


@click.command("apply")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@options.catalog
@options.environment
@options.as_json
@options.allow
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(
    *,
    file: Path | None,
    root: Path,
    environment: str | None,
    json_: bool,
    allow: tuple[str, ...],
    yes: bool,
) -> int:
    """Make the platform as the catalog wants it, or as a saved plan FILE says.

    Shows the plan and asks first; with --yes, or with a saved plan, it does not ask.
    """
    from .. import pipeline, plan
    from ..report.apply_text import apply_json, apply_text
    from ..report.plan_text import plan_text
    from .terminal import Lines, can_ask, ink

    if not yes and not file and not can_ask():
        raise WrongUse(
            "there is nobody to ask: no terminal, no --yes and no saved plan",
            "review `lmssync plan --out FILE`, then `lmssync apply FILE`; or pass --yes",
        )
    if file and allow:
        raise WrongUse("a saved plan says itself what is allowed", "plan again with --allow")
    saved = plan.restore(file) if file else None
    place = options.place(root, environment)
    if allow:
        place = place._replace(allow=frozenset(map(options.address, allow)))
    progress = Lines()
    with place.store() as store:
        if saved:
            done = pipeline.apply_saved(place, saved, store, progress)
        else:

            def approve(made: "Plan") -> bool:
                text = plan_text(made, ink(sys.stderr if json_ else sys.stdout))
                click.echo(text, nl=False, err=json_)
                return yes or not made.acts or click.confirm("Apply this plan?", err=True)

            done = pipeline.apply_catalog(place, store, progress, approve)
        waiting = any(op.members for op in store.open_operations())
    progress.end()
    if json_:
        options.echo_json(apply_json(done))
    else:
        click.echo(apply_text(done, ink(sys.stdout)), nl=False)
    if done.error:
        say(done.error)
    return _code(done, waiting=waiting)


def _code(done: "Report", *, waiting: bool) -> int:
    """Unknown weighs most, then what stopped the run, then what failed."""
    counts = done.summary
    if counts["unknown"] or waiting:
        return Exit.UNKNOWN
    if done.error:
        return code_of(done.error)
    if done.interrupted:
        return Exit.INTERRUPTED
    if done.forbidden_all:
        return Exit.INVALID
    failed_jobs = any(job.status == "failed" for job in done.jobs)
    return Exit.PARTIAL if counts["failed"] or counts["skipped"] or failed_jobs else Exit.DONE
