"""Accounts are made and changed: `user.create`, `user.change` (O51, O58), `user.status` (O59),
`user.dualRole`, `user.removeManagers` (O60).

Who learns and manages has two accounts with one address, each of which names the other.
"""

import re
from typing import Any

from .. import value_checks
from ..data.object_kinds import KINDS, USER, make_blank
from ..http_messages import Answer, Refusal, bad_request
from ..people.license_effects import Reach, end_foreign_licenses
from ..sandbox_documents import Doc, drop_fields, pick_fields
from ..sandbox_platform import Call, Platform
from ..value_checks import InvalidValue, Rule, check_changes, new_fields, quote_value
from .user_routes import (
    ACCESS_RULES,
    STUDENT,
    Accounts,
    Identifiers,
    give_access,
    may_see,
    normalize_identifier,
    require_user,
    show_user,
)

ADDRESS = r"^[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+$"
"""Of an e-mail address: something, an `@`, and something. What a blank is differs by language."""
MANAGER = "sublicense-manager"
MANAGERS = (MANAGER, "customer-reporting-only", "customer-admin")
ROLES = (STUDENT, *MANAGERS)
"""Keys of roles that were seen (O58); a seed may have others."""
STATUSES = ("disabled", "active")


def check_email(value: Any) -> str:
    if not re.fullmatch(ADDRESS, value_checks.check_text(value)):
        raise InvalidValue(f"is {quote_value(value)}; it must be an e-mail address")
    return str(value)


