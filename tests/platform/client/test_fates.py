"""How a request ended, judged by the answer; and in which words a failure is told."""

from typing import Any

import httpx
import orjson
import pytest

from lmssync.errors import KeyRefused, PlatformError, Refused, ServerFailed, Unreachable
from lmssync.platform.client import DeliveryStatus, Outcome, platform_error
from lmssync.platform.client.http_exchange import Wire, judge_answer
from lmssync.platform.client.platform_reader import fill_path
from lmssync.vocabulary.routes import ROUTES


def ended(status: int, body: Any = None, **headers: str) -> Outcome:
    content = body if isinstance(body, bytes) else b"" if body is None else orjson.dumps(body)
    return judge_answer(httpx.Response(status, headers=headers), content)


@pytest.mark.parametrize(
    ("status", "body", "fate"),
    [
        (200, {"courseIds": []}, DeliveryStatus.ACKNOWLEDGED),
        (201, {"data": {}}, DeliveryStatus.ACKNOWLEDGED),
        (204, None, DeliveryStatus.ACKNOWLEDGED),
        (200, b"<html>", DeliveryStatus.UNKNOWN),
        (400, {"errors": ["no"]}, DeliveryStatus.REJECTED),
        (400, {"hello": 1}, DeliveryStatus.UNKNOWN),
        (400, b"<html>", DeliveryStatus.UNKNOWN),
        (401, None, DeliveryStatus.REJECTED),
        (403, {"error": "no"}, DeliveryStatus.REJECTED),
        (404, None, DeliveryStatus.REJECTED),
        (409, {"errors": ["twice"]}, DeliveryStatus.REJECTED),
        (422, {"error": "x", "message": "y"}, DeliveryStatus.REJECTED),
        (301, None, DeliveryStatus.UNKNOWN),
        (500, None, DeliveryStatus.UNKNOWN),
        (500, {"errors": ["oops"]}, DeliveryStatus.UNKNOWN),
        (503, None, DeliveryStatus.UNKNOWN),
    ],
)
def test_fates(status: int, body: Any, fate: DeliveryStatus):
    """Only a 4xx in a known envelope proves that nothing was done; anything else is unknown."""
    assert fate is ended(status, body).fate


def test_an_unknown_fate_has_a_reason_even_if_the_server_gives_none():
    """If an answer has neither an envelope nor a reason phrase, its status is the reason."""
    bare = httpx.Response(400, extensions={"reason_phrase": b""})
    outcome = judge_answer(bare, b'{"hello": 1}')
    assert (DeliveryStatus.UNKNOWN, "HTTP 400") == (outcome.fate, outcome.message)


def test_a_429_did_nothing_and_says_how_long():
    """A 429 means that nothing was done and says when to send again."""
    found = ended(429, {"errors": ["slow down"]}, **{"Retry-After": "5"})
    assert (DeliveryStatus.REJECTED, 5.0, "slow down") == (
        found.fate,
        found.retry_after,
        found.message,
    )


def test_nobody_listening_is_unsent():
    """If no byte was written, the request may be sent again."""
    wire = Wire("http://127.0.0.1:1", "key", 5)
    try:
        assert DeliveryStatus.UNSENT is wire.exchange("POST", "/x", body={}).fate
    finally:
        wire.close()


ROUTE = ROUTES["course.create"]


@pytest.mark.parametrize(
    ("outcome", "error", "message"),
    [
        (
            Outcome(DeliveryStatus.UNSENT, message="refused"),
            Unreachable,
            "cannot be reached: refused",
        ),
        (Outcome(DeliveryStatus.UNKNOWN, message="reset"), Unreachable, "cannot be reached: reset"),
        (
            Outcome(DeliveryStatus.REJECTED, 401, message="expired"),
            KeyRefused,
            "does not accept the API key",
        ),
        (
            Outcome(DeliveryStatus.REJECTED, 403, message="no"),
            KeyRefused,
            "the API key may not POST",
        ),
        (Outcome(DeliveryStatus.REJECTED, 400, message="bad"), Refused, "course/create: bad"),
        (
            Outcome(DeliveryStatus.UNKNOWN, 502, message="x"),
            ServerFailed,
            "failed with HTTP 502: x",
        ),
    ],
)
def test_failures_in_words(outcome: Outcome, error: type[PlatformError], message: str):
    """Each fate becomes its own error."""
    found = platform_error(outcome, "http://x", ROUTE)
    assert type(found) is error
    assert message in found.message


def test_a_missing_permission_is_named():
    """A 403 names the missing permission for the administrator."""
    hint = platform_error(Outcome(DeliveryStatus.REJECTED, 403), "http://x", ROUTE).hint
    assert "it needs the permission courses.new: give it to the role of the key" == hint


def test_paths_are_filled_and_quoted():
    """Ids are quoted, so that an id cannot lead to another route."""
    assert "/incoming/v2/content/course/a%2F..%2Fb" == fill_path(
        ROUTES["course.read"], {"id": "a/../b"}
    )
