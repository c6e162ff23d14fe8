"""A mail server on loopback that keeps what it gets, and says what a test wants it to say."""

import socketserver
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread


@dataclass
class MailServer:
    """The server; `answers` are by the first word of a command, in small letters."""

    port: int = 0
    answers: dict[str, str] = field(default_factory=dict)
    offers: tuple[str, ...] = ()
    """What it offers besides, such as AUTH PLAIN."""
    said: list[str] = field(default_factory=list)
    mails: list[bytes] = field(default_factory=list)


@contextmanager
def mail_server(
    answers: Mapping[str, str] = {}, *offers: str, trusted: ssl.SSLContext | None = None
) -> Iterator[MailServer]:
    """The server, encrypted from the first byte where there is a context for it."""
    kept = MailServer(answers=dict(answers), offers=offers)

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):  # a client may hang up
                self.wfile.write(b"220 ready\r\n")
                while line := self.rfile.readline().decode().strip():
                    self.answer(line)

        def answer(self, line: str) -> None:
            kept.said.append(line)
            word = line.partition(" ")[0].lower()
            if word == "ehlo" and "ehlo" not in kept.answers:
                lines = ["here", *kept.offers]
                said = [f"250{' ' if one is lines[-1] else '-'}{one}" for one in lines]
                self.wfile.write("".join(f"{one}\r\n" for one in said).encode())
                return
            usual = {"data": "354 go on", "auth": "235 fine"}.get(word, "250 fine")
            self.wfile.write(f"{kept.answers.get(word, usual)}\r\n".encode())
            if word == "data" and word not in kept.answers:
                lines = iter(self.rfile.readline, b".\r\n")
                kept.mails.append(b"".join(lines))
                self.wfile.write(f"{kept.answers.get('.', '250 taken')}\r\n".encode())

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A handshake that fails is what a test is about."""

    with Server(("127.0.0.1", 0), Handler) as server:
        if trusted:
            server.socket = trusted.wrap_socket(server.socket, server_side=True)
        kept.port = server.server_address[1]
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield kept
        finally:
            server.shutdown()
