"""Says in words what broke a request before there was an answer, and what to do about it."""

import ssl
from base64 import b64encode
from collections.abc import Iterator
from http.client import HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import httpx

from ...support.hosts import Site
from ...support.invisible_characters import escape_invisible
from .answer_bodies import platform_words
from .network_settings import NetworkSettings

_SECONDS = 5
_SHOWN = 200
_COMMON_NAME, _ORGANIZATION = b"\x55\x04\x03", b"\x55\x04\x0a"
_VERSION, _LONG, _NAMES_BEFORE = 0xA0, 0x80, 2


def certificate_issuer(site: Site, proxy: str | None) -> str:
    """The name of the signer of a host's certificate; empty where it cannot be found out."""
    try:
        return name_in(_fetch_certificate(site, proxy))
    except (OSError, HTTPException, ValueError):
        return ""


def name_in(certificate: bytes) -> str:
    """The name of the signer of a certificate (DER); empty where it cannot be found out."""
    try:
        return escape_invisible(_read_issuer(certificate))[:_SHOWN]
    except (ValueError, IndexError):
        return ""


def _fetch_certificate(site: Site, proxy: str | None) -> bytes:
    """The certificate, unread: nothing is sent but the handshake, and nothing is believed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # Only for the message: Python gives no certificate of a handshake that failed, so a second one
    # is made that believes everything and sends nothing.
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    parts = urlsplit(proxy or site.url)
    connection = HTTPSConnection(
        parts.hostname or site.host, parts.port or site.port, timeout=_SECONDS, context=context
    )
    if proxy:
        pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
        basic = {"Proxy-Authorization": f"Basic {b64encode(pair.encode()).decode()}"}
        connection.set_tunnel(site.host, site.port, basic if parts.username else {})
    try:
        connection.connect()
        assert isinstance(connection.sock, ssl.SSLSocket)
        return connection.sock.getpeercert(binary_form=True) or b""
    finally:
        connection.close()


class _Part(NamedTuple):
    """One value of DER: what it is, and its bytes."""

    tag: int
    content: bytes


def _der_parts(data: bytes) -> Iterator[_Part]:
    """The values that stand one after the other; raises `IndexError` where they are cut off."""
    at = 0
    while at < len(data):
        tag, length, at = data[at], data[at + 1], at + 2
        # The long form of DER: the first byte says in how many bytes the length follows.
        if length & _LONG:
            size = length & ~_LONG
            length, at = int.from_bytes(data[at : at + size]), at + size
        yield _Part(tag, data[at : at + length])
        at += length


def _der_inside(data: bytes) -> list[_Part]:
    """The values within the first one; raises `IndexError` where there is none."""
    first = [*_der_parts(data)][:1]
    return [*_der_parts(first[0].content)]


def _read_issuer(certificate: bytes) -> str:
    """The common name of the signer, else the organization (RFC 5280, 4.1)."""
    signed = [
        part for part in _der_parts(_der_inside(certificate)[0].content) if part.tag != _VERSION
    ]
    names: dict[bytes, str] = {}
    for one in _der_parts(signed[_NAMES_BEFORE].content):
        kind, text = _der_inside(one.content)
        names[kind.content] = text.content.decode("utf-8", "replace")
    return names.get(_COMMON_NAME) or names.get(_ORGANIZATION) or ""


_EXPIRED, _NOT_YET_VALID, _SIGNED_ITSELF = 10, 9, 18
_OTHER_NAME = frozenset({62, 63, 64})
"""Numbers that OpenSSL has for what is wrong with a certificate."""
_CLOCK = "check the clock of this machine; if it is right, the host needs another certificate"
_OWN_AUTHORITY = (
    "if it is an authority of your own, name its file with --ca-bundle or LMSSYNC_CA_BUNDLE, or "
    "set SSL_CERT_FILE to the file of that authority; verification cannot be switched off"
)
_NO_USER = "it wants a user and a password: HTTPS_PROXY=http://user:password@host:port"
_WRONG_USER = "check the user and the password in the address of the proxy"
_NOT_THROUGH = "ask who runs the proxy to let this host through, or list it in NO_PROXY"
_NO_PROXY = "check the address of the proxy, or list this host in NO_PROXY"


class Broken(NamedTuple):
    """The cause, and the advice; without advice where that depends on who asks."""

    message: str
    hint: str = ""


def describe_network_error(error: Exception, site: Site, way: NetworkSettings) -> Broken:
    """Words for an exception of httpx about a request to a host."""
    refused = next(
        (e for e in _list_causes(error) if isinstance(e, ssl.SSLCertVerificationError)), None
    )
    if refused is not None:
        return _describe_certificate_error(refused, site, way)
    words = platform_words(str(error)) or type(error).__name__
    if isinstance(error, httpx.TimeoutException):
        words = f"no answer in time ({words})"
    if not way.proxy:
        return Broken(words)
    return Broken(words + way.in_words, _of_proxy(error, way))


def _list_causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _describe_certificate_error(
    refused: ssl.SSLCertVerificationError, site: Site, way: NetworkSettings
) -> Broken:
    """Which of the three it is: another host, another time, or an unknown authority."""
    code, said = refused.verify_code, platform_words(refused.verify_message)
    end = f": {said} (CERTIFICATE_VERIFY_FAILED){way.in_words}"
    if code in _OTHER_NAME:
        text = f"its certificate is for another host than {site.host}"
        return Broken(text + end, "check the address; something in between may answer for the host")
    if code in {_EXPIRED, _NOT_YET_VALID}:
        word = "has expired" if code == _EXPIRED else "is not valid yet"
        return Broken(f"its certificate {word}{end}", _CLOCK)
    name = certificate_issuer(site, way.proxy)
    by = f", `{name}`," if name else ""
    who = "nobody but itself" if code == _SIGNED_ITSELF else f"an authority{by} that is not trusted"
    return Broken(f"its certificate is signed by {who}{end}", _OWN_AUTHORITY)


def _of_proxy(error: Exception, way: NetworkSettings) -> str:
    text = str(error)
    if isinstance(error, httpx.ProxyError) and text.startswith("407"):
        return _WRONG_USER if "@" in str(way.proxy) else _NO_USER
    if isinstance(error, httpx.ProxyError):
        return _NOT_THROUGH
    return _NO_PROXY
