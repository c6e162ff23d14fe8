"""`user.read`: the full profile of one account (spec 2.4, 4)."""

from ..call import Call
from ..data.blanks import USER
from ..documents import Doc
from ..http import Answer, absent
from ..people.accounts import STUDENT, Accounts, Identifiers, may_see
from ..platform import Platform

SHOWN = ("id", *USER)


def read(platform: Platform, call: Call) -> Answer:
    """A user outside the scope of the key is a 404, like an unknown one."""
    given = call.path["id"]
    user = found(platform, call)
    if user is not None:
        return Answer(as_wire(user))
    missing = absent("user", given)
    if platform.switches.missingUser == "errors":
        return Answer({"errors": [{"message": error} for error in missing.errors]})
    raise missing


def found(platform: Platform, call: Call) -> Doc | None:
    """The user of the path, where the key may see one."""
    user = platform.objects.get("users", call.path["id"]) or _with_email(platform, call)
    return user if user is not None and may_see(call.key, user) else None


def _with_email(platform: Platform, call: Call) -> Doc | None:
    """The extended profile takes an e-mail address in the place of the id (O35).

    Not shown which of several accounts it means: the one that the bulk route would choose.
    """
    email = call.path["id"]
    if platform.profile != "extended" or "@" not in email:
        return None
    return Accounts(platform, call.key).find(Identifiers(email=email))


def as_wire(user: Doc) -> Doc:
    """The fields of spec 2.4; only learners have a language."""
    profile = {name: user.get(name) for name in SHOWN}
    return profile if user.get("roleKey") == STUDENT else {**profile, "language": None}
