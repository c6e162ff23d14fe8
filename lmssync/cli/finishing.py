"""`--finish-by`: a moment to come, as people type it."""

from datetime import datetime, time, timedelta

from ..errors import WrongUse


def moment(text: str | None, now: datetime | None = None) -> datetime | None:
    """The next `18:30` by this machine's clock, or `2027-01-31T18:30` in its zone or another.

    Raises `WrongUse` for what is no moment, or over.
    """
    if text is None:
        return None
    now = now or datetime.now().astimezone()
    try:
        meant = datetime.fromisoformat(text) if len(text) > len("18:30:00") else _next(text, now)
    except ValueError:
        raise WrongUse(
            f"--finish-by: `{text}` is not a time",
            "write a time of day (18:30) or a moment (2027-01-31T18:30+01:00)",
        ) from None
    meant = meant if meant.tzinfo else meant.astimezone()
    if meant <= now:
        raise WrongUse(f"--finish-by: {text} is over", "name a moment that is to come")
    return meant


def _next(text: str, now: datetime) -> datetime:
    today = datetime.combine(now.date(), time.fromisoformat(text), now.tzinfo)
    return today if today > now else today + timedelta(days=1)
