"""The platform for whoever may change it: apply, and operations. Background jobs are followed too.

Some writes say what they do in a signed `jwt` of the query (spec 5): HS256, with the API key as
the secret.
"""

import base64
import hmac
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from ...errors import Refused, Stopped, Unreadable, WrongUse
from ...support import redaction
from ...vocabulary.enums import JobStatus
from ...vocabulary.routes import ROUTES, Repeat, Route
from .answer_bodies import describe_failure, platform_words
from .platform_reader import Reader, fill_path, fit_answer
from .request_outcomes import DeliveryStatus, Outcome
from .request_windows import SendTurn

if TYPE_CHECKING:
    from .send_deadline import SendDeadline

PATIENCE = 60.0
"""Seconds that a job is followed before the run goes on without it."""
WORK = 300.0
"""Seconds for which a run waits for a job that does the work itself; a later run goes on."""
_FIRST, _GROWS, _LONGEST = 0.1, 1.5, 2.0
"""The pauses between two polls, in seconds."""
_WATCHED = 10.0
"""The longest pause while somebody watches: no call of ours waits for it."""
LOST = "lost"
"""The status of a job whose read shows none."""


class JobEnd(NamedTuple):
    """How a job ended; a status that is not final means that it was still running."""

    id: str
    status: str
    description: str
    message: str

    @property
    def is_over(self) -> bool:
        return self.status in {JobStatus.COMPLETE, JobStatus.FAILED}

    @property
    def has_succeeded(self) -> bool:
        return self.status == JobStatus.COMPLETE

    @property
    def is_lost(self) -> bool:
        """True if the platform does not say, or no longer knows, how it ended."""
        return self.status == LOST


def most_polls(jobs: int, patience: float = PATIENCE) -> int:
    """The most reads that following so many jobs takes: each begins with short pauses again."""
    pause, left, quick = _FIRST, patience, 0
    while pause < _LONGEST and left > 0:
        pause, left, quick = pause * _GROWS, left - pause, quick + 1
    return jobs * (quick + 1) + ceil(max(0.0, left) / _LONGEST) if jobs else 0


def follow_jobs(
    reader: Reader,
    ids: Iterable[str],
    patience: float = PATIENCE,
    enough: Callable[[], bool] = lambda: False,
) -> list[JobEnd]:
    """Polls each job until it is complete or failed, with growing pauses, or until `enough`.

    When the time is up, each job is read once more. When twice the time is up, no more are read,
    since an answer may name any number of jobs.
    """
    begun = time.monotonic()

    def late(times: int = 1) -> bool:
        return time.monotonic() > begun + times * patience

    return [_follow_job(reader, job, lambda: enough() or late(), asks=not late(2)) for job in ids]


def _follow_job(reader: Reader, job: str, enough: Callable[[], bool], *, asks: bool) -> JobEnd:
    """`asks` is false for a job that comes too late to be read even once."""
    pause = _FIRST
    while asks:
        end = read_job(reader, job)
        if end.is_over or end.is_lost or enough():
            return end
        reader.pause(pause)
        pause = min(pause * _GROWS, _LONGEST)
    return JobEnd(job, JobStatus.QUEUED, "", "")


def read_job(reader: Reader, job: str) -> JobEnd:
    """How far a job is; its status is `LOST` if the read does not say."""
    try:
        answer = reader.read_route("job.read", {"id": job})
    except (Refused, Unreadable) as error:
        return JobEnd(job, LOST, "", error.message)
    if answer is None:
        return JobEnd(job, LOST, "", "the platform does not know this job")
    texts = (answer.get("description") or "", str(answer.get("errorMessage") or ""))
    return JobEnd(job, answer["status"], *map(platform_words, texts))


def watch_jobs(reader: Reader, ids: Iterable[str], patience: float) -> Iterator[JobEnd]:
    """How far each job is, whenever that has changed, until all are over or the time is up.

    Raises `Stopped` if somebody does not want to wait.
    """
    open_, known = list(dict.fromkeys(ids)), dict[str, JobEnd]()
    end, pause = time.monotonic() + patience, _FIRST
    while open_:
        for job in list(open_):
            now = read_job(reader, job)
            if now.is_over or now.is_lost:
                open_.remove(job)
            if now != known.get(job):
                known[job], pause = now, _FIRST
                yield now
        if time.monotonic() > end:
            return
        if open_:
            reader.pace.sleep(pause)
            pause = min(pause * _GROWS, _WATCHED)


LIFETIME = 300
"""Seconds for which a signed address is valid: proxies and servers log addresses."""
_HEADER = {"alg": "HS256", "typ": "JWT"}


def sign_token(claims: Mapping[str, Any], secret: str, *, now: float) -> str:
    """The token that says `claims` until `LIFETIME` seconds after `now`, in Unix seconds."""
    # The platform checks `exp` by its own clock, so `now` is its time and not ours
    # (`Sender.ahead`).
    timed = {**claims, "exp": int(now) + LIFETIME}
    text = b".".join(_encode_part(orjson.dumps(part)) for part in (_HEADER, timed))
    signature = hmac.digest(secret.encode(), text, "sha256")
    return b".".join((text, _encode_part(signature))).decode()


def _encode_part(part: bytes) -> bytes:
    # JSON web tokens have no padding (RFC 7515).
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
        # A write that adds something may have added a part of it before it failed. One that sets
        # values has set them or not, and can be sent again.
        return outcome._replace(
            fate=DeliveryStatus.UNKNOWN if once else DeliveryStatus.REJECTED, message=failure
        )
    try:
        return outcome._replace(answer=fit_answer(route, path, outcome.answer))
    except Unreadable as error:
        return outcome._replace(fate=DeliveryStatus.UNKNOWN, message=error.message)
