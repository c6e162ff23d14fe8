"""One round of `lmssync watch`: plans, applies what may be applied, looks for drift."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..applying import pipeline
from ..applying.apply import Done
from ..errors import InvalidCatalog, LmssyncError, WrongUse
from ..planning import loading as planning, plan
from ..planning.plan import Plan
from ..planning.workspace import Workspace
from ..platform.client import Reader
from ..problems import only_errors
from ..report.value_words import count_noun
from ..sync.rounds import Ending, KnownDrift, Planned, Round, WatchOverview
from ..sync.status import Status, read_status
from . import chosen_workspace as meanings, options
from .applying import code, waits_for_decision
from .drifting import keep_look, look_for_drift_at
from .exits import Exit, code_of, report_bug
from .progress import Waits

_WELL = {Exit.DONE, Exit.CHANGES, Exit.UNKNOWN, Exit.PARTIAL}
_HINDERED = {Exit.INVALID, Exit.USAGE, Exit.LOCKED, Exit.STALE, Exit.INTERRUPTED}


class Order(NamedTuple):
    """What a round shall do."""

    where: options.WhereOptions
    applies: bool
    drift_every: float
    budget: int | None
    stops: Callable[[], bool]
    """True once somebody has asked the service to end."""


def one_round(order: Order, before: WatchOverview) -> Round:
    """Raises nothing but `WrongUse`, and that in a first round: it will not get better."""
    running = _Running(order, before)
    for step in (running.plan, running.look, running.stand):
        running.attempt(step)
    return running.round


@dataclass
class _Running:
    """A round, as far as it has come."""

    order: Order
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
            self._note(code_of(error), _message(error), error.hint)
        except Exception as error:  # noqa: BLE001 - the next round may end better
            message = f"a bug in lmssync: {type(error).__name__}"
            if not self.before.last or self.before.last.message != message:
                report_bug(error)
            self._note(Exit.BUG, message)

    def _note(self, code: int, message: str = "", hint: str = "") -> None:
        """The first thing that went wrong counts; that there are changes is not wrong."""
        if code and self.round.code in {Exit.DONE, Exit.CHANGES}:
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
        chosen = meanings.place if self.before.last or self.round.environment else meanings.asking
        place = chosen(**self.order.where)._replace(meet=self._meet)
        self._learn(environment=place.name)
        return place

    def _meet(self, reader: Reader) -> None:
        reader.pace.stops = self.order.stops
        self.readers.append(reader)

    def plan(self) -> int:
        place = self._place()
        if self.order.applies and place.environment.protected:
            raise WrongUse(
                f"{place.name} is protected: only a saved plan is applied there",
                "watch it without --apply, and apply with `lmssync apply FILE`",
            )
        catalog = planning.load_catalog(place)
        with place.store(read_only=True) as store, place.reader() as reader:
            reader.pace.tell = Waits().note
            made = planning.make_plan(place, catalog, store, reader)
            acts = made.does_anything or bool(store.open_calls())
        self._keep(made)
        plan.refuse_forbidden(made.guards)
        if self.order.applies and acts and not self.order.stops():
            return self._apply(place)
        return Exit.CHANGES if made.has_changes else Exit.DONE

    def _keep(self, made: Plan) -> None:
        self._learn(planned=Planned.from_plan(made, time.time()))

    def _apply(self, place: Workspace) -> int:
        def approve(made: Plan) -> bool:
            self._keep(made)
            plan.refuse_forbidden(made.guards)
            return made.does_anything

        with place.store() as store:
            report = pipeline.apply_catalog(place, store, Waits(), approve)
            waiting = waits_for_decision(report, store)
        self._learn(done={word: number for word, number in report.summary.items() if number})
        ended = code(report, waiting=waiting)
        if report.error:
            self._note(ended, report.error.message, report.error.hint)
        for address, why in report.with_outcome(Done.FAILED, Done.UNKNOWN):
            self._note(ended, f"{address}: {why}", f"`lmssync show {address}` shows more")
        return ended

    def look(self) -> int:
        """Looks for drift, if that is due and the platform can be reached."""
        last = self.before.drift
        due = last is None or time.time() - last.at >= self.order.drift_every
        if not due or self.round.ending is Ending.FAILED or self.order.stops():
            return Exit.DONE
        place = self._place()
        found = look_for_drift_at(place, (), self.order.budget, Waits(), **self.order.where)
        keep_look(place, found)
        if found.error:
            raise found.error
        drift = KnownDrift.from_look(found, last, time.time())
        self._learn(drift=drift)
        return Exit.CHANGES if drift.drifted else Exit.DONE

    def stand(self) -> int:
        place = self._place()
        with place.store(read_only=True) as store:
            now: Status = read_status(store, place.project.platform.routes)
        self._learn(status=now)
        return Exit.DONE


def _message(error: LmssyncError) -> str:
    """The message; of a catalog that has errors, how many and the first of them."""
    wrong = only_errors(error.problems) if isinstance(error, InvalidCatalog) else []
    if not wrong:
        return error.message
    first = f"{wrong[0].where}: {wrong[0].message}"
    return f"the catalog has {count_noun(len(wrong), 'error')}, the first: {first}"
