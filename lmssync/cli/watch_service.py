"""The service of `lmssync watch`: rounds until somebody ends it, and its pages."""

import gc
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from threading import Thread
from typing import Any, NamedTuple

import click
import orjson

from ..applying import pipeline
from ..applying.apply import ApplyOutcome
from ..errors import InvalidCatalog, LmssyncError, WrongUse
from ..planning import plan, plan_loading as planning
from ..planning.plan import Plan
from ..planning.plan_loading import list_foreign_releases
from ..planning.releases import read_release_progress
from ..planning.workspace import Workspace
from ..platform.client import Reader
from ..problems import only_errors
from ..report.value_words import count_noun
from ..report.watch_report import (
    TYPE,
    format_watch_moment,
    render_metrics,
    round_json,
    round_text,
    watch_html,
)
from ..support.decisions import Limits
from ..support.invisible_characters import escape_invisible, in_json
from ..support.operating_system import HANG_UP
from ..support.page_server import ServedPage, page_server
from ..sync.drift import DriftScope
from ..sync.news_delivery import News
from ..sync.recorded_status import Status, read_status
from ..sync.watch_rounds import Ending, KnownDrift, Planned, Round, WatchOverview
from . import options
from .apply_command import find_exit_code, waits_for_decision
from .chosen_workspace import choose_online_workspace, choose_workspace
from .drift_command import keep_look, look_for_drift_at
from .exits import Exit, exit_code_of, report_bug
from .progress import ProgressWaits
from .run_news import collect_apply_news, collect_drift_news, collect_plan_news, tell_targets

_WELL = {Exit.DONE, Exit.CHANGES, Exit.UNKNOWN, Exit.PARTIAL}
_HINDERED = {Exit.INVALID, Exit.USAGE, Exit.LOCKED, Exit.STALE, Exit.INTERRUPTED}


class WatchOrder(NamedTuple):
    """What a round shall do."""

    where: options.WhereOptions
    applies: bool
    drift_every: float
    budget: int | None
    stops: Callable[[], bool]
    """True once somebody has asked the service to end."""


def one_round(order: WatchOrder, before: WatchOverview) -> Round:
    """Raises nothing but `WrongUse`, and that in a first round: it will not get better."""
    running = _Running(order, before)
    # Each is attempted, whatever became of the one before: the status page needs the last one.
    for step in (running.plan, running.apply_releases, running.look, running.stand):
        running.attempt(step)
    return running.round


