"""Accounts: `user.read` (spec 2.4, 4).

`Accounts` says which user an identifier means (spec 4, bulk sublicense rule 3).
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..api_keys import Key
from ..data.object_kinds import USER
from ..http_messages import Answer, not_found
from ..sandbox_documents import Doc, pick_fields
from ..sandbox_platform import Call, Platform

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


def require_user(platform: Platform, call: Call) -> Doc:
    """The user of the path, or a 404."""
    user = visible_user(platform, call)
    if user is None:
        raise not_found("user", call.path["id"])
    return user


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
