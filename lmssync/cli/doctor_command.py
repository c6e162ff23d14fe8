"""`lmssync doctor`."""

import sys
from typing import Unpack

import click

from . import chosen_workspace as meanings, options, printing
from .command_help import PLATFORM_EXITS, DocumentedCommand
from .exits import Exit


@click.command(
    "doctor",
    cls=DocumentedCommand,
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync doctor", "check the project file, the key and the platform"),
        ("lmssync doctor --probe", "find out what the instance has, and print it for lmssync.yaml"),
    ),
)
@options.where
@options.as_json
@click.option("--probe", is_flag=True, help="Find out by reads what the instance has.")
def command(*, json_: bool, probe: bool, **given: Unpack[options.WhereOptions]) -> int:
    """Check that project file, key, platform, state, cache and git fit together; changes nothing.

    Without --probe it sends a ping, and a few reads of what is recorded: whether the key sees it.
    With it reads find out what the instance has, what the key may read, and which limits count its
    requests. Exits with 8 if something is wrong with the
    platform or the key, and with 1 if something is wrong on this machine alone.
    """
    from ..report.doctor_text import doctor_json, doctor_text
    from ..sync import doctor
    from .progress import Lines
    from .terminal_output import ink

    diagnosis = doctor.diagnose_target(meanings.asking(**given), Lines().note, probing=probe)
    printing.echo(doctor_json(diagnosis) if json_ else doctor_text(diagnosis, ink(sys.stdout)))
    if diagnosis.fine:
        return Exit.DONE
    return Exit.ERROR if diagnosis.reached else Exit.UNREACHABLE
