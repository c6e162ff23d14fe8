"""Pushed notifications: who wants which events, when each delivery is due, and how it is made.

A registration of the control plane stands in for the admin interface (spec 6). Deliveries are made
beside the requests. The other channel that the specification names, SFTP, is not built: no
interface shows what would be written there. Nothing is signed.
"""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Mapping
from urllib.parse import SplitResult, quote, urlsplit

import orjson

from ..vocabulary.enums import EventKind
from ..vocabulary.iso_dates import format_timestamp
from ..vocabulary.normalisers import is_web_address
from .people.event_feed import OLDER, PushedOnly, wire_of
from .request_gateway import is_loopback
from .sandbox_documents import Doc, seconds_of
from .sandbox_platform import Platform

ATTEMPTS_MOST = 10
BACK_OFF_FIRST, BACK_OFF_MOST = 20, 3600
"""Seconds after the first failed attempt, doubled after each further one."""
PURCHASE_DELAY = 3600
"""Seconds that a bundlePurchase waits: about one hour."""
SUCCESS = range(200, 309)
"""HTTP statuses that end a delivery; a redirect is a success and is not followed."""
TRIGGERS = (*EventKind, *PushedOnly)
"""What can be registered for."""


def back_off(attempts: int) -> int:
    """Seconds from the failed attempt of that number to the next."""
    # A shift doubles: 20, 40, 80 seconds, up to an hour (spec 6).
    return min(BACK_OFF_FIRST << (attempts - 1), BACK_OFF_MOST)


def may_push(platform: Platform, url: str) -> bool:
    """Whether anything may be sent there: to this machine only, unless the switch says more."""
    if not is_web_address(url):
        return False
    return platform.switches.pushBeyondLoopback or is_loopback(urlsplit(url).hostname or "")


def triggers_of(event: Doc) -> set[str]:
    """The registered kinds that an event sets off: a completion is also a courseAction."""
    older = {kind for kind, type_ in OLDER.items() if event.get("type") == type_}
    return {event["kind"]} | (older if event["kind"] == EventKind.COURSE_ACTION else set())


def _make_delivery(platform: Platform, event: Doc, registered: Doc, *, kind: str) -> Doc:
    delay = PURCHASE_DELAY if kind == PushedOnly.BUNDLE_PURCHASE else 0
    return {
        "notificationId": registered["id"],
        "url": registered["url"],
        "payload": payload_of(platform, event, kind=kind),
        "attempts": 0,
        "state": "waiting",
        "lastOutcome": None,
        "dueAt": format_timestamp(platform.clock.read_time() + delay),
    }


def payload_of(platform: Platform, event: Doc, *, kind: str) -> Doc:
    """What is posted: the event as it is polled, its kind, and `user`, an e-mail address."""
    person = event.get("userDetail") or {}
    return {"kind": kind, "user": person.get("email"), **wire_of(platform, event, kind=kind)}


def after_attempt(delivery: Doc, *, status: int | None, outcome: str) -> Doc:
    """The delivery after one more attempt; `status` None where no answer came.

    The next attempt is counted from when this one was due, so that a clock moved forward finds
    all the attempts of the way.
    """
    attempts = delivery["attempts"] + 1
    made = {**delivery, "attempts": attempts, "lastOutcome": outcome}
    if status in SUCCESS:
        return {**made, "state": "delivered", "dueAt": None}
    if attempts == ATTEMPTS_MOST:
        return {**made, "state": "given up", "dueAt": None}
    return {**made, "dueAt": format_timestamp(seconds_of(delivery["dueAt"]) + back_off(attempts))}


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
    # Port 0 is a port too: only a missing one has a default.
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
        # An address may have a user and a password before the host, which no header repeats.
        f"Host: {parts.netloc.rpartition('@')[2]}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        # One connection for each delivery: a receiver that restarts between two costs nothing.
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
        queued = False
        for registered in self._platform.objects.list_objects("notifications"):
            for kind in sorted(triggers_of(event).intersection(registered.get("kinds", TRIGGERS))):
                self._platform.objects.add_object(
                    "deliveries", _make_delivery(self._platform, event, registered, kind=kind)
                )
                queued = True
        if queued:
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
        # Twice as many as go at once: those under way are among the earliest.
        for delivery in self._platform.objects.list_earliest("deliveries", count=2 * AT_ONCE):
            # Its due time is still the old one: that is only written once the attempt has ended.
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
        # After a reset, the id may belong to a delivery of the new platform that is under way.
        if self._under_way.get(id_) is task:
            del self._under_way[id_]
        self.wake_up()

    async def _attempt_delivery(self, delivery: Doc) -> None:
        """One attempt, and what it means; nothing is sent that is not yet on the disk."""
        platform = self._platform
        try:
            await platform.store.wait_until_durable()
            status, outcome = await _post_delivery(platform, delivery)
            after = after_attempt(delivery, status=status, outcome=outcome)
            with platform.store.open_change():
                platform.objects.save_object("deliveries", after)
            await platform.store.wait_until_durable()
        except sqlite3.Error:
            await asyncio.sleep(_PAUSE)  # the attempt is made again once it can be written down


async def _post_delivery(platform: Platform, delivery: Doc) -> tuple[int | None, str]:
    """Asked at every attempt: a registration may come from a seed, a switch may be turned off."""
    if not may_push(platform, delivery["url"]):
        return None, "not sent: the address is not on this machine (switch pushBeyondLoopback)"
    try:
        status = await post_json(delivery["url"], orjson.dumps(delivery["payload"]))
    except Unanswered as unanswered:
        return None, str(unanswered)
    return status, f"HTTP {status}"
