"""A sandbox for one measurement: on a free port, with its own data, stopped whatever happens."""

import json
import select
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from measure import LMSSYNC, Failed

START_SECONDS, STOP_SECONDS = 30, 15


class Sandbox(NamedTuple):
    """A sandbox that listens."""

    base_url: str
    key: str

    @property
    def env(self) -> dict[str, str]:
        """What points a run of lmssync at it."""
        return {"LMSSYNC_BASE_URL": self.base_url, "LMSSYNC_API_KEY": self.key}

    def requests(self) -> int:
        """How many requests have reached it: the number that its log gave to the newest."""
        address = f"{self.base_url}/_sandbox/requests?limit=1"
        with urllib.request.urlopen(address, timeout=START_SECONDS) as answer:
            newest = json.load(answer)["requests"]
        return int(newest[-1]["number"]) if newest else 0


@contextmanager
def sandbox(data: Path, profile: str = "core") -> Iterator[Sandbox]:
    """Serves the demo company until the block ends; raises `Failed` if it does not start."""
    serve = ("sandbox", "serve", "--port", "0", "--profile", profile)
    command = [*LMSSYNC, *serve, "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            if not select.select([process.stdout], [], [], START_SECONDS)[0]:
                raise Failed(f"the sandbox was not ready after {START_SECONDS} s")
            line = process.stdout.readline()
            if not line:
                raise Failed("the sandbox ended before it was ready; its message stands above")
            ready = json.loads(line)
            yield Sandbox(ready["baseUrl"], ready["apiKey"])
        finally:
            _stop(process)


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
