"""The body of `sublicense.assign`: what it must be, and what is read from it (spec 2.7, 4)."""

from typing import Any, NamedTuple

from lmssync.vocabulary.limits import USERS_PER_SUBLICENSE

from .. import checks
from ..checks import V3, Rule, Wrong, collect_fields, quote_value
from ..http_exchange import bad_request, validation_error
from ..people.accounts import Identifiers
from ..people.license_effects import Options
from ..sandbox_documents import Doc

ADD, REMOVE = "licenseIdsToAdd", "licenseIdsToRemove"
ENROLLMENTS, PROGRESS = "preserveEnrollments", "preserveProgress"
IDENTIFIERS = ("id", "email", "externalCustomerId")


def coerce_flag(value: Any) -> bool | None:
    """A boolean option as the platform takes it before it validates (rule 5).

    Any text that is not empty is true, "false" too; "" and 0 are false. Not shown: other numbers
    are true, null is as good as none, lists and objects are refused.
    """
    if value is None or isinstance(value, str | int | float):
        return None if value is None else bool(value)
    raise Wrong(f"is {quote_value(value)}; it must be a boolean")


USER_RULES: dict[str, Rule] = {
    "id": checks.check_uuid,
    "email": checks.check_text,
    "externalCustomerId": checks.check_text,
    ADD: checks.check_uuids,
    REMOVE: checks.check_uuids,
}
OPTION_RULES: dict[str, Rule] = {ENROLLMENTS: coerce_flag, PROGRESS: coerce_flag}
FIELDS = ("users", "enrollmentOptions")


class UserEntry(NamedTuple):
    """One user of a request, not yet looked up."""

    identifiers: Identifiers
    add: list[str]
    remove: list[str]


class BulkAssignment(NamedTuple):
    """A request without mistakes."""

    entries: list[UserEntry]
    options: Options


def read_assignment_body(body: Doc) -> BulkAssignment:
    """What a body says. Raises 400: BAD_REQUEST for single values, VALIDATION_ERROR for what does
    not go together (spec 7); each names all that is wrong."""
    errors = [f"property {name[:60]} should not exist" for name in body if name not in FIELDS]
    users = _check_users(body.get("users"), errors)
    options = body.get("enrollmentOptions")
    given = (
        {}
        if options is None
        else _check_user_fields(options, OPTION_RULES, "enrollmentOptions", errors)
    )
    if errors:
        raise bad_request(*errors)
    entries = [_make_entry(user) for user in users]
    errors = [
        *_find_incomplete(entries),
        *_options_wrong(given, removing=any(e.remove for e in entries)),
    ]
    if errors:
        raise validation_error(*errors)
    # An option that is not given is true (spec 2.7).
    return BulkAssignment(entries, Options(given.get(ENROLLMENTS, True), given.get(PROGRESS, True)))


def _check_users(users: Any, errors: list[str]) -> list[Doc]:
    if not isinstance(users, list):
        errors.append(f"users is {quote_value(users)}; it must be a list of users")
        return []
    if not 1 <= len(users) <= USERS_PER_SUBLICENSE:
        errors.append(f"users has {len(users)} entries; it must have 1 to {USERS_PER_SUBLICENSE}")
        return []
    return [
        _check_user_fields(user, USER_RULES, f"users[{i}]", errors) for i, user in enumerate(users)
    ]


def _check_user_fields(value: Any, rules: dict[str, Rule], place: str, errors: list[str]) -> Doc:
    """The fields that were sent; what is wrong with them is added to `errors`."""
    if not isinstance(value, dict):
        errors.append(f"{place} is {quote_value(value)}; it must be an object")
        return {}
    words = V3._replace(unknown=f"{place}: {V3.unknown}", wrong=f"{place}.{V3.wrong}")
    fields, wrong = collect_fields(value, rules, words=words)
    errors += wrong
    return fields


def _make_entry(user: Doc) -> UserEntry:
    given = ((user.get(name) or "").strip() or None for name in IDENTIFIERS)
    return UserEntry(Identifiers(*given), user.get(ADD, []), user.get(REMOVE, []))


def _find_incomplete(entries: list[UserEntry]) -> list[str]:
    errors = []
    for index, entry in enumerate(entries):
        if not any(entry.identifiers):
            errors.append(f"users[{index}] needs one of {', '.join(IDENTIFIERS)}")
        if not entry.add and not entry.remove:
            errors.append(f"users[{index}] needs a license in {ADD} or in {REMOVE}")
    return errors


def _options_wrong(given: Doc, *, removing: bool) -> list[str]:
    """`given` holds booleans alone: with none of them a removal says nothing (rule 2)."""
    if removing and not given:
        needed = f"{ENROLLMENTS} or {PROGRESS} must be a boolean"
        return [f"enrollmentOptions is required when a license is removed; {needed}"]
    if given.get(ENROLLMENTS, True) and not given.get(PROGRESS, True):
        return [f"{ENROLLMENTS} true with {PROGRESS} false is not possible"]
    return []
