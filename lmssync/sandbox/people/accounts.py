"""Accounts: which user an identifier means (spec 4, bulk sublicense rule 3)."""

from collections.abc import Iterable
from typing import NamedTuple

from ..api_keys import Key
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform

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
                self._add_account(user)

    def find_account(self, identifiers: Identifiers) -> Doc | None:
        """The user of the first identifier that means somebody."""
        if identifiers.id and (user := self._by_id.get(normalize_identifier(identifiers.id))):
            return user
        email = normalize_identifier(identifiers.email or "")
        if found := self._by_email.get(email):
            return _choose_account(found, email)
        return _choose_account(
            self._by_external_id.get(normalize_identifier(identifiers.external_id or ""), ())
        )

    def _add_account(self, user: Doc) -> None:
        self._by_id[user["id"].lower()] = user
        emails = [user.get("email"), *(user.get("secondaryEmails") or ())]
        for email in {normalize_identifier(email) for email in emails if email}:
            self._by_email.setdefault(email, []).append(user)
        if user.get("externalCustomerId"):
            external_id = normalize_identifier(user["externalCustomerId"])
            self._by_external_id.setdefault(external_id, []).append(user)


def may_see(key: Key, user: Doc) -> bool:
    """A key of scope `client` sees the users of its clients, and none that has no client."""
    return key.may_see_client(user.get("clientId") or "")


def _choose_account(users: Iterable[Doc], email: str = "") -> Doc | None:
    """One of several: no shadow account, then the primary e-mail, then a student; the oldest."""

    def account_preference(user: Doc) -> tuple[bool, bool, bool]:
        primary = normalize_identifier(user.get("email") or "")
        return bool(user.get("isShadow")), primary != email, user.get("roleKey") != STUDENT

    return min(users, key=account_preference, default=None)
