"""Pushing: carries out the deliveries that `notifications` has noted, beside the requests."""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Mapping
from urllib.parse import SplitResult, quote, urlsplit

import orjson

from ..clock import seconds_of
from ..documents import Doc
from ..platform import Platform
from . import notifications

SECONDS = 15.0
"""How long a receiver may take to answer (spec 6); real time, whatever the clock says."""
BODY_MOST = 65_536
"""Bytes of an answer that are read before the connection is closed."""
_PORTS = {"http": 80, "https": 443}
_KEPT = "/%:@!$&'()*+,;=~?-._"


class Unanswered(Exception):
    """No HTTP answer came; the message says why."""


async def post_json(url: str, body: bytes, *, seconds: float = SECONDS) -> int:
    """The status of the answer to a POST of JSON; raises Unanswered."""
    try:
        async with asyncio.timeout(seconds):
            return await _exchange_bytes(urlsplit(url), body)
    except TimeoutError:
        raise Unanswered(f"no answer within {seconds:g} seconds") from None
    except OSError as error:
        raise Unanswered(_system_reason(error)) from None
    except (ValueError, EOFError, asyncio.LimitOverrunError):
        raise Unanswered("the answer is not HTTP") from None


def _system_reason(error: OSError) -> str:
    """The system's own words: those of asyncio are about its calls."""
    number = error.errno or 0  # below 0 where a name was not found
    return os.strerror(number) if number > 0 else error.strerror or str(error)


async def _exchange_bytes(parts: SplitResult, body: bytes) -> int:
    port = _PORTS.get(parts.scheme, 80) if parts.port is None else parts.port
    tls = True if parts.scheme == "https" else None
    reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=tls)
    try:
        writer.write(_request_bytes(parts, body))
        await writer.drain()
        status, headers = _parse_head(await reader.readuntil(b"\r\n\r\n"))
        # A receiver that is cut off in the middle of its answer would report a failure.
        length = headers.get(b"content-length", b"0")
        await reader.readexactly(min(int(length), BODY_MOST))
        return status
    finally:
        writer.close()


def _request_bytes(parts: SplitResult, body: bytes) -> bytes:
    target = quote(parts.path or "/", safe=_KEPT)
    if parts.query:
        target += "?" + quote(parts.query, safe=_KEPT)
    head = (
        f"POST {target} HTTP/1.1",
        f"Host: {parts.netloc.rpartition('@')[2]}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
        "\r\n",
    )
    return "\r\n".join(head).encode("ascii") + body


def _parse_head(raw: bytes) -> tuple[int, Mapping[bytes, bytes]]:
    """Status and headers; raises ValueError where it is not the head of an HTTP answer."""
    first, *lines = raw.split(b"\r\n")
    version, status, *_ = first.split(None, 2)
    if not version.startswith(b"HTTP/1."):
        raise ValueError(first)
    pairs = (line.partition(b":") for line in lines if line)
    return int(status), {name.strip().lower(): value.strip() for name, _, value in pairs}


AT_ONCE = 8
"""Deliveries under way at the same time."""
_PAUSE = 1.0
"""Seconds until the next try where the data cannot be read or written."""


class Pushes:
    """Wakes where something is due. Everything here belongs to the thread of the event loop."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._woken = asyncio.Event()
        self._under_way: dict[str, asyncio.Task[None]] = {}

    def queue_pushes(self, event: Doc) -> None:
        """Note what has to be pushed of an event (inside its change)."""
        if notifications.queue_deliveries(self._platform, event):
            self.wake_up()

    def wake_up(self) -> None:
        """Look again: something was noted, or the clock was moved."""
        self._woken.set()

    def forget_deliveries(self) -> None:
        """Let go of what is under way: the platform it was about is gone."""
        for task in self._under_way.values():
            task.cancel()
        self._under_way.clear()
        self.wake_up()

    async def deliver_forever(self) -> None:
        """Deliver until cancelled; begins with what an earlier run of the sandbox left."""
        while True:
            self._woken.clear()
            try:
                wait = self._start_due()
            except sqlite3.Error:
                wait = _PAUSE  # the next write reports it; waiting loses nothing
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._woken.wait()

    def _start_due(self) -> float | None:
        """Begin what is due and has room; seconds until the next is due, None for unknown.

        What changes that wakes it: an end, a new delivery, the clock.
        """
        now = self._platform.clock.read_time()
        for delivery in self._platform.objects.list_earliest("deliveries", count=2 * AT_ONCE):
            if delivery["id"] in self._under_way:
                continue
            due = seconds_of(delivery["dueAt"])
            if due > now:
                return due - now
            if len(self._under_way) >= AT_ONCE:
                break
            self._start_delivery(delivery)
        return None

    def _start_delivery(self, delivery: Doc) -> None:
        task = asyncio.create_task(self._attempt_delivery(delivery))
        self._under_way[delivery["id"]] = task
        task.add_done_callback(lambda done: self._note_end(delivery["id"], done))

    def _note_end(self, id_: str, task: "asyncio.Task[None]") -> None:
        if self._under_way.get(id_) is task:
            del self._under_way[id_]
        self.wake_up()

    async def _attempt_delivery(self, delivery: Doc) -> None:
        """One attempt, and what it means; nothing is told that is not yet on the disk."""
        platform = self._platform
        try:
            await platform.store.wait_until_durable()
            status, outcome = await _post_delivery(platform, delivery)
            after = notifications.after_attempt(delivery, status=status, outcome=outcome)
            with platform.store.open_change():
                platform.objects.save_object("deliveries", after)
            await platform.store.wait_until_durable()
        except sqlite3.Error:
            await asyncio.sleep(_PAUSE)  # the attempt is made again once it can be written down


async def _post_delivery(platform: Platform, delivery: Doc) -> tuple[int | None, str]:
    """Asked at every attempt: a registration may come from a seed, a switch may be turned off."""
    if not notifications.may_push(platform, delivery["url"]):
        return None, "not sent: the address is not on this machine (switch pushBeyondLoopback)"
    try:
        status = await post_json(delivery["url"], orjson.dumps(delivery["payload"]))
    except Unanswered as unanswered:
        return None, str(unanswered)
    return status, f"HTTP {status}"
