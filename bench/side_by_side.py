"""What it saves that calls are under way at once: new courses, by connections and latency.

python bench/side_by_side.py [--courses N] [--latency SECONDS ...]
"""

import argparse
import json
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import workload
from measure import LMSSYNC, run
from served import Sandbox, sandbox

CONNECTIONS = (1, 5)
MARKERS = {"sku": "100 courses a call", "none": "a call for each course"}


def slow_down(platform: Sandbox, seconds: float) -> None:
    """Each answer takes so many seconds longer."""
    fault = {"action": "delay", "seconds": seconds, "probability": 1}
    request = urllib.request.Request(
        f"{platform.base_url}/_sandbox/faults",
        json.dumps(fault).encode(),
        {"Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=30).close()


def rows(options: argparse.Namespace, scratch: Path) -> Iterator[str]:
    for marker in options.marker:
        for latency in options.latency:
            for connections in CONNECTIONS:
                root = scratch / f"{marker}-{latency}-{connections}"
                workload.write_project(root)
                with (root / "lmssync.yaml").open("a", encoding="utf-8") as project:
                    project.write(f"platform: {{marker: {marker}, connections: {connections}}}\n")
                workload.write(root, range(options.courses))
                how = f"{MARKERS[marker]} | {1000 * latency:.0f} | {connections}"
                yield f"| {how} | {_row(root, latency)} |"


def _row(root: Path, latency: float) -> str:
    command = [*LMSSYNC, "apply", "--yes", "--json", "-C", str(root)]
    with sandbox(root / "data") as platform:
        if latency:
            slow_down(platform, latency)
        env = platform.env | {"XDG_CACHE_HOME": str(root / "cache")}
        cost = run(command, env=env, limit=1_200)
        seen = platform.requests()
    return f"{cost.wall:.1f} | {cost.cpu:.1f} | {seen:,}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures calls that are under way at once.")
    parser.add_argument("--courses", type=int, default=1_000)
    parser.add_argument("--latency", type=float, nargs="+", default=[0.0, 0.05])
    parser.add_argument("--marker", choices=MARKERS, nargs="+", default=list(MARKERS))
    options = parser.parse_args()
    print(f"{options.courses:,} new courses\n")
    print("| what | latency, ms | connections | s | CPU s | calls |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory(prefix="lmssync-bench-") as scratch:
        for row in rows(options, Path(scratch)):
            print(row, flush=True)


if __name__ == "__main__":
    main()
