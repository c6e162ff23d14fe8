"""What a state costs at each backend: a durable append, and what a runner fetches that has nothing.

    python bench/backends.py              # PostgreSQL, a small S3 and git on this machine
    python bench/backends.py URL...       # backends that you have, opened by the variables

The log is as large as that of 10,000 new courses. It has to be empty, and stays where it is.
"""

import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median, quantiles
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lmssync.state.backends import Snapshot, StateBackend, open_backend
from tests.state.backends import git_server, postgresql_server, s3_server

SEGMENTS, SIZE, SNAPSHOT = 104, 470_000, 46_000_000
"""Ten times what `apply` of 1,000 new courses (`workload.py`) has handed in."""
SMALL, APPENDS = 2_000, 200
"""Bytes of an intent that is one call, and how often one is appended."""
_RANDOM = random.Random(1)


@contextmanager
def of_this_machine() -> Iterator[Mapping[str, str]]:
    """Homes by what they are called. The server of PostgreSQL waits for its disk."""
    durable = postgresql_server.OPTIONS.replace("fsync=off", "fsync=on")
    postgresql_server.OPTIONS = durable
    with ExitStack() as stack:
        database = stack.enter_context(postgresql_server.served())
        store = stack.enter_context(s3_server.served())
        os.environ |= store.env()
        yield {
            "PostgreSQL": database.url(uuid4().hex),
            "small S3": f"s3://bucket#{uuid4().hex}",
            **stack.enter_context(repositories()),
        }


@contextmanager
def repositories() -> Iterator[Mapping[str, str]]:
    """Branches of repositories, by how git reaches them; nothing is kept between two runs."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name in ("path", "git", "http"):
            git_server.bare(folder / name / "state.git")
        git = stack.enter_context(git_server.daemon(folder / "git"))
        http = stack.enter_context(git_server.http(folder / "http"))
        http = http.replace("://", f"://x-access-token:{git_server.TOKEN}@")
        os.environ["XDG_CACHE_HOME"] = tempfile.gettempdir()  # where a catalog is, nothing is kept
        yield {
            "git, a path": f"git:{folder}/path/state.git#bench",
            "git://": f"git:{git}/state.git#bench",
            "git, http://": f"git:{http}/state.git#bench",
        }


def measure(name: str, url: str, segments: list[bytes]) -> str:
    """A line of the table; times are in milliseconds."""
    with opened(url) as backend:
        for number, segment in enumerate(segments, 1):
            if not backend.append(number, segment):
                raise SystemExit(f"somebody else has written to {backend.place}")
        last = len(segments)
        backend.keep_snapshot(Snapshot(last, _RANDOM.randbytes(SNAPSHOT)))
        times = [timed_append(backend, last + n) for n in range(1, APPENDS + 1)]
    began = time.perf_counter()
    with opened(url) as backend:
        whole = sum(map(len, backend.read()))
    cold = time.perf_counter() - began
    began = time.perf_counter()
    with opened(url) as backend:
        snapshot = backend.snapshot()
        assert snapshot is not None
        assert all(len(segment) == SMALL for segment in backend.read(snapshot.number))
    warm = time.perf_counter() - began
    worst = quantiles(times, n=20)[-1]
    cells = f"{median(times):.1f} | {worst:.1f} | {cold * 1000:.0f} | {warm * 1000:.0f}"
    return f"| {name} | {whole / 1e6:.0f} | {cells} |"


def timed_append(backend: StateBackend, number: int) -> float:
    segment = _RANDOM.randbytes(SMALL)
    began = time.perf_counter()
    assert backend.append(number, segment)
    return (time.perf_counter() - began) * 1000


def opened(url: str) -> "closing[StateBackend]":
    env = os.environ | {"LMSSYNC_STATE": url}  # only the environment may name an address
    return closing(open_backend(url, Path(tempfile.gettempdir()), "bench", env))


def main() -> None:
    segments = [_RANDOM.randbytes(SIZE) for _ in range(SEGMENTS)]
    print("| backend | MB | append, median | append, 95th | whole log | snapshot and the rest |")
    print("|---|---:|---:|---:|---:|---:|", flush=True)
    if urls := sys.argv[1:]:
        for url in urls:
            print(measure(url.partition(":")[0], url, segments), flush=True)
        return
    with of_this_machine() as backends:
        for name, url in backends.items():
            print(measure(name, url, segments), flush=True)


if __name__ == "__main__":
    main()
