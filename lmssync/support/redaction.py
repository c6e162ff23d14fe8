"""Secrets that this run knows, and texts with every one of them taken out.

What comes from the platform is cleaned as it comes in (`client.answer_bodies`), and what a run says
as it goes out (`cli.safe_output`): a platform may quote a request, with its key, in whatever it
answers.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock

PUT_IN_PLACE = "***"
_SHORTEST = 6
"""Anything shorter is not treated as a secret: it might be part of ordinary words."""
_USER = re.compile(r"(?<=://)[^/?#\s]*@")


class _Known:
    """The spellings that are known. Threads read them while others add some, so the set is
    replaced and never changed."""

    def __init__(self) -> None:
        self.spellings: frozenset[str] = frozenset()
        self.lock = Lock()


_known = _Known()


def register_secret(secret: str) -> None:
    """Takes a secret, in all its spellings, out of every text from now on."""
    found = {spelled for part in (secret, secret.strip()) for spelled in _spell_secret(part)}
    with _known.lock:
        _known.spellings |= found


@contextmanager
def hide_during(secret: str) -> Iterator[None]:
    """Takes a secret out of every text within this block: each request may have one of its own,
    and every one that is known makes every text take longer."""
    found = frozenset(_spell_secret(secret))
    with _known.lock:
        # What was known already is not forgotten at the end of the block: someone else has
        # registered it for longer.
        new = found - _known.spellings
        _known.spellings |= new
    try:
        yield
    finally:
        with _known.lock:
            _known.spellings -= new


def forget_secrets() -> None:
    """Knows no secret any more: another run begins in this process."""
    with _known.lock:
        _known.spellings = frozenset()


def redact_secrets(text: str) -> str:
    """The text without any known secret, however that is spelled."""
    known = _known.spellings
    if not any(spelled in text for spelled in known):
        return text  # the usual case, and many times as fast as the pattern is
    return _secret_pattern(known).sub(PUT_IN_PLACE, text)


def redact_bytes(text: bytes) -> bytes:
    """Bytes of whatever encoding without any secret: no secret has a letter beyond ASCII."""
    # Latin-1 gives every byte a character and back, so bytes that are no text survive unchanged.
    return redact_secrets(text.decode("latin-1")).encode("latin-1") if is_told_in(text) else text


def is_told_in(text: bytes) -> bool:
    """True if the bytes contain a secret, however it is spelled; large texts need not be
    decoded."""
    return any(spelled in text for spelled in _as_bytes(_known.spellings))


@lru_cache(maxsize=1)
def _as_bytes(known: frozenset[str]) -> frozenset[bytes]:
    return frozenset(spelled.encode() for spelled in known)


@lru_cache(maxsize=1)
def _secret_pattern(known: frozenset[str]) -> re.Pattern[str]:
    # An alternation takes the first that fits: a short secret that begins a longer one would leave
    # the rest of the longer one in the text.
    longest_first = sorted(known, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)))


def without_user(address: str) -> str:
    """An address, or a text that quotes one, without the user and the password in it."""
    return _USER.sub(f"{PUT_IN_PLACE}@", address)


def _spell_secret(secret: str) -> Iterator[str]:
    """Yields the spellings of a secret: as it is, in addresses, in JSON, in markup, and within a
    text in base64."""
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
    # Base64 writes three bytes as four characters, so what a secret looks like depends on how many
    # bytes stand before it, modulo 3: `Basic` has a user and a colon there.
    for before in range(3):
        yield from _in_base64(secret, before)


def _in_base64(secret: str, before: int) -> Iterator[str]:
    """The characters that the secret alone decides, after so many others as `Basic ...` puts
    before it; the first and the last of them hold bits of the text around it."""
    import base64

    told = base64.b64encode(b"\0" * before + secret.encode()).decode()
    whole = (before + len(secret)) * 8 // 6
    sure = told[-(-before * 8 // 6) : whole]
    yield sure
    yield sure.replace("+", "-").replace("/", "_")
