"""The bytes of an answer, unpacked, up to a limit."""

import zlib

import httpx

MOST = 16 * 1024 * 1024
"""Bytes of one answer, packed or unpacked: several times what the largest course takes."""
ENCODINGS = "gzip, deflate"
"""The requested encodings: both can be decompressed up to a limit."""
_EITHER, _BARE = zlib.MAX_WBITS | 32, -zlib.MAX_WBITS
"""Some servers leave out the envelope of `deflate` (RFC 9110, 8.4.1.2)."""


class BadContent(ValueError):
    """Too many bytes, or a compression that was not requested; the message says which."""


def content(response: httpx.Response) -> bytes:
    """The body of an answer that is still to be read; raises `BadContent`."""
    packing = response.headers.get("content-encoding", "").strip().lower()
    body = _whole(response)
    if packing in {"", "identity"} or not body:
        return body
    if packing not in {"gzip", "x-gzip", "deflate"}:
        raise BadContent("an answer that is compressed in a way that was not asked for")
    return _unpacked(body)


def _whole(response: httpx.Response) -> bytes:
    pieces, size = [], 0
    for piece in response.iter_raw():
        size += len(piece)
        if size > MOST:
            raise _too_much()
        pieces.append(piece)
    return b"".join(pieces)


def _unpacked(body: bytes) -> bytes:
    for form in (_EITHER, _BARE):
        unpacker = zlib.decompressobj(form)
        try:
            plain = unpacker.decompress(body, MOST + 1)
        except zlib.error:
            continue
        if len(plain) > MOST:
            raise _too_much()
        if unpacker.eof:
            return plain
    raise BadContent("an answer that cannot be decompressed")


def _too_much() -> BadContent:
    return BadContent(f"an answer of more than {MOST // 1024 // 1024} MB")
