"""What the home on a git ref costs: a durable append, and the fetch of a runner that has nothing.

    python bench/git_home.py [segments] [bytes of each]

Over a path, git's own protocol and HTTP, all on this machine: git's own work without a network.
"""

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lmssync.homes import Home, Snapshot
from lmssync.homes.git import git_home
from tests.homes import git_server as served

_APPENDS = 20
_SMALL = 2_000
_WORDS = random.Random(1).choices([f"word{n}" for n in range(2_000)], k=200_000)


@contextmanager
def connections(folder: Path) -> Iterator[dict[str, Callable[[], Home]]]:
    """For each transport, what opens the home of a state that has a repository of its own."""
    with ExitStack() as stack:
        for name in ("path", "git", "http"):
            served.bare(folder / name / "state.git")
        git = stack.enter_context(served.daemon(folder / "git"))
        http = stack.enter_context(served.http(folder / "http", writers_only=True))
        yield {
            "path": _opening(folder, str(folder / "path" / "state.git"), ""),
            "git": _opening(folder, f"{git}/state.git", ""),
            "http": _opening(folder, f"{http}/state.git", http),
        }


def _opening(folder: Path, url: str, server: str) -> Callable[[], Home]:
    env = {"GITHUB_SERVER_URL": server, "GITHUB_TOKEN": served.TOKEN}
    return lambda: git_home(f"git:{url}#state", folder / "catalog", env, trusted=True)


def measure(name: str, connect: Callable[[], Home], cache: Path, segments: list[bytes]) -> str:
    """A line of the table: all times in milliseconds, medians where something is done often."""
    home = connect()
    _all(home.append(number, segment) for number, segment in enumerate(segments, 1))
    last = len(segments)
    home.keep_snapshot(Snapshot(last, b"".join(segments)))
    small = [_timed(partial(home.append, last + n, os.urandom(_SMALL))) for n in range(1, _APPENDS)]
    nothing = [_timed(lambda: list(home.read(last + _APPENDS))) for _ in range(_APPENDS)]
    home.close()
    warm = _timed(lambda: list(_closing(connect(), last)))
    cache.rename(cache.with_name(f"used-{name}"))  # as on a runner that was just made
    cold = _timed(lambda: list(_closing(connect(), 0)))
    size = sum(map(len, segments)) / 1e6
    cells = (
        f"{statistics.median(small):.0f}",
        f"{statistics.median(nothing):.0f}",
        f"{warm:.0f}",
        f"{cold:.0f}",
    )
    return f"| {name} | {last} | {size:.0f} MB | {' | '.join(cells)} |"


def _all(kept: Iterator[bool]) -> None:
    if not all(kept):
        raise SystemExit("somebody else has written to the state")


def _closing(home: Home, after: int) -> Iterator[bytes]:
    yield from home.read(after)
    home.close()


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def main() -> None:
    count, size = (int(word) for word in (sys.argv[1:] + ["300", "150000"][len(sys.argv) - 1 :]))
    text = " ".join(_WORDS).encode()
    starts = random.Random(2).choices(range(len(text) - size), k=count)
    segments = [text[start : start + size] for start in starts]
    print("| Transport | Segments | Size | Append | Nothing new | Warm | Cold |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        with connections(folder) as all_:
            for transport, connect in all_.items():
                cache = folder / "cache" / "lmssync"
                print(measure(transport, connect, cache, segments), flush=True)


if __name__ == "__main__":
    main()
