"""`lmssync events listen`."""

import json
import os
import re
from collections.abc import Collection
from contextlib import suppress
from typing import Unpack

import click

from ..errors import Stopped, WrongUse
from . import meanings, options
from .pulling import puller, round_

SECRET = "LMSSYNC_LISTEN_SECRET"  # noqa: S105 - the name of the variable
_FIT = re.compile(r"[A-Za-z0-9_-]{16,200}")
_SETTLE = 2.0
"""Seconds between a first hint and the pull: notifications come in swarms."""


@click.command("listen")
@options.where
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8850, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--every",
    default=15,
    show_default=True,
    type=click.IntRange(1, 1440),
    metavar="MINUTES",
    help="Pull after this time at the latest, for what was not pushed.",
)
def listen(*, host: str, port: int, every: int, **given: Unpack[options.WhereOptions]) -> None:
    """Receive the platform's notifications, and pull what they are about, until Ctrl-C.

    They are posted to http://HOST:PORT/SECRET with the secret from LMSSYNC_LISTEN_SECRET. Nothing
    in them is counted, since the platform does not sign them: they only say when to pull.
    """
    from ..events import KINDS, receive_notifications

    secret, place = _secret(), meanings.asking(**given)
    with (
        puller(place) as index,
        place.reader() as reader,
        receive_notifications(host, port, secret) as heard,
    ):
        number, hints = heard
        reader.pace.tell = lambda text: click.echo(text, err=True)
        with suppress(KeyboardInterrupt, Stopped):
            click.echo(json.dumps({"listening": f"http://{host}:{number}/"}))
            named: Collection[str] = KINDS
            while True:
                new = sum(feed.new for feed in round_(index, reader, sorted(named)))
                if new:
                    click.echo(json.dumps({"new": new, "notifications": hints.received}))
                named = hints.wait_for_kinds(every * 60, settle=_SETTLE) or KINDS


def _secret() -> str:
    """The last part of the address; raises `WrongUse` where it could be guessed."""
    from .. import secrets

    secret = os.environ.get(SECRET, "")
    if not _FIT.fullmatch(secret):
        raise WrongUse(
            f"{SECRET} is {'not set' if not secret else 'too short or has odd characters'}",
            "set it to 16 to 200 letters and digits: "
            f"export {SECRET}=$(python3 -c 'import secrets; print(secrets.token_hex(16))')",
        )
    secrets.register(secret)
    return secret
