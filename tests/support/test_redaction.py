"""Secrets, in whatever spelling, do not come out."""

import base64
import html
import json
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

import pytest

from lmssync.support import redaction

ODD = 'k/e+y "with" \\ <odd> & %letters'


@pytest.fixture(autouse=True)
def _known() -> Iterator[None]:
    redaction.register_secret(ODD)
    redaction.register_secret("plain-and-long-enough")
    yield
    redaction.forget_secrets()


def _lower(text: str) -> str:
    return "".join(
        c.lower() if text[max(0, n - 2) : n].count("%") else c for n, c in enumerate(text)
    )


@pytest.mark.parametrize(
    "told",
    [
        ODD,
        f"Authorization: Bearer {ODD}.",
        json.dumps({"key": ODD}),
        json.dumps(ODD).replace("/", "\\/"),
        quote(ODD, safe=""),
        quote(ODD),
        quote_plus(ODD),
        _lower(quote(ODD, safe="")),
        html.escape(ODD),
        "plain-and-long-enough, plain-and-long-enough",
    ],
)
def test_every_spelling_is_taken_out(told: str):
    """Of addresses, of JSON, of markup."""
    assert "letters" not in redaction.redact_secrets(told)
    assert "plain" not in redaction.redact_secrets(told)
    assert "***" in redaction.redact_secrets(told)


@pytest.mark.parametrize("before", ["", ":", "me", "you", "Bearer ", "user:"])
@pytest.mark.parametrize("after", ["", "\n", "!!", "end"])
def test_base64_is_taken_out_wherever_it_begins(before: str, after: str):
    """`Basic` and other headers put something before it."""
    told = base64.b64encode(f"{before}plain-and-long-enough{after}".encode()).decode()
    left = redaction.redact_secrets(f"Basic {told}").removeprefix("Basic ")
    assert "***" in left
    assert len(left) <= len(before) * 2 + len(after) * 2 + 10


def test_other_texts_stay_as_they_are():
    """Letter by letter."""
    assert "nothing plain here: 100 % ümläut" == redaction.redact_secrets(
        "nothing plain here: 100 % ümläut"
    )
    assert b"\xff\x00plain" == redaction.redact_bytes(b"\xff\x00plain")


def test_bytes_are_cleaned_too():
    """Files are written as bytes."""
    assert b"\xff ***" == redaction.redact_bytes(b"\xff plain-and-long-enough")


def test_what_is_too_short_is_no_secret():
    """Words would be taken apart for its sake."""
    redaction.register_secret("the")
    assert "the course" == redaction.redact_secrets("the course")


def test_what_is_forgotten_is_said_again():
    """Another run may begin in the same process."""
    redaction.forget_secrets()
    assert "plain-and-long-enough" == redaction.redact_secrets("plain-and-long-enough")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://ann:sesame@example.com/x", "https://***@example.com/x"),
        ("is `http://ann:p@ss@host`, which", "is `http://***@host`, which"),
        ("https://example.com/@ann", "https://example.com/@ann"),
    ],
)
def test_an_address_is_shown_without_its_user(address: str, shown: str):
    """Whatever stands before the host."""
    assert shown == redaction.without_user(address)


def test_a_secret_of_one_request_is_known_for_its_length():
    """Afterwards it costs no other text anything; what was known before stays known."""
    token = "a-token-of-one-request"
    with redaction.hide_during(token), redaction.hide_during("plain-and-long-enough"):
        within = redaction.redact_secrets(f"{token} plain-and-long-enough")
    assert ("*** ***", f"{token} ***") == (
        within,
        redaction.redact_secrets(f"{token} plain-and-long-enough"),
    )
