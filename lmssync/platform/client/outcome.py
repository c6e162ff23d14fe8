"""How a request ended, judged by what was sent and received, not by the exception."""

from enum import StrEnum
from typing import Any, NamedTuple

from ...errors import PlatformError
from .waits import WindowStanding

REDIRECTS = frozenset({301, 307, 308})
"""Statuses that name another address. 302 is missing: the platform answers an activity with it."""


class Fate(StrEnum):
    """What is known of a request."""

    UNSENT = "unsent"
    """Not a byte was written: it may be sent again."""
    REJECTED = "rejected"
    """A 429, or a 4xx in a known envelope: the platform did not do it."""
    ACKNOWLEDGED = "acknowledged"
    """A 2xx with a body that can be read: done."""
    UNKNOWN = "unknown"
    """Anything else. A create that ended like this is never repeated."""


class Outcome(NamedTuple):
    """The end of one request."""

    fate: Fate
    status: int | None = None
    answer: Any = None
    """The body as JSON, where there was one."""
    message: str = ""
    """What the platform said, or what broke."""
    retry_after: float | None = None
    """Seconds to wait after a 429 (O43), or after a 503 that names them; 0 where the run was
    stopped before anything could be sent."""
    size: int = 0
    """Bytes of the body, as it was before it was packed."""
    location: str = ""
    """Where a 302 leads: the platform answers an activity with one (spec 7)."""
    late: bool = False
    """Nothing was done, and what had announced the request is too old to send it now."""
    again: bool = True
    """Whether a read may end better if it is repeated."""
    date: float | None = None
    """When it was answered, by the platform's clock, in seconds since 1970."""
    hint: str = ""
    """What to do about what broke, where it can be told."""
    by_token: bool = False
    """Whether it was sent with an access token in the place of an API key."""
    cause: PlatformError | None = None
    """Why it was not sent at all, where no access token could be had for it."""
    standing: WindowStanding | None = None
    """How the window stands that it was counted in, by the headers of its answer."""
