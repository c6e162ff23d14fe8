"""The job of `sublicense.assign`: seats first, then user by user (spec 4, rules 7 and 8)."""

import contextlib
from collections import Counter
from collections.abc import Mapping

from ..background_jobs import Doing, JobFailed
from ..people.license_effects import Change, Options, Reach, change_licenses, held_licenses
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform


class UserFailed(Exception):
    """One user cannot be changed; the others are."""


def change_users(platform: Platform, arguments: Doc, before: Doc | None) -> Doing:
    """Change the users that can be changed, one by one; what became of each is kept beside the
    job, where only the dump shows it. Raises JobFailed where seats do not suffice: then nothing
    changes.

    Jobs run one after the other in one thread, which is the lock that every user is under.
    """
    options = Options(arguments["preserveEnrollments"], arguments["preserveProgress"])
    users = arguments["users"]
    if before is None:
        _require_seats(platform, users)
    progress = before or {"users": 0, "failures": {}}
    reach = Reach(platform)
    for queued in users[progress["users"] :]:
        user = platform.objects.get_object("users", queued["id"])
        licenses = {
            id_: platform.objects.get_object("licenses", id_) for id_ in _named_licenses(queued)
        }
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
