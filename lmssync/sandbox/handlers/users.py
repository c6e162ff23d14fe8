"""Accounts: `user.read` (spec 2.4, 4), `user.create` and `user.change` (O51)."""

import re
from typing import Any

from .. import checks
from ..call import Call
from ..checks import Rule, Wrong, changes, new_fields, shown
from ..data.blanks import USER
from ..data.kinds import blank
from ..documents import Doc, picked
from ..http import Answer, Refusal, absent, bad, forbidden
from ..people.accounts import STUDENT, Accounts, Identifiers, may_see, normalized
from ..platform import Platform

SHOWN = ("id", *USER)


def read(platform: Platform, call: Call) -> Answer:
    """A user outside the scope of the key is a 404, like an unknown one."""
    given = call.path["id"]
    user = visible_user(platform, call)
    if user is not None:
        return Answer(as_wire(user))
    missing = absent("user", given)
    if platform.switches.missingUser == "errors":
        return Answer({"errors": [{"message": error} for error in missing.errors]})
    raise missing


def visible_user(platform: Platform, call: Call) -> Doc | None:
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
    profile = picked(user, SHOWN)
    return profile if user.get("roleKey") == STUDENT else {**profile, "language": None}


ADDRESS = r"^[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+$"
"""Of an e-mail address: something, an `@`, and something. What a blank is differs by language."""


def email(value: Any) -> str:
    if not re.fullmatch(ADDRESS, checks.text(value)):
        raise Wrong(f"is {shown(value)}; it must be an e-mail address")
    return str(value)


_FIXED = (
    "learnerUserId", "managerUserId", "createdAt", "lastActiveAt", "roleKey", "crmAccountId",
    "crmContactId", "paymentCustomerId",
)  # fmt: skip
"""Of the texts of a profile (spec 2.4): what the platform or its administrators set."""
CHANGE_RULES: dict[str, Rule] = {
    "email": email,
    "clientId": checks.uuid,
    "disabled": checks.flag,
    "customFields": checks.custom_values,
    **{
        name: checks.text
        for name, first in USER.items()
        if first is None and name not in (*_FIXED, "email", "clientId")
    },
}
NEVER_NULL = ("email", "disabled", "customFields")
"""What a change cannot clear."""
CREATE_RULES: dict[str, Rule] = {**CHANGE_RULES, "sendInvite": checks.flag}
"""`sendInvite` is taken; nothing leaves this machine."""


def create(platform: Platform, call: Call) -> Answer:
    """The new account, whole; 409 where another one has the address (spec 7)."""
    fields = new_fields(call.body, CREATE_RULES, ("email",))
    fields.pop("sendInvite", None)
    _require_client(platform, call, fields.get("clientId"))
    _require_free(platform, fields["email"])
    stamp = platform.clock.stamp()
    user = platform.objects.add("users", {**blank("users", stamp), **fields})
    return Answer(as_wire(user), int(platform.switches.createStatus))


def change(platform: Platform, call: Call) -> Answer:
    """The whole account after the change: what is absent stays, null clears."""
    user = visible_user(platform, call)
    if user is None:
        raise absent("user", call.path["id"])
    fields = changes(call.body, CHANGE_RULES, NEVER_NULL)
    if "clientId" in fields:
        _require_client(platform, call, fields["clientId"])
    if "email" in fields and normalized(fields["email"]) != normalized(user.get("email") or ""):
        _require_free(platform, fields["email"])
    user.update(fields)
    platform.objects.save("users", user)
    return Answer(as_wire(user))


def _require_client(platform: Platform, call: Call, client_id: str | None) -> None:
    """403 for a client that the key may not see, or for none where it sees clients only."""
    if not call.key.may_see_client(client_id or ""):
        raise forbidden("The API key may not put a user there; name one of its clients in clientId")
    if client_id is not None and not platform.objects.has("clients", client_id):
        raise bad(f'clientId: "{client_id}" is not a client of this company')


def _require_free(platform: Platform, address: str) -> None:
    """409 if the address is that of an account (spec 7: a duplicate)."""
    wanted = normalized(address)
    for user in platform.objects.all("users"):
        if normalized(user.get("email") or "") == wanted:
            raise Refusal(409, f"email: {shown(address)} is already used by another user")
