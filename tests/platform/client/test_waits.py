"""How long an answer asks to wait."""

import pytest

from lmssync.platform.client.request_outcomes import retry_after

DATE = "Wed, 21 Oct 2026 07:28:00 GMT"
LATER = "Wed, 21 Oct 2026 07:34:52 GMT"


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "7", "x-ratelimit-reset": "9999999999"}, 7.0),
        ({"retry-after": "4000"}, 4_000.0),
        ({"retry-after": LATER, "date": DATE}, 412.0),
        ({"retry-after": DATE, "date": LATER}, 0.0),
        ({"retry-after": "-1"}, 0.0),
        ({"x-ratelimit-reset": "1"}, 0.0),
        ({}, 1.0),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], wait: float):
    """`Retry-After`, as a number or as a date, then the reset, else a second (O43, RFC 9110)."""
    assert wait == retry_after(headers)


@pytest.mark.parametrize(
    "said", ["soon", "", "nan", "inf", "-inf", "1e999", "Wed, 99 Oct 2026", "0x10", "\u0661\u0000"]
)
@pytest.mark.parametrize("name", ["retry-after", "x-ratelimit-reset"])
def test_nonsense_is_taken_for_nothing(name: str, said: str):
    """Nonsense in a header never causes an endless wait."""
    assert 1.0 == retry_after({name: said})


def test_the_reset_is_a_moment(monkeypatch: pytest.MonkeyPatch):
    """`X-RateLimit-Reset` is in Unix seconds (spec 8)."""
    monkeypatch.setattr("time.time", lambda: 1_000.0)
    assert 30.0 == retry_after({"x-ratelimit-reset": "1030"})


def test_a_reset_in_milliseconds_is_no_moment(monkeypatch: pytest.MonkeyPatch):
    """A reset in milliseconds is ignored; it would be thousands of years away."""
    monkeypatch.setattr("time.time", lambda: 1_800_000_000.0)
    assert 1.0 == retry_after({"x-ratelimit-reset": "1800000030000"})
