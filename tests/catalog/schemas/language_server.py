"""A YAML language server as an editor runs it: a child process that is asked over its pipes."""

import json
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PLACES = (
    os.environ.get("YAML_LANGUAGE_SERVER", ""),
    str(Path(__file__).parents[3] / ".cache/yaml-language-server"),
)
"""Where `npm install --prefix` may have put it."""
BOUND = 300.0
"""Seconds after which an answer is given up; none takes as long."""


def command() -> list[str]:
    """How to start the server, or nothing where it is not installed."""
    node = shutil.which("node")
    for place in filter(None, PLACES):
        program = Path(place) / "node_modules/yaml-language-server/bin/yaml-language-server"
        if node and program.exists():
            return [node, str(program), "--stdio"]
    return []


class Server:
    """Speaks the protocol: requests have answers, notifications have none."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self._in, self._out = process.stdin, process.stdout
        self._heard: queue.Queue[Any] = queue.Queue()
        self._told: dict[str, list[Any]] = {}
        self._asked = 0
        self._settings: dict[str, Any] = {}
        self._ear = threading.Thread(target=self._listen, daemon=True)
        self._ear.start()

    def start(self, root: Path, settings: dict[str, Any]) -> None:
        """Greets the server as an editor that has opened the folder `root`."""
        self._settings = settings
        self.ask("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": {}})
        self.tell("initialized", {})
        self.tell("workspace/didChangeConfiguration", {"settings": settings})

    def open(self, file: Path, text: str) -> list[Any]:
        """What the server says of a text, as diagnostics."""
        self._told.pop(file.as_uri(), None)
        document = {"uri": file.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        while file.as_uri() not in self._told:
            self._take()
        return self._told[file.as_uri()]

    def at(self, what: str, file: Path, line: int, column: int) -> Any:
        """A question about a spot: `hover`, `completion`; lines and columns count from 0."""
        place = {"line": line, "character": column}
        return self.ask(
            f"textDocument/{what}", {"textDocument": {"uri": file.as_uri()}, "position": place}
        )

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": params})
        while True:
            heard = self._take()
            if heard.get("id") == self._asked and "method" not in heard:
                assert "error" not in heard, heard
                return heard["result"]

    def tell(self, method: str, params: dict[str, Any]) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._in.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._in.flush()

    def _take(self) -> Any:
        """The next message; what the server itself asks is answered, diagnostics are kept."""
        heard = self._heard.get(timeout=BOUND)
        assert heard is not None, "the server has ended"
        if heard.get("method") == "textDocument/publishDiagnostics":
            self._told[heard["params"]["uri"]] = heard["params"]["diagnostics"]
        elif "method" in heard and "id" in heard:
            self._send({"id": heard["id"], "result": self._answer(heard)})
        return heard

    def _answer(self, heard: Any) -> Any:
        if heard["method"] != "workspace/configuration":
            return None
        return [self._settings.get(item["section"]) for item in heard["params"]["items"]]

    def end(self) -> None:
        """Waits until nothing more is heard of a server that has been stopped."""
        self._ear.join(BOUND)

    def _listen(self) -> None:
        while length := _length(iter(self._out.readline, b"")):
            self._heard.put(json.loads(self._out.read(length)))
        self._heard.put(None)


def _length(lines: Iterator[bytes]) -> int:
    """Reads the head of a message; 0 at the end of all."""
    length = 0
    for line in lines:
        if line == b"\r\n":
            return length
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return 0


@contextmanager
def served(root: Path, settings: dict[str, Any]) -> Iterator[Server]:
    """A server that has opened `root`; its process is ended in any case."""
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command(), stdin=pipe, stdout=pipe, stderr=quiet) as process:
        server = Server(process)
        try:
            server.start(root, settings)
            yield server
        finally:
            process.kill()
            server.end()
