"""File and line in the place of codes."""

import pytest

from lmssync.learners.people import name_places
from lmssync.resource import Place

A, B, C, D = (letter * 16 for letter in "abcd")
PLACES = {
    A: Place("staff.csv", 7),
    B: Place("staff.csv", 2),
    C: Place("staff.csv", 3, 5),
    D: Place("a.yaml", 9),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nobody", "nobody"),
        (f"person {A}: unknown", "staff.csv:7: unknown"),
        (f"(person {A}, person {B}, person {C})", "(staff.csv:2-3, staff.csv:7)"),
        (f"person {A}, person {D} lose it", "a.yaml:9, staff.csv:7 lose it"),
        (f"person {'e' * 16}, person {A}", f"staff.csv:7, person {'e' * 16}"),
        (f"person {A} and person {B}", "staff.csv:7 and staff.csv:2"),
        (f"{A}", f"{A}"),
    ],
)
def test_lines_take_the_place_of_codes(text: str, expected: str):
    """In their order, what follows each other as a span; who is in no list keeps the code."""
    assert expected == name_places(
        text, lambda asked: {code: PLACES[code] for code in asked if code in PLACES}
    )


def test_a_long_list_is_cut():
    """Ten spans or codes are enough; how many people that leaves out is told."""
    people = [f"{n:016x}" for n in range(15)]
    places = {code: Place("s.csv", 10 * n) for n, code in enumerate(people)}
    places |= {people[13]: Place("s.csv", 131), people[14]: Place("s.csv", 132)}
    told = name_places(", ".join(f"person {code}" for code in people), lambda _wanted: places)
    assert told.startswith("s.csv:0, s.csv:10, s.csv:20,")
    assert told.endswith("s.csv:90 and 5 more")
