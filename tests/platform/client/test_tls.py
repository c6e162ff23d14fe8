"""TLS and proxies: real handshakes with an authority of the test's own, and real tunnels."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lmssync.errors import Unreachable, WrongUse
from lmssync.platform.client import DeliveryStatus, Reader, Writer, network_settings as broken

from .answering import Answering, Said
from .conftest import KEY
from .relay import Relay, relay

trustme = pytest.importorskip("trustme")
HOST = "learning.example.invalid"
CORPORATE = "Corporate Authority"


@pytest.fixture(scope="module")
def authority() -> "trustme.CA":
    return trustme.CA(organization_name=CORPORATE)


@pytest.fixture
def bundle(authority: "trustme.CA", tmp_path: Path) -> str:
    """The file of the authority."""
    file = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(file))
    return str(file)


Serve = Callable[..., int]


@pytest.fixture
def serve(authority: "trustme.CA", server: Answering) -> Iterator[Serve]:
    """Serves by https, with a certificate for some names; gives the port."""
    server.answer = lambda asked: Said({"valid": True})
    with ExitStack() as opened:

        def begin(*names: str, **options: object) -> int:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            authority.issue_cert(*names, **options).configure_cert(context)
            port = int(server.base_url.rpartition(":")[2])
            return opened.enter_context(relay(Relay(port, tls=context))).port

        yield begin


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "LMSSYNC_CA_BUNDLE", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


def failure(address: str) -> Unreachable:
    with Reader(address, KEY) as reader, pytest.raises(Unreachable) as caught:
        reader.ping_platform()
    return caught.value


def test_an_authority_of_a_bundle_is_trusted(
    serve: Serve, bundle: str, monkeypatch: pytest.MonkeyPatch
):
    """The request goes through, and the key with it."""
    monkeypatch.setenv("LMSSYNC_CA_BUNDLE", bundle)
    with Reader(f"https://127.0.0.1:{serve('127.0.0.1')}", KEY) as reader:
        reader.ping_platform()


def test_a_bundle_is_trusted_besides_the_usual_authorities(
    serve: Serve, bundle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """SSL_CERT_FILE takes the place of the usual ones, the bundle comes on top of them."""
    other = tmp_path / "other.pem"
    trustme.CA().cert_pem.write_to_path(str(other))
    monkeypatch.setenv("LMSSYNC_CA_BUNDLE", str(other))
    monkeypatch.setenv("SSL_CERT_FILE", bundle)
    with Reader(f"https://127.0.0.1:{serve('127.0.0.1')}", KEY) as reader:
        reader.ping_platform()


def test_an_unknown_authority_is_named(serve: Serve, server: Answering):
    """The message says who signed the certificate and how to trust them; no request was sent."""
    error = failure(f"https://127.0.0.1:{serve('127.0.0.1')}")

    assert f"signed by an authority, `{CORPORATE}`, that is not trusted" in error.message
    assert "--ca-bundle or LMSSYNC_CA_BUNDLE" in error.hint
    assert [] == server.asked


def test_a_broken_certificate_names_nobody(authority: "trustme.CA"):
    """What is cut off or is no certificate ends in no name, and in nothing worse."""
    whole = ssl.PEM_cert_to_DER_cert(authority.cert_pem.bytes().decode())
    assert CORPORATE == broken.name_in(whole)
    pieces = [whole[:length] for length in range(0, len(whole), 7)] + [b"\xff" * 9]
    assert {str} == {type(broken.name_in(piece)) for piece in pieces}


def test_a_certificate_of_another_host(
    serve: Serve, bundle: str, server: Answering, monkeypatch: pytest.MonkeyPatch
):
    """A trusted authority is not enough: the name must be that of the host."""
    monkeypatch.setenv("LMSSYNC_CA_BUNDLE", bundle)
    error = failure(f"https://127.0.0.1:{serve('other.example.com')}")
    assert "its certificate is for another host than 127.0.0.1" in error.message
    assert [] == server.asked


def test_a_certificate_that_has_expired(
    serve: Serve, bundle: str, server: Answering, monkeypatch: pytest.MonkeyPatch
):
    """The hint thinks of the clock of this machine."""
    monkeypatch.setenv("LMSSYNC_CA_BUNDLE", bundle)
    past = datetime.now(UTC) - timedelta(days=1)
    error = failure(f"https://127.0.0.1:{serve('127.0.0.1', not_after=past)}")
    assert "its certificate has expired" in error.message
    assert "check the clock of this machine" in error.hint
    assert [] == server.asked


@pytest.mark.parametrize(
    ("content", "told"),
    [(None, "No such file or directory"), (b"no certificate", "no certificates in PEM form")],
)
def test_a_bundle_that_cannot_be_used(
    content: bytes | None, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It is wrong use of the variable, told before a connection is opened."""
    file = tmp_path / "bundle.pem"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setenv("LMSSYNC_CA_BUNDLE", str(file))
    with Reader("https://127.0.0.1:9", KEY) as reader, pytest.raises(WrongUse, match=told):
        reader.ping_platform()


