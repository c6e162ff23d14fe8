"""A sandbox for one measurement: on a free port, with its own data, stopped whatever happens."""

import json
import os
import select
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from measure import AS_INSTALLED, LMSSYNC, Cost, Failed

START_SECONDS, STOP_SECONDS = 30, 15


class Sandbox(NamedTuple):
    """A sandbox that listens."""

    base_url: str
    key: str
    process: int
    seconds: float
    """From its start until it listened."""

    @property
    def env(self) -> dict[str, str]:
        """What points a run of lmssync at it."""
        return {"LMSSYNC_BASE_URL": self.base_url, "LMSSYNC_API_KEY": self.key}

    def cost(self) -> Cost:
        """What it has taken so far; the seconds are those of its start."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        status = Path(f"/proc/{self.process}/status").read_text()
        peak = int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6
        return Cost(self.seconds, cpu, peak)

    def requests(self) -> int:
        """How many requests have reached it: the number that its log gave to the newest."""
        newest = self.order("requests?limit=1")["requests"]
        return int(newest[-1]["number"]) if newest else 0

    def order(self, path: str, body: Any = None, method: str | None = None) -> Any:
        """An order to its control plane."""
        request = urllib.request.Request(
            f"{self.base_url}/_sandbox/{path}",
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def limit_account(self, account: str) -> None:
        """The limits of an account from now on; `off` for none."""
        self.order("switches", {"accountFigures": account})


@contextmanager
def sandbox(
    data: Path, profile: str = "core", env: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Sandbox]:
    """Serves the demo company until the block ends; raises `Failed` if it does not start."""
    serve = ("sandbox", "serve", "--port", "0", "--profile", profile)
    command = [*LMSSYNC, *serve, "--data", str(data)]
    ours, began = os.environ | AS_INSTALLED | env, time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ours) as process:
        try:
            assert process.stdout is not None
            if not select.select([process.stdout], [], [], START_SECONDS)[0]:
                raise Failed(f"the sandbox was not ready after {START_SECONDS} s")
            line = process.stdout.readline()
            if not line:
                raise Failed("the sandbox ended before it was ready; its message stands above")
            ready = json.loads(line)
            seconds = time.perf_counter() - began
            yield Sandbox(ready["baseUrl"], ready["apiKey"], process.pid, seconds)
        finally:
            _stop(process)


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
