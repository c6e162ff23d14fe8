"""Speed of the sandbox: start, courses of 36 topics in creates of 100, reads, in one run.

    python bench/sandbox_speed.py [batches]

The client is a bare socket, so that the figures are the sandbox's own.
"""

import json
import socket
import subprocess
import sys
import time
from itertools import cycle, islice

import orjson

_SERVE = """
import json
from lmssync.sandbox import serve
serve("127.0.0.1", 0, ready=lambda ready: print(json.dumps(ready), flush=True))
"""
_READS = 5_000


def course(number: int) -> dict[str, object]:
    """4 sections x 3 lessons x 3 topics, about 7 KB."""
    topics = [
        {"title": f"Topic {n}", "type": "text", "body": f"<p>{'words ' * 20}</p>"} for n in range(3)
    ]
    lessons = [
        {"title": f"Lesson {n}", "openType": "studentsOnly", "topics": topics} for n in range(3)
    ]
    sections = [{"title": f"Section {n}", "lessons": lessons} for n in range(4)]
    return {
        "title": f"Course {number}",
        "kind": "courseGroup",
        "sku": f"SKU-{number}",
        "description": "What everyone must know. " * 8,
        "sections": sections,
    }


class Client:
    """One keep-alive connection that reads answers by their length."""

    def __init__(self, ready: dict[str, str]) -> None:
        host, _, port = ready["baseUrl"].removeprefix("http://").partition(":")
        self._socket = socket.create_connection((host, int(port)))
        self._reader = self._socket.makefile("rb")
        self._head = f"Host: {host}\r\nAuthorization: Bearer {ready['apiKey']}\r\n"

    def send(self, method: str, path: str, body: bytes = b"") -> bytes:
        head = f"{method} /incoming/v2/{path} HTTP/1.1\r\n{self._head}"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self._socket.sendall(head.encode() + body)
        status, length = self._reader.readline(), 0
        while (line := self._reader.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        answer = self._reader.read(length)
        assert b" 200 " in status, (status, answer)
        return answer


def main(batches: int) -> None:
    began = time.perf_counter()
    server = subprocess.Popen([sys.executable, "-c", _SERVE], stdout=subprocess.PIPE)
    assert server.stdout is not None
    client = Client(json.loads(server.stdout.readline()))
    print(f"start      {time.perf_counter() - began:.2f} s")
    bodies = [
        orjson.dumps({"courseAttributes": [course(batch * 100 + n) for n in range(100)]})
        for batch in range(batches)
    ]
    began, ids = time.perf_counter(), []
    for body in bodies:
        ids += orjson.loads(client.send("POST", "content/course/create", body))["courseIds"]
    print(f"courses    {len(ids) / (time.perf_counter() - began):.0f} a second")
    began = time.perf_counter()
    for id_ in islice(cycle(ids), _READS):
        client.send("GET", f"content/course/{id_}")
    print(f"reads      {_READS / (time.perf_counter() - began):.0f} a second (5 KB each)")
    began = time.perf_counter()
    for _ in range(_READS):
        client.send("GET", "ping")
    print(f"pings      {_READS / (time.perf_counter() - began):.0f} a second")
    server.terminate()
    began = time.perf_counter()
    assert server.wait() == 0
    print(f"stop       {time.perf_counter() - began:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
