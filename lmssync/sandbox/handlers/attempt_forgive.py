"""`attempt.forgive`: a failed attempt counts as passed (spec 3, 4)."""

from ..call import Call
from ..http import Answer, absent, bad
from ..people.accounts import may_see
from ..people.attempts import as_wire, tell
from ..platform import Platform


def forgive(platform: Platform, call: Call) -> Answer:
    """Passed and forgiven; the grade stays as it was recorded. A second time changes nothing.

    Not shown: an attempt that was passed is marked forgiven too.
    """
    if call.body:
        raise bad("The body must be an empty object")
    attempt = platform.objects.get("attempts", call.path["id"])
    user = platform.objects.get("users", attempt["userId"]) if attempt else None
    if attempt is None or user is None or not may_see(call.key, user):
        raise absent("assessment attempt", call.path["id"])
    if not attempt["forgiven"]:
        attempt |= {"passed": True, "forgiven": True}
        platform.objects.save("attempts", attempt)
        tell(platform, user, attempt)
    return Answer(as_wire(attempt))
