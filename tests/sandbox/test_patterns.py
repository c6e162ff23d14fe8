"""Expressions that somebody orders: found as Python finds them, and in one reading of the text."""

import re

import pytest
from hypothesis import given, strategies as st

from lmssync.sandbox.patterns import Pattern

CATASTROPHES = [
    *("(a+)+$", "(a|a)*b", "(a*)*b", "(.*)*x", "(x+x+)+y", ".*.*.*.*.*.*=", "(a|b|ab)*c"),
    *("a?" * 60 + "a" * 60, "([a-z]*)*[0-9]", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$"),
]
ATOMS = [
    *("a", "b", ".", "[ab]", "[^a]", "[]a]", r"\d", r"\w", r"\.", "(a|b)", "(?:a*)", "(a|)", "()"),
    *("^", "$", "{", "}", "-", "/"),
]
SIGNS = ["", "*", "+", "?", "*?", "{1,2}", "{2}", "{,2}", "{0}"]
BELOW = {"^", "$"}
"""What Python does not let be repeated."""


@st.composite
def expressions(draw):
    """Expressions that both take."""
    parts = []
    for _ in range(draw(st.integers(1, 5))):
        atom = draw(st.sampled_from(ATOMS))
        parts.append(atom + ("" if atom in BELOW else draw(st.sampled_from(SIGNS))))
        parts.append(draw(st.sampled_from(["", "", "", "|"])))
    whole = "".join(parts)
    return f"({whole}){draw(st.sampled_from(SIGNS))}" if draw(st.booleans()) else whole


@given(expressions(), st.text("ab1./-{}", max_size=8))
def test_it_is_found_where_python_finds_it(expression, text):
    """Every expression that is taken means what users of Python expect."""
    assert (re.search(expression, text) is not None) == Pattern(expression).is_in(text)


@pytest.mark.parametrize("expression", CATASTROPHES)
def test_no_expression_takes_long(expression):
    """Each has more ways to fit than can be tried; a test that tried them would never end."""
    assert Pattern(expression).is_in("a" * 1_999 + "!") in (True, False)


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("(", "a `(` is not closed"),
        ("a)", "has no `(` before it"),
        ("[a", "a `[` is not closed"),
        ("[z-a]", "bad character range"),
        ("*a", "has nothing to repeat"),
        ("a**", "two repetitions in a row"),
        ("a{3,1}", "from 3 to 1 times"),
        (r"(a)\1", r"`\1` is not supported"),
        (r"\ba", r"`\b` is not supported"),
        ("\\", "is not supported"),
        ("(?=a)", "look-ahead"),
        ("(?<!a)b", "look-ahead"),
        ("x" * 300, "300 letters; the most is 200"),
        ("(a{99}){99}", "more than 500 steps"),
        ("(((){999}){999}){999}", "more than 5000 parts"),
        ("(" * 200, "is not closed"),
    ],
)
def test_what_is_not_taken(expression, said):
    """Unsupported expressions are refused with a message."""
    with pytest.raises(ValueError, match=re.escape(said)):
        Pattern(expression)


def test_only_the_beginning_of_a_long_text():
    """Only as much of a text is searched as the log of requests keeps."""
    found = [Pattern("b").is_in("a" * length + "b") for length in (1_999, 2_000)]
    assert [True, False] == found
