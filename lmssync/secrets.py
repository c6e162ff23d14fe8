"""Secrets that this run knows, and texts with every one of them taken out.

What comes from the platform is cleaned as it comes in (`client.answers`), and what a run says as
it goes out (`cli.guard`): a platform may quote a request, with its key, in whatever it answers.
"""

import re
from collections.abc import Iterator
from functools import cache

PUT_IN_PLACE = "***"
_SHORTEST = 6
"""Anything shorter is not treated as a secret: it might be part of ordinary words."""
_USER = re.compile(r"(?<=://)[^/?#\s]*@")
_SIGNED = re.compile(r"eyJ[A-Za-z0-9_-]*\.eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+")
"""A signed token: a run makes one for each of many requests, so they are known by their form."""
_SIGNED_BEGINS = "eyJ"
_known: set[str] = set()


def register(secret: str) -> None:
    """Takes a secret, in all its spellings, out of every text from now on."""
    for part in (secret, secret.strip()):
        _known.update(_spellings(part))
    _clear()


def forget() -> None:
    """Knows no secret any more: another run begins in this process."""
    _known.clear()
    _clear()


def _clear() -> None:
    _pattern.cache_clear()
    _known_bytes.cache_clear()


def redact(text: str) -> str:
    """The text without any secret that is known, however it is spelled, and any signed token."""
    if _SIGNED_BEGINS in text:
        text = _SIGNED.sub(PUT_IN_PLACE, text)
    if not any(spelled in text for spelled in _known):
        return text  # the usual case, and many times as fast as the pattern is
    return _pattern().sub(PUT_IN_PLACE, text)


def redact_bytes(text: bytes) -> bytes:
    """The same for bytes, of whatever encoding: no secret has a letter beyond ASCII."""
    return redact(text.decode("latin-1")).encode("latin-1") if is_told_in(text) else text


def is_told_in(text: bytes) -> bool:
    """Whether there is a secret in it, however it is spelled; large texts need not be decoded."""
    if _SIGNED_BEGINS.encode() in text and _SIGNED.search(text.decode("latin-1")):
        return True
    return any(spelled in text for spelled in _known_bytes())


@cache
def _known_bytes() -> frozenset[bytes]:
    return frozenset(spelled.encode() for spelled in _known)


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(_known, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)))


def without_user(address: str) -> str:
    """An address, or a text that quotes one, without the user and the password in it."""
    return _USER.sub(f"{PUT_IN_PLACE}@", address)


def _spellings(secret: str) -> Iterator[str]:
    """As it is, in addresses, in JSON, in markup, and within whatever is told in base64."""
    import html
    import json
    from urllib.parse import quote, quote_plus

    if len(secret) < _SHORTEST:
        return
    percent = (quote(secret, safe=""), quote(secret), quote_plus(secret))
    in_json = json.dumps(secret)[1:-1]
    yield from (secret, in_json, in_json.replace("/", "\\/"), html.escape(secret))
    yield from percent
    yield from (re.sub("%..", lambda found: found[0].lower(), spelled) for spelled in percent)
    for before in range(3):
        yield from _in_base64(secret, before)


def _in_base64(secret: str, before: int) -> Iterator[str]:
    """The characters that the secret alone decides, after so many others as `Basic ...` puts
    before it; the first and the last of them hold bits of what stands around."""
    import base64

    told = base64.b64encode(b"\0" * before + secret.encode()).decode()
    whole = (before + len(secret)) * 8 // 6
    sure = told[-(-before * 8 // 6) : whole]
    yield sure
    yield sure.replace("+", "-").replace("/", "_")
