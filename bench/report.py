"""Puts figures into Markdown tables, beside the targets that were set for them."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from measure import Failed, Figure, machine, median
from paired import Costs, Ratio, ratio

from lmssync.vocabulary.routes import ROUTES

BEGIN, END = "<!-- {} -->", "<!-- end of {} -->"
FULL = 10_000
"""Courses that the targets are for."""
PEAK, LARGE_PEAK = 130, 250
"""MB that no command should pass with that many courses, and with more."""


class Row(NamedTuple):
    """Something that is measured, and the seconds it should stay under at 10,000 courses."""

    what: str
    target: float | None = None


ROWS = {
    "help": Row("`lmssync --help`", 0.08),
    "look-validate": Row("`validate`, the example catalog", 0.25),
    "look-status": Row("`status`, the example catalog", 0.25),
    "look-outline": Row("`outline`, the example catalog", 0.25),
    "look-explain": Row("`explain course.title`", 0.25),
    "look-plan": Row("`plan`, the example catalog, nothing changed", 0.25),
    "look-fmt": Row("`fmt --check`, the example catalog"),
    "validate-cold": Row("`validate`, cold", 6),
    "validate-warm": Row("`validate`, nothing changed", 0.2),
    "validate-changed": Row("`validate`, 1 % changed", 0.5),
    "plan-new": Row("`plan`, cold, all new", 9),
    "apply-new": Row("`apply`, all new", 15),
    "plan-same": Row("`plan`, nothing changed", 0.5),
    "plan-changed": Row("`plan`, 1 % changed", 1.2),
    "apply-changed": Row("`apply`, 1 % changed"),
    "drift": Row("`drift`, everything", 23),
    "status": Row("`status`"),
    "apply-needed": Row("`apply`, all new, `verify: needed`", 15),
    "drift-same": Row("`drift`, nothing moved, `content.times`", 3),
    "apply-extended": Row("`apply`, all new, with further routes"),
    "drift-extended": Row("`drift`, everything, with further routes"),
    "import": Row("`import --all`"),
    "fmt": Row("`fmt`, every file changes"),
    "fmt-check": Row("`fmt --check`, all in order"),
    "sandbox": Row("`sandbox serve` with all of it, until it listens"),
}


class Calls(NamedTuple):
    """Calls of an apply."""

    writes: int
    reads: int


class Compared(NamedTuple):
    """Calls as they were reported, as the platform saw them, and the fewest possible."""

    told: Calls
    seen: int
    least: Calls


@dataclass
class Results:
    """Everything that was found out at one size."""

    courses: int
    bytes: int = 0
    rows: dict[str, Figure | Failed] = field(default_factory=dict)
    calls: dict[str, Compared] = field(default_factory=dict)
    before: dict[str, Figure | Failed] = field(default_factory=dict)
    """The same of the other revision, if there is one."""
    ratios: dict[str, Ratio] = field(default_factory=dict)
    _costs: dict[str, dict[str, Costs]] = field(default_factory=dict)

    def keep(self, row: str, found: Mapping[str, Costs]) -> None:
        """Keeps what some rounds have shown, besides those that came before: the program as it is
        now comes last, and another one first."""
        known = self._costs.setdefault(row, {name: [] for name in found})
        for name, costs in found.items():
            earlier = known[name]
            both = isinstance(costs, list) and isinstance(earlier, list)
            known[name] = [*earlier, *costs] if both else costs
        sides = list(known.values())
        before, now = sides[0], sides[-1]
        self.rows[row] = _figure(now)
        if len(known) > 1:
            self.before[row] = _figure(before)
            if isinstance(now, list) and isinstance(before, list):
                self.ratios[row] = ratio(now, before)


def compare(output: bytes, *, seen: int, least: Calls) -> Compared:
    """Reads the document of `apply --json`."""
    by_route: dict[str, int] = json.loads(output)["calls"]["byRoute"]
    writes = sum(n for route, n in by_route.items() if ROUTES[route].method != "GET")
    return Compared(Calls(writes, sum(by_route.values()) - writes), seen, least)


def _figure(costs: Costs) -> Figure | Failed:
    return costs if isinstance(costs, Failed) else median(costs)


def words(results: Results, row: str) -> str:
    found = results.rows[row]
    if isinstance(found, Failed):
        return str(found)
    text = f"{found.wall:.2f} s ({found.cpu:.2f} s CPU, {found.peak:.0f} MB, {found.runs} runs)"
    against = results.ratios.get(row)
    return f"{text}, {against.cpu:.2f} times the CPU of before" if against else text


def markdown(results: Sequence[Results], load: float) -> str:
    return "\n".join([*_head(results, load), "", *_costs(results), "", *_calls(results)])


def _head(results: Sequence[Results], load: float) -> Iterator[str]:
    sizes = ", ".join(f"{r.courses:,} courses ({r.bytes / 1e6:.0f} MB)" for r in results)
    yield f"Machine: {machine()}; a load of {load:.1f} when this began. {sizes}."
    yield "Medians of wall seconds, CPU seconds, peak MB."


def paired(results: Sequence[Results], load: float) -> str:
    """Each row before and now, and the median of the ratios of its rounds."""
    lines = [*_head(results, load), ""]
    lines.append(
        "| what | courses | before: s | CPU s | MB | now: s | CPU s | MB | runs "
        "| s, times before | CPU | MB |"
    )
    lines.append("|---" + "|---:" * 11 + "|")
    for name, row in ROWS.items():
        for result in results:
            if name in result.rows:
                against = result.ratios.get(name)
                ratios = " | ".join(f"{part:.2f}" for part in against) if against else " | |"
                before = _cells(result.before.get(name)).rpartition(" |")[0]
                cells = f"{before} | {_cells(result.rows[name])} | {ratios}"
                lines.append(f"| {row.what} | {result.courses:,} | {cells} |")
    return "\n".join(lines)


def _costs(results: Sequence[Results]) -> Iterator[str]:
    sizes = [f"{r.courses:,}: s | CPU s | MB | runs" for r in results]
    titles = " | ".join(["what", *sizes, f"target at {FULL:,}", "so it is", "growth"])
    yield f"| {titles} |"
    yield "|---" + "|---:" * (titles.count("|")) + "|"
    for name, row in ROWS.items():
        found = [r.rows.get(name) for r in results]
        if any(found):
            cells = [row.what, *map(_cells, found), *_verdict(row, results, name)]
            yield f"| {' | '.join([*cells, _growth(results, name)])} |"
    peaks = [f.peak for r in results for f in r.rows.values() if isinstance(f, Figure)]
    if peaks:
        target = PEAK if results[-1].courses <= FULL else LARGE_PEAK
        yield f"\nThe largest peak is {max(peaks):.0f} MB; the target is {target} MB."


def _cells(found: Figure | Failed | None) -> str:
    if isinstance(found, Figure):
        return f"{found.wall:.2f} | {found.cpu:.2f} | {found.peak:.0f} | {found.runs}"
    return f"{found or ''} | | |"


def _verdict(row: Row, results: Sequence[Results], name: str) -> tuple[str, str]:
    target = f"{row.target:g} s" if row.target else ""
    for result in results:
        found = result.rows.get(name)
        if row.target and isinstance(found, Figure) and result.courses == FULL:
            ratio = found.wall / row.target
            return target, "met" if ratio <= 1 else f"missed, {ratio:.3g} times"
        if row.target and isinstance(found, Failed) and result.courses == FULL:
            return target, "missed"
    return target, ""


def _growth(results: Sequence[Results], name: str) -> str:
    """The exponent from the smallest size to the largest: 1 is linear."""
    first, last = results[0], results[-1]
    small, large = first.rows.get(name), last.rows.get(name)
    if first is last or name.startswith(("help", "look")):
        return ""
    if not isinstance(small, Figure) or not isinstance(large, Figure):
        return ""
    return f"{math.log(large.wall / small.wall) / math.log(last.courses / first.courses):.2f}"


def _calls(results: Sequence[Results]) -> Iterator[str]:
    if not any(result.calls for result in results):
        return
    yield "| calls | courses | writes | least | reads told | least | requests seen |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for name, row in ROWS.items():
        for result in results:
            if name in result.calls:
                told, seen, least = result.calls[name]
                yield (
                    f"| {row.what} | {result.courses:,} | {told.writes:,} | {least.writes:,} "
                    f"| {told.reads:,} | {least.reads:,} | {seen:,} |"
                )


def read(readme: Path, name: str) -> str:
    """The text between the markers of this name on the page."""
    return _cut(readme, name)[1].strip("\n")


def write(readme: Path, text: str, name: str) -> None:
    """Puts `text` between the markers of this name on the page."""
    before, _, after = _cut(readme, name)
    readme.write_text(f"{before}\n{text}\n{after}", "utf-8")


def _cut(readme: Path, name: str) -> tuple[str, str, str]:
    """The page up to the first marker and from the second one on, and what is between them."""
    begin, end = BEGIN.format(name), END.format(name)
    before, _, rest = readme.read_text("utf-8").partition(begin)
    between, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"{readme} has no part between `{begin}` and `{end}`")
    return before + begin, between, end + after
