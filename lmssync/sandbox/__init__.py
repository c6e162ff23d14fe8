"""sandbox: the platform of the specification, served on the loopback interface.

It imports `lmssync.vocabulary` and third parties, nothing else of ours: it has checks of
its own, so that they show mistakes of the client.
"""

import asyncio
import contextlib
import errno
import gc
import os
import queue
import signal
import socket
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from email.utils import formatdate
from pathlib import Path
from types import FrameType
from typing import Literal, TypedDict

import uvicorn
from filelock import lock_descriptor
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .data.durable_store import (
    DataHeld,
    DataUnusable,
    PortTaken,
    SandboxError as SandboxError,
    Store,
    describe_unwritable,
)
from .faults import Protocol
from .request_dispatch import build_application
from .request_gateway import is_loopback
from .running_sandbox import Sandbox
from .seeds.demo_company import demo_company
from .seeds.seed_planting import read_seed

Profile = Literal["core", "extended"]
STOP_SECONDS = 3
"""How long requests in flight may take once the sandbox is asked to stop."""


class Ready(TypedDict):
    """What a client needs to know of a sandbox that listens."""

    baseUrl: str
    apiKey: str
    company: str


def serve_sandbox(
    host: str = "127.0.0.1",
    port: int = 8800,
    data: Path | None = None,
    profile: Profile = "core",
    seed: Path | None = None,
    ready: Callable[[Ready], None] | None = None,
    *,
    warn: Callable[[str], None] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM.

    `ready` is called once the sandbox listens, `warn` before that if others than this machine
    can reach it. Port 0 is any free one; without `data` everything is forgotten at the end.
    Raises SandboxError.
    """
    with _open_sandbox(host, port, data, profile=profile, seed=seed) as (sandbox, listener):
        if warn and not is_loopback(host):
            warn(
                f"{host} can be reached from other machines: the sandbox has one well-known key"
                " and no encryption; use 127.0.0.1 unless you intend that"
            )
        server = _make_server(sandbox, listener, host=host, ready=ready)
        # The process is the sandbox's own: what is loaded stays, and a large body is thousands of
        # objects that are soon gone, which the collector need not look for cycles in.
        gc.freeze()
        gc.set_threshold(100_000, 20, 100)
        server.run(sockets=[listener])


@contextlib.contextmanager
def run_sandbox(
    data: Path | None = None, profile: Profile = "core", seed: Path | None = None
) -> Iterator[Ready]:
    """A sandbox on any free loopback port in a thread of its own, for the length of a block."""
    started: queue.Queue[Ready | BaseException] = queue.Queue()
    servers: list[_Server] = []

    def serve_in_thread() -> None:
        try:
            opened = _open_sandbox("127.0.0.1", 0, data, profile=profile, seed=seed)
            with opened as (sandbox, listener):
                servers.append(_make_server(sandbox, listener, host="127.0.0.1", ready=started.put))
                servers[0].run(sockets=[listener])
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            started.put(error)

    thread = threading.Thread(target=serve_in_thread, name="sandbox")
    thread.start()
    try:
        first = started.get()
        if isinstance(first, BaseException):
            raise first
        yield first
    finally:
        if servers:
            servers[0].should_exit = True
        thread.join()


@contextlib.contextmanager
def _open_sandbox(
    host: str, port: int, data: Path | None, *, profile: Profile, seed: Path | None
) -> Iterator[tuple[Sandbox, socket.socket]]:
    """The sandbox of a data folder, which is now locked, and a bound socket."""
    chosen = read_seed(seed) if seed else demo_company()
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(_bind_socket(host, port))
        folder = data or Path(stack.enter_context(tempfile.TemporaryDirectory("-sandbox")))
        stack.enter_context(_lock_folder(folder))
        store = Store(folder / "sandbox.db")
        stack.callback(store.close_store)
        try:
            sandbox = Sandbox(store, profile=profile, seed=chosen)
        except sqlite3.OperationalError as error:
            raise describe_unwritable(folder / "sandbox.db", error) from None
        yield sandbox, listener


@contextlib.contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Lock a data folder; the system releases it even if the process is killed."""
    with contextlib.ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
            stack.callback(os.close, handle)
            ours = lock_descriptor(handle, blocking=False)
        except OSError as error:
            raise DataUnusable(f"{folder}: cannot be used ({error.strerror})") from None
        if not ours:
            raise DataHeld(
                f"{folder}: another sandbox (process {_read_holder(handle)}) uses this folder;"
                " stop it or name another folder"
            )
        os.ftruncate(handle, 0)
        os.write(handle, f" {os.getpid()}".encode())
        yield


def _read_holder(handle: int) -> str:
    """Who holds a folder. On Windows the first byte of the file is locked, and cannot be read."""
    os.lseek(handle, 1, os.SEEK_SET)
    return os.read(handle, 20).decode("ascii", "replace") or "unknown"


def _bind_socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named so that asyncio turns off the 40 ms wait for small answers.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":  # on Windows it would let two programs listen at one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            why = "is in use; name another port, or 0 for any free one"
        else:
            why = f"cannot be bound ({error})"
        raise PortTaken(f"{host}:{port} {why}") from None
    return listener


class _Server(uvicorn.Server):
    """uvicorn's server, which tells when it listens and keeps signals to itself.

    Beside it jobs are worked on and notifications pushed, until no request is answered any more.
    """

    on_ready: Callable[[], None]
    sandbox: Sandbox
    _beside: list[asyncio.Task[None]]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        work = (self.sandbox.worker.work_forever(), self.sandbox.pushes.deliver_forever())
        self._beside = [asyncio.create_task(one) for one in work]
        self.on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        for task in self._beside:
            task.cancel()
        await asyncio.gather(*self._beside, return_exceptions=True)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """A signal ends the sandbox and is not raised, since a requested stop is no failure."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {
            number: signal.signal(number, self._stop_on_signal)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop_on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.should_exit = True


def _make_server(
    sandbox: Sandbox, listener: socket.socket, *, host: str, ready: Callable[[Ready], None] | None
) -> _Server:
    config = uvicorn.Config(
        _with_dates(build_application(sandbox, host=host), sandbox),
        http=Protocol,
        ws="none",
        lifespan="off",
        loop="asyncio",
        access_log=False,
        log_config=None,
        log_level="critical",
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_keep_alive=60,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    platform, server = sandbox.platform, _Server(config)
    platform.address, server.sandbox = _base_url(listener), sandbox
    key = platform.keys.company_key

    def tell_address() -> None:
        if ready:
            ready(Ready(baseUrl=platform.address, apiKey=key, company=platform.company_name))

    server.on_ready = tell_address
    return server


def _with_dates(application: ASGIApp, sandbox: Sandbox) -> ASGIApp:
    """Every answer has the time of the sandbox's own clock, which an order can move: after a reset
    it is another one."""

    async def serve_dated(scope: Scope, receive: Receive, send: Send) -> None:
        async def with_date(message: Message) -> None:
            if message["type"] == "http.response.start":
                date = formatdate(sandbox.platform.clock.read_time(), usegmt=True).encode("ascii")
                message["headers"] = [*message.get("headers", ()), (b"date", date)]
            await send(message)

        await application(scope, receive, with_date)

    return serve_dated


def _base_url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
