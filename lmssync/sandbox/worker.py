"""The worker: does the work of jobs when its time has come, whether or not anybody asks."""

import asyncio
import contextlib
import math
import sqlite3

from .platform import Platform

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
