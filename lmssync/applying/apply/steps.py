"""Performs the steps of a plan: phase after phase, and within one side by side.

What a step needs was made in an earlier phase. Steps of one phase need nothing of each other, but
those that touch the same keep their order.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ...errors import Stopped
from ...kind import CallPart
from ...kinds import KINDS
from ...planning.plan import Plan, Step
from ...vocabulary.routes import ROUTES
from .perform import perform_step
from .result import ApplyOutcome
from .session import ApplySession
from .step_scheduler import InOrder, conflict_keys


class _Numbered(NamedTuple):
    """A step with its number in the plan, which counts from one."""

    number: int
    step: Step


def perform_all(session: ApplySession, plan: Plan) -> None:
    """Performs all steps until somebody asks to stop; raises what has stopped it, once all that
    was under way has ended."""
    steps = _Steps(session, plan)
    numbered = map(_Numbered, range(1, len(plan.steps) + 1), plan.steps)
    session.writer.aside, session.writer.await_future = (
        session.side.aside,
        session.side.await_future,
    )
    try:
        for _, phase in groupby(numbered, key=lambda one: one.step.phase):
            if plan.release_name and session.report.fell_short:
                _skip_steps(session, phase)
            else:
                steps.perform(list(phase))
    finally:
        steps.progress.end()


def _skip_steps(session: ApplySession, phase: Iterable[_Numbered]) -> None:
    """Leaves what comes after a failure."""
    # A release shows nothing before the rest is there.
    for part in (part for one in phase for part in one.step.parts):
        if not session.report.has_failed(part.address):
            session.report.note_shortfall(part.address, ApplyOutcome.SKIPPED, _WAITS)


_WAITS = "it comes after something in the release that was not done"


class _Steps:
    """The steps of a plan while they are performed."""

    def __init__(self, session: ApplySession, plan: Plan) -> None:
        self._session, self._side = session, session.side
        self._left = Counter(step.route for step in plan.steps)
        self._numbers: dict[object, int] = {}
        self._failed: dict[int, Exception] = {}
        self.progress = InOrder(session.progress, lambda: self._numbers.get(self._side.task, 0))
        session.progress = self.progress

    def perform(self, phase: Sequence[_Numbered]) -> None:
        """Performs the steps of a phase; raises the error of the first step that has one."""
        queue = _Queue(phase, fresh=self._session.fresh)
        while True:
            while self._may_start and (one := self._next(queue)):
                self._side.start(lambda one=one: self._run(one, queue))  # type: ignore[misc]
            if not self._side.under_way:
                break
            self._side.go_on()
        if self._failed:
            raise self._first_error()
        self._session.report.interrupted |= self._session.stop.asked and queue.waits

    def _first_error(self) -> Exception:
        errors = [self._failed[number] for number in sorted(self._failed)]
        # An error ends the waits of other steps as well, with `Stopped`: that is not the cause.
        return next((one for one in errors if not isinstance(one, Stopped)), errors[0])

    @property
    def _may_start(self) -> bool:
        stopped = self._session.stop.asked or self._failed
        room = self._side.busy < self._session.writer.connections
        return room and not stopped and not self._side.preparing

    def _next(self, queue: "_Queue") -> _Numbered | None:
        """A step that could be sent now; one that has to wait only where nothing else goes on."""
        throttle = self._session.writer.throttle
        may_go = {name: throttle.next_turn(ROUTES[name]).is_now for name in queue.routes}
        for one in queue.free():
            if may_go[one.step.route] or not self._side.under_way:
                return queue.take(one)
        return None

    def _run(self, one: _Numbered, queue: "_Queue") -> None:
        number, step = one
        session = self._session
        self._numbers[self._side.task] = number
        try:
            waits = session.writer.seconds_limited(self._left)
            self._left[step.route] -= 1
            about = [part.address for part in step.parts]
            session.progress.step(number, step.route, about, waits)
            perform_step(session, step)
            for part in step.parts:
                if outcome := session.report.done.get(part.address):
                    session.progress.done(part.address, outcome)
        except Exception as error:  # noqa: BLE001 - raised once the others have ended
            self._failed[number] = error
        queue.done(one)
        self.progress.end_step(number)


class _Queue:
    """The steps of a phase that have not begun, and who touches what others touch, in their order.

    Where the state is `fresh`, it may have been lost: then the platform refuses unique marks that
    it has. So nothing else is made before everything that carries one was accepted.
    """

    def __init__(self, phase: Sequence[_Numbered], *, fresh: bool) -> None:
        self._waiting = {one.number: one for one in phase}
        self.routes = {one.step.route for one in phase}
        self._touched = _shared(phase) if len(phase) > 1 else {phase[0].number: set()}
        self._marked = {one.number for one in phase if fresh and _creates(one.step, unique=True)}
        self._users: dict[str, deque[int]] = {}
        for number, names in self._touched.items():
            for name in names:
                self._users.setdefault(name, deque()).append(number)

    @property
    def waits(self) -> bool:
        """True if some have not begun."""
        return bool(self._waiting)

    def free(self) -> Iterator[_Numbered]:
        """The steps that no earlier one has to end for."""
        for number, one in self._waiting.items():
            waits = self._marked and _creates(one.step, unique=False) and min(self._marked) < number
            # Each key has a queue of the steps that need it: a step may begin once it is the first
            # in all of its queues.
            if not waits and all(self._users[n][0] == number for n in self._touched[number]):
                yield one

    def take(self, one: _Numbered) -> _Numbered:
        return self._waiting.pop(one.number)

    def done(self, one: _Numbered) -> None:
        """Frees the keys of a step for the next one."""
        self._marked.discard(one.number)
        for name in self._touched[one.number]:
            self._users[name].popleft()


def _shared(phase: Sequence[_Numbered]) -> dict[int, set[str]]:
    """For each step, the keys that another step has as well."""
    first: dict[str, int] = {}
    shared: dict[int, set[str]] = {one.number: set() for one in phase}
    for number, step in phase:
        for name in conflict_keys(step):
            other = first.setdefault(name, number)
            # Only these can hold up a step: what nobody else touches needs no queue.
            if other != number:
                shared[other].add(name)
                shared[number].add(name)
    return shared


def _creates(step: Step, *, unique: bool) -> bool:
    """True if it makes something that carries a mark which the platform takes once, or does not."""
    return any(part.creates and _is_unique(part) is unique for part in step.parts)


def _is_unique(part: CallPart) -> bool:
    return bool(part.marker) and KINDS[part.address.kind].calls.marker_unique
