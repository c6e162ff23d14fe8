"""Counts the calls that reach the platform, by route, for what users do most.

python bench/calls.py [--courses N] [--profile core extended] [--write]
"""

import argparse
import csv
import json
import os
import subprocess
import tempfile
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import report
import workload
from measure import AS_INSTALLED, LMSSYNC, Failed
from served import Sandbox, sandbox

COURSES, EDITED_EVERY, BY_HAND_EVERY = 100, 20, 100
LOG = 20_000
"""Requests that the sandbox remembers."""
SECONDS = 3_600
"""After that long a command is stopped."""
CHANGES = 2
"""The exit code of a look that has found something."""
HOURLY = 1_000
"""Calls that a standard account may send in an hour (spec 8)."""


class Counted(NamedTuple):
    """One command, with the requests that it has sent by route."""

    what: str
    profile: str
    by_route: Counter[str]

    def spell_row(self) -> str:
        total = self.by_route.total()
        routes = ", ".join(f"{name} {number:,}" for name, number in self.by_route.most_common())
        return (
            f"| {self.what} | {self.profile} | {total:,} | {total * 60 / HOURLY:,.1f} | {routes} |"
        )


class Counting(NamedTuple):
    """A catalog, the sandbox that it is applied to, and a folder for what is made beside it."""

    root: Path
    profile: str
    platform: Sandbox

    def count(self, what: str, *command: str, root: Path | None = None) -> Counted:
        """Runs a command; raises `Failed` if it does not do what it was asked."""
        self._ask("requests", method="DELETE")
        cache = self.root.with_name("cache")
        env = os.environ | AS_INSTALLED | self.platform.env | {"XDG_CACHE_HOME": str(cache)}
        done = subprocess.run(
            [*LMSSYNC, *command, "-C", str(root or self.root)],
            env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=SECONDS, check=False,
        )  # fmt: skip
        if done.returncode not in {0, CHANGES}:
            raise Failed(
                f"`{' '.join(command)}` ended with {done.returncode}: {done.stderr[-400:]}"
            )
        seen = self._ask(f"requests?limit={LOG}")["requests"]
        if len(seen) == LOG:
            raise Failed(f"the sandbox remembers {LOG:,} requests only: take fewer courses")
        return Counted(what, self.profile, Counter(one["route"] for one in seen))

    def edit_by_hand(self, every: int) -> None:
        """Changes titles in the admin interface, a day later."""
        self._ask("clock", {"advanceSeconds": 86_400})
        for one in self._ask("dump?only=courses")["courses"][::every]:
            for list_, id_ in (("courses", one["id"]), ("courseGroups", one["courseGroupId"])):
                self._ask("edit", {"list": list_, "id": id_, "set": {"title": f"{one['title']}!"}})

    def _ask(self, path: str, body: Any = None, method: str | None = None) -> Any:
        """An order to the control plane of the sandbox."""
        request = urllib.request.Request(
            f"{self.platform.base_url}/_sandbox/{path}",
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


def count_all(counting: Counting, courses: int) -> Iterator[Counted]:
    """A catalog is applied, looked at, edited, and taken over into other states."""
    edited, root = max(1, courses // EDITED_EVERY), counting.root
    workload.write(root, range(courses))
    yield counting.count(f"first `apply` of {courses:,}", "apply", "--yes")
    pairs = _write_pairs(root)
    yield counting.count("`drift` of what was just applied", "drift")
    other = _copy_project(counting, "adopted")
    workload.write(other, range(courses))
    adopt = ("adopt", "--from", str(pairs), "--new-state")
    yield counting.count(f"`adopt` of {courses:,}", *adopt, root=other)
    counting.edit_by_hand(BY_HAND_EVERY)
    yield counting.count(f"`drift` a day later, one in {BY_HAND_EVERY} changed by hand", "drift")
    workload.write(root, range(1, courses, courses // edited), revision=1)
    saved = root.with_name(f"{root.name}.plan.json")
    yield counting.count(f"`plan` of {edited:,} edits", "plan", "--out", str(saved))
    yield counting.count("`apply` of that plan", "apply", str(saved))
    if counting.profile == "extended":
        empty = _copy_project(counting, "imported")
        yield counting.count(f"`import --all` of {courses:,}", "import", "--all", root=empty)


def _write_pairs(root: Path) -> Path:
    """The address and the id of each course that the state has, as `adopt --from` takes them."""
    listed = subprocess.run(
        [*LMSSYNC, "state", "list", "--json", "-C", str(root)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    file = root.with_name(f"{root.name}.csv")
    with file.open("w", newline="", encoding="utf-8") as out:
        rows = json.loads(listed.stdout)["resources"]
        csv.writer(out).writerows((one["address"], one["ids"]["course"]) for one in rows)
    return file


def _copy_project(counting: Counting, name: str) -> Path:
    """A folder with the same project file and nothing else."""
    folder = counting.root.with_name(f"{counting.root.name}-{name}")
    folder.mkdir()
    (folder / "lmssync.yaml").write_bytes((counting.root / "lmssync.yaml").read_bytes())
    return folder


def count_profile(scratch: Path, profile: str, courses: int) -> Iterator[Counted]:
    root = scratch / profile
    workload.write_project(root)
    with (root / "lmssync.yaml").open("a", encoding="utf-8") as project:
        project.write(f"platform: {{profile: {profile}}}\n")
    with sandbox(scratch / f"{profile}-data", profile) as platform:
        yield from count_all(Counting(root, profile, platform), courses)


def make_table(rows: Sequence[Counted], courses: int) -> str:
    head = f"{courses:,} courses of W. Minutes are those of the calls at {HOURLY:,} an hour.\n"
    columns = "| what | profile | calls | minutes | by route |\n|---|---|---:|---:|---|\n"
    return f"{head}\n{columns}" + "\n".join(one.spell_row() for one in rows) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts calls by route.")
    parser.add_argument("--courses", type=int, default=COURSES)
    parser.add_argument(
        "--profile", choices=("core", "extended"), nargs="+", default=["core", "extended"]
    )
    parser.add_argument("--write", action="store_true", help="put the table into README.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lmssync-bench-") as scratch:
        rows = [
            row
            for profile in options.profile
            for row in count_profile(Path(scratch), profile, options.courses)
        ]
    table = make_table(rows, options.courses)
    print(table)
    if options.write:
        report.write(Path(__file__).with_name("README.md"), table, "calls")


if __name__ == "__main__":
    main()
