"""The bytes of an answer, unpacked, up to a limit."""

import zlib

import httpx

MOST = 128 * 1024 * 1024
"""Bytes of one answer, packed or unpacked. A whole course comes as one: it may be as large as the
request that can make it (64 MB), and an answer may spell each letter in twice as many bytes."""
ENCODINGS = "gzip, deflate"
"""The requested encodings: both can be decompressed up to a limit."""
_EITHER, _BARE = zlib.MAX_WBITS | 32, -zlib.MAX_WBITS
"""Some servers leave out the envelope of `deflate` (RFC 9110, 8.4.1.2)."""


class BadContent(ValueError):
    """Too many bytes, or a compression that was not requested; the message says which."""


class Oversized(BadContent):
    """Too many bytes, and as many the next time."""


def read_content(response: httpx.Response) -> bytes | bytearray:
    """The body of an answer that is still to be read; raises `BadContent`."""
    packing = response.headers.get("content-encoding", "").strip().lower()
    body = _read_whole(response)
    if packing in {"", "identity"} or not body:
        return body
    if packing not in {"gzip", "x-gzip", "deflate"}:
        raise BadContent("an answer that is compressed in a way that was not asked for")
    return _unpack_body(body)


def _read_whole(response: httpx.Response) -> bytearray:
    """In one piece from the beginning: a list of pieces would have to be copied."""
    body = bytearray()
    for piece in response.iter_raw():
        body += piece
        if len(body) > MOST:
            raise _too_large()
    return body


def _unpack_body(body: bytearray) -> bytes:
    for form in (_EITHER, _BARE):
        unpacker = zlib.decompressobj(form)
        try:
            plain = unpacker.decompress(body, MOST + 1)
        except zlib.error:
            continue
        if len(plain) > MOST:
            raise _too_large()
        if unpacker.eof:
            return plain
    raise BadContent("an answer that cannot be decompressed")


def _too_large() -> Oversized:
    return Oversized(f"an answer of more than {MOST // 1024 // 1024} MB, the most that is read")
