"""Accounts: `user.read` (spec 2.4, 4), `user.create` and `user.change` (O51).

`Accounts` says which user an identifier means (spec 4, bulk sublicense rule 3).
"""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from .. import value_checks
from ..api_keys import Key
from ..data.object_kinds import USER, make_blank
from ..http_messages import Answer, Refusal, bad_request, not_found
from ..sandbox_documents import Doc, pick_fields
from ..sandbox_platform import Call, Platform
from ..value_checks import InvalidValue, Rule, check_changes, new_fields, quote_value

STUDENT = "student"


class Identifiers(NamedTuple):
    """What an entry calls a user, in the order in which it is tried; blank is as good as none."""

    id: str | None = None
    email: str | None = None
    external_id: str | None = None

    def first_identifier(self) -> str:
        """The identifier of the highest priority, normalized: what an unmatched entry is called."""
        return next(normalize_identifier(given) for given in self if given)


def normalize_identifier(identifier: str) -> str:
    """Identifiers are compared without regard to case and to blanks around them.

    Shown for the labels of unmatched entries (rule 6) and taken for the comparison too.
    """
    return identifier.strip().lower()


class Accounts:
    """The accounts that a key may see, by every identifier; read once for a request."""

    def __init__(self, platform: Platform, key: Key) -> None:
        self._by_id: dict[str, Doc] = {}
        self._by_email: dict[str, list[Doc]] = {}
        self._by_external_id: dict[str, list[Doc]] = {}
        for user in platform.objects.list_objects("users"):
            if may_see(key, user):
                self._by_id[user["id"].lower()] = user
                emails = [user.get("email"), *(user.get("secondaryEmails") or ())]
                for email in {normalize_identifier(email) for email in emails if email}:
                    self._by_email.setdefault(email, []).append(user)
                if user.get("externalCustomerId"):
                    external_id = normalize_identifier(user["externalCustomerId"])
                    self._by_external_id.setdefault(external_id, []).append(user)

    def find_account(self, identifiers: Identifiers) -> Doc | None:
        """The user of the first identifier that means somebody."""
        if identifiers.id and (user := self._by_id.get(normalize_identifier(identifiers.id))):
            return user
        email = normalize_identifier(identifiers.email or "")
        if found := self._by_email.get(email):
            return _choose_account(found, email)
        external_id = normalize_identifier(identifiers.external_id or "")
        return _choose_account(self._by_external_id.get(external_id, ()))


def may_see(key: Key, user: Doc) -> bool:
    """A key of scope `client` sees the users of its clients, and none that has no client."""
    return key.may_see_client(user.get("clientId") or "")


def _choose_account(users: Iterable[Doc], email: str = "") -> Doc | None:
    """One of several: no shadow account, then the primary e-mail, then a student; the oldest."""

    def account_preference(user: Doc) -> tuple[bool, bool, bool]:
        primary = normalize_identifier(user.get("email") or "")
        return bool(user.get("isShadow")), primary != email, user.get("roleKey") != STUDENT

    return min(users, key=account_preference, default=None)


SHOWN = ("id", *USER)


def read_user(platform: Platform, call: Call) -> Answer:
    """A user outside the scope of the key is a 404, like an unknown one."""
    given = call.path["id"]
    user = visible_user(platform, call)
    if user is not None:
        return Answer(show_user(user))
    missing = not_found("user", given)
    if platform.switches.missingUser == "errors":
        return Answer({"errors": [{"message": error} for error in missing.errors]})
    raise missing


def visible_user(platform: Platform, call: Call) -> Doc | None:
    """The user of the path, where the key may see one."""
    user = platform.objects.get_object("users", call.path["id"]) or _with_email(platform, call)
    return user if user is not None and may_see(call.key, user) else None


def _with_email(platform: Platform, call: Call) -> Doc | None:
    """The extended profile takes an e-mail address in the place of the id (O35).

    Not shown which of several accounts it means: the one that the bulk route would choose.
    """
    email = call.path["id"]
    if platform.profile != "extended" or "@" not in email:
        return None
    return Accounts(platform, call.key).find_account(Identifiers(email=email))


def show_user(user: Doc) -> Doc:
    """The fields of spec 2.4; only learners have a language."""
    profile = pick_fields(user, SHOWN)
    return profile if user.get("roleKey") == STUDENT else {**profile, "language": None}


ADDRESS = r"^[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+$"
"""Of an e-mail address: something, an `@`, and something. What a blank is differs by language."""


def check_email(value: Any) -> str:
    if not re.fullmatch(ADDRESS, value_checks.check_text(value)):
        raise InvalidValue(f"is {quote_value(value)}; it must be an e-mail address")
    return str(value)


_FIXED = (
    "learnerUserId", "managerUserId", "createdAt", "lastActiveAt", "roleKey", "crmAccountId",
    "crmContactId", "paymentCustomerId",
)  # fmt: skip
"""Of the texts of a profile (spec 2.4): what the platform or its administrators set."""
CHANGE_RULES: dict[str, Rule] = {
    "email": check_email,
    "clientId": value_checks.check_uuid,
    "disabled": value_checks.check_flag,
    "customFields": value_checks.custom_values,
    **{
        name: value_checks.check_text
        for name, first in USER.items()
        if first is None and name not in (*_FIXED, "email", "clientId")
    },
}
NEVER_NULL = ("email", "disabled", "customFields")
"""What a change cannot clear."""
CREATE_RULES: dict[str, Rule] = {**CHANGE_RULES, "sendInvite": value_checks.check_flag}
"""`sendInvite` is taken; nothing leaves this machine."""


def create_user(platform: Platform, call: Call) -> Answer:
    """The new account, whole; 409 where another one has the address (spec 7)."""
    fields = new_fields(call.body, CREATE_RULES, ("email",))
    fields.pop("sendInvite", None)
    _require_client(platform, call, fields.get("clientId"))
    _require_free(platform, fields["email"])
    stamp = platform.clock.format_now()
    user = platform.objects.add_object("users", {**make_blank("users", stamp), **fields})
    return Answer(show_user(user), int(platform.switches.createStatus))


def change_user(platform: Platform, call: Call) -> Answer:
    """The whole account after the change: what is absent stays, null clears."""
    user = visible_user(platform, call)
    if user is None:
        raise not_found("user", call.path["id"])
    fields = check_changes(call.body, CHANGE_RULES, NEVER_NULL)
    if "clientId" in fields:
        _require_client(platform, call, fields["clientId"])
    if "email" in fields and normalize_identifier(fields["email"]) != normalize_identifier(
        user.get("email") or ""
    ):
        _require_free(platform, fields["email"])
    user.update(fields)
    platform.objects.save_object("users", user)
    return Answer(show_user(user))


def _require_client(platform: Platform, call: Call, client_id: str | None) -> None:
    """403 for a client that the key may not see, or for none where it sees clients only."""
    if not call.key.may_see_client(client_id or ""):
        raise Refusal(
            403, "The API key may not put a user there; name one of its clients in clientId"
        )
    if client_id is not None and not platform.objects.has_object("clients", client_id):
        raise bad_request(f'clientId: "{client_id}" is not a client of this company')


def _require_free(platform: Platform, address: str) -> None:
    """409 if the address is that of an account (spec 7: a duplicate)."""
    wanted = normalize_identifier(address)
    for user in platform.objects.list_objects("users"):
        if normalize_identifier(user.get("email") or "") == wanted:
            raise Refusal(409, f"email: {quote_value(address)} is already used by another user")
