"""One POST to a receiver of notifications: plain HTTP, never waited for by anybody else."""

import asyncio
import os
from collections.abc import Mapping
from urllib.parse import SplitResult, quote, urlsplit

SECONDS = 15.0
"""How long a receiver may take to answer (spec 6); real time, whatever the clock says."""
BODY_MOST = 65_536
"""Bytes of an answer that are read before the connection is closed."""
_PORTS = {"http": 80, "https": 443}
_KEPT = "/%:@!$&'()*+,;=~?-._"


class Unanswered(Exception):
    """No HTTP answer came; the message says why."""


async def post_json(url: str, body: bytes, *, seconds: float = SECONDS) -> int:
    """The status of the answer to a POST of JSON; raises Unanswered."""
    try:
        async with asyncio.timeout(seconds):
            return await _exchange_bytes(urlsplit(url), body)
    except TimeoutError:
        raise Unanswered(f"no answer within {seconds:g} seconds") from None
    except OSError as error:
        raise Unanswered(_system_reason(error)) from None
    except (ValueError, EOFError, asyncio.LimitOverrunError):
        raise Unanswered("the answer is not HTTP") from None


def _system_reason(error: OSError) -> str:
    """The system's own words: those of asyncio are about its calls."""
    number = error.errno or 0  # below 0 where a name was not found
    return os.strerror(number) if number > 0 else error.strerror or str(error)


async def _exchange_bytes(parts: SplitResult, body: bytes) -> int:
    port = _PORTS.get(parts.scheme, 80) if parts.port is None else parts.port
    tls = True if parts.scheme == "https" else None
    reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=tls)
    try:
        writer.write(_request_bytes(parts, body))
        await writer.drain()
        status, headers = _parse_head(await reader.readuntil(b"\r\n\r\n"))
        # A receiver that is cut off in the middle of its answer would report a failure.
        length = headers.get(b"content-length", b"0")
        await reader.readexactly(min(int(length), BODY_MOST))
        return status
    finally:
        writer.close()


def _request_bytes(parts: SplitResult, body: bytes) -> bytes:
    target = quote(parts.path or "/", safe=_KEPT)
    if parts.query:
        target += "?" + quote(parts.query, safe=_KEPT)
    head = (
        f"POST {target} HTTP/1.1",
        f"Host: {parts.netloc.rpartition('@')[2]}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
        "\r\n",
    )
    return "\r\n".join(head).encode("ascii") + body


def _parse_head(raw: bytes) -> tuple[int, Mapping[bytes, bytes]]:
    """Status and headers; raises ValueError where it is not the head of an HTTP answer."""
    first, *lines = raw.split(b"\r\n")
    version, status, *_ = first.split(None, 2)
    if not version.startswith(b"HTTP/1."):
        raise ValueError(first)
    pairs = (line.partition(b":") for line in lines if line)
    return int(status), {name.strip().lower(): value.strip() for name, _, value in pairs}
