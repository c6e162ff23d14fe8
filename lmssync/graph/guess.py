"""Guesses which of very many names was meant, without comparing it with every name."""

from bisect import bisect
from collections.abc import Iterable, Sequence

from ..problems import near

FEW = 64
"""Up to this many names, all are compared."""
AROUND = 8
"""If there are more, this many on either side that begin or end alike are compared."""


class Guess:
    """Names, sorted by their beginnings and by their ends."""

    def __init__(self, known: Iterable[str]) -> None:
        self._forward = sorted(known)
        self._backward: Sequence[str] = ()
        self._said: dict[str, str] = {}

    def guess_near(self, word: str) -> str:
        """A question that suggests the likeliest words, or an empty text."""
        if word not in self._said:
            self._said[word] = near(word, self._likely_names(word))
        return self._said[word]

    def _likely_names(self, word: str) -> Iterable[str]:
        if len(self._forward) <= FEW:
            return self._forward
        if not self._backward:
            self._backward = sorted(name[::-1] for name in self._forward)
        alike = dict.fromkeys(_neighbours_of(self._forward, word))
        return alike | dict.fromkeys(
            name[::-1] for name in _neighbours_of(self._backward, word[::-1])
        )


def _neighbours_of(names: Sequence[str], word: str) -> Sequence[str]:
    """A typo leaves the beginning or the end of a name intact, so one of the two orders is near."""
    place = bisect(names, word)
    return names[max(0, place - AROUND) : place + AROUND]
