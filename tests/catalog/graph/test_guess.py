"""Which name was meant."""

import pytest

from lmssync.catalog.graph.reference_checks import FEW, Guess

MANY = [f"course-{number:05}" for number in range(5_000)] + ["first-aid", "fire-safety"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("first-adi", "first-aid"),
        ("frist-aid", "first-aid"),
        ("irst-aid", "first-aid"),
        ("fire-safty", "fire-safety"),
        ("Course-00017", "course-00017"),
    ],
)
def test_a_typo_among_many(word: str, meant: str):
    """Wherever in the word it is, the name that was meant is among those that are named."""
    assert len(MANY) > FEW
    assert f"`{meant}`" in Guess(MANY).guess_near(word)


def test_all_of_a_few_are_compared():
    """Even one that neither begins nor ends alike."""
    few = [f"x{number}" for number in range(FEW - 1)]
    assert "did you mean `first-aid`?" == Guess([*few, "first-aid"]).guess_near("Xirst-aiX")


@pytest.mark.parametrize("known", [[], MANY])
def test_nothing_is_near(known: list[str]):
    """Then nothing is said."""
    assert "" == Guess(known).guess_near("qqqqqqqq")
