"""A server on loopback that says any bytes at all, for as long as somebody listens."""

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread

Say = Callable[[str], Iterable[bytes]]
"""From `GET /path` to the bytes of the answer, in pieces."""
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
VALID = b'{"valid": true}'


@dataclass
class Raw:
    """The server; `say` may be changed at any time."""

    base_url: str
    say: Say
    asked: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    said: int = 0
    """Bytes that somebody took."""


def whole(body: bytes, head: bytes = HEAD, *more: bytes) -> Iterator[bytes]:
    """An answer that is as it should be."""
    yield head + b"".join(line + b"\r\n" for line in more)
    yield b"Content-Length: %d\r\n\r\n" % len(body)
    yield body


@contextmanager
def raw(say: Say) -> Iterator[Raw]:
    listener = socket.create_server(("127.0.0.1", 0))
    served = Raw(f"http://127.0.0.1:{listener.getsockname()[1]}", say)
    Thread(target=_serve, args=(listener, served), daemon=True).start()
    try:
        yield served
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def _serve(listener: socket.socket, served: Raw) -> None:
    with suppress(OSError):
        while True:
            Thread(target=_talk, args=(listener.accept()[0], served), daemon=True).start()


def _talk(connection: socket.socket, served: Raw) -> None:
    """Answers one request and hangs up."""
    with connection, suppress(OSError):
        head = _head(connection)
        served.heads.append(head)
        served.asked.append(" ".join(head.split(" ")[:2]))
        for piece in served.say(served.asked[-1]):
            connection.sendall(piece)
            served.said += len(piece)


def _head(connection: socket.socket) -> str:
    """The request line and the headers; what a body holds is read and let go."""
    found = b""
    while b"\r\n\r\n" not in found:
        more = connection.recv(65_536)
        if not more:
            raise ConnectionResetError
        found += more
    head, _, body = found.partition(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    while length > len(body) and (more := connection.recv(65_536)):
        body += more
    return head.decode("latin-1")
