"""Measures lmssync on workload W, each command in a process of its own; prints Markdown.

python bench/run.py [--courses N ...] [--only PART ...] [--runs N] [--limit SECONDS] [--write]
python bench/run.py --against REV   each row in turn with another revision, and the ratio
"""

import argparse
import json
import math
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import report
import revisions
from measure import LMSSYNC, Cost, Failed, run
from paired import in_turn
from report import Calls, Results
from served import sandbox
from side import CHANGED_EVERY, Side

SIZES = (1_000, 10_000)
PAGE, LONG_PAGE = 200, 1_000
"""Items of one page of the lists that an import reads, and of course groups that `drift` reads."""
NAMED = 100
"""Ids that one query names."""
BATCH = 100
"""Entries of one create or update at most (spec 8, O5)."""
PATIENCE = 20.0
"""Seconds after which no further run of a row is begun."""
EXAMPLES = Path(__file__).parents[1] / "examples" / "catalog"
OLD_ENOUGH = 0.3
"""Seconds between commands: what was found out about a file that is a second old is remembered."""
ONCE_ABOVE = 2_000
"""Courses from which what takes longest is not repeated: to apply or format everything."""


class Bench:
    """One size of W: a copy of it for each program that is measured, and what came of it."""

    def __init__(self, sides: Sequence[Side], options: argparse.Namespace) -> None:
        self.sides, self.now = sides, sides[-1]
        self.courses, self.options = self.now.courses, options
        self.results = Results(self.courses)

    @contextmanager
    def served(self, data: str, profile: str = "core") -> Iterator[None]:
        """A platform for each side, on data of its own."""
        with ExitStack() as stack:
            for side in self.sides:
                there = side.root.with_name(f"{side.root.name}-{data}")
                side.platform = stack.enter_context(sandbox(there, profile, side.program))
            yield

    def measure(
        self,
        row: str,
        *args: str,
        before: Callable[[Side], object] = lambda _side: None,
        runs: int | None = None,
    ) -> Sequence[Cost]:
        """Some runs of a command in the catalogs; a failure is a result too."""

        def once(side: Side) -> Cost:
            before(side)
            return side.call(*args, limit=self.options.limit)

        return self.rounds(row, once, runs=runs or self.options.runs)

    def rounds(self, row: str, once: Callable[[Side], Cost], *, runs: int) -> Sequence[Cost]:
        """Some rounds in which each side has its turn; the costs of the program as it is now."""
        ways = {side.name: partial(once, side) for side in self.sides}
        found = in_turn(ways, runs=runs, patience=PATIENCE * len(ways))
        self.results.keep(row, found)
        tell(self.courses, row, self.results)
        costs = found[self.now.name]
        if isinstance(costs, Failed):
            raise costs
        return costs


def tell(courses: int, row: str, results: Results) -> None:
    words = report.words(results, row)
    print(f"{courses:>7,}  {report.ROWS[row].what}: {words}", file=sys.stderr, flush=True)


def start(bench: Bench) -> None:
    def once(side: Side) -> Cost:
        return run([*LMSSYNC, "--help"], env=side.program, limit=bench.options.limit)

    bench.rounds("help", once, runs=max(bench.options.runs, 9))

    def explain(side: Side) -> Cost:
        env = {**side.program, "XDG_CACHE_HOME": str(side.cache)}
        command = [*LMSSYNC, "explain", "course.title"]
        return run(command, env=env, limit=bench.options.limit)

    for side in bench.sides:
        explain(side)
    bench.rounds("look-explain", explain, runs=max(bench.options.runs, 9))


LOOKS = ("validate", "status", "outline", "plan", "fmt --check")
"""Commands that only look at a catalog, each with its row."""


def look(bench: Bench) -> None:
    """Looks at the example catalog, applied, with nothing changed since."""
    examples = Bench([side.beside() for side in bench.sides], bench.options)
    examples.results = bench.results
    with bench.served("look"):
        for side in examples.sides:
            shutil.copytree(EXAMPLES, side.root)
            side.platform = next(one.platform for one in bench.sides if one.name == side.name)
            for command in ("apply --yes", *LOOKS, *LOOKS):  # what can be remembered is
                side.call(*command.split(), limit=bench.options.limit)
                time.sleep(OLD_ENOUGH)
        for command in LOOKS:
            runs = max(bench.options.runs, 9)
            examples.measure(f"look-{command.split()[0]}", *command.split(), runs=runs)


def validate(bench: Bench) -> None:
    bench.measure("validate-cold", "validate", before=Side.forget_cache)
    bench.measure("validate-warm", "validate")
    bench.measure("validate-changed", "validate", before=Side.edit)


def put_in_order(bench: Bench) -> None:
    """W is not in its canonical form, so every file is written; then every file is proven."""
    runs = 1 if bench.courses > ONCE_ABOVE else bench.options.runs
    bench.measure("fmt", "fmt", before=Side.make, runs=runs)
    bench.measure("fmt-check", "fmt", "--check", runs=runs)
    for side in bench.sides:
        side.make()


def plan(bench: Bench) -> None:
    """A plan of everything on a platform that has none of it."""
    for side in bench.sides:
        side.forget()
    with bench.served("plan"):
        bench.measure("plan-new", "plan", before=Side.forget_cache)


def apply(bench: Bench) -> None:
    """Everything is made, each time on a new platform; then life goes on with the last one."""
    rounds = 1 if bench.courses > ONCE_ABOVE else bench.options.runs
    least = Calls(writes=math.ceil(bench.courses / BATCH), reads=bench.courses)
    for number in range(rounds):
        for side in bench.sides:
            side.forget()
        with bench.served(f"apply-{number}"):
            applied(bench, "apply-new", least=least, runs=1)
            if number + 1 == rounds:
                maintain(bench)
    bench.rounds("sandbox", partial(_opened, f"apply-{rounds - 1}"), runs=bench.options.runs)


