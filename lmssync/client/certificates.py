"""Who signed a certificate that is not trusted, for the message about it.

A failed handshake does not say. So the certificate is fetched once more, over a connection that
carries nothing else and is closed at once.
"""

import ssl
from base64 import b64encode
from collections.abc import Iterator
from http.client import HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from ..hosts import Site
from ..visible import visible

_SECONDS = 5
_SHOWN = 200
_COMMON_NAME, _ORGANIZATION = b"\x55\x04\x03", b"\x55\x04\x0a"
_VERSION, _LONG, _NAMES_BEFORE = 0xA0, 0x80, 2


def issuer(site: Site, proxy: str | None) -> str:
    """The name of who signed the certificate of a host; empty where it cannot be told."""
    try:
        return name_in(_fetched(site, proxy))
    except (OSError, HTTPException, ValueError):
        return ""


def name_in(certificate: bytes) -> str:
    """The name of who signed a certificate (DER); empty where it cannot be told."""
    try:
        return visible(_issuer(certificate))[:_SHOWN]
    except (ValueError, IndexError):
        return ""


def _fetched(site: Site, proxy: str | None) -> bytes:
    """The certificate, unread: nothing is sent but the handshake, and nothing is believed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
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


def _parts(data: bytes) -> Iterator[_Part]:
    """The values that stand one after the other; raises `IndexError` where they are cut off."""
    at = 0
    while at < len(data):
        tag, length, at = data[at], data[at + 1], at + 2
        if length & _LONG:
            size = length & ~_LONG
            length, at = int.from_bytes(data[at : at + size]), at + size
        yield _Part(tag, data[at : at + length])
        at += length


def _inside(data: bytes) -> list[_Part]:
    """The values within the first one; raises `IndexError` where there is none."""
    first = [*_parts(data)][:1]
    return [*_parts(first[0].content)]


def _issuer(certificate: bytes) -> str:
    """Its common name, else its organization (RFC 5280, 4.1)."""
    signed = [part for part in _parts(_inside(certificate)[0].content) if part.tag != _VERSION]
    names: dict[bytes, str] = {}
    for one in _parts(signed[_NAMES_BEFORE].content):
        kind, text = _inside(one.content)
        names[kind.content] = text.content.decode("utf-8", "replace")
    return names.get(_COMMON_NAME) or names.get(_ORGANIZATION) or ""
