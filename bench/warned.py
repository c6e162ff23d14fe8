"""What warnings cost: catalogs with four links in each file that are right, and with four that each
get a warning, read cold, in turns.

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
"""The head of a text, below which a link is put."""
_LINK = "See [it]({}other.md). "
_WHERE = {"clean": "https://example.org/", "warned": ""}
"""What stands before a link that is right, and before one that leads nowhere."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--courses", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--warnings", type=int, default=4, help="of each file")
    args, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        roots = {name: Path(folder) / name for name in _WHERE}
        for name, root in roots.items():
            workload.write_project(root)
            workload.write(root, range(args.courses))
            link = _LINK.format(_WHERE[name])
            for file in root.rglob("course-*.yaml"):
                file.write_text(_with_links(file.read_text("utf-8"), link, args.warnings), "utf-8")
        ways = {name: partial(cold, root, options) for name, root in roots.items()}
        found = in_turn(ways, runs=args.runs, patience=math.inf)
        without, with_ = found["clean"], found["warned"]
        if isinstance(without, measure.Failed) or isinstance(with_, measure.Failed):
            raise SystemExit(f"without: {without}; with: {with_}")
        print(f"{measure.median(without).cpu:.2f} s of CPU without, ", end="")
        print(f"{measure.median(with_).cpu:.2f} s with: {ratio(with_, without).cpu:.2f} times")


def _with_links(text: str, link: str, number: int) -> str:
    head, *rest = text.split(_FROM)
    pieces = [f"{_indent_of(piece)}{link}{piece.lstrip(' ')}" for piece in rest[:number]]
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
