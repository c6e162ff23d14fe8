"""Reports what steps do in the order of the plan, whichever of them is done first."""

from collections.abc import Callable, Sequence

from ...resource import Address
from .result import ApplyProgress, Done


class InOrder:
    """Passes the reports of the first step on that is not done yet, and keeps those of the others.

    `speaking` gives the number of the step that reports; 0 where it is none of them.
    """

    def __init__(self, progress: ApplyProgress, speaking: Callable[[], int]) -> None:
        self._progress, self._speaking = progress, speaking
        self._kept: dict[int, list[Callable[[], None]]] = {}
        self._ended: set[int] = set()
        self._first = 1

    def begin(self, steps: int) -> None:
        self._progress.begin(steps)

    def step(
        self, number: int, route: str, resources: Sequence[Address], waits: float = 0.0
    ) -> None:
        self._report(lambda: self._progress.step(number, route, resources, waits))

    def done(self, address: Address, outcome: Done) -> None:
        self._report(lambda: self._progress.done(address, outcome))

    def reading(self, done: int, total: int) -> None:
        self._report(lambda: self._progress.reading(done, total))

    def note(self, text: str) -> None:
        self._report(lambda: self._progress.note(text))

    def end_step(self, number: int) -> None:
        """Everything was reported of this step; those after it may have their turn."""
        self._ended.add(number)
        while self._first in self._ended:
            self._first += 1
            self._tell(self._first)

    def end(self) -> None:
        """Reports what was kept, though not every step before it was done."""
        for number in sorted(self._kept):
            self._tell(number)

    def _report(self, report: Callable[[], None]) -> None:
        number = self._speaking()
        if number <= self._first:
            report()
        else:
            self._kept.setdefault(number, []).append(report)

    def _tell(self, number: int) -> None:
        for report in self._kept.pop(number, ()):
            report()
