"""The service of `lmssync watch`: rounds until somebody ends it, and its pages."""

import gc
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from threading import Thread

import click
import orjson

from ..errors import LmssyncError
from ..report.watch_report import TYPE, metrics, moment, round_json, round_text, watch_html
from ..support.serving import ServedPage, page_server
from ..support.system import HANG_UP
from ..support.visible import escape_invisible, in_json
from ..sync.rounds import Round, WatchOverview
from .watch_round import Order, one_round

_LOOK = 0.5
"""Seconds between two checks whether the service should end."""


class Board:
    """What the pages show: replaced after each round."""

    def __init__(self, overview: WatchOverview) -> None:
        self.overview = overview

    def page(self, name: str, _query: object) -> ServedPage | None:
        """The page of that name, as things stand now."""
        now = self.overview
        if name == "metrics":
            return ServedPage(metrics(now), TYPE)
        if name == "healthz" and now.is_healthy(time.time()):
            return ServedPage("ok\n", "text/plain")
        if name == "healthz":
            text = "no round has ended well for three intervals\n"
            return ServedPage(text, "text/plain", HTTPStatus.SERVICE_UNAVAILABLE)
        return ServedPage(watch_html(now)) if not name else None


class HangUps:
    """Whether SIGHUP has come since the last round began."""

    heard = False

    def hear(self, *_: object) -> None:
        self.heard = True


def go_on(board: Board, order: Order, asked: HangUps, *, json_: bool) -> None:
    """One round after the other, until somebody asks it to end."""
    while not order.stops():
        asked.heard = False
        one = one_round(order, board.overview)
        after = board.overview.after_round(one)
        due = time.time() + after.seconds_to_next(random.random())  # noqa: S311 - nobody must guess it
        board.overview = after._replace(due=due)
        say(one, json_=json_)
        gc.collect()  # a single run hardly ever does, and does not last long enough to need it
        _wait(due, lambda: order.stops() or asked.heard)
        board.overview = after
    click.echo("ended", err=True)


def _wait(due: float, broken_off: Callable[[], bool]) -> None:
    while (left := due - time.time()) > 0 and not broken_off():
        time.sleep(min(left, _LOOK))


def say(one: Round, *, json_: bool) -> None:
    """A line of JSON on stdout, or one for people on stderr."""
    if json_:
        click.echo(in_json(orjson.dumps(round_json(one)).decode()))
        return
    hint = f" ({escape_invisible(one.hint)})" if one.hint else ""
    click.echo(f"{moment(one.began)} {round_text(one)}{hint} [exit {one.code}]", err=True)


@contextmanager
def hang_ups() -> Iterator[HangUps]:
    """Hears SIGHUP, where there is such a signal."""
    asked = HangUps()
    if HANG_UP is None:
        yield asked
        return
    before = signal.signal(HANG_UP, asked.hear)
    try:
        yield asked
    finally:
        signal.signal(HANG_UP, before)


@contextmanager
def serve_board(board: Board, host: str, port: int) -> Iterator[str]:
    """Serves the pages in the background; yields their address."""
    try:
        server = page_server(board.page, port, host)
    except OSError as error:
        hint = "choose others with --host and --port"
        raise LmssyncError(f"{host}:{port} cannot be listened at: {error.strerror}", hint) from None
    with server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            name = f"[{host}]" if ":" in host else host
            yield f"http://{name}:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()
