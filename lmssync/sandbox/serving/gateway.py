"""The gateway: what every request passes before a handler: the log, the faults, the limits."""

from starlette.types import Scope, Send

from lmssync.vocabulary.enums import Feature
from lmssync.vocabulary.envelopes import Envelope
from lmssync.vocabulary.routes import Route

from ..faults import Faults
from ..http import Answer, Refusal, body_of, of_path, send_answer
from ..platform import Platform
from .request_log import Entry, RequestLog
from .throttle import Headers, Throttle, account_limits, limits_of, require_connection


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
        return self.log.begin_entry(
            moment=self.platform.clock.read_time(),
            method=scope["method"],
            path=scope["path"],
            query=scope["query_string"].decode("latin-1"),
            route=route,
        )

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
        has_limit = any(name.startswith("X-RateLimit") for name, _ in refusal.headers)
        headers = refusal.headers if has_limit else refusal.headers + self.account_headers()
        return Answer(body, refusal.status, headers)

    async def refuse_request(
        self, refusal: Refusal, entry: Entry, *, scope: Scope, send: Send
    ) -> None:
        """Say no to a request that gets no further."""
        answer = self.word_refusal(refusal, of_path(scope["path"]))
        entry.status = answer.status
        await send_answer(answer, send)
