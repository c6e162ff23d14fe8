"""What every request passes before a handler: who may ask, the log, the faults, the limits.

All of it is kept in memory. Limits are fixed windows, counted by tier or route and shown in headers
(spec 8).
"""

import ipaddress
import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from starlette.types import Scope, Send

from ..vocabulary import limits
from ..vocabulary.enums import Feature
from ..vocabulary.iso_dates import format_timestamp
from ..vocabulary.limits import LimitScope, Tier, Window
from ..vocabulary.routes import RATE_LIMIT_EXCEEDED, Envelope, Route
from .faults import Faults
from .http_messages import Answer, Refusal, body_of, envelope_of_path, headers_of, send_answer
from .sandbox_platform import Platform

_REMEMBERED = 100
"""Ways to call the sandbox that need no second look."""
_BROWSER = frozenset({b"origin", b"sec-fetch-site"})
_OWN_PAGE = frozenset({b"same-origin", b"none"})
"""`none` is an address that somebody typed."""


class OriginGuard:
    """Refuses what a browser sends for somebody else, before anything is looked up.

    A page of another site, in a browser on this machine, can send requests here. Where its own name
    was made to lead here (DNS rebinding) it could read the answers too, and the key is well known.
    Clients that are no browsers send neither `Origin` nor `Sec-Fetch-Site` and notice nothing.
    """

    def __init__(self, served: str, *, is_page: Callable[[str], bool]) -> None:
        """`served` is the host on which the sandbox was asked to serve. A link from elsewhere may
        lead to a path that `is_page`."""
        self._served, self._is_page = served.lower(), is_page
        address = _host_address(served)
        self._everywhere = address is not None and address.is_unspecified
        self._known: set[bytes] = set()

    def require_origin(self, scope: Scope) -> None:
        """Raises 403 for another name than ours, and for pages of other sites."""
        from_browser = False
        for name, value in scope["headers"]:
            if name == b"host":
                self._require_name(value)
            elif name in _BROWSER:
                from_browser = True
        if from_browser:
            self._require_own_page(scope, headers_of(scope))

    def _require_name(self, host: bytes) -> None:
        if host in self._known:
            return
        name = _host_name(host)
        if not self._is_ours(name):
            raise Refusal(
                403,
                f'"{name[:100]}" is not a name of this sandbox: use localhost or 127.0.0.1,'
                " or serve it on another host with --host",
            )
        # Bounded: a client could send a new name with every request.
        if len(self._known) < _REMEMBERED:
            self._known.add(host)

    def _is_ours(self, name: str) -> bool:
        if is_loopback(name) or name.endswith(".localhost") or name in ("", self._served):
            return True
        # On every interface it has addresses that it does not know; only a name can be rebound.
        return self._everywhere and _host_address(name) is not None

    def _require_own_page(self, scope: Scope, headers: Mapping[bytes, bytes]) -> None:
        origin = headers.get(b"origin")
        own = origin is None or origin == b"http://" + headers.get(b"host", b"")
        site = headers.get(b"sec-fetch-site", b"none")
        if not own or (site not in _OWN_PAGE and not self._is_link(scope, headers)):
            raise Refusal(403, "This does not answer requests from pages of other sites")

    def _is_link(self, scope: Scope, headers: Mapping[bytes, bytes]) -> bool:
        """Whether somebody has followed a link to one of the pages: its site sees nothing of it."""
        return (
            headers.get(b"sec-fetch-mode") == b"navigate"
            and headers.get(b"sec-fetch-dest") == b"document"
            and scope["method"] == "GET"
            and self._is_page(scope["path"])
        )


def is_loopback(host: str) -> bool:
    """True if only this machine can reach `host`."""
    address = _host_address(host)
    # A socket for IPv6 shows 127.0.0.1 as ::ffff:127.0.0.1.
    mapped = getattr(address, "ipv4_mapped", None) or address
    return host == "localhost" or (mapped is not None and mapped.is_loopback)


def require_neighbour(scope: Scope) -> None:
    """403 for other machines."""
    peer = (scope.get("client") or ("", 0))[0]
    if not is_loopback(peer):
        raise Refusal(403, "This answers requests from this machine only")


def _host_name(host: bytes) -> str:
    """The host of a Host header, without its port."""
    text = host.decode("latin-1").strip().lower()
    # An IPv6 address has colons of its own, so it is in brackets where a port may follow.
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0].rstrip(".") if text.count(":") == 1 else text.rstrip(".")


