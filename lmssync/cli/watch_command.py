"""`lmssync watch`."""

import time
from typing import Any, Unpack

import click

from ..errors import WrongUse
from . import options
from .command_help import PLAN_MEANINGS, PLATFORM_EXITS, documented_command
from .exits import Exit
from .typed_moments import parse_seconds

_DURATION: Any = {"metavar": "DURATION", "callback": parse_seconds, "show_default": True}


class _Wanted(options.WhereOptions):
    """What a round shall do, as the options say."""

    applies: bool
    drift_every: float
    budget: int | None


@documented_command(
    "watch",
    exits=PLATFORM_EXITS | {Exit.CHANGES, Exit.UNKNOWN, Exit.STALE, Exit.LOCKED, Exit.PARTIAL},
    exit_meanings=PLAN_MEANINGS | {Exit.CHANGES: "with --once: there are changes or drift"},
    examples=(
        ("lmssync watch", "plan every 15 minutes; http://127.0.0.1:9464/ shows the status"),
        ("lmssync watch --apply --every 1h", "apply what no guard stops, once an hour"),
        ("lmssync watch --once --json", "do one round, for cron, and print a line of JSON"),
    ),
)
@options.where
@click.option("--every", **_DURATION, default="15m", help="Time between two rounds: 90s, 15m, 1h.")
@click.option("--drift-every", **_DURATION, default="6h", help="Time between two looks for drift.")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="CALLS",
    help="Make at most this many calls in one look for drift.",
)
@click.option("--apply", "applies", is_flag=True, help="Apply what no guard stops.")
@click.option("--once", is_flag=True, help="Do one round, serve no page, and exit with its code.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address of the status page.")
@options.port_option(9464, "Port of the status page")
@click.option("--json", "json_", is_flag=True, help="Print a line of JSON for each round.")
def command(
    *, every: float, once: bool, host: str, port: int, json_: bool, **given: Unpack[_Wanted]
) -> int | None:
    """Plan and look for drift again and again; with --apply, apply what no guard stops.

    Each round reads the catalog again. A change that needs --allow waits for a person, and in a
    protected environment nothing is applied. Serves a status page, /healthz and /metrics; SIGHUP
    starts a round at once.
    """
    from ..applying import apply
    from ..sync.watch_rounds import WatchOverview
    from .watch_service import (
        StatusBoard,
        WatchOrder,
        hang_ups,
        one_round,
        print_round,
        run_rounds,
        serve_board,
    )

    if not every:
        raise WrongUse("there must be time between two rounds", "write --every 90s, 15m or 1h")
    begin = WatchOverview(every, given["applies"], time.time())
    where = options.WhereOptions(root=given["root"], environment=given["environment"])
    often, budget = given["drift_every"], given["budget"]
    with apply.catch_stop_signals() as stop:
        order = WatchOrder(where, given["applies"], often, budget, lambda: stop.asked)
        if once:
            one = one_round(order, begin)
            print_round(one, json_=json_)
            return one.code
        board = StatusBoard(begin)
        with serve_board(board, host, port) as url, hang_ups() as asked:
            click.echo(f"{url} shows the status; Ctrl-C ends this.", err=True)
            run_rounds(board, order, asked, json_=json_)
    return None
