"""A receiver of pushed notifications."""

import contextlib
import json
import queue
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATIENCE = 300
"""Seconds until a test that waits for a push gives up."""


class Receiver:
    """A receiver of notifications: `pushed` gets each request, `answers` says what is answered."""

    def __init__(self):
        self.pushed, self.answers = queue.Queue(), queue.Queue()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.pushed.put((self.headers, json.loads(body)))
                self.send_response(200 if receiver.answers.empty() else receiver.answers.get())
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

            def log_message(self, *_arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?a=b c".replace(" ", "%20")

    def next(self):
        return self.pushed.get(timeout=PATIENCE)[1]


@contextlib.contextmanager
def receiving() -> Iterator[Receiver]:
    made = Receiver()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()
