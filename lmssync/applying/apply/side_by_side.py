"""Lets several steps wait for the platform at once, while all that they do stays on one thread.

Each step runs as a coroutine of greenlet: where it waits for an answer, another thread waits in its
place, and this one goes on with another step. Nothing else can happen between two lines of a step.
So the state is used by one thread, and what is written for one step after the other stays true.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from greenlet import getcurrent, greenlet

_Came = TypeVar("_Came")
_LOOK = 0.25
"""Seconds after which one looks what else may begin: a window may have opened, or a signal come."""


class _Answer(NamedTuple):
    """What came of something that another thread has waited for."""

    step: greenlet
    came: Any
    error: BaseException | None


class SideBySide:
    """Runs tasks until they wait, and each again when what it waits for has come."""

    def __init__(self) -> None:
        self._answers: SimpleQueue[_Answer] = SimpleQueue()
        self._tasks: set[greenlet] = set()
        self._waiting: set[greenlet] = set()
        self._preparing: greenlet | None = None

    @property
    def task(self) -> object:
        """What runs now: a task, or what runs where no task does."""
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
        came, error = task.parent.switch()
        if error is not None:
            raise error
        return came

    def _work(self, task: greenlet, work: Callable[[], Any]) -> None:
        try:
            self._answers.put(_Answer(task, work(), None))
        except BaseException as error:  # noqa: BLE001 - it is raised where the task waits
            self._answers.put(_Answer(task, None, error))

    def start(self, run: Callable[[], None]) -> None:
        """Begins a task, and returns when it waits for the first time or has ended."""
        task = greenlet(run)
        task.gr_context = copy_context()
        self._tasks.add(task)
        self._preparing = task
        self._go_on(task)

    def go_on(self) -> None:
        """Waits for an answer, but not for long, and lets its task go on until it waits again."""
        try:
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
