"""Event feeds of many learners: the time of a pull, the size of the index, the time of an answer.

    python bench/events.py [learners]

The sandbox and the pull run in one process each, without the limit of the event tier, which would
take most of the time: 60 calls a minute, 100 events a call. 16,000 learners make 200,000 events.
"""

import json
import os
import resource
import sqlite3
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from subprocess import PIPE, Popen, run
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

from lmssync.learners.events import ENDING, LearnerIndex

_RAISED = """
import json, sys
from lmssync.vocabulary.limits import TIERS, Tier, Window
TIERS[Tier.EVENT] = Window(10**9, 60)
"""
_SERVE = f"""{_RAISED}
from lmssync.sandbox import serve_sandbox
serve_sandbox("127.0.0.1", 0, ready=lambda ready: print(json.dumps(ready), flush=True))
"""
_PULL = f"""{_RAISED}
from lmssync.cli.main import main
main(["events", "pull", "--json"])
"""
_PROJECT = 'version: 1\nenvironments: {bench: {baseUrl: "http://127.0.0.1:1"}}\n'
_MOST = 8_000
"""Learners that are made at a time."""
_ASKED = 200


def order(base_url: str, path: str, body: Any) -> None:
    """Sends an order to the control plane."""
    kind = {"Content-Type": "application/json"}
    data = json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{base_url}/_sandbox/{path}", data, kind)):
        pass


def pulled(root: Path, env: dict[str, str]) -> tuple[Any, float, int]:
    """The summary of a pull, its seconds, and the largest that its files were."""
    peak, ended = 0, Event()

    def look() -> None:
        nonlocal peak
        while not ended.wait(0.05):
            sizes = [file.stat().st_size for file in root.glob(f".lmssync/*{ENDING}") if file]
            peak = max(peak, *sizes, 0)

    watch = Thread(target=look)
    watch.start()
    began = time.perf_counter()
    done = run([sys.executable, "-c", _PULL], cwd=root, env=env, stdout=PIPE, check=True)
    seconds = time.perf_counter() - began
    ended.set()
    watch.join()
    return json.loads(done.stdout), seconds, peak


def milliseconds(ask: Callable[[], object]) -> tuple[float, float]:
    """The median and the longest of many answers."""
    times = []
    for _ in range(_ASKED):
        began = time.perf_counter()
        ask()
        times.append((time.perf_counter() - began) * 1000)
    return median(times), max(times)


def answers(file: Path) -> None:
    """What the plan asks of the index, each about the course with the most learners."""
    with sqlite3.connect(file) as db:
        query = "SELECT id FROM {} JOIN object ON object = {} GROUP BY 1 ORDER BY count(*) DESC"
        (course,) = db.execute(query.format("place", "subject")).fetchone()
        (topic,) = db.execute(query.format("result", "part")).fetchone()
        (license_,) = db.execute(query.format("place", "license")).fetchone()
    with LearnerIndex.open_index(file) or sys.exit("nothing was pulled") as index:
        for name, ask in (
            ("course", lambda: index.course_audience(course)),
            ("topic", lambda: index.topic_audience(topic)),
            ("license", lambda: index.license_audience(license_)),
            ("purchases", lambda: index.count_purchases(course, days=7)),
            ("hours", index.activity_by_hour),
        ):
            print("| {} | {:.2f} | {:.2f} |".format(name, *milliseconds(ask)))


@contextmanager
def served() -> Iterator[dict[str, str]]:
    """Where a sandbox is, until the block ends."""
    with Popen([sys.executable, "-c", _SERVE], stdout=PIPE) as process:
        try:
            assert process.stdout
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()


def main(learners: int) -> None:
    with TemporaryDirectory() as folder, served() as ready:
        order(ready["baseUrl"], "school", {})
        for seed, first in enumerate(range(0, learners, _MOST)):
            order(ready["baseUrl"], "learners", {"n": min(_MOST, learners - first), "seed": seed})
        root = Path(folder)
        (root / "lmssync.yaml").write_text(_PROJECT)
        keys = {"LMSSYNC_BASE_URL": ready["baseUrl"], "LMSSYNC_API_KEY": ready["apiKey"]}
        for name in ("first", "second"):
            report, seconds, peak = pulled(root, os.environ | keys)
            said, size = report["summary"], report["index"]["bytes"]
            cpu = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(
                f"{name} pull: {said['new']:,} new events in {said['calls']:,} calls, "
                f"{seconds:.0f} s; {size / 1e6:.1f} MB, at most {peak / 1e6:.1f} MB on the way; "
                f"{cpu.ru_maxrss / 1024:.0f} MB of memory"
            )
        print("\n| answer | median ms | longest ms |\n|---|---:|---:|")
        answers(Path(report["index"]["file"]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 16_000)
