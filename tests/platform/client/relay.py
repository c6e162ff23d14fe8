"""Servers that pass bytes on: one that ends TLS, and a proxy that is asked to CONNECT."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread

_PATIENCE = 300
"""Seconds until a connection over which nothing comes is closed."""


@dataclass
class Relay:
    """A server on loopback in front of another."""

    target: int
    """The port that it passes everything on to, whatever host it is asked for."""
    tls: ssl.SSLContext | None = None
    """What it ends TLS with."""
    proxies: bool = False
    """Whether it waits for a CONNECT."""
    refusal: bytes = b""
    """The status line by which it refuses a CONNECT."""
    port: int = 0
    heads: list[str] = field(default_factory=list)
    """What it was asked as a proxy."""
    bytes_in: int = 0
    """Bytes of requests that came through, without TLS."""

    def talk(self, connection: socket.socket) -> None:
        with suppress(OSError), connection:
            connection.settimeout(_PATIENCE)
            if self.proxies and not self._admitted(connection):
                return
            inside = self.tls.wrap_socket(connection, server_side=True) if self.tls else connection
            with inside, socket.create_connection(("127.0.0.1", self.target), _PATIENCE) as there:
                back = Thread(target=_pump, args=(there, inside), daemon=True)
                back.start()
                self.bytes_in += _pump(inside, there)
                back.join()

    def _admitted(self, connection: socket.socket) -> bool:
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(1)  # not a byte of what comes after it
        self.heads.append(head.decode("latin-1"))
        answer = self.refusal or b"200 Connection established"
        connection.sendall(b"HTTP/1.1 %b\r\nContent-Length: 0\r\n\r\n" % answer)
        return not self.refusal


def _pump(source: socket.socket, sink: socket.socket) -> int:
    """Passes bytes on until there are no more; gives how many."""
    total = 0
    with suppress(OSError):
        while piece := source.recv(65_536):
            sink.sendall(piece)
            total += len(piece)
        sink.shutdown(socket.SHUT_WR)
    return total


@contextmanager
def relay(relay: Relay) -> Iterator[Relay]:
    listener = socket.create_server(("127.0.0.1", 0))
    relay.port = listener.getsockname()[1]

    def serve() -> None:
        with suppress(OSError):
            while True:
                Thread(target=relay.talk, args=(listener.accept()[0],), daemon=True).start()

    Thread(target=serve, daemon=True).start()
    try:
        yield relay
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
