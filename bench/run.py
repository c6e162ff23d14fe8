"""Measures lmssync on workload W, each command in a process of its own; prints Markdown.

python bench/run.py [--courses N ...] [--only PART ...] [--runs N] [--limit SECONDS] [--write]
"""

import argparse
import json
import math
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any

import report
import workload
from measure import LMSSYNC, Cost, Failed, Figure, median, run, several
from report import Calls, Results
from served import Sandbox, sandbox

SIZES = (1_000, 10_000)
PARTS = ("help", "validate", "plan", "apply", "import")
CHANGED_EVERY = 100
"""1 % of the courses: every hundredth."""
PAGE, LONG_PAGE = 200, 1_000
"""Items of one page of the lists that an import reads, and of course groups that `drift` reads."""
NAMED = 100
"""Ids that one query names."""
BATCH = 100
"""Entries of one create or update at most (spec 8, O5)."""
PATIENCE = 20.0
"""Seconds after which no further run of a row is begun."""
APPLY_ONCE_ABOVE = 2_000
"""Courses from which an apply of everything is not repeated: each takes a sandbox of its own."""


class Bench:
    """One catalog of W, and what has been measured on it."""

    def __init__(self, root: Path, courses: int, options: argparse.Namespace) -> None:
        self.root, self.courses = root, courses
        self.cache = root.with_name(f"{root.name}-cache")
        self.runs, self.limit = options.runs, options.limit
        self.results: Results = Results(courses)
        self._revision = 0

    def make(self) -> None:
        workload.write_project(self.root)
        self.results.bytes = workload.write(self.root, range(self.courses))

    def beside(self, root: Path) -> "Bench":
        """Another catalog, whose figures stand beside those of this one."""
        other = copy(self)
        other.root = root
        return other

    def begin(self) -> None:
        """Nothing but a project file, for an instance with further routes."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.project(profile="extended")

    def project(self, profile: str) -> None:
        """The project file, for an instance of some profile."""
        workload.write_project(self.root)
        with (self.root / "lmssync.yaml").open("a", encoding="utf-8") as project:
            project.write(f"platform: {{profile: {profile}}}\n")

    def forget(self) -> None:
        """No state, no cache: as after a fresh checkout."""
        shutil.rmtree(self.root / ".lmssync", ignore_errors=True)
        self.forget_cache()

    def forget_cache(self) -> None:
        shutil.rmtree(self.cache, ignore_errors=True)

    def edit(self) -> None:
        """An edit of one topic in 1 % of the courses, a new one each time."""
        self._revision += 1
        changed = range(0, self.courses, CHANGED_EVERY)
        workload.write(self.root, changed, revision=self._revision)

    def measure(
        self,
        row: str,
        *args: str,
        env: Mapping[str, str] | None = None,
        before: Callable[[], object] = lambda: None,
        runs: int | None = None,
    ) -> Sequence[Cost]:
        """Some runs of a command in the catalog; a failure is a result too."""
        command = [*LMSSYNC, *args, "-C", str(self.root)]
        ours = {"XDG_CACHE_HOME": str(self.cache)}
        once = partial(run, command, env=ours | dict(env or {}), limit=self.limit)
        try:
            costs = several(once, runs=runs or self.runs, patience=PATIENCE, before=before)
        except Failed as failure:
            self.tell(row, failure)
            raise
        self.tell(row, median(costs))
        return costs

    def tell(self, row: str, found: Figure | Failed) -> None:
        self.results.rows[row] = found
        words = report.words(found)
        print(f"{self.courses:>6,}  {report.ROWS[row].what}: {words}", file=sys.stderr, flush=True)


def start(bench: Bench) -> None:
    once = partial(run, [*LMSSYNC, "--help"], env={}, limit=bench.limit)
    costs = several(once, runs=max(bench.runs, 9), patience=PATIENCE, before=lambda: None)
    bench.tell("help", median(costs))


def validate(bench: Bench) -> None:
    bench.measure("validate-cold", "validate", before=bench.forget_cache)
    bench.measure("validate-warm", "validate")
    bench.measure("validate-changed", "validate", before=bench.edit)


def plan(bench: Bench, data: Path) -> None:
    """A plan of everything on a platform that has none of it."""
    bench.forget()
    with sandbox(data) as platform:
        bench.measure("plan-new", "plan", env=platform.env, before=bench.forget_cache)


def apply(bench: Bench, data: Path) -> None:
    """Everything is made, each time on a new platform; then life goes on with the last one."""
    rounds = 1 if bench.courses > APPLY_ONCE_ABOVE else bench.runs
    least = Calls(writes=math.ceil(bench.courses / BATCH), reads=bench.courses)
    costs: list[Cost] = []
    for number in range(rounds):
        bench.forget()
        with sandbox(data / f"apply-{number}") as platform:
            costs += applied(bench, "apply-new", platform, least=least, runs=1)
            if number + 1 == rounds:
                bench.tell("apply-new", median(costs))
                maintain(bench, platform)


def maintain(bench: Bench, platform: Sandbox) -> None:
    """What a team does every day once the catalog is there."""
    bench.measure("plan-same", "plan", env=platform.env)
    bench.measure("plan-changed", "plan", env=platform.env, before=bench.edit)
    changed = math.ceil(bench.courses / CHANGED_EVERY)
    least = Calls(writes=math.ceil(changed / BATCH), reads=changed)
    applied(bench, "apply-changed", platform, least=least, before=bench.edit)
    looked_over(bench, "drift", platform, least=bench.courses)
    bench.measure("status", "status", env=platform.env)


def looked_over(bench: Bench, row: str, platform: Sandbox, *, least: int) -> None:
    """A look at everything; `least` is how many reads that takes."""
    before = platform.requests()
    costs = bench.measure(row, "drift", "--json", env=platform.env)
    seen = (platform.requests() - before) // len(costs)
    told = Calls(writes=0, reads=json.loads(costs[-1].output)["calls"])
    bench.results.calls[row] = report.Compared(told, seen, Calls(writes=0, reads=least))


def bring_in(bench: Bench, data: Path) -> None:
    """An instance with further routes: a look at everything, and manifests for all of it."""
    bench.forget()
    bench.project(profile="extended")
    with sandbox(data / "platform", "extended") as platform:
        bench.measure("apply-extended", "apply", "--yes", env=platform.env, runs=1)
        # A course with its pages, the groups in a list, and tags by a search for many.
        courses = bench.courses
        least = courses + math.ceil(courses / LONG_PAGE) + math.ceil(courses / NAMED)
        looked_over(bench, "drift-extended", platform, least=least)
        new = bench.beside(data / "catalog")
        before = platform.requests()
        costs = new.measure("import", "import", "--all", env=platform.env, before=new.begin)
        seen = (platform.requests() - before) // len(costs)
    bench.project(profile="core")
    # A course with its pages, its criteria and its paths, and two lists of all courses.
    least = Calls(writes=0, reads=3 * bench.courses + 2 * math.ceil(bench.courses / PAGE))
    bench.results.calls["import"] = report.Compared(Calls(0, seen), seen, least)


def applied(
    bench: Bench, row: str, platform: Sandbox, *, least: Calls, **how: Any
) -> Sequence[Cost]:
    """Measures an apply and counts the requests that reach the platform."""
    before = platform.requests()
    costs = bench.measure(row, "apply", "--yes", "--json", env=platform.env, **how)
    seen = (platform.requests() - before) // len(costs)
    bench.results.calls[row] = report.compare(costs[-1].output, seen=seen, least=least)
    return costs


def measured(courses: int, options: argparse.Namespace, scratch: Path) -> Results:
    """Every wanted part at one size; a part that fails does not stop the others."""
    bench = Bench(scratch / f"w-{courses}", courses, options)
    bench.make()
    parts: dict[str, Callable[[], None]] = {
        "help": partial(start, bench),
        "validate": partial(validate, bench),
        "plan": partial(plan, bench, scratch / f"plan-{courses}"),
        "apply": partial(apply, bench, scratch / f"apply-{courses}"),
        "import": partial(bring_in, bench, scratch / f"import-{courses}"),
    }
    for name in options.only:
        try:
            parts[name]()
        except Failed as failure:
            print(f"{name} at {courses:,} courses: {failure}", file=sys.stderr)
    return bench.results


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures lmssync on generated catalogs.")
    parser.add_argument("--courses", type=int, nargs="+", default=SIZES)
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS)
    parser.add_argument("--runs", type=int, default=3, help="most runs of a row; medians are shown")
    parser.add_argument("--limit", type=float, default=300, help="seconds for any one command")
    parser.add_argument("--write", action="store_true", help="put the tables into README.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lmssync-bench-") as scratch:
        found = [measured(courses, options, Path(scratch)) for courses in sorted(options.courses)]
    text = report.markdown(found)
    print(text)
    if options.write:
        report.write(Path(__file__).with_name("README.md"), text)


if __name__ == "__main__":
    main()