@dataclass
class _Running:
    """A round, as far as it has come."""

    order: WatchOrder
    before: WatchOverview
    readers: list[Reader] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.began = time.monotonic()
        self.round = Round(time.time(), 0.0, Exit.DONE, Ending.WELL, readers=self.readers)

    def attempt(self, step: Callable[[], int]) -> None:
        try:
            self._note(step())
        except LmssyncError as error:
            if isinstance(error, WrongUse) and self.before.last is None:
                raise
            self._note(exit_code_of(error), _message_of(error), error.hint)
        except Exception as error:  # noqa: BLE001 - the next round may end better
            message = f"a bug in lmssync: {type(error).__name__}"
            # A bug comes back each round: one log of it is enough.
            if not self.before.last or self.before.last.message != message:
                report_bug(error)
            self._note(Exit.BUG, message)

    def _note(self, code: int, message: str = "", hint: str = "") -> None:
        """The first thing that went wrong counts; that there are changes is not wrong."""
        if code and self.round.code in {Exit.DONE, Exit.CHANGES}:
            message, hint = (message, hint) if message else (self.round.message, self.round.hint)
            self._learn(code=int(code), message=message, hint=hint, ending=self._ending(code))
        self._learn(seconds=time.monotonic() - self.began)

    def _ending(self, code: int) -> Ending:
        stopped_by_guards = code == Exit.INVALID and self.round.planned
        if code in _WELL or stopped_by_guards:
            return Ending.WELL
        return Ending.HINDERED if code in _HINDERED else Ending.FAILED

    def _learn(self, **more: Any) -> None:
        self.round = self.round._replace(**more)

    def _place(self) -> Workspace:
        """The catalog and its environment as they are now; the first round warns about http."""
        chosen = (
            choose_workspace
            if self.before.last or self.round.environment
            else choose_online_workspace
        )
        place = chosen(**self.order.where)._replace(on_connect=self._note_reader)
        self._learn(environment=place.name)
        return place

    def _note_reader(self, reader: Reader) -> None:
        reader.pace.stops = self.order.stops
        self.readers.append(reader)

    def plan(self) -> int:
        place = self._place()
        # Looked at in each round: the project file may have changed since the service began.
        if self.order.applies and place.environment.protected:
            raise WrongUse(
                f"{place.name} is protected: only a saved plan is applied there",
                "watch it without --apply, and apply with `lmssync apply FILE`",
            )
        catalog = planning.load_catalog(place)
        with place.store(read_only=True) as store, place.open_reader() as reader:
            reader.pace.tell = ProgressWaits().note
            made = planning.make_plan(place, catalog, store, reader)
            # An open call of an earlier run is settled by an apply, even where nothing changes.
            acts = made.does_anything or bool(store.open_calls())
        self._keep(made)
        self._tell_news(place, collect_plan_news(place, made))
        plan.refuse_forbidden(made.guards)
        if self.order.applies and acts and not self.order.stops():
            return self._apply(place)
        return Exit.CHANGES if made.has_changes else Exit.DONE

    def _keep(self, made: Plan) -> None:
        self._learn(planned=Planned.from_plan(made, time.time()))

    def _tell_news(self, place: Workspace, news: News) -> None:
        """Tells what the rounds before have not told: a chat needs the same drift once."""
        known = {**self.before.news, **self.round.news}
        fresh = {
            about: one
            for about, one in news.items()
            # Two applies may well have done the same.
            if about == "applied" or known.get(about, "") != one
        }
        tell_targets(place, fresh)
        self._learn(news={**self.round.news, **news})

    def _apply(self, place: Workspace) -> int:
        applied: Plan | None = None

        def approve(made: Plan) -> bool:
            nonlocal applied
            applied = made
            self._keep(made)
            plan.refuse_forbidden(made.guards)
            return made.does_anything or place.decided.limits.is_given

        with place.store() as store:
            report = pipeline.apply_catalog(place, store, ProgressWaits(), approve)
            waiting = waits_for_decision(report, store)
            news = collect_apply_news(place, report, applied, store)
        self._tell_news(place, news)
        self._learn(done={word: number for word, number in report.summary.items() if number})
        ended = find_exit_code(report, waiting=waiting)
        if report.error:
            self._note(ended, report.error.message, report.error.hint)
        for address, why in report.with_outcome(ApplyOutcome.FAILED, ApplyOutcome.UNKNOWN):
            self._note(ended, f"{address}: {why}", f"`lmssync show {address}` shows more")
        return ended

    def apply_releases(self) -> int:
        """Applies the releases whose moment has come, or says that they are due."""
        place, now = self._place(), datetime.now(UTC)
        with place.store(read_only=True) as store:
            due = [one.name for one in read_release_progress(place, store) if one.is_due(now)]
            foreign = list_foreign_releases(place, store, due)
        due = [name for name in due if name not in foreign]
        # No error of this slice, so the exit code stays; an error of the same round says more.
        said = "; ".join(text for text, _ in foreign.values())
        self._learn(message=self.round.message or said)
        if not due or self.round.ending is Ending.FAILED or self.order.stops():
            return Exit.DONE
        if not self.order.applies:
            message = "; ".join(filter(None, [f"due: {' and '.join(due)}", said]))
            self._note(Exit.CHANGES, message, "apply them with --release NAME")
            return Exit.DONE
        return max(self._apply_release(place, name) for name in due)

    def _apply_release(self, place: Workspace, name: str) -> int:
        """Notes what stops a release: that is no reason against the others."""
        if self.round.ending is Ending.FAILED or self.order.stops():
            return Exit.DONE
        decided = place.decided._replace(limits=Limits(release=name))
        try:
            return self._apply(place._replace(decided=decided))
        except LmssyncError as error:
            text = f"the release {name} is not applied: {_message_of(error)}"
            if self.round.code in {Exit.DONE, Exit.CHANGES}:
                self._note(exit_code_of(error), text, error.hint)
            else:
                self._learn(message=f"{self.round.message}; {text}")
            return Exit.DONE

    def look(self) -> int:
        """Looks for drift, if that is due and the platform can be reached."""
        last = self.before.drift
        due = last is None or time.time() - last.at >= self.order.drift_every
        # A platform that has just failed would fail again, and spend its limits on that.
        if not due or self.round.ending is Ending.FAILED or self.order.stops():
            return Exit.DONE
        place, scope = self._place(), DriftScope(budget=self.order.budget)
        found = look_for_drift_at(place, scope, ProgressWaits(), **self.order.where)
        keep_look(place, found)
        self._tell_news(place, collect_drift_news(place, found))
        if found.error:
            raise found.error
        drift = KnownDrift.from_look(found, last, time.time())
        self._learn(drift=drift)
        return Exit.CHANGES if drift.drifted else Exit.DONE

    def stand(self) -> int:
        place = self._place()
        with place.store(read_only=True) as store:
            now: Status = read_status(store, place.platform.routes)
            now = now._replace(releases=read_release_progress(place, store))
        self._learn(status=now)
        return Exit.DONE