def _host_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


Headers = tuple[tuple[str, str], ...]

_ACCOUNT = {"standard": limits.STANDARD, "enterprise": limits.ENTERPRISE}


class Counted(NamedTuple):
    """One limit that a request counts against: whose counter, and how many it may take."""

    name: str
    window: Window
    most: int


class Throttle:
    """Counters in memory. A window opens with its first request and lasts its full time."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], tuple[float, int]] = {}
        self.answering = 0
        """Requests under way at this moment."""

    @contextmanager
    def under_way(self) -> Iterator[None]:
        self.answering += 1
        try:
            yield
        finally:
            self.answering -= 1

    def take_request(self, counted: list[Counted], *, peer: str, now: float) -> Headers:
        """Count one request; the headers of its answer, which tell the tightest limit.

        Raises 429 where a window is full; then the request counts nowhere, and the wait is
        that of the window that lasts longest.
        """
        windows = [(limit, *self._current_window(limit, peer=peer, now=now)) for limit in counted]
        # All windows are looked at before any is counted: a refused request costs nothing.
        full = [start + one.window.seconds for one, start, taken in windows if taken >= one.most]
        if full:
            raise too_many_requests(math.ceil(max(full) - now), reset=math.ceil(max(full)))
        for limit, start, taken in windows:
            self._open[_window_key(limit, peer)] = (start, taken + 1)
        return self.peek_limits(counted, peer=peer, now=now)

    def peek_limits(self, counted: list[Counted], *, peer: str, now: float) -> Headers:
        """The headers for the limits as they are now, without counting."""
        windows = [(limit, *self._current_window(limit, peer=peer, now=now)) for limit in counted]
        if not windows:
            return ()
        # One set of headers for several limits: the client needs the one that it meets first.
        limit, start, taken = min(windows, key=lambda one: one[0].most - one[2])
        return (
            ("X-RateLimit-Limit", str(limit.most)),
            ("X-RateLimit-Remaining", str(max(limit.most - taken, 0))),
            ("X-RateLimit-Reset", str(math.ceil(start + limit.window.seconds))),
        )

    def _current_window(self, limit: Counted, *, peer: str, now: float) -> tuple[float, int]:
        """When the window of a limit began, and what it has taken; a new one begins now."""
        start, taken = self._open.get(_window_key(limit, peer), (now, 0))
        return (now, 0) if now >= start + limit.window.seconds else (start, taken)

    def clear_windows(self) -> None:
        self._open.clear()


def _window_key(limit: Counted, peer: str) -> tuple[str, str]:
    return limit.name, peer if limit.window.scope is LimitScope.REQUEST_IP else ""


def too_many_requests(seconds: int, *, reset: int) -> Refusal:
    """The 429 and its two headers."""
    return Refusal(
        429,
        RATE_LIMIT_EXCEEDED.format(seconds=seconds),
        headers=(("X-RateLimit-Reset", str(reset)), ("Retry-After", str(seconds))),
    )


def limits_of(
    route: Route, *, increased: bool, overrides: Mapping[str, int], user_tier_on_reads: bool
) -> Iterator[Counted]:
    """The limits of its own and of its tier that a request on `route` counts against.

    The increased limit of a tier holds where the flag is on or a custom override exists; the
    override then says how many (spec 8).
    """
    if route.limit:
        yield Counted(route.name, route.limit, route.limit.requests)
    reads_users = route.reads and route.name.startswith("user.")
    tier = route.tier or (Tier.USER if user_tier_on_reads and reads_users else None)
    if tier:
        window = tier.window
        most = window.increased if increased and window.increased else window.requests
        yield Counted(tier, window, overrides.get(tier, most))


def account_limits(account: str) -> Iterator[Counted]:
    """The account-wide figures, which every request counts against (switch `accountFigures`)."""
    if account in _ACCOUNT:
        figures = _ACCOUNT[account]
        yield Counted("account.minute", Window(figures.per_minute, 60), figures.per_minute)
        yield Counted("account.hour", Window(figures.per_hour, 3600), figures.per_hour)


def require_connection(account: str, *, answering: int, now: float) -> None:
    """429 where more requests are answered at once than the account may have connections.

    An idle connection is not counted, so that a client may keep its own open.
    """
    if account in _ACCOUNT and answering > _ACCOUNT[account].connections:
        raise too_many_requests(1, reset=math.ceil(now) + 1)


ENTRIES, BYTES = 20_000, 64_000_000
"""How much is kept: the oldest entries go first."""
PATH_SHOWN = 2_000
"""Of a longer path or query only the beginning is kept."""


@dataclass
class Entry:
    """One request at a `moment` in seconds; `status` None means that it got no answer."""

    number: int
    moment: float
    method: str
    path: str
    query: str
    route: str | None
    body: bytes = b""
    status: int | None = None
    fault: str | None = None
    failure: str | None = None
    """A bug of the sandbox, as a traceback."""

    @property
    def moment_text(self) -> str:
        """The moment as text: made when it is asked for, which is rarely."""
        return format_timestamp(self.moment)

    def as_wire(self, *, with_body: bool) -> dict[str, object]:
        wire: dict[str, object] = {
            "number": self.number,
            "at": self.moment_text,
            "method": self.method,
            "path": self.path,
            "query": self.query,
            "route": self.route,
            "status": self.status,
            "bodyBytes": len(self.body),
            "fault": self.fault,
            "failure": self.failure,
        }
        if with_body:
            wire["body"] = self.body.decode("utf-8", "replace")
        return wire


class RequestLog:
    """The newest requests of the platform's routes; the control plane's own are not logged."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque()
        self._number = self._bytes = 0

    def begin_entry(self, scope: Scope, route: str | None, moment: float) -> Entry:
        self._number += 1
        # Latin-1 has a character for every byte, so a malformed query is logged as well.
        path, query = scope["path"], scope["query_string"].decode("latin-1")
        shown = path[:PATH_SHOWN], query[:PATH_SHOWN]
        entry = Entry(self._number, moment, scope["method"], *shown, route)
        self._entries.append(entry)
        self._forget_oldest()
        return entry

    def receive_body(self, entry: Entry, body: bytes) -> None:
        entry.body = body
        self._bytes += len(body)
        self._forget_oldest()

    def _forget_oldest(self) -> None:
        while self._entries and (len(self._entries) > ENTRIES or self._bytes > BYTES):
            self._bytes -= len(self._entries.popleft().body)
        if not self._entries:
            self._bytes = 0  # an entry may get its body after it was forgotten

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def clear_log(self) -> None:
        self._entries.clear()
        self._bytes = 0


