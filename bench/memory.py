"""Shows how much memory each command needs as a catalog grows: the peak of its largest process.

python bench/memory.py [--courses N ...] [--only core extended] [--scratch DIR] [--write]
"""

import argparse
import csv
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import report
from measure import Failed, machine
from served import sandbox
from side import Side

SIZES = (1_000, 5_000)
LIMIT = 7_200.0
"""Seconds after which a command is stopped."""
NEEDED = "verify: needed"
"""Little is read back at once: what a command keeps in memory does not depend on that."""
LISTS = "profile: extended, capabilities: {content.times: true}, verify: needed"
"""An instance with further routes, where the times of lists are relied on."""


class Peak(NamedTuple):
    """The megabytes of one command at one size; none if it failed."""

    what: str
    peak: float | None

    def spell_cell(self) -> str:
        return "failed" if self.peak is None else f"{self.peak:.0f} MB"


def measure_peak(side: Side, what: str, *command: str) -> Peak:
    """Runs a command, says what it took, and goes on if it fails."""
    try:
        cost = side.call(*command, limit=LIMIT)
    except Failed as failure:
        print(f"{side.courses:>7,}  `{what}`: {failure}", flush=True)
        return Peak(what, None)
    took = f"{cost.peak:.0f} MB, {cost.cpu:.1f} s of a processor"
    print(f"{side.courses:>7,}  `{what}`: {took}", flush=True)
    return Peak(what, cost.peak)


def look_at_catalog(side: Side) -> Iterator[Peak]:
    """Commands that need no platform and no state."""
    yield measure_peak(side, "validate, cold", "validate")
    for command in ("validate", "outline", "graph", "tags", "translations"):
        yield measure_peak(side, command, *command.split())


def apply_catalog(side: Side) -> Iterator[Peak]:
    """From a plan of everything new to the first edits."""
    plan, pages = (str(side.root.with_name(name)) for name in ("plan.json", "pages"))
    yield measure_peak(side, "plan, everything new", "plan", "--out", plan)
    yield measure_peak(side, "show, that plan", "show", plan)
    yield measure_peak(side, "apply, that plan", "apply", plan, "--yes")
    for command in ("plan", "status", "state list", "export"):
        yield measure_peak(side, command, *command.split())
    yield measure_peak(side, "preview", "preview", "--out", pages)
    side.edit()
    yield measure_peak(side, "validate, 1 % changed", "validate")
    yield measure_peak(side, "plan, 1 % changed", "plan")
    yield measure_peak(side, "apply, 1 % changed", "apply", "--yes")


def look_at_platform(side: Side) -> Iterator[Peak]:
    """Commands that read every course."""
    yield measure_peak(side, "drift, everything", "drift", "--json")
    yield measure_peak(side, "plan --refresh all", "plan", "--refresh", "all")


def take_over(side: Side) -> Iterator[Peak]:
    """Looks by lists; then what is on the platform is taken over with an empty state."""
    side.project(LISTS)
    side.call("apply", "--yes", limit=LIMIT)
    yield measure_peak(side, "drift by lists, the first", "drift", "--json")
    yield measure_peak(side, "drift by lists, nothing moved", "drift", "--json")
    ids = side.root.with_name("ids.csv")
    write_ids(side, ids)
    (side.root / ".lmssync").rename(side.root.with_name("state"))
    yield measure_peak(side, "adopt", "adopt", "--from", str(ids), "--new-state")
    other = side.beside()
    other.root.mkdir()
    other.project(LISTS)
    yield measure_peak(other, "import --all", "import", "--all")


def write_ids(side: Side, file: Path) -> None:
    """The address and the id of each course, as `adopt --from` takes them."""
    rows = json.loads(side.call("state", "list", "--json", limit=LIMIT).output)["resources"]
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows((one["address"], one["ids"]["course"]) for one in rows)


PARTS: Mapping[str, Sequence[Callable[[Side], Iterator[Peak]]]] = {
    "core": (look_at_catalog, apply_catalog, look_at_platform),
    "extended": (take_over,),
}
"""What is measured on the sandbox of each profile."""


def measure_size(scratch: Path, courses: int, profiles: Sequence[str]) -> Iterator[Peak]:
    for profile in profiles:
        side = Side("now", scratch / f"{courses}-{profile}" / "catalog", courses, {})
        side.root.parent.mkdir(parents=True)
        side.make()
        side.project(NEEDED)
        with sandbox(side.root.with_name("platform"), profile) as side.platform:
            for measure_part in PARTS[profile]:
                yield from measure_part(side)


def table(sizes: Sequence[int], found: Sequence[Sequence[Peak]]) -> Iterator[str]:
    """A row for each command; the last column is what each further course adds, in KB."""
    columns = ["| what", *(f"{size:,} courses" for size in sizes), "KB a course"]
    yield " | ".join(columns) + " |"
    yield "|---" + "|---:" * (len(sizes) + 1) + "|"
    for row in zip(*found, strict=True):
        first, last = row[0].peak, row[-1].peak
        known = first is not None and last is not None and len(sizes) > 1
        slope = f"{(last - first) * 1_000 / (sizes[-1] - sizes[0]):.1f}" if known else ""
        cells = [f"| `{row[0].what}`", *(peak.spell_cell() for peak in row), slope]
        yield " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the memory of commands.")
    parser.add_argument("--courses", type=int, nargs="+", default=SIZES)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--scratch", type=Path, help="keep catalogs and platforms in this folder")
    parser.add_argument("--write", action="store_true", help="put the table into README.md")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="lmssync-bench-") as temporary:
        scratch = options.scratch or Path(temporary)
        found = [list(measure_size(scratch, size, options.only)) for size in options.courses]
    head = f"Machine: {machine()}; a load of {load:.1f} when this began."
    text = "\n".join([head, "", *table(options.courses, found)])
    print(text)
    if options.write:
        report.write(Path(__file__).with_name("README.md"), text, "memory")


if __name__ == "__main__":
    main()
