"""Speed of the sandbox: start, courses of 36 topics in creates of 100, reads, in one run.

    python bench/sandbox_speed.py [batches]
    python bench/sandbox_speed.py --soak 100000

The log of requests keeps the newest 20,000 and no more than 64 MB: a soak is flat from there on.
The client is a bare socket, so that the figures are the sandbox's own.
"""

import argparse
import json
import os
import socket
import sys
import time
from collections.abc import Iterable
from itertools import cycle, islice
from pathlib import Path
from subprocess import PIPE, Popen

import orjson

_SERVE = """
import json
from lmssync.sandbox import serve_sandbox
serve_sandbox("127.0.0.1", 0, ready=lambda ready: print(json.dumps(ready), flush=True))
"""
_ROUNDS, _READS = 6, 3_000


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


def served() -> tuple[Popen[bytes], Client]:
    """A new sandbox in a process of its own, and a connection to it."""
    server = Popen([sys.executable, "-c", _SERVE], stdout=PIPE)
    assert server.stdout is not None
    return server, Client(json.loads(server.stdout.readline()))


def started(times: int) -> float:
    """Seconds from the start of the process to its first answer, the least of some."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        server, client = served()
        client.send("GET", "ping")
        found.append(time.perf_counter() - began)
        server.terminate()
        server.wait()
    return min(found)


def created(client: Client, batches: int) -> list[str]:
    """The ids of new courses; tells how many a second were accepted."""
    bodies = [
        orjson.dumps({"courseAttributes": [course(batch * 100 + n) for n in range(100)]})
        for batch in range(batches)
    ]
    began, ids = time.perf_counter(), []
    for body in bodies:
        ids += orjson.loads(client.send("POST", "content/course/create", body))["courseIds"]
    print(f"courses    {len(ids) / (time.perf_counter() - began):.0f} a second")
    return ids


def timed_reads(client: Client, server: Popen[bytes], what: str, paths: Iterable[str]) -> None:
    """Tells how many reads a second were answered in the best of some rounds, and their CPU."""
    asked, best = cycle(paths), 0.0
    before = _cpu(server.pid)
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        for path in islice(asked, _READS):
            client.send("GET", path)
        best = max(best, _READS / (time.perf_counter() - began))
    cost = (_cpu(server.pid) - before) / (_ROUNDS * _READS) * 1e6
    print(f"{what:<11}{best:.0f} a second, {cost:.0f} microseconds of CPU each")


def _cpu(process: int) -> float:
    """Seconds of CPU that a process has had."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def soak(requests: int) -> None:
    """Resident memory at the start, in the middle and at the end of many requests of all sorts."""
    server, client = served()
    body = orjson.dumps({"courseAttributes": [course(0) | {"sku": None}]})
    id_ = orjson.loads(client.send("POST", "content/course/create", body))["courseIds"][0]
    change = {"courses": [{"id": id_, "priceInCents": 100}]}
    update = orjson.dumps({"courseAttributes": change})
    turn = (
        *(("GET", "ping", b""), ("GET", f"content/course/{id_}", b""), ("GET", "tags", b"")),
        *(("GET", "clients", b""), ("PUT", "content/course/update", update)),
    )
    figures = []
    for number in range(requests + 1):
        if number in (requests // 10, requests // 2, requests):
            figures.append(_resident(server.pid))
        client.send(*turn[number % len(turn)])
    print(f"soak       {' '.join(f'{one:.1f}' for one in figures)} MiB after 10, 50, 100 %")
    server.terminate()
    server.wait()


def _resident(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("batches", nargs="?", type=int, default=50)
    parser.add_argument("--soak", type=int, metavar="N", help="memory over N requests, alone")
    options = parser.parse_args()
    if options.soak:
        soak(options.soak)
        return
    print(f"start      {started(5):.2f} s")
    server, client = served()
    ids = created(client, options.batches)
    timed_reads(client, server, "reads", [f"content/course/{id_}" for id_ in ids])
    timed_reads(client, server, "pings", ["ping"])
    server.terminate()
    began = time.perf_counter()
    assert server.wait() == 0
    print(f"stop       {time.perf_counter() - began:.2f} s")


if __name__ == "__main__":
    main()
