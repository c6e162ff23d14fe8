"""Measures lmssync beside other tools on the same catalog, in turn and in one run; prints Markdown.

python bench/peers/run.py [--courses N] [--runs N] [--limit SECONDS] [--write]

The other tools are installed below `.cache/peers/`, for which npm and PyPI are asked the first
time. One that cannot be installed, or fails, is shown with the reason.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import given
import install
import report
import workload
from measure import LMSSYNC, Cost, Failed, machine, median, run
from paired import Costs, in_turn, ratio
from served import sandbox

SCHEMA = Path(__file__).parents[2] / "schemas" / "manifest.json"
PATIENCE = 120.0
"""Seconds after which no further round of a row is begun."""
OURS = "lmssync"
Way = Callable[[], Cost]
Prepare = Callable[[], Way]
"""Prepares what is measured, and returns it; raises `Failed`."""


class Peers:
    """One catalog of W, and what the other tools were given of it."""

    def __init__(self, root: Path, options: argparse.Namespace) -> None:
        self.root, self.options = root, options
        self.catalog, self.cache = root / "catalog", root / "cache"
        workload.write_project(self.catalog)
        self.bytes = workload.write(self.catalog, range(options.courses))

    def call(self, *command: str | Path, **env: str) -> Cost:
        return run([str(part) for part in command], env=env, limit=self.options.limit)

    def ours(self, *args: str, **env: str) -> Cost:
        env["XDG_CACHE_HOME"] = str(self.cache)
        return self.call(*LMSSYNC, *args, "-C", self.catalog, **env)

    def cold(self, *args: str, **env: str) -> Cost:
        shutil.rmtree(self.cache, ignore_errors=True)
        return self.ours(*args, **env)

    def ajv(self) -> Way:
        return partial(self.call, "node", install.node_tool() / "ajv.mjs", SCHEMA, self.catalog)

    def check_jsonschema(self) -> Way:
        program = install.python_tool("check-jsonschema") / "check-jsonschema"
        files = sorted(self.catalog.rglob("course-*.yaml"))
        return partial(self.call, program, "--schemafile", SCHEMA, *files)

    def octodns(self, *, applied: bool) -> Way:
        program = install.python_tool("octodns") / "octodns-sync"
        root = self.root / f"octodns-{applied}"
        sync = partial(self.call, program, "--config-file", given.for_octodns(root, self.catalog))
        if applied:
            sync("--doit", "--force")
        return sync

    def sqlmesh(self, *, applied: bool) -> Way:
        program = install.python_tool("sqlmesh") / "sqlmesh"
        root = given.for_sqlmesh(self.root / f"sqlmesh-{applied}", self.catalog)
        where = ("--paths", root, "--log-file-dir", root / "logs")
        plan = partial(self.call, program, *where, "plan", "--no-prompts")
        if applied:
            plan("--auto-apply", "--empty-backfill", "--skip-tests")
        return partial(plan, "--explain")


def rows(peers: Peers) -> Iterator[tuple[str, Mapping[str, Costs]]]:
    """What is measured, and what it takes each tool."""
    validate: dict[str, Prepare] = {
        OURS: lambda: partial(peers.cold, "validate"),
        "ajv, js-yaml": peers.ajv,
        "check-jsonschema": peers.check_jsonschema,
    }
    yield "every file checked, nothing remembered", _measured(peers, validate)
    with sandbox(peers.root / "platform") as platform:
        new: dict[str, Prepare] = {
            OURS: lambda: partial(peers.cold, "plan", **platform.env),
            "octoDNS": partial(peers.octodns, applied=False),
            "sqlmesh": partial(peers.sqlmesh, applied=False),
        }
        yield "a plan, everything new", _measured(peers, new)
        peers.ours("apply", "--yes", **platform.env)
        same: dict[str, Prepare] = {
            OURS: lambda: partial(peers.ours, "plan", **platform.env),
            "octoDNS": partial(peers.octodns, applied=True),
            "sqlmesh": partial(peers.sqlmesh, applied=True),
        }
        yield "a plan, nothing changed", _measured(peers, same)


def _measured(peers: Peers, tools: Mapping[str, Prepare]) -> Mapping[str, Costs]:
    ways: dict[str, Way] = {}
    failed: dict[str, Costs] = {}
    for name, prepare in tools.items():
        try:
            ways[name] = prepare()
        except Failed as failure:
            failed[name] = failure
    return in_turn(ways, runs=peers.options.runs, patience=PATIENCE) | failed


def table(found: Iterator[tuple[str, Mapping[str, Costs]]]) -> Iterator[str]:
    yield "| what | tool | s | CPU s | MB | runs | s, times lmssync | CPU | MB |"
    yield "|---|---" + "|---:" * 7 + "|"
    for what, tools in found:
        ours = tools[OURS]
        for name, costs in tools.items():
            if isinstance(costs, Failed):
                yield f"| {what} | {name} | {costs} | | | | | | |"
                continue
            one, cells = median(costs), ""
            if name != OURS and not isinstance(ours, Failed):
                cells = " | ".join(map(_spell_ratio, ratio(costs, ours)))
            figures = f"{one.wall:.2f} | {one.cpu:.2f} | {one.peak:.0f} | {one.runs}"
            yield f"| {what} | {name} | {figures} | {cells or '| |'} |"


def _spell_ratio(times: float) -> str:
    return f"{times:.0f}" if times >= 10 else f"{times:.2g}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures lmssync beside other tools.")
    parser.add_argument("--courses", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=3, help="most rounds of a row")
    parser.add_argument("--limit", type=float, default=600, help="seconds for any one command")
    parser.add_argument("--write", action="store_true", help="put the table into bench/README.md")
    options = parser.parse_args()
    os.environ["SQLMESH__DISABLE_ANONYMIZED_ANALYTICS"] = "1"
    with tempfile.TemporaryDirectory(prefix="lmssync-peers-") as scratch:
        peers = Peers(Path(scratch), options)
        load = os.getloadavg()[0]
        lines = list(table(rows(peers)))
    size = f"{options.courses:,} courses ({peers.bytes / 1e6:.0f} MB)"
    text = "\n".join([f"Machine: {machine()}, load {load:.1f}. {size}.", "", *lines])
    print(text)
    if options.write:
        report.write(Path(__file__).parents[1] / "README.md", text, "peers")


if __name__ == "__main__":
    main()
