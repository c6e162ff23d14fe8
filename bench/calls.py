"""Counts the calls that reach the platform, by route, for what users do most.

python bench/calls.py [--courses N ...] [--instance core extended times] [--verify all needed]
    [--account standard enterprise] [--only drift adopt edits import]
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import report
import workload
from measure import AS_INSTALLED, LMSSYNC, Failed
from served import Sandbox, sandbox
from simulated_pace import simulate_minutes

COURSES, EDITED_EVERY, BY_HAND_EVERY = 100, 20, 100
LOG = 20_000
"""Requests that the sandbox remembers."""
SECONDS = 3_600
"""After that long a command is stopped."""
CHANGES = 2
"""The exit code of a look that has found something."""
PARTS = ("drift", "adopt", "edits", "import")
"""What is counted after the first apply."""
ACCOUNTS = ("standard", "enterprise")
"""Accounts whose limits a first apply meets."""
BATCH, PAGE = 100, 1_000
"""Courses that one call makes or one search shows, and groups of a page of their list."""
INSTANCES = {
    "core": "profile: core",
    "extended": "profile: extended",
    "times": "profile: extended, capabilities: {content.times: true}",
}
"""What the project file says of an instance; on the last one the times of lists are relied on."""


class Counted(NamedTuple):
    """One command, with the requests that it has sent by route."""

    what: str
    setting: str
    least: int
    by_route: Counter[str]

    def spell_row(self) -> str:
        total = self.by_route.total()
        routes = ", ".join(f"{name} {number:,}" for name, number in self.by_route.most_common())
        standard, enterprise = (
            f"{simulate_minutes(total, account):,.1f}" for account in ("standard", "enterprise")
        )
        return (
            f"| {self.what} | {self.setting} | {total:,} | {self.least:,} | {standard} | "
            f"{enterprise} | {routes} |"
        )


class Counting(NamedTuple):
    """A catalog, the sandbox that it is applied to, and a folder for what is made beside it."""

    root: Path
    instance: str
    verify: str
    account: str
    platform: Sandbox

    def count(self, what: str, least: int, *command: str, root: Path | None = None) -> Counted:
        """Runs a command; raises `Failed` if it does not do what it was asked."""
        self.platform.order("requests", method="DELETE")
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
        seen = self.platform.order(f"requests?limit={LOG}")["requests"]
        if len(seen) == LOG:
            raise Failed(f"the sandbox remembers {LOG:,} requests only: take fewer courses")
        routes = Counter(one["route"] for one in seen)
        of_account = f", {self.account}" if self.account in ACCOUNTS else ""
        return Counted(what, f"{self.instance}, {self.verify}{of_account}", least, routes)

    def edit_by_hand(self, every: int) -> None:
        """Changes titles in the admin interface, a day later."""
        self.platform.order("clock", {"advanceSeconds": 86_400})
        for one in self.platform.order("dump?only=courses")["courses"][::every]:
            for list_, id_ in (("courses", one["id"]), ("courseGroups", one["courseGroupId"])):
                self.platform.order(
                    "edit", {"list": list_, "id": id_, "set": {"title": f"{one['title']}!"}}
                )


def count_all(counting: Counting, courses: int, only: Collection[str]) -> Iterator[Counted]:
    """A catalog is applied, looked at, edited, and taken over into other states: those parts of
    `PARTS` that are asked for, in this order."""
    edited, root = max(1, courses // EDITED_EVERY), counting.root
    lists = -(-courses // BATCH) + -(-courses // PAGE)
    further, relies = counting.instance != "core", counting.instance == "times"
    moved = -(-courses // BY_HAND_EVERY)
    workload.write(root, range(courses))
    first = -(-courses // BATCH) + 2
    # How much is read back at once depends on the limits; nobody waits for them in the other rows.
    counting.platform.limit_account(counting.account)
    yield counting.count(f"first `apply` of {courses:,}", first, "apply", "--yes")
    counting.platform.limit_account("off")
    if "drift" in only:
        known = lists if relies and counting.verify == "all" else courses  # else parts are paired
        yield counting.count(f"`drift` of {courses:,}, just applied", known, "drift")
        again = lists if relies else courses
        yield counting.count(f"`drift` of {courses:,} again, nothing moved", again, "drift")
    if "adopt" in only:  # by ids: after a drift, or with `verify: all`, each course has its own
        pairs, other = _write_pairs(root), _copy_project(counting, "adopted")
        workload.write(other, range(courses))
        adopt = ("adopt", "--from", str(pairs), "--new-state")
        yield counting.count(f"`adopt` of {courses:,}", courses, *adopt, root=other)
    if "drift" in only:
        counting.edit_by_hand(BY_HAND_EVERY)
        what = f"`drift` of {courses:,} a day later, one in {BY_HAND_EVERY} changed by hand"
        yield counting.count(what, lists + moved if relies else courses, "drift")
    if "edits" in only:
        workload.write(root, range(1, courses, courses // edited), revision=1)
        saved = root.with_name(f"{root.name}.plan.json")
        yield counting.count(f"`plan` of {edited:,} edits", edited, "plan", "--out", str(saved))
        sent = -(-edited // BATCH) + (3 if relies else edited)
        yield counting.count("`apply` of that plan", sent, "apply", str(saved))
    if further and "import" in only:
        empty = _copy_project(counting, "imported")
        what = f"`import --all` of {courses:,}"
        yield counting.count(what, 3 * courses + lists, "import", "--all", root=empty)


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


def count_setting(
    scratch: Path, courses: int, instance: str, verify: str, account: str, only: Collection[str]
) -> Iterator[Counted]:
    root = scratch / f"{instance}-{verify}-{account}-{courses}"
    workload.write_project(root)
    with (root / "lmssync.yaml").open("a", encoding="utf-8") as project:
        project.write(f"platform: {{{INSTANCES[instance]}, verify: {verify}}}\n")
    profile = "core" if instance == "core" else "extended"
    with sandbox(scratch / f"{root.name}-data", profile) as platform:
        yield from count_all(Counting(root, instance, verify, account, platform), courses, only)


COLUMNS = (
    "| what | instance, verify | calls | least | minutes, standard | enterprise | by route |",
    "|---|---|---:|---:|---:|---:|---|",
)


def replace_rows(table: str, rows: Sequence[Counted]) -> str:
    """A table with these rows in the place of those about the same, and new ones at its end."""
    known = {_name_row(line): line for line in table.splitlines()[len(COLUMNS) :]}
    known |= {_name_row(line): line for line in (one.spell_row() for one in rows)}
    return "\n".join([*COLUMNS, *known.values()])


def _name_row(line: str) -> str:
    """What was counted, and in which setting: the first two cells."""
    return "|".join(line.split("|")[:3])


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts calls by route.")
    parser.add_argument("--courses", type=int, nargs="+", default=[COURSES])
    parser.add_argument("--instance", choices=INSTANCES, nargs="+", default=[*INSTANCES])
    parser.add_argument("--verify", nargs="+", default=["minute"])
    parser.add_argument("--account", choices=(*ACCOUNTS, "off"), nargs="+", default=[*ACCOUNTS])
    parser.add_argument("--only", choices=(*PARTS, "apply"), nargs="+", default=[*PARTS])
    parser.add_argument("--write", action="store_true", help="put the rows into README.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lmssync-bench-") as scratch:
        rows = list[Counted]()
        for asked in product(options.courses, options.instance, options.verify, options.account):
            for row in count_setting(Path(scratch), *asked, options.only):
                print(row.spell_row(), file=sys.stderr, flush=True)
                rows.append(row)
    print(replace_rows("", rows))
    if options.write:
        page = Path(__file__).with_name("README.md")
        report.write(page, replace_rows(report.read(page, "calls"), rows), "calls")


if __name__ == "__main__":
    main()
