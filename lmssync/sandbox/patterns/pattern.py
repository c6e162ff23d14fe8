"""A regular expression as steps that are taken all at once, so that no text is read twice."""

from collections.abc import Iterable
from typing import NamedTuple

from .syntax import Choice, Edge, Letter, Node, Repeat, Row, parsed

STEPS_MOST, PARTS_MOST = 500, 5_000
"""What an expression may be short for: `(a{9}){9}` is 81 letters, `(){9}` nine parts of none."""
TEXT_MOST = 2_000
"""Letters that are looked at."""
_MOVES_MOST = 5_000
_FOUND = 0


class Step(NamedTuple):
    """What is asked of the next letter or of this place, and the steps that follow."""

    asks: Letter | Edge | None
    follow: tuple[int, ...]


class Pattern:
    """An expression to be looked for. Raises ValueError that says what is not taken."""

    def __init__(self, text: str) -> None:
        self._steps: list[Step] = [Step(None, ())]
        self._parts = 0
        self._start = self._lay(parsed(text), _FOUND)
        self._moves: dict[tuple[frozenset[int], str], frozenset[int]] = {}

    def is_in(self, text: str) -> bool:
        """Whether it is found anywhere in the first `TEXT_MOST` letters."""
        text = text[:TEXT_MOST]
        now = self._reached([self._start], begins=True)
        for char in text:
            if _FOUND in now:
                return True
            now = self._moves.get((now, char)) or self._moved(now, char)
        return _FOUND in self._reached(now, begins=not text, ends=True)

    def _moved(self, now: frozenset[int], char: str) -> frozenset[int]:
        """Where a letter leads, or where the text could be begun anew."""
        met = {self._start}
        for number in now:
            asks, follow = self._steps[number]
            if isinstance(asks, Letter) and asks.fits(char):
                met.update(follow)
        if len(self._moves) >= _MOVES_MOST:
            self._moves.clear()
        reached = self._moves[now, char] = self._reached(met)
        return reached

    def _reached(
        self, numbers: Iterable[int], *, begins: bool = False, ends: bool = False
    ) -> frozenset[int]:
        """The steps, and those that they lead to without a letter."""
        reached, waiting = set[int](), list(numbers)
        while waiting:
            number = waiting.pop()
            if number in reached:
                continue
            reached.add(number)
            asks, follow = self._steps[number]
            if asks is None or (isinstance(asks, Edge) and (ends if asks.is_end else begins)):
                waiting += follow
        return frozenset(reached)

    def _lay(self, node: Node, after: int) -> int:
        """Lay the steps of a node down before `after`; where they begin."""
        self._parts += 1
        if self._parts > PARTS_MOST:
            raise ValueError(f"written out, it has more than {PARTS_MOST} parts")
        match node:
            case Row(parts):
                for part in reversed(parts):
                    after = self._lay(part, after)
                return after
            case Choice(one, other):
                return self._step(None, self._lay(one, after), self._lay(other, after))
            case Repeat(part, least, most):
                start = self._repeated(part, most and most - least, after)
                for _ in range(least):
                    start = self._lay(part, start)
                return start
        return self._step(node, after)

    def _repeated(self, part: Node, most: int | None, after: int) -> int:
        """Steps that repeat a part up to so many times, or without end."""
        if most is None:
            loop = self._step(None)
            self._steps[loop] = Step(None, (self._lay(part, loop), after))
            return loop
        start = after
        for _ in range(most):
            start = self._step(None, self._lay(part, start), after)
        return start

    def _step(self, asks: Letter | Edge | None, *follow: int) -> int:
        if len(self._steps) > STEPS_MOST:
            raise ValueError(f"written out, it has more than {STEPS_MOST} steps")
        self._steps.append(Step(asks, follow))
        return len(self._steps) - 1
