"""Lets several steps wait for the platform at once, while all that they do stays on one thread.

Each step runs as a coroutine of greenlet: where it waits for an answer, another thread waits in its
place, and this one goes on with another step. Nothing else can happen between two lines of a step.
So the state is used by one thread, and what is written for one step after the other stays true.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from greenlet import getcurrent, greenlet

from ...kind import CallPart
from ...kinds import KINDS
from ...planning.plan import Step
from ...platform.live import list_named
from ...resource import Address
from .result import ApplyOutcome, ApplyProgress


class InOrder:
    """Passes the reports of the first step on that is not done yet, and keeps those of the others.

    `speaking` gives the number of the step that reports; 0 where it is none of them.
    """

    def __init__(self, progress: ApplyProgress, speaking: Callable[[], int]) -> None:
        self._progress, self._speaking = progress, speaking
        self._kept: dict[int, list[Callable[[], None]]] = {}
        self._ended: set[int] = set()
        self._first = 1

    def begin(self, steps: int) -> None:
        self._progress.begin(steps)

    def step(
        self, number: int, route: str, resources: Sequence[Address], waits: float = 0.0
    ) -> None:
        self._report(lambda: self._progress.step(number, route, resources, waits))

    def done(self, address: Address, outcome: ApplyOutcome) -> None:
        self._report(lambda: self._progress.done(address, outcome))

    def reading(self, done: int, total: int) -> None:
        self._report(lambda: self._progress.reading(done, total))

    def note(self, text: str) -> None:
        self._report(lambda: self._progress.note(text))

    def end_step(self, number: int) -> None:
        """Everything was reported of this step; those after it may have their turn."""
        self._ended.add(number)
        while self._first in self._ended:
            self._first += 1
            self._tell(self._first)

    def end(self) -> None:
        """Reports the events that were queued, though not every step before them is done."""
        for number in sorted(self._kept):
            self._tell(number)

    def _report(self, report: Callable[[], None]) -> None:
        number = self._speaking()
        # A step that runs ahead of an earlier one is reported when that has ended: people read one
        # step after the other, as in the plan.
        if number <= self._first:
            report()
        else:
            self._kept.setdefault(number, []).append(report)

    def _tell(self, number: int) -> None:
        for report in self._kept.pop(number, ()):
            report()


def conflict_keys(step: Step) -> frozenset[str]:
    """The resources of a step, what they are added to, and looks that only one may have.

    Where several are added to the same, their order may be seen, as that of purchase paths is. Of
    two that look the same, a read could take one for the other while neither is recorded. Work
    that jobs do touches more than its call names, such as the seats of licenses.
    """
    return frozenset(name for part in step.parts for name in _keys_of_part(part))


def _keys_of_part(part: CallPart) -> Iterator[str]:
    kind = KINDS[part.address.kind]
    yield str(part.address)
    if part.look:
        yield f"look {part.look}"
    if kind.calls.works_in_jobs(part.route):
        yield "jobs"
    yield from _holders(part.params)
    form = kind.reads.asked_with(lambda: part.after)
    reading = kind.reads.request(part.address, form)
    if reading is not None:
        yield from _holders(reading.params)
    search = kind.reads.search(form, part.marker)
    if search is not None:
        yield from _holders(search.request.params)


def _holders(params: Mapping[str, Any]) -> Iterator[str]:
    """Whatever an address of a request names: an address of the catalog, or an id."""
    for value in params.values():
        if isinstance(value, str):
            yield value
        else:
            yield from map(str, list_named(value))


_Came = TypeVar("_Came")
_LOOK = 0.25
"""Seconds after which one looks what else may begin: a window may have opened, or a signal come."""


class _Answer(NamedTuple):
    """The result that another thread has waited for."""

    step: greenlet
    came: Any
    error: BaseException | None


class StepScheduler:
    """Runs tasks until they wait, and each again when what it waits for has come."""

    def __init__(self) -> None:
        self._answers: SimpleQueue[_Answer] = SimpleQueue()
        self._tasks: set[greenlet] = set()
        self._waiting: set[greenlet] = set()
        self._preparing: greenlet | None = None

    @property
    def task(self) -> object:
        """The task that runs now, or the main greenlet where none does."""
        return getcurrent()

    @property
    def under_way(self) -> int:
        return len(self._tasks)

    @property
    def busy(self) -> int:
        """How many tasks may have a request under way."""
        return len(self._tasks - self._waiting)

    @property
    def preparing(self) -> bool:
        """True while a task finds out what it has to send: what others do then would be in its
        way, since both would look up the same names."""
        return self._preparing is not None

    def prepared(self) -> None:
        """The current task knows what it has to send."""
        if self._preparing is getcurrent():
            self._preparing = None

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Within this block the current task has no request under way."""
        task = getcurrent()
        self._waiting.add(task)
        try:
            yield
        finally:
            self._waiting.discard(task)

    def aside(self, work: Callable[[], _Came]) -> _Came:
        """Does something that takes time in another thread, if this is a task, and tasks go on."""
        task = getcurrent()
        if task not in self._tasks:
            return work()
        waits = partial(copy_context().run, self._work, task, work)
        Thread(target=waits, daemon=True).start()
        came: _Came
        # Here this task sleeps, and whoever started it goes on. It wakes up with what `_go_on`
        # switches in.
        came, error = task.parent.switch()
        if error is not None:
            raise error
        return came

    def await_future(self, future: Future[_Came]) -> _Came:
        """The result of what other threads do; tasks go on until it is there."""
        task = getcurrent()
        if task in self._tasks:
            # No thread needs to wait for it: the one that has done it wakes the task up.
            future.add_done_callback(lambda _: self._answers.put(_Answer(task, None, None)))
            task.parent.switch()
        return future.result()

    def _work(self, task: greenlet, work: Callable[[], Any]) -> None:
        try:
            self._answers.put(_Answer(task, work(), None))
        except BaseException as error:  # noqa: BLE001 - it is raised where the task waits
            self._answers.put(_Answer(task, None, error))

    def start(self, run: Callable[[], None]) -> None:
        """Begins a task, and returns when it waits for the first time or has ended."""
        task = greenlet(run)
        # A greenlet begins with an empty context: traces would not know to which stage their calls
        # belong.
        task.gr_context = copy_context()
        self._tasks.add(task)
        self._preparing = task
        self._go_on(task)

    def go_on(self) -> None:
        """Waits for an answer, but not for long, and lets its task go on until it waits again."""
        try:
            # Signals of the system are handled between two steps of Python on this thread, so it
            # must not wait without an end.
            task, came, error = self._answers.get(timeout=_LOOK)
        except Empty:
            return
        self._go_on(task, (came, error))

    def _go_on(self, task: greenlet, *came: Any) -> None:
        try:
            task.switch(*came)
        finally:
            if task.dead:
                self._tasks.discard(task)
                if self._preparing is task:
                    self._preparing = None
