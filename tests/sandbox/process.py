"""The sandbox as people start it: `lmssync sandbox serve` in a process of its own."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

from tests.patience import read_outputs


def started(folder, *options):
    """The process and what it said when it was ready."""
    server = launched(folder, *options)
    return server, json.loads(server.stdout.readline())


def launched(folder, *options):
    """The process, which may well refuse to start."""
    words = ["sandbox", "serve", "--port", "0", "--data", str(folder), *options]
    return subprocess.Popen(
        [sys.executable, "-m", "lmssync", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@contextlib.contextmanager
def serving(folder, *options):
    """What the sandbox said, for the length of a block; it is killed in the end."""
    server, ready = started(folder, *options)
    try:
        yield server, ready
    finally:
        server.kill()
        read_outputs(server)


def memory(server):
    """Peak resident memory of the process in MiB."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024
