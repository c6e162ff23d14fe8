"""`lmssync doctor`."""

import sys
from typing import Unpack

import click

from . import options
from .chosen_workspace import choose_online_workspace
from .command_help import PLATFORM_EXITS, documented_command
from .exits import Exit
from .terminal_output import choose_text_style, print_view


@documented_command(
    "doctor",
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync doctor", "check the project file, the key and the platform"),
        ("lmssync doctor --probe", "find out what the instance has, and print it for lmssync.yaml"),
    ),
)
@options.where
@options.as_json
@click.option("--probe", is_flag=True, help="Find out by more reads what the instance has.")
def command(*, json_: bool, probe: bool, **given: Unpack[options.WhereOptions]) -> int:
    """Check that the project file, the key, the platform, the state, the cache and git work
    together.

    Changes nothing. It sends a ping, and reads a few recorded things to see whether the key may.
    With --probe, more reads find out what the instance has, what the key may read, and which limits
    count its requests. Exits with 8 if something is wrong with the platform or the key, and with 1
    if something is wrong on this machine.
    """
    from ..report.doctor_text import doctor_json, doctor_text
    from ..sync import doctor
    from .progress import ProgressLines

    diagnosis = doctor.diagnose_target(
        choose_online_workspace(**given), ProgressLines().note, probing=probe
    )
    print_view(
        doctor_json(diagnosis) if json_ else doctor_text(diagnosis, choose_text_style(sys.stdout))
    )
    if diagnosis.fine:
        return Exit.DONE
    return Exit.ERROR if diagnosis.reached else Exit.UNREACHABLE
