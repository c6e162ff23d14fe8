"""File and line in the place of people's codes in a message."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from ..persons import RUN, told
from ..source import Place

_SHOWN = 10
"""Up to this many lines, spans of lines or codes are named."""
_WORD = "person "

PlacesOf = Callable[[Iterable[str]], Mapping[str, Place]]


class _Span(NamedTuple):
    """Lines of one file that follow each other, or a single code."""

    name: str
    people: int


def in_words(text: str, places_of: PlacesOf) -> str:
    """`person CODE, person CODE` as `staff.csv:14-15`, in the order of the lines; people in
    no list keep their code, after the others."""
    return RUN.sub(lambda run: _name_places(run[0], places_of), text)


def _name_places(run: str, places_of: PlacesOf) -> str:
    people = [one.removeprefix(_WORD) for one in run.split(", ")]
    places = places_of(people)
    lines = sorted({(place.file, place.line) for place in places.values()})
    spans = [*_find_spans(lines), *(_Span(told(one), 1) for one in people if one not in places)]
    left = sum(span.people for span in spans[_SHOWN:])
    more = f" and {left:,} more" if left else ""
    return ", ".join(span.name for span in spans[:_SHOWN]) + more


def _find_spans(lines: Iterable[tuple[str, int]]) -> Iterator[_Span]:
    """Lines that follow each other have the same distance from their position."""
    numbered = enumerate(lines)
    for _, group in groupby(numbered, lambda pair: (pair[1][0], pair[1][1] - pair[0])):
        span = [line for _, line in group]
        file, first = span[0]
        last = span[-1][1]
        yield _Span(f"{file}:{first}" if first == last else f"{file}:{first}-{last}", len(span))
