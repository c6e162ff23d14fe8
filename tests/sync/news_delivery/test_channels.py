"""One message, sent in one way: what goes over the wire, and the words for what goes wrong."""

import ssl
import time
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default as modern

import pytest
import trustme

from lmssync.sync.news_delivery import MailWay, Message, NotSent, post_webhook, send_mail
from tests.platform.client.answering import Answering, Said, answering

from .mail_server import MailServer, mail_server

MESSAGE = Message("applied", "production", "Applied: “Büro”", "created: “Büro” (course.b)", "")
BODY = {"text": "Hello"}


@pytest.fixture
def hook() -> Iterator[Answering]:
    with answering() as served:
        yield served


def way(server: MailServer, scheme: str = "smtp", **more: str) -> MailWay:
    """Mail by a server of this machine."""
    return MailWay(
        f"{scheme}://127.0.0.1:{server.port}", "bot@example.com", ["ana@example.com"], **more
    )


def mail_error(given: MailWay, seconds: float = 2.0) -> NotSent:
    with pytest.raises(NotSent) as caught:
        send_mail(given, MESSAGE, seconds)
    return caught.value


def hook_error(address: str, seconds: float = 2.0) -> NotSent:
    with pytest.raises(NotSent) as caught:
        post_webhook(address, BODY, seconds)
    return caught.value


def test_an_address_keeps_its_path_and_its_query(hook: Answering):
    """Both are secrets of chat tools, so they are sent exactly as they were given."""
    post_webhook(f"{hook.base_url}/v1/rooms/?key=a%2Bb&token=c=", BODY, 2.0)
    (asked,) = hook.asked
    assert ("POST", "/v1/rooms/?key=a%2Bb&token=c=") == (asked.method, asked.path)
    assert b'{"text":"Hello"}' == asked.body


def test_a_redirect_to_another_host_is_not_followed(hook: Answering):
    """Nobody has named the host that it leads to."""
    with answering() as other:
        hook.answer = lambda _asked: Said(status=307, headers={"location": other.base_url})
        error = hook_error(hook.base_url)
        assert [] == other.asked
    assert "answered with a redirect (HTTP 307): it is not followed" in error.message
    assert not error.repeat


@pytest.mark.parametrize(("status", "repeat"), [(500, True), (429, True), (404, False)])
def test_a_refusal_quotes_nothing(hook: Answering, status: int, repeat: bool):
    """What a chat tool answers may quote the message; a mistake of ours is not sent again."""
    hook.answer = lambda _asked: Said({"error": "Ana Alba"}, status)
    error = hook_error(f"{hook.base_url}/secret-path-of-a-chat")
    assert f"refused the message: HTTP {status}" in error.message
    assert (False, repeat) == ("Ana" in error.message, error.repeat)
    assert "secret-path" not in error.message


def test_a_webhook_that_says_nothing_takes_its_time_and_no_more(hook: Answering):
    """The time is for the whole request."""
    hook.answer = lambda _asked: Said(status=200) if time.sleep(0.4) else Said()
    began = time.monotonic()
    assert hook_error(hook.base_url, 0.1).repeat
    assert time.monotonic() - began < 0.35


@pytest.mark.parametrize(
    "address", ["ftp://a.example.com", "https://u:p@a.example.com", "http://a.example.com/x"]
)
def test_what_is_no_address_is_not_quoted(address: str):
    """A variable may hold another secret by mistake."""
    error = hook_error(address)
    assert "the address of the webhook" in error.message
    assert address not in error.message


def test_a_mail_has_its_words_and_no_name_of_this_machine():
    """The subject is encoded, the text is whole, and the greeting names an address."""
    with mail_server({}, "AUTH PLAIN") as server:
        send_mail(way(server, user="bot", password="long enough"), MESSAGE, 2.0)
    mail = message_from_bytes(server.mails[0], policy=modern)
    assert ("Applied: “Büro”", "ana@example.com") == (mail["Subject"], mail["To"])
    assert "created: “Büro” (course.b)" in mail.get_content()
    assert mail["Message-ID"].endswith("@example.com>")
    assert "ehlo [127.0.0.1]" == server.said[0]


@pytest.mark.parametrize(
    ("command", "answer", "words", "repeat"),
    [
        ("auth", "535 no", "refused the user or the password", False),
        ("rcpt", "550 no such user", "takes no mail for ana@example.com", False),
        ("mail", "451 later", "refused the mail: code 451", False),
        (".", "554 spam", "refused the mail: code 554", False),
        ("ehlo", "421 busy", "refused the mail: code 421", True),
    ],
)
def test_a_mail_server_that_refuses(command: str, answer: str, words: str, repeat: bool):
    """Each refusal has its words; nothing is sent again once the mail was on its way."""
    answers = {command: answer, **({"helo": answer} if command == "ehlo" else {})}
    with mail_server(answers, "AUTH PLAIN") as server:
        error = mail_error(way(server, user="bot", password="long enough"))
    assert words in error.message
    assert repeat is error.repeat


def test_a_certificate_of_a_stranger_ends_it():
    """Neither mail nor password is sent to who cannot prove to be the server."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    with mail_server(trusted=context) as server:
        error = mail_error(way(server, "smtps"))
        assert [] == server.said
    assert "is not trusted: unable to get local issuer certificate" in error.message
    assert "LMSSYNC_CA_BUNDLE" in error.hint


def test_tls_to_a_server_without_it_says_which_scheme_does_what():
    """The usual mistake: smtps:// with the port of STARTTLS."""
    with mail_server() as server:
        error = mail_error(way(server, "smtps"))
    assert "smtp:// by STARTTLS (587)" in error.hint


def test_mail_leaves_this_machine_encrypted_or_not_at_all(monkeypatch: pytest.MonkeyPatch):
    """A server that offers no STARTTLS gets nothing, unless it is on this machine."""
    monkeypatch.setattr("lmssync.support.hosts.Site.is_loopback", False)
    with mail_server() as server:
        error = mail_error(way(server))
        assert ["ehlo [127.0.0.1]"] == server.said
    assert "offers no STARTTLS" in error.message


def test_a_recipient_with_a_line_break_is_no_address():
    """A header cannot be added by what a variable holds."""
    with mail_server() as server:
        bad = way(server)._replace(to=["ana@example.com\r\nBcc: eve@example.org"])
        assert "is no mail address" in mail_error(bad).message
        assert [] == server.said
