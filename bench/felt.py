"""What somebody waits for: seconds of a processor that a command takes, its calls, and how long
these take at the limits of an account.

python bench/felt.py [--courses N ...] [--write]
"""

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import report
from measure import Failed, machine
from served import sandbox
from side import Side
from simulated_pace import simulate_minutes

SIZES = (100, 1_000, 10_000)
ACCOUNTS = ("standard", "enterprise")
LIMIT = 3_600.0
"""Seconds after which a command is stopped."""
LISTS = "profile: extended, capabilities: {content.times: true}, verify: all"
"""An instance with further routes, where the times of lists are relied on, and all is read once."""


class Felt(NamedTuple):
    """What one command took at one size."""

    what: str
    seconds: float
    calls: int
    accounts: Sequence[str] = ACCOUNTS

    def spell_cell(self) -> str:
        """Seconds; then calls, and how long they take at these limits, if that can be felt."""
        took = f"{self.seconds:.1f} s, {self.calls:,} calls"
        waits = [simulate_minutes(self.calls, one) for one in self.accounts]
        return f"{took}: {' / '.join(map(spell_wait, waits))}" if max(waits) > 0.1 else took


def spell_wait(minutes: float) -> str:
    """`4 s`, `16 min`, `9 h`."""
    if minutes < 1:
        return f"{minutes * 60:.0f} s"
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.0f} h"


class Feeling:
    """Commands on one catalog, whose platform has nothing of it at first."""

    def __init__(self, side: Side) -> None:
        self.side = side

    def feel(self, what: str, *command: str) -> Felt:
        """Runs a command; raises `Failed` if it does not do what it was asked."""
        before = self.side.requests()
        cost = self.side.call(*command, limit=LIMIT)
        return Felt(what, cost.cpu, self.side.requests() - before)


def feel_first_apply(feeling: Feeling, account: str) -> Felt:
    """How much is read back at once depends on the limits of the account."""
    feeling.side.platform.limit_account(account)
    felt = feeling.feel(f"`apply`, everything new, {account} account", "apply", "--yes")
    feeling.side.platform.limit_account("off")
    return felt._replace(accounts=[account])


def feel_enterprise(feeling: Feeling) -> Iterator[Felt]:
    yield feel_first_apply(feeling, "enterprise")


def feel_core(feeling: Feeling) -> Iterator[Felt]:
    """A new catalog, and a day of work with it, where nothing is set."""
    yield feeling.feel("`validate`, the first", "validate")
    yield feeling.feel("`validate`, nothing changed", "validate")
    yield feeling.feel("`plan`, everything new", "plan")
    yield feel_first_apply(feeling, "standard")
    yield feeling.feel("`plan`, nothing changed", "plan")
    feeling.side.edit()
    yield feeling.feel("`plan`, 1 % changed", "plan")
    yield feeling.feel("`apply`, 1 % changed", "apply", "--yes")
    yield feeling.feel("`drift`", "drift", "--json")
    yield feeling.feel("`status`", "status")


def feel_needed(feeling: Feeling) -> Iterator[Felt]:
    """Little is read back at once."""
    yield feeling.feel("`apply`, everything new, `verify: needed`", "apply", "--yes")


def feel_lists(feeling: Feeling) -> Iterator[Felt]:
    """What has not moved is not read."""
    feeling.side.call("apply", "--yes", limit=LIMIT)
    yield feeling.feel("`drift`, nothing moved, `content.times`", "drift", "--json")


PARTS: Sequence[tuple[str, str, Callable[[Feeling], Iterator[Felt]]]] = (
    ("core", "profile: core", feel_core),
    ("core", "profile: core", feel_enterprise),
    ("core", "verify: needed", feel_needed),
    ("extended", LISTS, feel_lists),
)


def feel_size(scratch: Path, courses: int) -> Iterator[Felt]:
    for number, (profile, settings, feel) in enumerate(PARTS):
        side = Side("now", scratch / f"{courses}-{number}", courses, {})
        side.make()
        side.project(settings)
        with sandbox(scratch / f"{courses}-{number}-platform", profile) as side.platform:
            for felt in feel(Feeling(side)):
                print(f"{courses:>7,}  {felt.what}: {felt.spell_cell()}", flush=True)
                yield felt
        side.remove()


def table(sizes: Sequence[int], found: Sequence[Sequence[Felt]]) -> Iterator[str]:
    yield " | ".join(["| what", *(f"{size:,} courses" for size in sizes)]) + " |"
    yield "|---" * (len(sizes) + 1) + "|"
    for row in zip(*found, strict=True):
        yield " | ".join([f"| {row[0].what}", *(felt.spell_cell() for felt in row)]) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures what somebody waits for.")
    parser.add_argument("--courses", type=int, nargs="+", default=SIZES)
    parser.add_argument("--write", action="store_true", help="put the table into README.md")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="lmssync-bench-") as scratch:
        try:
            found = [list(feel_size(Path(scratch), courses)) for courses in options.courses]
        except Failed as failure:
            raise SystemExit(str(failure)) from None
    head = f"Machine: {machine()}; a load of {load:.1f} when this began."
    text = "\n".join([head, "", *table(options.courses, found)])
    print(text)
    if options.write:
        report.write(Path(__file__).with_name("README.md"), text, "felt")


if __name__ == "__main__":
    main()
