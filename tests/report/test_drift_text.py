"""A line of drift names fields, prices, days and pages as a plan does."""

from typing import Any

import pytest

from lmssync.planning.diff import Drift, ProofBuffer
from lmssync.planning.verification_coverage import VerificationCoverage
from lmssync.report.drift_report import drift_markdown, drift_text
from lmssync.resource import Address
from lmssync.sync.drift import Drifted, DriftResult

PAGE = "sections[start].lessons[why].topics[hello]"
TITLES = {PAGE: "Hello", "sections[start].lessons[why]": "Why it burns"}


def make_look(path: str, recorded: Any, live: Any) -> DriftResult:
    """A look that has found one changed field."""
    drifted = Drifted(
        Address("course", "fire"),
        "Fire",
        drift=[Drift(path, recorded, live)],
        part_titles=TITLES,
    )
    known = VerificationCoverage(1, 1, 0, 0)
    return DriftResult([drifted], 1, (), (), 1, (), "", ProofBuffer(), known)


@pytest.mark.parametrize(
    ("path", "recorded", "live", "line"),
    [
        ("priceInCents", 4900, 5900, "price: 49.00 EUR → 59.00 EUR"),
        (f"{PAGE}.title", "Hi", "Hello", "title of page “Hello” in “Why it burns”: "),
        (f"{PAGE}.body", "Hi", "Hello", "text of page “Hello” in “Why it burns”: "),
        ("enrollmentEndDate", "2027-01-31", "2027-02-28", ": 31 January 2027 → 28 February 2027"),
    ],
)
def test_a_line_is_in_words_of_people(path: str, recorded: Any, live: Any, line: str):
    """Terminal and Markdown show the same words, and never cents or paths."""
    found = make_look(path, recorded, live)
    assert line in drift_text(found, currency="EUR").splitlines()[0]
    assert line.partition(":")[0] in drift_markdown(found, "EUR")