def _message_of(error: LmssyncError) -> str:
    """The message; of a catalog that has errors, how many and the first of them."""
    wrong = only_errors(error.problems) if isinstance(error, InvalidCatalog) else []
    if not wrong:
        return error.message
    first = f"{wrong[0].where}: {wrong[0].message}"
    return f"the catalog has {count_noun(len(wrong), 'error')}, the first: {first}"


_LOOK = 0.5
"""Seconds between two checks whether the service should end."""


class StatusBoard:
    """What the pages show: replaced after each round."""

    def __init__(self, overview: WatchOverview) -> None:
        self.overview = overview

    def page(self, name: str, _query: object) -> ServedPage | None:
        """The page of that name, as things stand now."""
        now = self.overview
        if name == "metrics":
            return ServedPage(render_metrics(now), TYPE)
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


def run_rounds(board: StatusBoard, order: WatchOrder, asked: HangUps, *, json_: bool) -> None:
    """One round after the other, until somebody asks it to end."""
    while not order.stops():
        # Before the round: a signal that comes while it runs asks for the next one.
        asked.heard = False
        one = one_round(order, board.overview)
        after = board.overview.after_round(one)
        due = time.time() + after.seconds_to_next(random.random())  # noqa: S311 - nobody must guess it
        # The pages name the next round only while it is waited for.
        board.overview = after._replace(due=due)
        print_round(one, json_=json_)
        gc.collect()  # a single run hardly ever does, and does not last long enough to need it
        _wait_for_round(due, lambda: order.stops() or asked.heard)
        board.overview = after
    click.echo("ended", err=True)


def _wait_for_round(due: float, broken_off: Callable[[], bool]) -> None:
    while (left := due - time.time()) > 0 and not broken_off():
        # In short naps, so that a signal is noticed soon.
        time.sleep(min(left, _LOOK))


def print_round(one: Round, *, json_: bool) -> None:
    """A line of JSON on stdout, or one for people on stderr."""
    if json_:
        click.echo(in_json(orjson.dumps(round_json(one)).decode()))
        return
    hint = f" ({escape_invisible(one.hint)})" if one.hint else ""
    click.echo(
        f"{format_watch_moment(one.began)} {round_text(one)}{hint} [exit {one.code}]", err=True
    )


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
def serve_board(board: StatusBoard, host: str, port: int) -> Iterator[str]:
    """Serves the pages in the background; yields their address."""
    try:
        server = page_server(board.page, port, host)
    except OSError as error:
        hint = "choose others with --host and --port"
        raise LmssyncError(
            f"lmssync cannot listen at {host}:{port}: {error.strerror}", hint
        ) from None
    with server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            name = f"[{host}]" if ":" in host else host
            yield f"http://{name}:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()
