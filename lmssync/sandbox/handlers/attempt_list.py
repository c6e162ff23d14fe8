"""`attempt.list`: the attempts at assessments, by cursor (O54)."""

from typing import Any

from ..call import Call
from ..http import Answer
from ..people.accounts import may_see
from ..people.attempts import as_wire as record_as_wire
from ..platform import Platform
from .paging import by_cursor

Doc = dict[str, Any]
FINISHED = "completed"
"""`status` of an attempt where nothing else was said: those that are kept are over."""


def of_company(platform: Platform, call: Call) -> Answer:
    """Oldest first; a key of scope `client` sees those of its clients' learners."""
    found = [one for one in platform.objects.all("attempts") if _may_see(platform, call, one)]
    return by_cursor(
        platform,
        call,
        "assessmentAttempts",
        items=sorted(found, key=_place),
        place=_place,
        size=platform.switches.pageSize,
        show=as_wire,
    )


def as_wire(attempt: Doc) -> Doc:
    """The record of spec 2.6, and what was measured; the sandbox asks no questions itself."""
    return {
        **record_as_wire(attempt),
        "status": attempt.get("status") or FINISHED,
        "timeElapsedInSeconds": attempt.get("timeElapsedInSeconds"),
        "answers": attempt.get("answers") or [],
    }


def _may_see(platform: Platform, call: Call, attempt: Doc) -> bool:
    if call.key.scope != "client":
        return True
    user = platform.objects.get("users", attempt["userId"])
    return user is not None and may_see(call.key, user)


def _place(attempt: Doc) -> list[Any]:
    return [str(attempt.get("at") or ""), attempt["id"]]