_FIXED = (
    "learnerUserId", "managerUserId", "createdAt", "lastActiveAt", "roleKey", "crmAccountId",
    "crmContactId", "paymentCustomerId",
)  # fmt: skip
"""Of the texts of a profile (spec 2.4): what the platform or its administrators set."""
_PROFILE_RULES: dict[str, Rule] = {
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
_ORDER_RULES: dict[str, Rule] = {
    "upsert": value_checks.check_flag,
    "clientSku": value_checks.check_text,
    "role": value_checks.one_of(ROLES),
    "dualRole": value_checks.check_flag,
    **ACCESS_RULES,
}
"""What is done with an account, besides what is written into it (O58)."""
CHANGE_RULES: dict[str, Rule] = {**_PROFILE_RULES, **_ORDER_RULES}
NEVER_NULL = ("email", "disabled", "customFields", *_ORDER_RULES)
"""What a change cannot clear."""
CREATE_RULES: dict[str, Rule] = {**CHANGE_RULES, "sendInvite": value_checks.check_flag}
"""`sendInvite` is taken; nothing leaves this machine."""
STATUS_RULES: dict[str, Rule] = {"status": value_checks.one_of(STATUSES)}
DUAL_RULES: dict[str, Rule] = {"role": value_checks.one_of(MANAGERS)}
REMOVAL_RULES: dict[str, Rule] = {"userIds": value_checks.check_names}


def create_user(platform: Platform, call: Call) -> Answer:
    """The new account, whole; 409 where another one has the address (spec 7), unless `upsert`
    means that one."""
    fields = new_fields(call.body, CREATE_RULES, ("email",))
    if fields.get("upsert"):
        same = Accounts(platform, call.key).find_account(Identifiers(email=fields["email"]))
        if same is not None:
            return _write_account(platform, call, same, fields)
    _require_free(platform, fields["email"])
    # A key that sees clients only may not make an account that belongs to none.
    if not fields.keys() & {"clientId", "clientSku"}:
        _require_client(platform, call, None)
    user = make_blank("users", platform.clock.format_now())
    answer = _write_account(platform, call, user, fields)
    return answer._replace(status=int(platform.switches.createStatus))


def change_user(platform: Platform, call: Call) -> Answer:
    """The whole account after the change: what is absent stays, null clears."""
    user = require_user(platform, call)
    fields = check_changes(call.body, CHANGE_RULES, NEVER_NULL)
    address = normalize_identifier(fields.get("email") or user.get("email") or "")
    if address != normalize_identifier(user.get("email") or ""):
        _require_free(platform, address)
    return _write_account(platform, call, user, fields)


def update_user_status(platform: Platform, call: Call) -> Answer:
    """`disabled` disables and `active` enables; the whole account after that."""
    user = require_user(platform, call)
    fields = new_fields(call.body, STATUS_RULES, STATUS_RULES)
    user["disabled"] = fields["status"] == STATUSES[0]
    platform.objects.save_object("users", user)
    return Answer(show_user(user))


def make_dual_role(platform: Platform, call: Call) -> Answer:
    """The ids of both accounts; who has two already keeps them, with the role for the manager."""
    user = require_user(platform, call)
    fields = new_fields(call.body, DUAL_RULES, DUAL_RULES)
    learner, manager = _pair_accounts(platform, user, role=fields["role"])
    return Answer({"learnerId": learner["id"], "managerId": manager["id"]})


def remove_managers(platform: Platform, call: Call) -> Answer:
    """Whose account of a manager went, by the id of either account; other ids are named."""
    fields = new_fields(call.body, REMOVAL_RULES, REMOVAL_RULES)
    removed, invalid = 0, []
    # Both ids of one person may be named, or one twice: each account goes once.
    for id_ in dict.fromkeys(fields["userIds"]):
        user = platform.objects.get_object("users", id_)
        learner, manager = _find_pair(platform, user) if user else (None, None)
        if learner is None or manager is None or not may_see(call.key, learner):
            invalid.append(id_)
            continue
        _remove_account(platform, manager["id"])
        platform.objects.save_object("users", {**learner, "managerUserId": None})
        removed += 1
    return Answer({"updatedRecordCount": removed, "invalidUserIds": invalid})


def _write_account(platform: Platform, call: Call, user: Doc, fields: Doc) -> Answer:
    """Write checked fields into an account, new or not, and do what they order."""
    profile = drop_fields(fields, "sendInvite", *_ORDER_RULES)
    if "clientSku" in fields:
        client_id = _client_by_sku(platform, fields["clientSku"])
        if profile.setdefault("clientId", client_id) != client_id:
            raise InvalidValue("is that of another client than clientId", "clientSku")
    if "clientId" in profile:
        _require_client(platform, call, profile["clientId"])
    role = fields.get("role")
    if role is not None and not fields.get("dualRole"):
        _refuse_half_a_change(user, role)
        profile["roleKey"] = role
    left, moves = user.get("clientId"), "id" in user
    user.update(profile)
    if moves:
        platform.objects.save_object("users", user)
    else:
        user = platform.objects.add_object("users", user)
    if fields.get("dualRole"):
        _pair_accounts(platform, user, role=role if role in MANAGERS else MANAGER)
    learner, manager = _find_pair(platform, user)
    if moves and user["clientId"] != left:
        _move_accounts(platform, user["clientId"], learner=learner, manager=manager)
    give_access(platform, fields, learner=learner, manager=manager)
    kept = platform.objects.get_object("users", user["id"])
    assert kept is not None  # nothing here removes it
    return Answer(show_user(kept))


def _move_accounts(
    platform: Platform, client_id: str | None, *, learner: Doc | None, manager: Doc | None
) -> None:
    """Put all accounts of a person into a client: one write gives licenses of it to both (O58)."""
    for account in filter(None, (learner, manager)):
        account["clientId"] = client_id
        platform.objects.save_object("users", account)
        learns = account is learner or learner is None
        end_foreign_licenses(Reach(platform), account, learns=learns)


def _refuse_half_a_change(user: Doc, role: str) -> None:
    """Raises InvalidValue where one account of two would learn in place of managing, or the other
    way round."""
    paired = user.get("learnerUserId") or user.get("managerUserId")
    if paired and (role == STUDENT) != (user["roleKey"] == STUDENT):
        raise InvalidValue("is that of the other account of this person", "role")


def _find_pair(platform: Platform, user: Doc) -> tuple[Doc | None, Doc | None]:
    """The learner's and the manager's account of a person who has this one."""
    if user["roleKey"] == STUDENT:
        return user, platform.objects.get_object("users", user.get("managerUserId") or "")
    return platform.objects.get_object("users", user.get("learnerUserId") or ""), user


def _pair_accounts(platform: Platform, user: Doc, *, role: str) -> tuple[Doc, Doc]:
    """Both accounts of a person; the one that is missing is made like the other."""
    learner, manager = _find_pair(platform, user)
    if learner is None:
        learner = _add_second_account(platform, user)
    if manager is None:
        manager = _add_second_account(platform, user)
    learner["managerUserId"] = manager["id"]
    manager |= {"learnerUserId": learner["id"], "roleKey": role}
    for account in (learner, manager):
        platform.objects.save_object("users", account)
    return learner, manager


def _add_second_account(platform: Platform, user: Doc) -> Doc:
    blank = make_blank("users", platform.clock.format_now())
    return platform.objects.add_object("users", {**blank, **pick_fields(user, _PROFILE_RULES)})


def _remove_account(platform: Platform, id_: str) -> None:
    """Remove an account with all that is kept of the person in it."""
    for name, kind in KINDS.items():
        if kind.owner in ("userId", "learnerId"):
            for doc in platform.objects.list_owned(name, id_):
                platform.objects.remove_object(name, doc["id"])
    platform.objects.remove_object("users", id_)


def _client_by_sku(platform: Platform, sku: str) -> str:
    for client in platform.objects.list_objects("clients"):
        if client.get("sku") == sku:
            return str(client["id"])
    raise InvalidValue(f"no client has the sku {quote_value(sku)}", "clientSku")


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
