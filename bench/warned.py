"""What a warning costs: catalogs without and with one in each file, read cold, in turns.

python bench/warned.py [--courses N] [--runs N] [OPTION...]   options go to `validate`
"""

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path

import measure
import workload

_FROM = "markdown: |\n"
"""The head of a text, below which a link that leads nowhere is put."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--courses", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=5)
    args, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        clean, warned = (Path(folder) / name for name in ("clean", "warned"))
        for root in (clean, warned):
            workload.write_project(root)
            workload.write(root, range(args.courses))
        for file in warned.rglob("course-*.yaml"):
            file.write_text(_with_warning(file.read_text("utf-8")), "utf-8")
        ratios = []
        for _ in range(args.runs):
            without, with_ = (cold(root, options) for root in (clean, warned))
            ratios.append(with_ / without)
            print(f"{without:.2f} s of CPU without, {with_:.2f} s with: {ratios[-1]:.2f} times")
        print(f"median: {statistics.median(ratios):.2f} times")


def _with_warning(text: str) -> str:
    head, mark, rest = text.partition(_FROM)
    indent = " " * (len(rest) - len(rest.lstrip(" ")))
    return f"{head}{mark}{indent}See [it](other.md). {rest.lstrip(' ')}"


def cold(root: Path, options: list[str]) -> float:
    """CPU seconds of a validation that remembers nothing."""
    cache = root.parent / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    command = [*measure.LMSSYNC, "validate", "-C", str(root), *options]
    return measure.run(command, env={"XDG_CACHE_HOME": str(cache)}, limit=600).cpu


if __name__ == "__main__":
    main()
