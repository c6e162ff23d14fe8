"""The HTTP protocol, and how a connection is broken on purpose."""

import socket
import struct

import orjson
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from lmssync.vocabulary.envelopes import Envelope

from .exchange import Answer
from .refusals import bad_request, body_of

_TRANSPORT = "lmssync.transport"


class Protocol(HttpToolsProtocol):
    """uvicorn's own, which hands its transport to the application: faults need it."""

    def send_400_response(self, msg: str) -> None:
        """A request that is no HTTP is answered in the general shape and the connection closed."""
        body = orjson.dumps(body_of(bad_request(msg), Envelope.C, timestamp=""))
        head = (
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode("ascii") + body)
        self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {_TRANSPORT: {"is": self.transport}}


async def reset_connection(scope: Scope, receive: Receive) -> None:
    """Break the connection so that the client sees a reset and no byte of an answer."""
    transport = scope["extensions"][_TRANSPORT]["is"]
    peer = transport.get_extra_info("socket")
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
    await _wait_for_close(receive)


async def send_half(answer: Answer, scope: Scope, *, receive: Receive, send: Send) -> None:
    """Send the headers and the first half of an answer, then close."""
    content = answer.encode_body() or b"{}"
    length = (b"content-length", str(len(content)).encode())
    headers = [(b"content-type", b"application/json"), length]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    half = content[: len(content) // 2]
    await send({"type": "http.response.body", "body": half, "more_body": True})
    scope["extensions"][_TRANSPORT]["is"].close()
    await _wait_for_close(receive)


async def _wait_for_close(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
