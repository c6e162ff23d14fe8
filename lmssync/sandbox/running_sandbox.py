"""One running sandbox, put together: the platform, the way to it, the work beside requests."""

import asyncio
import contextlib
import math
import secrets
import sqlite3

from .data.durable_store import Store
from .push_notifications import Pushes
from .request_gateway import Gateway
from .route_bindings import WORKS
from .sandbox_documents import Doc
from .sandbox_platform import Platform
from .seeds.seed_planting import check_seed, plant_seed

_ROUNDS = 8
"""Rounds of the event loop between two portions of work: a request is read, worked on and answered
in fewer."""
_PAUSE = 1.0
"""Seconds until the next try where the data cannot be read or written."""


class Worker:
    """Wakes where a job is due by the sandbox's clock; belongs to the thread of the event loop.

    It stops wherever it waits, which is never inside a portion of work.
    """

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._woken = asyncio.Event()

    def wake_up(self) -> None:
        """Look again: a job was accepted, or the clock was moved."""
        self._woken.set()

    async def work_forever(self) -> None:
        """Work until cancelled; begins with what an earlier run of the sandbox left."""
        while True:
            self._woken.clear()
            try:
                await self.settle_due_jobs()
                wait = self._platform.jobs.next_due - self._platform.clock.read_time()
            except sqlite3.Error:
                wait = _PAUSE  # the next write reports it; the work stays until it is done
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if wait == math.inf else wait):
                    await self._woken.wait()

    async def settle_due_jobs(self) -> None:
        """Return once every job that is due now has ended, on the disk too; requests go on."""
        platform, now = self._platform, self._platform.clock.read_time()
        while platform.jobs.next_due <= now:
            platform.work_on_jobs()
            for _ in range(_ROUNDS):
                await asyncio.sleep(0)
        await platform.store.wait_until_durable()


class Sandbox:
    """Requests pass the gateway to the platform; the worker does its jobs, `pushes` its deliveries.

    Of all this a handler sees the platform alone.
    """

    def __init__(self, store: Store, *, profile: str, seed: Doc) -> None:
        self.platform = Platform(store, profile=profile, works=WORKS)
        self.gateway = Gateway(self.platform)
        self.worker, self.pushes = Worker(self.platform), Pushes(self.platform)
        self.platform.on_event, self.platform.on_job = self.pushes.queue_pushes, self.worker.wake_up
        self._store, self._seed = store, check_seed(seed, where="seed")
        if store.read_setting("idSeed") is None:
            self.reset_sandbox()
        else:
            self._load_platform()

    def reset_sandbox(
        self, *, seed: Doc | None = None, id_seed: int | None = None, now: float | None = None
    ) -> None:
        """Back to a new sandbox; without an `id_seed` the ids differ from all given out before."""
        begun_with = self._seed if seed is None else check_seed(seed, where="seed")
        try:
            with self._store.open_change():
                self._store.clear_tables()
                numbers = id_seed if id_seed is not None else begun_with.get("idSeed")
                numbers = secrets.randbits(48) if numbers is None else numbers
                self._store.set_setting("idSeed", numbers)
                if now is not None:
                    # A new platform has no past that its clock could contradict.
                    self._store.set_setting("clockStoppedAt", now)
                self._store.set_setting("company", begun_with.get("company", "Sandbox company"))
                self._load_platform()
                plant_seed(self.platform, begun_with)
        except BaseException:
            if self._store.read_setting("idSeed") is not None:
                self._load_platform()  # the change is undone: so is what was made of it
            raise
        self._store.commit_change()

    def advance_time(self, seconds: float) -> None:
        """Move the clock; what falls due on the way happens at once."""
        self.platform.advance_clock(seconds)
        self.pushes.wake_up()
        self.worker.wake_up()

    def _load_platform(self) -> None:
        self.platform.load_documents()
        self.gateway.clear_traffic()
        self.pushes.forget_deliveries()
        self.worker.wake_up()
