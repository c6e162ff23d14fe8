"""`attempt.list`: the attempts at assessments (O54); `attempt.forgive`: one passes (spec 3, 4)."""

from typing import Any

from ..http_exchange import Answer, bad_request, not_found
from ..people.accounts import may_see
from ..people.enrollments import as_wire, emit_attempt
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from .paging import by_cursor

FINISHED = "completed"
"""`status` of an attempt where nothing else was said: those that are kept are over."""


def of_company(platform: Platform, call: Call) -> Answer:
    """Oldest first; a key of scope `client` sees those of its clients' learners."""

    def is_visible(attempt: Doc) -> bool:
        if call.key.scope != "client":
            return True
        user = platform.objects.get_object("users", attempt["userId"])
        return user is not None and may_see(call.key, user)

    def attempt_position(attempt: Doc) -> list[Any]:
        return [str(attempt.get("at") or ""), attempt["id"]]

    items = filter(is_visible, platform.objects.list_objects("attempts"))
    return by_cursor(
        platform,
        call,
        "assessmentAttempts",
        items=items,
        place=attempt_position,
        show=_show_attempt,
    )


def forgive_attempt(platform: Platform, call: Call) -> Answer:
    """Passed and forgiven; the grade stays as it was recorded. A second time changes nothing.

    Not shown: an attempt that was passed is marked forgiven too.
    """
    if call.body:
        raise bad_request("The body must be an empty object")
    attempt = platform.objects.get_object("attempts", call.path["id"])
    user = platform.objects.get_object("users", attempt["userId"]) if attempt else None
    if attempt is None or user is None or not may_see(call.key, user):
        raise not_found("assessment attempt", call.path["id"])
    if not attempt["forgiven"]:
        attempt |= {"passed": True, "forgiven": True}
        platform.objects.save_object("attempts", attempt)
        emit_attempt(platform, user, attempt)
    return Answer(as_wire(attempt))


def _show_attempt(attempt: Doc) -> Doc:
    """The record of spec 2.6, and what was measured; the sandbox asks no questions itself."""
    return {
        **as_wire(attempt),
        "status": attempt.get("status") or FINISHED,
        "timeElapsedInSeconds": attempt.get("timeElapsedInSeconds"),
        "answers": attempt.get("answers") or [],
    }
