"""How much of what is managed is known to be on the platform as it is recorded, in words."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ..planning.verification_coverage import VerificationCoverage
from ..resource import Address
from ..state import DriftFinding
from ..support.invisible_characters import escape_invisible
from ..vocabulary.iso_dates import parse_moment
from .value_words import count_noun, join_some, spell_moment

FoundTitles = Mapping[Address, Mapping[str, str]]
"""The titles of the parts of resources by their paths; that of the resource itself by no path."""
SayMoment = Callable[[str], str]
"""Words for a moment as the state writes it."""
_NAMES, _PATHS = 5, 3
"""How many addresses a line names, and how many fields of each."""
_DAY, _HOUR = 86_400, 3_600


def unasked_line(number: int) -> str:
    """`No changes: 2 resources are as last applied; the platform was not asked.`"""
    are = "is" if number == 1 else "are"
    known = f": {count_noun(number, 'resource')} {are} as last applied" if number else ""
    return f"No changes{known}; the platform was not asked."


def coverage_line(
    coverage: VerificationCoverage | None,
    say: SayMoment | None = None,
    *,
    unmoved: int = 0,
    unread: int = 0,
) -> str:
    """`Verified against the platform: 61 % of fields, the oldest on 31 January 2027, 08:00 UTC.
    14 % cannot be read back.`

    A terminal says with `ago` how old the oldest is; a text that somebody keeps gives the moment.
    `unmoved` is how many of the proven fields were not read again because of the times of lists,
    `unread` how many resources no read has shown since they were made.
    Empty where nothing is managed yet.
    """
    say = say or at_moment
    if coverage is None or not coverage.fields:
        return ""
    share = format_share(coverage.proven, coverage.fields)
    verified = f"Verified against the platform: {share} of fields"
    if coverage.proven and coverage.oldest:
        verified += f", the oldest {say(coverage.oldest)}"
    if unmoved:
        not_again = format_share(unmoved, coverage.fields)
        verified += f" ({not_again} not read again, because lists show no change since)"
    rest = [
        f"{format_share(number, coverage.fields)} {text}"
        for number, text in (
            (coverage.noticed, "were changed by somebody and cannot be read back"),
            (coverage.unverifiable, "cannot be read back"),
        )
        if number
    ]
    are, it = ("is", "it") if unread == 1 else ("are", "them")
    new = count_noun(unread, "new resource")
    later = f"{new} {are} not verified yet: `lmssync drift` or the first use verifies {it}"
    return " ".join(f"{sentence}." for sentence in (verified, *rest, *[later] * bool(unread)))


def drift_line(findings: Sequence[DriftFinding], titles: FoundTitles) -> str:
    """`Out of sync: 2 resources are not on the platform as recorded, as seen on 31 January 2027,
    08:00 UTC: “A” (course.a: title of page “Hello” in “Welcome”), …`

    Empty where the last looks have found nothing.
    """
    if not findings:
        return ""
    named = [_name_finding(one, titles.get(one.address, {})) for one in findings]
    are = "is" if len(findings) == 1 else "are"
    last = max(one.found_at for one in findings)
    return escape_invisible(
        f"Out of sync: {count_noun(len(findings), 'resource')} {are} not on the platform as "
        f"recorded, as seen on {moment_text(last)}: {join_some(named, _NAMES)}."
    )


def _name_finding(one: DriftFinding, titles: Mapping[str, str]) -> str:
    words = found_words(one, titles)
    title = titles.get("")
    return f"“{title}” ({one.address}: {words})" if title else f"{one.address} ({words})"


def found_words(one: DriftFinding, titles: Mapping[str, str]) -> str:
    """`price, title of page “Hello” in “Welcome”`, or that it is not there any more."""
    from .field_words import name_field  # only here: it loads the kinds

    names = [name_field(path, titles) for path in one.paths]
    return "not there any more" if one.missing else join_some(names, _PATHS)


def finding_json(one: DriftFinding) -> dict[str, Any]:
    return {
        "address": str(one.address),
        "foundAt": one.found_at,
        "missing": one.missing,
        "paths": list(one.paths),
    }


def moment_text(moment: str) -> str:
    """`31 January 2027, 08:00 UTC`, for a moment as the state writes it."""
    return spell_moment(f"{moment[:16]}Z")


def at_moment(moment: str) -> str:
    """`on 31 January 2027, 08:00 UTC`, which is as true tomorrow."""
    return f"on {moment_text(moment)}"


def describe_noticed(moment: str) -> str:
    """What is known of a field of which no route shows the value; the time may be unknown."""
    when = f" {at_moment(moment)}" if moment[:1].isdigit() else ""
    return f"somebody changed this part{when}; no route shows its value now"


def format_share(part: int, whole: int) -> str:
    """A percentage that is 0 only for nothing, and 100 only for everything."""
    if 0 < part < whole:
        return f"{min(99, max(1, round(100 * part / whole)))} %"
    return f"{100 * part // whole} %"


def describe_age(moment: str, now: datetime | None = None) -> str:
    """`3 days ago`, for a moment as the state writes it."""
    seconds = ((now or datetime.now(UTC)) - parse_moment(moment)).total_seconds()
    for length, noun in ((_DAY, "day"), (_HOUR, "hour"), (60, "minute")):
        if seconds >= length:
            return f"{count_noun(int(seconds // length), noun)} ago"
    return "just now"
