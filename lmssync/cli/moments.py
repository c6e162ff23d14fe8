"""Moments as people type them: a date, a time, or how long ago."""

import re
import time

from ..errors import WrongUse

_AGO = re.compile(r"(\d{1,6})([mhd])")
_SECONDS = {"m": 60, "h": 3_600, "d": 86_400}


def milliseconds(text: str | None) -> int | None:
    """`2026-03-01`, `2026-03-01T10:00Z` or `30d` as milliseconds since 1970; raises `WrongUse`."""
    from ..events import moment_of

    if text is None:
        return None
    ago = _AGO.fullmatch(text)
    if ago:
        return max(0, round((time.time() - int(ago[1]) * _SECONDS[ago[2]]) * 1000))
    moment = moment_of(text)
    if moment is None or moment < 0:
        raise WrongUse(
            f"--since: `{text}` is not a time",
            "write a date (2026-03-01), a time (2026-03-01T10:00Z), or how long ago (30d, 12h)",
        )
    return moment
