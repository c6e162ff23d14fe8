"""The lists of the company that are alike: all of one kind in some order, by cursor.

`location.list` (spec 2.6, 4); `user.list` (O51); `meeting.list`, `coupon.list` and `attempt.list`
(O54, where the fields and the order are not shown).
"""

from collections.abc import Callable, Iterable
from typing import Any

from ..call import Call
from ..data.blanks import COUPON, LOCATION, MEETING
from ..documents import Doc
from ..http import Answer
from ..people.accounts import may_see
from ..people.attempts import as_wire as attempt_as_wire
from ..platform import Platform
from .paging import by_cursor
from .users import as_wire as user_as_wire

Show = Callable[[Doc], Doc]
FINISHED = "completed"
"""`status` of an attempt where nothing else was said: those that are kept are over."""
LOCATION_SHOWN = ("id", *LOCATION)
MEETING_SHOWN = ("id", *MEETING, "createdAt", "updatedAt")
COUPON_SHOWN = ("id", *COUPON, "createdAt", "updatedAt")


def locations(platform: Platform, call: Call) -> Answer:
    """By name; the order is not shown."""
    items, show = platform.objects.all("locations"), _picked(LOCATION_SHOWN)
    return _listed(
        platform, call, "locations", items, by=lambda doc: doc["name"].lower(), show=show
    )


def meetings(platform: Platform, call: Call) -> Answer:
    """In the order of their beginning; the order is not shown."""
    items, show = platform.objects.all("meetings"), _picked(MEETING_SHOWN)
    return _listed(platform, call, "meetings", items, by=lambda doc: doc["startDate"], show=show)


def coupons(platform: Platform, call: Call) -> Answer:
    """In the order of their codes; the order is not shown."""
    items, show = platform.objects.all("coupons"), _picked(COUPON_SHOWN)
    return _listed(platform, call, "coupons", items, by=lambda doc: doc["code"], show=show)


def users(platform: Platform, call: Call) -> Answer:
    """Whole profiles (spec 2.4), oldest first; the order is not shown."""
    items = (user for user in platform.objects.all("users") if may_see(call.key, user))
    return _listed(
        platform, call, "users", items, by=lambda user: user["createdAt"], show=user_as_wire
    )


def attempts(platform: Platform, call: Call) -> Answer:
    """Oldest first; a key of scope `client` sees those of its clients' learners."""

    def is_visible(attempt: Doc) -> bool:
        if call.key.scope != "client":
            return True
        user = platform.objects.get("users", attempt["userId"])
        return user is not None and may_see(call.key, user)

    items = filter(is_visible, platform.objects.all("attempts"))
    return _listed(
        platform, call, "assessmentAttempts", items, by=lambda doc: doc.get("at"), show=_attempt
    )


def _listed(
    platform: Platform,
    call: Call,
    key: str,
    items: Iterable[Doc],
    *,
    by: Callable[[Doc], str | None],
    show: Show,
) -> Answer:
    """In the order of `by` and then of ids."""

    def place(doc: Doc) -> list[Any]:
        return [str(by(doc) or ""), doc["id"]]

    return by_cursor(platform, call, key, items=items, place=place, show=show)


def _picked(names: tuple[str, ...]) -> Show:
    return lambda doc: {name: doc.get(name) for name in names}


def _attempt(attempt: Doc) -> Doc:
    """The record of spec 2.6, and what was measured; the sandbox asks no questions itself."""
    return {
        **attempt_as_wire(attempt),
        "status": attempt.get("status") or FINISHED,
        "timeElapsedInSeconds": attempt.get("timeElapsedInSeconds"),
        "answers": attempt.get("answers") or [],
    }
