"""What warnings cost: catalogs without and with four in each file, read cold, in turns.

python bench/warned.py [--courses N] [--runs N] [--warnings N] [OPTION...]   for `validate`
"""

import argparse
import math
import shutil
import tempfile
from functools import partial
from pathlib import Path

import measure
import workload
from paired import in_turn, ratio

_FROM = "markdown: |\n"
"""The head of a text, below which a link that leads nowhere is put."""
_LINK = "See [it](other.md). "


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--courses", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--warnings", type=int, default=4, help="of each file")
    args, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        clean, warned = (Path(folder) / name for name in ("clean", "warned"))
        for root in (clean, warned):
            workload.write_project(root)
            workload.write(root, range(args.courses))
        for file in warned.rglob("course-*.yaml"):
            file.write_text(_with_warnings(file.read_text("utf-8"), args.warnings), "utf-8")
        ways = {root.name: partial(cold, root, options) for root in (clean, warned)}
        found = in_turn(ways, runs=args.runs, patience=math.inf)
        without, with_ = found["clean"], found["warned"]
        if isinstance(without, measure.Failed) or isinstance(with_, measure.Failed):
            raise SystemExit(f"without: {without}; with: {with_}")
        print(f"{measure.median(without).cpu:.2f} s of CPU without, ", end="")
        print(f"{measure.median(with_).cpu:.2f} s with: {ratio(with_, without).cpu:.2f} times")


def _with_warnings(text: str, number: int) -> str:
    head, *rest = text.split(_FROM)
    pieces = [f"{_indent_of(piece)}{_LINK}{piece.lstrip(' ')}" for piece in rest[:number]]
    return _FROM.join([head, *pieces, *rest[number:]])


def _indent_of(piece: str) -> str:
    return " " * (len(piece) - len(piece.lstrip(" ")))


def cold(root: Path, options: list[str]) -> measure.Cost:
    """A validation that remembers nothing."""
    cache = root.parent / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    command = [*measure.LMSSYNC, "validate", "-C", str(root), *options]
    return measure.run(command, env={"XDG_CACHE_HOME": str(cache)}, limit=600)


if __name__ == "__main__":
    main()
