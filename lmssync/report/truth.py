"""How much of what is managed is known to be on the platform as it is recorded, in words."""

from datetime import UTC, datetime

from ..plan import Truth
from . import words

_DAY, _HOUR = 86_400, 3_600


def truth_line(truth: Truth | None, now: datetime | None = None) -> str:
    """`61 % of managed fields proven, the oldest 3 days ago; 14 % cannot be read on this instance.`

    Empty where nothing is managed yet.
    """
    if truth is None or not truth.fields:
        return ""
    proven = f"{share(truth.proven, truth.fields)} of managed fields proven"
    if truth.proven and truth.oldest:
        proven += f", the oldest {ago(truth.oldest, now)}"
    rest = [
        f"{share(number, truth.fields)} {text}"
        for number, text in (
            (truth.noticed, "changed by somebody, and cannot be read"),
            (truth.unverifiable, "cannot be read on this instance"),
        )
        if number
    ]
    return f"{'; '.join([proven, *rest])}."


def share(part: int, whole: int) -> str:
    """A percentage that is 0 only for nothing, and 100 only for everything."""
    if 0 < part < whole:
        return f"{min(99, max(1, round(100 * part / whole)))} %"
    return f"{100 * part // whole} %"


def ago(moment: str, now: datetime | None = None) -> str:
    """`3 days ago`, for a moment as the state writes it."""
    seconds = ((now or datetime.now(UTC)) - datetime.fromisoformat(moment)).total_seconds()
    for length, noun in ((_DAY, "day"), (_HOUR, "hour"), (60, "minute")):
        if seconds >= length:
            return f"{words.counted(int(seconds // length), noun)} ago"
    return "just now"