def test_a_loopback_without_tls_reads_no_authorities(
    server: Answering, monkeypatch: pytest.MonkeyPatch
):
    """Reading them takes longer than a request, so a sandbox is asked without them."""
    monkeypatch.setenv("LMSSYNC_CA_BUNDLE", "/no/such/file")
    server.answer = lambda asked: Said({"valid": True})
    with Reader(server.base_url, KEY) as reader:
        reader.ping_platform()


@pytest.fixture
def proxied(serve: Serve, bundle: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Relay]:
    """A proxy on the way to the platform by https; it is told a user and a password."""
    monkeypatch.setenv("LMSSYNC_CA_BUNDLE", bundle)
    with relay(Relay(serve(HOST), proxies=True)) as proxy:
        monkeypatch.setenv("https_proxy", f"http://me:pass-word@127.0.0.1:{proxy.port}")
        yield proxy


def test_a_tunnel_carries_tls(proxied: Relay, server: Answering):
    """The proxy gets the name of the host and its own password; the platform gets the key."""
    with Reader(f"https://{HOST}", KEY) as reader:
        reader.ping_platform()
    (head,) = proxied.heads
    assert head.startswith(f"CONNECT {HOST}:443 HTTP/1.1\r\n")
    assert "Proxy-Authorization: Basic bWU6cGFzcy13b3Jk" in head
    assert KEY not in head
    assert f"Bearer {KEY}" == server.asked[-1].headers["Authorization"]
    assert "Proxy-Authorization" not in server.asked[-1].headers


def test_an_unknown_authority_behind_a_proxy_is_named(
    proxied: Relay, monkeypatch: pytest.MonkeyPatch
):
    """Companies that open TLS at the proxy are the usual case of it."""
    monkeypatch.delenv("LMSSYNC_CA_BUNDLE")
    error = failure(f"https://{HOST}")
    assert f"an authority, `{CORPORATE}`, that is not trusted" in error.message
    assert f"through the proxy http://***@127.0.0.1:{proxied.port}" in error.message


@pytest.mark.parametrize(
    ("refusal", "user", "hint"),
    [
        (b"407 Proxy Authentication Required", "", "it wants a user and a password"),
        (b"407 Proxy Authentication Required", "me:pass-word@", "check the user and the password"),
        (b"403 Forbidden", "", "to let this host through"),
    ],
)
def test_a_proxy_that_refuses(
    proxied: Relay, monkeypatch: pytest.MonkeyPatch, refusal: bytes, user: str, hint: str
):
    """The message has its words, the hint what to do, and neither has the password."""
    proxied.refusal = refusal
    monkeypatch.setenv("https_proxy", f"http://{user}127.0.0.1:{proxied.port}")

    error = failure(f"https://{HOST}")

    assert refusal.decode() in error.message
    assert hint in error.hint
    assert "pass-word" not in error.message + error.hint


def test_a_proxy_that_wants_a_user_for_http_has_sent_nothing(
    server: Answering, monkeypatch: pytest.MonkeyPatch
):
    """A write that a proxy answers with 407 is known to be unsent, without a tunnel as well."""
    server.answer = lambda asked: Said(b"<html>", 407)
    monkeypatch.setenv("http_proxy", server.base_url)
    with Writer(f"http://{HOST}", KEY) as writer:
        outcome = writer.send_write("course.create", {}, {})
    assert DeliveryStatus.UNSENT is outcome.fate
    assert "it wants a user and a password" in outcome.hint
