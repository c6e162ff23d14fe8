"""How connections go out: through which proxy, and which certificates are trusted.

Both come from the variables that other programs read as well. The person who runs lmssync sets
them; a catalog cannot. Connections to this machine use no proxy.
"""

import os
import ssl
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from ...errors import WrongUse
from ...support import redaction, safe_files
from ...support.hosts import NoHost, parse_site

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
            pem = safe_files.read_named(Path(bundle), _BUNDLE_BYTES).decode("ascii", "ignore")
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
