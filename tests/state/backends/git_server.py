"""Bare repositories served by git itself, over git's own transport and over HTTP."""

import base64
import os
import signal
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.patience import wait_for_exit

TOKEN = "token-of-this-job"
_BASIC = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()
_ENV = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "HOME": os.devnull,
}


def git(folder: Path, *arguments: str) -> str:
    """What a git command prints."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(folder), *who, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, env=_ENV)
    return done.stdout.decode("utf-8", "replace")


def bare(folder: Path) -> Path:
    """A bare repository with nothing in it, which takes pushes."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", "--template=")
    git(folder, "config", "http.receivepack", "true")
    return folder


def catalog(folder: Path, url: str) -> Path:
    """A repository with a remote, as a clone has it."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main", "--template=")
    git(folder, "remote", "add", "origin", url)
    return folder


def hook(repository: Path, name: str, *lines: str) -> None:
    """What the server does when somebody pushes; `$PPID` is what answers the push."""
    file = repository / "hooks" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(["#!/bin/sh", "cat > /dev/null", *lines, ""]))
    file.chmod(0o755)


class _Processes:
    """Those of a server, each the first of a group, which end with the server."""

    def __init__(self) -> None:
        self._started: list[subprocess.Popen[bytes]] = []

    def start(self, *arguments: str, **options: Any) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            ["git", *arguments], start_new_session=True, stderr=subprocess.DEVNULL, **options
        )
        self._started.append(process)
        return process

    def end(self) -> None:
        for process in self._started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            wait_for_exit(process)


@contextmanager
def _serving(server: socketserver.TCPServer, processes: _Processes) -> Iterator[int]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        processes.end()
        server.server_close()


@contextmanager
def daemon(folder: Path) -> Iterator[str]:
    """Serves the repositories in a folder by `git daemon`; gives the address of the folder.

    It is started for each connection, as inetd does it, so no port has to be known before.
    """
    processes = _Processes()
    words = ("daemon", "--inetd", "--export-all", "--enable=receive-pack", f"--base-path={folder}")

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            processes.start(*words, stdin=self.request, stdout=self.request, env=_ENV).wait()

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    with _serving(server, processes) as port:
        yield f"git://127.0.0.1:{port}"


@contextmanager
def http(folder: Path, *, writers_only: bool = False) -> Iterator[str]:
    """Serves them by `git http-backend`; who pushes needs the token, and perhaps who reads."""
    processes = _Processes()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_push = "receive-pack" in self.path
            shown = self.headers.get("Authorization", "")
            if (is_push or not writers_only) and shown.split()[-1:] != [_BASIC]:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="git"')
                self.end_headers()
                return
            self._answer()

        do_POST = do_GET  # noqa: N815 - the name that the base class asks for

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.headers.get("Transfer-Encoding") == "chunked":
                body = b"".join(self._chunks())
            path, _, query = self.path.partition("?")
            env = _ENV | {
                "GIT_PROJECT_ROOT": str(folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "REMOTE_USER": "somebody",
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "CONTENT_LENGTH": str(len(body)),
            }
            pipe = subprocess.PIPE
            process = processes.start("http-backend", stdin=pipe, stdout=pipe, env=env)
            out, _ = process.communicate(body)
            head, _, content = out.partition(b"\r\n\r\n")
            fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
            self.send_response(int(fields.pop("Status", "200")[:3]))
            for name, value in fields.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def _chunks(self) -> Iterator[bytes]:
            while size := int(self.rfile.readline(), 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()

        def log_message(self, *_: object) -> None:
            """Tests print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with _serving(server, processes) as port:
        yield f"http://127.0.0.1:{port}"
