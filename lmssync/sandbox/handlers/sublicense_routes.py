"""`sublicense.assign`: a job adds licenses to many users and removes them (spec 4, 2.7).

The body is checked first, as a whole. The job counts the seats, and then changes user by user
(rules 7 and 8).
"""

import contextlib
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from ...vocabulary.limits import USERS_PER_SUBLICENSE
from .. import value_checks
from ..http_messages import Answer, bad_request, validation_error
from ..people.license_effects import Change, Options, Reach, change_licenses, held_licenses
from ..sandbox_documents import Doc
from ..sandbox_jobs import Doing, JobFailed
from ..sandbox_platform import Call, Platform
from ..value_checks import V3, InvalidValue, Rule, collect_fields, quote_value
from .user_routes import Accounts, Identifiers


class UserFailed(Exception):
    """One user cannot be changed; the others are."""


def change_users(platform: Platform, arguments: Doc, before: Doc | None) -> Doing:
    """Change the users that can be changed, one by one; what became of each is kept beside the
    job, where only the dump shows it. Raises JobFailed where seats do not suffice: then nothing
    changes.

    Jobs run one after the other in one thread, which is the lock that every user is under.
    """
    options = Options(arguments[ENROLLMENTS], arguments[PROGRESS])
    users = arguments["users"]
    # Only at its start: later on, the job itself has taken the seats that it counts.
    if before is None:
        _require_seats(platform, users)
    progress = before or {"users": 0, "failures": {}}
    reach = Reach(platform)
    # A job that was interrupted goes on behind the last user that it has written down.
    for queued in users[progress["users"] :]:
        user = platform.objects.get_object("users", queued["id"])
        named = _named_licenses(queued)
        licenses = {id_: platform.objects.get_object("licenses", id_) for id_ in named}
        try:
            change_licenses(reach, _decide_change(queued, user, licenses), options=options)
        except UserFailed as failed:
            progress["failures"][queued["id"]] = str(failed)
        progress["users"] += 1
        yield progress
    failures = progress["failures"]
    return {"results": [{"userId": one["id"], "error": failures.get(one["id"])} for one in users]}


def _named_licenses(queued: Doc) -> list[str]:
    return [*queued["add"], *queued["remove"]]


def _decide_change(queued: Doc, user: Doc | None, licenses: Mapping[str, Doc | None]) -> Change:
    """What is to change for one user. A license that is both removed and added stays."""
    if user is None:
        raise UserFailed("The user no longer exists")
    if not user.get("clientId"):
        raise UserFailed("The user does not belong to a client")
    for license_id in _named_licenses(queued):
        license_ = licenses.get(license_id)
        if license_ is None or license_["clientId"] != user["clientId"]:
            raise UserFailed(f"The license {license_id} does not exist on the user's client")
    before = held_licenses(user)
    gained = [id_ for id_ in queued["add"] if id_ not in before]
    lost = [id_ for id_ in queued["remove"] if id_ in before and id_ not in queued["add"]]
    if not gained and not lost:
        raise UserFailed("The licenses already match")
    return Change(user, gained, lost)


def _require_seats(platform: Platform, users: list[Doc]) -> None:
    """Raise JobFailed if a license would have more holders than seats.

    Not shown: a seat given back in the same job can be taken in it. All accounts are read at once:
    one by one they would take longer, and the count must be that of one moment.
    """
    accounts = {user["id"]: user for user in platform.objects.list_objects("users")}
    licenses = {one["id"]: one for one in platform.objects.list_objects("licenses")}
    taken = Counter(license_id for user in accounts.values() for license_id in held_licenses(user))
    gained: set[str] = set()
    for queued in users:
        with contextlib.suppress(UserFailed):
            wanted = _decide_change(queued, accounts.get(queued["id"]), licenses)
            taken.update(wanted.gained)
            taken.subtract(wanted.lost)
            gained.update(wanted.gained)
    for license_id in sorted(gained):
        license_ = licenses[license_id]
        limit = license_.get("seatsLimit")
        if limit and taken[license_id] > limit:
            raise JobFailed(
                f'The license "{license_["name"]}" has {limit} seats;'
                f" {taken[license_id]} would be taken"
            )


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
    raise InvalidValue(f"is {quote_value(value)}; it must be a boolean")


USER_RULES: dict[str, Rule] = {
    "id": value_checks.check_uuid,
    "email": value_checks.check_text,
    "externalCustomerId": value_checks.check_text,
    ADD: value_checks.check_uuids,
    REMOVE: value_checks.check_uuids,
}
OPTION_RULES: dict[str, Rule] = {ENROLLMENTS: coerce_flag, PROGRESS: coerce_flag}
FIELDS = ("users", "enrollmentOptions")


class UserEntry(NamedTuple):
    """One user of a request, not yet looked up."""

    identifiers: Identifiers
    add: list[str]
    remove: list[str]


def read_assignment_body(body: Doc) -> tuple[list[UserEntry], Options]:
    """The users and the options of a request. Raises 400: BAD_REQUEST for single values,
    VALIDATION_ERROR for what does not go together (spec 7); each names all that is wrong."""
    errors = [f"property {name[:60]} should not exist" for name in body if name not in FIELDS]
    users = _check_users(body.get("users"), errors)
    given: Doc = {}
    if (options := body.get("enrollmentOptions")) is not None:
        given = _check_user_fields(options, OPTION_RULES, "enrollmentOptions", errors)
    if errors:
        raise bad_request(*errors)
    entries = [_make_entry(user) for user in users]
    errors += _find_incomplete(entries)
    errors += _options_wrong(given, removing=any(entry.remove for entry in entries))
    if errors:
        raise validation_error(*errors)
    # An option that is not given is true (spec 2.7).
    return entries, Options(given.get(ENROLLMENTS, True), given.get(PROGRESS, True))


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


SUBLICENSE_WORK = "sublicense"


def assign_sublicenses(platform: Platform, call: Call) -> Answer:
    """202 with the job; who cannot be found is named and not enqueued (rule 6)."""
    entries, options = read_assignment_body(call.body)
    accounts = Accounts(platform, call.key)
    users: list[Doc] = []
    unresolved = []
    for entry in entries:
        user = accounts.find_account(entry.identifiers)
        if user is None:
            unresolved.append(entry.identifiers.first_identifier())
        else:
            users.append({"id": user["id"], "add": entry.add, "remove": entry.remove})
    _refuse_repeats([user["id"] for user in users])
    arguments = {"users": users, ENROLLMENTS: options.preserve_enrollments}
    job = platform.start_job(
        SUBLICENSE_WORK,
        {**arguments, PROGRESS: options.preserve_progress},
        description=f"Bulk sublicense assignment, users: {len(users)}",
    )
    counts = {"totalCount": len(users), "unresolvedIdentifiers": unresolved}
    return Answer({"data": {"jobId": job["id"], **counts}}, 202)


def _refuse_repeats(user_ids: list[str]) -> None:
    """Two entries for one user reject the whole request (rule 4)."""
    repeated = [user_id for user_id, count in Counter(user_ids).items() if count > 1]
    if repeated:
        raise validation_error(
            *(f"users: several entries are for the user {id_}" for id_ in repeated)
        )