class Gateway:
    """Counts and logs requests to the platform, in memory alone, and words what is refused."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self.faults, self.throttle, self.log = Faults(), Throttle(), RequestLog()

    def clear_traffic(self) -> None:
        self.faults.remove_faults()
        self.throttle.clear_windows()
        self.log.clear_log()

    def log_request(self, scope: Scope, route: str | None) -> Entry:
        """The entry of a request, which gets its body and its status later."""
        return self.log.begin_entry(scope, route, self.platform.clock.read_time())

    def count_request(self, route: Route, peer: str) -> Headers:
        """The headers that tell the tightest limit of the request; raises 429."""
        platform, now = self.platform, self.platform.clock.read_time()
        account = platform.switches.accountFigures
        require_connection(account, answering=self.throttle.answering, now=now)
        own = limits_of(
            route,
            increased=Feature.INCREASED_API_RATE_LIMITS in platform.features,
            overrides=platform.limits,
            user_tier_on_reads=platform.switches.userTierOnReads,
        )
        counted = [*own, *account_limits(account)]
        return self.throttle.take_request(counted, peer=peer, now=now) if counted else ()

    def account_headers(self) -> Headers:
        """What every answer carries that counts against nothing, with the account figures on."""
        counted = list(account_limits(self.platform.switches.accountFigures))
        return self.throttle.peek_limits(counted, peer="", now=self.platform.clock.read_time())

    def word_refusal(self, refusal: Refusal, envelope: Envelope) -> Answer:
        """A refusal in the shape of its route."""
        body = body_of(refusal, envelope, timestamp=self.platform.clock.format_now())
        # A 429 brings the headers of the window that is full, which are not to be contradicted.
        has_limit = any(name.startswith("X-RateLimit") for name, _ in refusal.headers)
        headers = refusal.headers if has_limit else refusal.headers + self.account_headers()
        return Answer(body, refusal.status, headers)

    async def refuse_request(
        self, refusal: Refusal, entry: Entry, *, scope: Scope, send: Send
    ) -> None:
        """Say no to a request that gets no further."""
        answer = self.word_refusal(refusal, envelope_of_path(scope["path"]))
        entry.status = answer.status
        await send_answer(answer, send)
