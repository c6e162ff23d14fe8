"""What broke a request before there was an answer: in words, and what to do about it."""

import ssl
from collections.abc import Iterator
from typing import NamedTuple

import httpx

from ..hosts import Site
from . import answers, certificates
from .way import Way

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
    """What broke, and what to do; nothing where it depends on who asks."""

    message: str
    hint: str = ""


def broken(error: Exception, site: Site, way: Way) -> Broken:
    """Words for an exception of httpx about a request to a host."""
    refused = next((e for e in _causes(error) if isinstance(e, ssl.SSLCertVerificationError)), None)
    if refused is not None:
        return _certificate(refused, site, way)
    words = answers.words(str(error)) or type(error).__name__
    if isinstance(error, httpx.TimeoutException):
        words = f"no answer in time ({words})"
    if not way.proxy:
        return Broken(words)
    return Broken(words + way.in_words, _of_proxy(error, way))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _certificate(refused: ssl.SSLCertVerificationError, site: Site, way: Way) -> Broken:
    """Which of the three it is: another host, another time, or an unknown authority."""
    code, said = refused.verify_code, answers.words(refused.verify_message)
    end = f": {said} (CERTIFICATE_VERIFY_FAILED){way.in_words}"
    if code in _OTHER_NAME:
        text = f"its certificate is for another host than {site.host}"
        return Broken(text + end, "check the address; something in between may answer for the host")
    if code in {_EXPIRED, _NOT_YET_VALID}:
        word = "has expired" if code == _EXPIRED else "is not valid yet"
        return Broken(f"its certificate {word}{end}", _CLOCK)
    name = certificates.issuer(site, way.proxy)
    by = f", `{name}`," if name else ""
    who = "nobody but itself" if code == _SIGNED_ITSELF else f"an authority{by} that is not trusted"
    return Broken(f"its certificate is signed by {who}{end}", _OWN_AUTHORITY)


def _of_proxy(error: Exception, way: Way) -> str:
    text = str(error)
    if isinstance(error, httpx.ProxyError) and text.startswith("407"):
        return _WRONG_USER if "@" in str(way.proxy) else _NO_USER
    if isinstance(error, httpx.ProxyError):
        return _NOT_THROUGH
    return _NO_PROXY
