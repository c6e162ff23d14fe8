"""Access tokens: asked for when needed, renewed in time or once after a 401."""

import re
from threading import Barrier, Thread

import pytest

from lmssync.errors import KeyRefused, Unreachable, Unreadable
from lmssync.platform.client import DeliveryStatus, OAuthClient, Reader, Writer
from lmssync.platform.client.access_tokens import Tokens
from lmssync.sandbox import run_sandbox
from tests.patience import PATIENCE
from tests.served_catalog import Platform

from .answering import Answering, Asked, Said

ID, SECRET = "sandbox-demo-client", "sandbox-demo-secret"
HOUR = 3600
COURSE = {"title": "A", "kind": "video", "videoUrl": "https://example.com/v.mp4"}


def oauth(base_url: str, prefix: str = "") -> OAuthClient:
    return OAuthClient(f"{base_url}/oauth/token", ID, SECRET, prefix=prefix)


def asked_for(platform: Platform) -> int:
    return len(platform.requests(route="oauth.token"))


def test_a_token_is_kept(platform: Platform):
    """One token serves many requests."""
    with Reader(platform.base_url, oauth(platform.base_url)) as reader:
        for _ in range(3):
            reader.ping_platform(again=True)
    assert 1 == asked_for(platform)


def test_an_expired_token_is_renewed_for_a_read(platform: Platform):
    """A 401 renews the token once, and the read goes on."""
    with Reader(platform.base_url, oauth(platform.base_url)) as reader:
        reader.ping_platform()
        platform.order("clock", {"advanceSeconds": HOUR + 1})
        reader.ping_platform(again=True)
    assert [200, 401, 200] == [r["status"] for r in platform.requests(route="ping")]
    assert 2 == asked_for(platform)


def test_an_expired_token_is_renewed_for_a_write(platform: Platform):
    """A write that was refused did nothing, so it is sent once more, and done once."""
    with Writer(platform.base_url, oauth(platform.base_url)) as writer:
        writer.ping_platform()
        platform.order("clock", {"advanceSeconds": HOUR + 1})
        outcome = writer.send_write("course.create", {}, {"courseAttributes": [COURSE]})
    assert DeliveryStatus.ACKNOWLEDGED is outcome.fate
    assert 1 == platform.titles().count("A")


def test_a_write_that_gets_no_token_is_known_to_be_undone(platform: Platform):
    """Where tokens end in the middle of a run, the write was refused and says why."""
    with Writer(platform.base_url, oauth(platform.base_url)) as writer:
        writer.ping_platform()
        platform.order("clock", {"advanceSeconds": HOUR + 1})
        platform.order("switches", {"oauthEnabled": False})
        outcome = writer.send_write("course.create", {}, {"courseAttributes": [COURSE]})
    assert DeliveryStatus.REJECTED is outcome.fate
    assert isinstance(outcome.cause, KeyRefused)
    assert "A" not in platform.titles()


def test_a_new_token_that_is_refused_ends_the_request(platform: Platform):
    """There is one renewal for a request; the message says that it made no difference, and that
    the clocks differ."""
    pair = platform.order("keys", {"oauthClient": True})
    client = OAuthClient(f"{platform.base_url}/oauth/token", pair["clientId"], pair["clientSecret"])
    with run_sandbox() as elsewhere, Reader(elsewhere["baseUrl"], client) as reader:
        order = f"{elsewhere['baseUrl']}/_sandbox/clock"
        platform.http.post(order, json={"advanceSeconds": 2 * HOUR})
        with pytest.raises(KeyRefused, match="does not accept the access token") as caught:
            reader.ping_platform()
    assert "a new token was refused too" in caught.value.hint
    assert re.search(r"the platform's clock is 7,\d\d\d s ahead of this", caught.value.hint)
    assert 2 == asked_for(platform)


def test_a_token_is_renewed_before_it_ends(platform: Platform):
    """A minute before its end, another one is asked for."""
    now = [0.0]
    tokens = Tokens(oauth(platform.base_url), PATIENCE, clock=lambda: now[0])
    seen = []
    for now[0] in (0, HOUR - 61, HOUR - 59):
        seen.append(tokens.current_token())
    assert (True, False) == (seen[0] == seen[1], seen[1] == seen[2])


def test_threads_share_a_token(platform: Platform):
    """However many need one at once, one is asked for."""
    tokens, ready = Tokens(oauth(platform.base_url), PATIENCE), Barrier(4)

    def current() -> None:
        ready.wait()
        tokens.current_token()

    threads = [Thread(target=current) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 == asked_for(platform)


def test_a_token_of_another_environment_is_not_sent(platform: Platform):
    """A token without the prefix of the environment is refused before the platform gets it."""
    client = oauth(platform.base_url, prefix="production-")
    with Reader(platform.base_url, client) as reader, pytest.raises(KeyRefused) as caught:
        reader.ping_platform()
    assert "does not begin with `production-`" in caught.value.message
    assert [] == platform.requests(route="ping")


def test_a_failure_that_may_pass_is_waited_for(server: Answering):
    """A token request changes nothing, so it is repeated after a 429 and a 503."""
    said = [
        Said({"error": "slow down"}, 429, {"retry-after": "7"}),
        Said(b"<html>", 503),
        Said({"access_token": "t", "token_type": "bearer"}),
    ]
    waits: list[float] = []
    server.answer = lambda asked: said.pop(0)

    assert "t" == Tokens(oauth(server.base_url), PATIENCE, waits.append).current_token()
    assert [7.0, 1.0] == waits


def test_the_secret_travels_as_oauth_says(server: Answering):
    """Id and secret go in the header, each encoded, and the rest is a form (RFC 6749, 2.3.1)."""
    seen: list[Asked] = []

    def answer(asked: Asked) -> Said:
        seen.append(asked)
        return Said({"access_token": "t", "expires_in": 5})

    server.answer = answer
    client = OAuthClient(f"{server.base_url}/t", "me:", "s e", ("a", "b"))
    Tokens(client, PATIENCE).current_token()

    assert "Basic bWUlM0E6cytl" == seen[0].headers["Authorization"]
    assert b"grant_type=client_credentials&scope=a+b" == seen[0].body


@pytest.mark.parametrize(
    ("said", "error", "words"),
    [
        (Said({"error": "invalid_client"}, 400), KeyRefused, "invalid_client"),
        (Said(b"", 401), KeyRefused, "invalid_client"),
        (Said({"error": "what"}, 400), Unreachable, "gives no token: what"),
        (Said(b"<html>", 200), Unreadable, "has no `access_token`"),
        (Said({"access_token": "a\nb"}), Unreadable, "has no `access_token`"),
        (Said({"access_token": 5}), Unreadable, "has no `access_token`"),
        (Said([], 404), Unreachable, "HTTP 404"),
        (Said(b"", 503), Unreachable, "HTTP 503"),
        (Said(b"", 302, {"location": "http://127.0.0.1:9/"}), Unreachable, "HTTP 302"),
    ],
)
def test_answers_without_a_token(server: Answering, said: Said, error: type[Exception], words: str):
    """Each is told in words, none is followed or believed."""
    server.answer = lambda asked: said
    with pytest.raises(error, match=words):
        Tokens(oauth(server.base_url), PATIENCE, lambda wait: None).current_token()