def _opened(data: str, side: Side) -> Cost:
    """The sandbox, started with everything in it."""
    with sandbox(side.root.with_name(f"{side.root.name}-{data}"), env=side.program) as platform:
        return platform.cost()


def maintain(bench: Bench) -> None:
    """What a team does every day once the catalog is there."""
    bench.measure("plan-same", "plan")
    bench.measure("plan-changed", "plan", before=Side.edit)
    changed = math.ceil(bench.courses / CHANGED_EVERY)
    least = Calls(writes=math.ceil(changed / BATCH), reads=changed)
    applied(bench, "apply-changed", least=least, before=Side.edit)
    looked_over(bench, "drift", least=bench.courses)
    bench.measure("status", "status")


def looked_over(bench: Bench, row: str, *, least: int) -> None:
    """A look at everything; `least` is how many reads that takes."""
    before = bench.now.requests()
    costs = bench.measure(row, "drift", "--json")
    seen = (bench.now.requests() - before) // len(costs)
    told = Calls(writes=0, reads=json.loads(costs[-1].output)["calls"])
    bench.results.calls[row] = report.Compared(told, seen, Calls(writes=0, reads=least))


def bring_in(bench: Bench) -> None:
    """An instance with further routes: a look at everything, and manifests for all of it."""
    for side in bench.sides:
        side.forget()
        side.project("profile: extended")
    with bench.served("import", "extended"):
        bench.measure("apply-extended", "apply", "--yes", runs=1)
        # A course with its pages, the groups in a list, and tags by a search for many.
        courses = bench.courses
        least = courses + math.ceil(courses / LONG_PAGE) + math.ceil(courses / NAMED)
        looked_over(bench, "drift-extended", least=least)
        new = Bench([side.beside() for side in bench.sides], bench.options)
        new.results = bench.results
        before = bench.now.requests()
        costs = new.measure("import", "import", "--all", before=Side.begin)
        seen = (bench.now.requests() - before) // len(costs)
    for side in bench.sides:
        side.project("profile: core")
    # A course with its pages, its criteria and its paths, and two lists of all courses.
    fewest = Calls(writes=0, reads=3 * bench.courses + 2 * math.ceil(bench.courses / PAGE))
    bench.results.calls["import"] = report.Compared(Calls(0, seen), seen, fewest)


def apply_and_trust(bench: Bench) -> None:
    """What has to be read where little is read back, and where the times of lists are relied on."""
    batches = math.ceil(bench.courses / BATCH)
    for side in bench.sides:
        side.forget()
        side.project("verify: needed")
    with bench.served("needed"):  # one read shows that an instance shows marks
        applied(bench, "apply-needed", least=Calls(writes=batches, reads=1), runs=1)
    for side in bench.sides:
        side.forget()
        side.project("profile: extended, capabilities: {content.times: true}")
    with bench.served("times", "extended"):
        bench.measure("apply-extended", "apply", "--yes", runs=1)
        looked_over(bench, "drift-same", least=batches + math.ceil(bench.courses / LONG_PAGE))
    for side in bench.sides:
        side.project("profile: core")


def applied(bench: Bench, row: str, *, least: Calls, **how: Any) -> Sequence[Cost]:
    """Measures an apply and counts the requests that reach the platform."""
    before = bench.now.requests()
    costs = bench.measure(row, "apply", "--yes", "--json", **how)
    seen = (bench.now.requests() - before) // len(costs)
    bench.results.calls[row] = report.compare(costs[-1].output, seen=seen, least=least)
    return costs


PARTS: dict[str, Callable[[Bench], None]] = {
    "help": start,
    "look": look,
    "validate": validate,
    "plan": plan,
    "apply": apply,
    "trust": apply_and_trust,
    "import": bring_in,
    "fmt": put_in_order,
}


def measured(courses: int, options: argparse.Namespace, scratch: Path) -> Results:
    """Every wanted part at one size; a part that fails does not stop the others."""
    programs = revisions.programs(options.against, scratch / "before")
    sides = [Side(name, scratch / f"{name}-{courses}", courses, env) for name, env in programs]
    bench = Bench(sides, options)
    for side in sides:
        bench.results.bytes = side.make()
    for name in options.only:
        try:
            PARTS[name](bench)
        except Failed as failure:
            print(f"{name} at {courses:,} courses: {failure}", file=sys.stderr)
    for side in sides:  # so that two sizes need not have room at once
        side.remove()
    return bench.results


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures lmssync on generated catalogs.")
    parser.add_argument("--courses", type=int, nargs="+", default=SIZES)
    parser.add_argument("--only", choices=PARTS, nargs="+", default=list(PARTS))
    parser.add_argument("--against", metavar="REV", help="a revision of git to measure in turn")
    parser.add_argument("--runs", type=int, default=3, help="most runs of a row; medians are shown")
    parser.add_argument("--limit", type=float, default=900, help="seconds for any one command")
    parser.add_argument("--write", action="store_true", help="put the tables into README.md")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="lmssync-bench-") as scratch:
        found = [measured(courses, options, Path(scratch)) for courses in sorted(options.courses)]
    text = report.paired(found, load) if options.against else report.markdown(found, load)
    print(text)
    if options.write and not options.against:
        where = "figures" if max(options.courses) <= report.FULL else "large"
        report.write(Path(__file__).with_name("README.md"), text, where)


if __name__ == "__main__":
    main()
