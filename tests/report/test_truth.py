"""How much is proven, in one line that never claims more than it knows."""

from datetime import UTC, datetime

import pytest

from lmssync.planning.verification_coverage import VerificationCoverage
from lmssync.report.evidence_text import coverage_line, describe_age, format_share

NOW = datetime(2026, 5, 10, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("part", "text"), [(0, "0 %"), (1, "1 %"), (614, "61 %"), (999, "99 %"), (1000, "100 %")]
)
def test_shares(part: int, text: str):
    """A share is 0 only for nothing and 100 only for everything."""
    assert text == format_share(part, 1000)


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        ("2026-05-10T11:59:30.000000Z", "just now"),
        ("2026-05-10T11:58:00.000000Z", "2 minutes ago"),
        ("2026-05-10T10:30:00.000000Z", "1 hour ago"),
        ("2026-05-07T11:00:00.000000Z", "3 days ago"),
    ],
)
def test_ages(moment: str, text: str):
    """An age is told in its largest whole unit."""
    assert text == describe_age(moment, NOW)


def test_the_whole_line():
    """Proven, noticed and unverifiable fields are told, with the time of the oldest proof."""
    coverage = VerificationCoverage(100, 61, 2, 14, "2026-05-07T11:00:00.000000Z")
    assert (
        "Verified against the platform: 61 % of fields, the oldest on 7 May 2026, 11:00 UTC. "
        "2 % were changed by somebody and cannot be read back. 14 % cannot be read back."
    ) == coverage_line(coverage)


def test_a_terminal_gives_the_age():
    """There the line says how old the oldest proof is."""
    coverage = VerificationCoverage(100, 100, 0, 0, "2026-05-07T11:00:00.000000Z")
    line = coverage_line(coverage, lambda moment: describe_age(moment, NOW))
    assert line == "Verified against the platform: 100 % of fields, the oldest 3 days ago."


def test_what_was_not_read_again_is_told_apart():
    """What a look has taken by the time in a list is not told as if it had read it."""
    coverage = VerificationCoverage(100, 100, 0, 0, "2026-05-07T11:00:00.000000Z")
    assert (
        "Verified against the platform: 100 % of fields, the oldest on 7 May 2026, 11:00 UTC "
        "(98 % not read again, because lists show no change since)."
    ) == coverage_line(coverage, unmoved=98)


def test_nothing_is_said_of_nothing():
    """Where nothing is recorded there is no line."""
    assert "" == coverage_line(VerificationCoverage(0, 0, 0, 0)) == coverage_line(None)
