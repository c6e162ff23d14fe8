"""A stranger's catalog, run as a pipeline runs it: the real command line, beside secrets."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests import forking
from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.forking import Ran

KEY, CLOUD_KEY = "the-key-of-the-platform", "the-key-of-the-cloud"
COURSE = """\
resource: course
key: a
kind: courseGroup
title: A
sections:
  - title: S
    lessons:
      - {title: L, openType: open, topics: [{title: T, type: text}]}
"""


@dataclass
class Pipeline:
    """A checkout of what a stranger wrote, and the variables of the run."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)

    def put(self, name: str, text: str | bytes) -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def run(self, *args: str, **env: str) -> Ran:
        """`lmssync ARGS` in the checkout, in a process of its own."""
        return forking.run(args, root=self.root, env=self.env | env)


@pytest.fixture
def pipeline(tmp_path: Path) -> Pipeline:
    """A catalog of one course, and a run that has two secrets and a home."""
    env = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    env |= {"LMSSYNC_API_KEY": KEY, "AWS_SECRET_ACCESS_KEY": CLOUD_KEY, "CI": "true"}
    env |= {"HOME": str(tmp_path / "home")}
    found = Pipeline(tmp_path / "checkout", env)
    found.put("a.yaml", COURSE)
    (tmp_path / "home").mkdir()
    return found


@dataclass
class Listener:
    """A server that writes down what it is sent."""

    port: int
    heard: list[str] = field(default_factory=list)
    """Every request: its first line and its headers."""
    moved_to: str = ""

    @property
    def keys(self) -> list[str]:
        return [heard for heard in self.heard if KEY in heard or CLOUD_KEY in heard]


@pytest.fixture
def listener() -> Iterator[Listener]:
    """On every address of this machine: 0.0.0.0 leads to it and is not loopback."""
    yield from _listening()


@pytest.fixture
def other() -> Iterator[Listener]:
    """Another one."""
    yield from _listening()


def _listening() -> Iterator[Listener]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.heard.append(f"{self.requestline}\n{self.headers}")
            if found.moved_to and "/new" not in self.path:
                self.send_response(301)
                self.send_header("Location", found.moved_to)
            else:
                self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Silent."""

    with ThreadingHTTPServer(("0.0.0.0", 0), Handler) as server:
        found = Listener(server.server_address[1])
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield found
        server.shutdown()
