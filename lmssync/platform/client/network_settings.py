"""How connections go out: through which proxy, and which certificates are trusted.

Both come from the variables that other programs read as well. The person who runs lmssync sets
them; a catalog cannot. Connections to this machine use no proxy. What broke a request before there
was an answer is said in words, with what to do about it.
"""

import os
import ssl
from base64 import b64encode
from collections.abc import Iterator
from http.client import HTTPException, HTTPSConnection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from ...errors import WrongUse
from ...support import redaction
from ...support.hosts import NoHost, Site, parse_site
from ...support.invisible_characters import escape_invisible
from ...support.safe_files import read_named
from .answer_bodies import platform_words

_FILE, _FOLDER = "SSL_CERT_FILE", "SSL_CERT_DIR"
CA_BUNDLE = "LMSSYNC_CA_BUNDLE"
_BUNDLE_BYTES = 16 * 1024 * 1024
_HINT = "write it as http://host:port, or list the platform's host in NO_PROXY"


class NetworkSettings(NamedTuple):
    """The settings of connections to one host."""

    proxy: str | None
    """Address of the proxy, with its user and password."""
    trusted: ssl.SSLContext

    @property
    def in_words(self) -> str:
        """` through the proxy ...`, for a message; nothing where there is none."""
        return f" through the proxy {redaction.without_user(self.proxy)}" if self.proxy else ""


def choose_way(base_url: str) -> NetworkSettings:
    """The way to a platform; raises `WrongUse` for variables that cannot be used."""
    there = parse_site(base_url)
    if there.is_loopback:
        encrypted = there.scheme == "https"
        return NetworkSettings(
            None, _trusted_context() if encrypted else _context_without_authorities()
        )
    # With the port, because NO_PROXY may name one.
    bypassed = proxy_bypass(f"{there.host}:{there.port}")
    named = getproxies()
    proxy = None if bypassed else named.get(there.scheme) or named.get("all")
    return NetworkSettings(_check_proxy(proxy) if proxy else None, _trusted_context())


def _check_proxy(proxy: str) -> str:
    """The address of a proxy as httpx takes it; its password is redacted from now on."""
    whole = proxy if "://" in proxy else f"http://{proxy}"
    try:
        parts = urlsplit(whole)
        password = unquote(parts.password or "")
        scheme, _, rest = whole.partition("://")
        parse_site(f"{scheme}://{rest.rpartition('@')[2]}")
    except (NoHost, ValueError):
        shown = redaction.without_user(whole)
        raise WrongUse(
            f"the environment names a proxy that cannot be used: {shown}", _HINT
        ) from None
    if password:
        redaction.register_secret(password)
    return whole


def _context_without_authorities() -> ssl.SSLContext:
    """For connections without encryption: reading all authorities takes longer than a request."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _trusted_context() -> ssl.SSLContext:
    """The trusted authorities: the file or folder that the environment names, else certifi's; and
    those of `CA_BUNDLE` besides."""
    context, bundle = _usual_context(), os.environ.get(CA_BUNDLE)
    if bundle:
        try:
            # OpenSSL would read a device to its end, and few have one.
            pem = read_named(Path(bundle), _BUNDLE_BYTES).decode("ascii", "ignore")
            context.load_verify_locations(cadata=pem)
        except OSError as error:
            raise _unusable_setting(CA_BUNDLE, bundle, error) from None
    return context


def _usual_context() -> ssl.SSLContext:
    name = next((n for n in (_FILE, _FOLDER) if os.environ.get(n)), "")
    if not name:
        return httpx.create_ssl_context(trust_env=False)
    where = os.environ[name]
    try:
        if name == _FOLDER:
            os.scandir(where).close()  # of one that is not there, OpenSSL says nothing
            return ssl.create_default_context(capath=where)
        return ssl.create_default_context(cafile=where)
    except OSError as error:
        raise _unusable_setting(name, where, error) from None


def _unusable_setting(name: str, where: str, error: OSError) -> WrongUse:
    why = error.strerror or str(error)
    if isinstance(error, ssl.SSLError):
        why = "it contains no certificates in PEM form (-----BEGIN CERTIFICATE-----)"
    return WrongUse(
        f"{name} is {where}, which cannot be used: {why}", f"correct {name}, or unset it"
    )


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
