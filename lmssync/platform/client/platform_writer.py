"""The platform for whoever may change it: apply, and operations.

Some writes say what they do in a signed `jwt` of the query (spec 5): HS256, with the API key as
the secret.
"""

import base64
import hmac
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import orjson

from ...errors import Stopped, Unreadable, WrongUse
from ...support import redaction
from ...vocabulary.routes import ROUTES, Repeat, Route
from .answer_bodies import describe_failure
from .platform_reader import Reader, fill_path, fit_answer
from .request_outcomes import DeliveryStatus, Outcome
from .request_pacing import SendTurn

if TYPE_CHECKING:
    from .send_deadline import SendDeadline


LIFETIME = 300
"""Seconds for which a signed address is valid: proxies and servers log addresses."""
_HEADER = {"alg": "HS256", "typ": "JWT"}


def sign_token(claims: Mapping[str, Any], secret: str, *, now: float) -> str:
    """The token that says `claims` until `LIFETIME` seconds after `now`, in Unix seconds."""
    timed = {**claims, "exp": int(now) + LIFETIME}
    text = b".".join(_encode_part(orjson.dumps(part)) for part in (_HEADER, timed))
    signature = hmac.digest(secret.encode(), text, "sha256")
    return b".".join((text, _encode_part(signature))).decode()


def _encode_part(part: bytes) -> bytes:
    return base64.urlsafe_b64encode(part).rstrip(b"=")


class Writer(Reader):
    """Reads and writes. Only apply and operations are given one."""

    def count_earlier(self, sent: Iterable[tuple[str, float]]) -> None:
        """Counts what others have sent with the same state: routes, and how many seconds ago."""
        self.throttle.count_earlier((ROUTES[name], age) for name, age in sent if name in ROUTES)

    def turn_now(self, name: str) -> SendTurn | None:
        """The turn of a request for `send_write`, if it may be sent at this moment."""
        turn = None if self.pace.seconds_held else self.throttle.take_turn(ROUTES[name])
        return turn if turn and turn.is_now else None

    def could_send(self, name: str) -> bool:
        """True if a request could be sent at this moment."""
        return not self.pace.seconds_held and self.throttle.next_turn(ROUTES[name]).is_now

    def await_window(self, name: str) -> None:
        """Returns once a request could be sent; raises `Stopped`."""
        self.aside(lambda: self._take_turn(ROUTES[name], counted=False))

    def wait_for_turn(self, name: str) -> SendTurn:
        """The turn of a request for `send_write`, once it has come; raises `Stopped`."""
        return self.aside(lambda: self._take_turn(ROUTES[name]))

    def send_write(
        self,
        name: str,
        params: Mapping[str, str],
        body: Any,
        *,
        once: bool = False,
        turn: SendTurn | None = None,
        signed: bool = False,
        announced: "SendDeadline | None" = None,
    ) -> Outcome:
        """Sends a write once, in its turn. What was `announced` is sent at once or not at all:
        then the outcome is `late`. `once` says that the body may not be sent a second time
        either where its route may: it adds something. `signed` puts the body into a signed `jwt`
        of the query, where the route takes its attributes from there (spec 4).

        If the run is stopped before anything was sent, the outcome says so.
        """
        route = ROUTES[name]
        path = fill_path(route, params)
        try:
            outcome = self.aside(
                lambda: (
                    self._sent_signed(route, path, body, turn=turn, announced=announced)
                    if signed
                    else self._exchange(route, path, turn=turn, announced=announced, body=body)
                )
            )
        except Stopped as error:
            return Outcome(DeliveryStatus.REJECTED, message=error.message, retry_after=0.0)
        return _require_shape(route, path, outcome, once=once or route.repeat is Repeat.NEVER)

    def _sent_signed(
        self, route: Route, path: str, claims: Mapping[str, Any], **when: Any
    ) -> Outcome:
        """The end of a request that says something in the name of the key; a platform that quotes
        the address in its answer quotes the token."""
        if not isinstance(self._key, str):
            raise WrongUse(
                "a signed jwt needs an API key, and this environment asks for access tokens",
                "set LMSSYNC_API_KEY for this run, or send it without a jwt",
            )
        token = sign_token(claims, self._key, now=time.time() + self.ahead)
        with redaction.hide_during(token):
            return self._exchange(route, path, query={"jwt": token}, **when)


def _require_shape(route: Route, path: str, outcome: Outcome, *, once: bool) -> Outcome:
    """A 2xx in the shape of its route; for any other shape the outcome is unknown.

    A 2xx with `errors` is a failure (O29). For a write that adds something, the outcome is unknown.
    """
    if outcome.fate is not DeliveryStatus.ACKNOWLEDGED:
        return outcome
    failure = describe_failure(outcome.answer, errors_are_results=route.errors_are_results)
    if failure:
        return outcome._replace(
            fate=DeliveryStatus.UNKNOWN if once else DeliveryStatus.REJECTED, message=failure
        )
    try:
        return outcome._replace(answer=fit_answer(route, path, outcome.answer))
    except Unreadable as error:
        return outcome._replace(fate=DeliveryStatus.UNKNOWN, message=error.message)
