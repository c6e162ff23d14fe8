"""Pushed notifications: who wants which events, and when each delivery is due (spec 6).

A registration of the control plane stands in for the admin interface. This module decides;
`push` carries the deliveries out. The other channel that the specification names, SFTP, is not
built: no interface shows what would be written there. Nothing is signed.
"""

from urllib.parse import urlsplit

from lmssync.vocabulary.enums import EventKind
from lmssync.vocabulary.rules import is_web_address

from ..clock import seconds_of, stamp_of
from ..documents import Doc
from ..http import is_loopback
from ..people.feed import OLDER, PushedOnly, wire_of
from ..platform import Platform

ATTEMPTS_MOST = 10
BACK_OFF_FIRST, BACK_OFF_MOST = 20, 3600
"""Seconds after the first failed attempt, doubled after each further one."""
PURCHASE_DELAY = 3600
"""Seconds that a bundlePurchase waits: about one hour."""
SUCCESS = range(200, 309)
"""HTTP statuses that end a delivery; a redirect is a success and is not followed."""
TRIGGERS = (*EventKind, *PushedOnly)
"""What can be registered for."""


def back_off(attempts: int) -> int:
    """Seconds from the failed attempt of that number to the next."""
    return min(BACK_OFF_FIRST << (attempts - 1), BACK_OFF_MOST)


def may_push(platform: Platform, url: str) -> bool:
    """Whether anything may be sent there: to this machine only, unless the switch says more."""
    if not is_web_address(url):
        return False
    return platform.switches.pushBeyondLoopback or is_loopback(urlsplit(url).hostname or "")


def triggers_of(event: Doc) -> set[str]:
    """The registered kinds that an event sets off: a completion is also a courseAction."""
    older = {kind for kind, type_ in OLDER.items() if event.get("type") == type_}
    return {event["kind"]} | (older if event["kind"] == EventKind.COURSE_ACTION else set())


def queue_deliveries(platform: Platform, event: Doc) -> bool:
    """Note a delivery for every registration that an event sets off; True if there is one."""
    queued = False
    for registered in platform.objects.list_objects("notifications"):
        for kind in sorted(triggers_of(event).intersection(registered.get("kinds", TRIGGERS))):
            platform.objects.add_object(
                "deliveries", _make_delivery(platform, event, registered, kind=kind)
            )
            queued = True
    return queued


def _make_delivery(platform: Platform, event: Doc, registered: Doc, *, kind: str) -> Doc:
    delay = PURCHASE_DELAY if kind == PushedOnly.BUNDLE_PURCHASE else 0
    return {
        "notificationId": registered["id"],
        "url": registered["url"],
        "payload": payload_of(platform, event, kind=kind),
        "attempts": 0,
        "state": "waiting",
        "lastOutcome": None,
        "dueAt": stamp_of(platform.clock.read_time() + delay),
    }


def payload_of(platform: Platform, event: Doc, *, kind: str) -> Doc:
    """What is posted: the event as it is polled, its kind, and `user`, an e-mail address."""
    person = event.get("userDetail") or {}
    return {"kind": kind, "user": person.get("email"), **wire_of(platform, event, kind=kind)}


def after_attempt(delivery: Doc, *, status: int | None, outcome: str) -> Doc:
    """The delivery after one more attempt; `status` None where no answer came.

    The next attempt is counted from when this one was due, so that a clock moved forward finds
    all the attempts of the way.
    """
    attempts = delivery["attempts"] + 1
    made = {**delivery, "attempts": attempts, "lastOutcome": outcome}
    if status in SUCCESS:
        return {**made, "state": "delivered", "dueAt": None}
    if attempts == ATTEMPTS_MOST:
        return {**made, "state": "given up", "dueAt": None}
    return {**made, "dueAt": stamp_of(seconds_of(delivery["dueAt"]) + back_off(attempts))}
