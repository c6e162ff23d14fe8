"""The job of `sublicense.assign`: seats first, then user by user (spec 4, rules 7 and 8)."""

from collections import Counter
from typing import Any

from ..jobs import JobFailed
from ..people import seats
from ..people.license_change import Change, Options, change, held
from ..people.reach import Reach
from ..world import World

Doc = dict[str, Any]


class UserFailed(Exception):
    """One user cannot be changed; the others are."""


def work(world: World, arguments: Doc) -> Doc:
    """Change the users that can be changed; what became of each is kept beside the job, where
    only the dump shows it. Raises JobFailed where seats do not suffice: then nothing changes.

    Jobs run one after the other in one thread, which is the lock that every user is under.
    """
    options = Options(arguments["preserveEnrollments"], arguments["preserveProgress"])
    changes, failures = [], {}
    for queued in arguments["users"]:
        try:
            changes.append(_decided(world, queued))
        except UserFailed as failed:
            failures[queued["id"]] = str(failed)
    _require_seats(world, changes)
    reach = Reach(world)
    for wanted in changes:
        change(world, reach, wanted, options=options)
    return {
        "results": [
            {"userId": queued["id"], "error": failures.get(queued["id"])}
            for queued in arguments["users"]
        ]
    }


def _decided(world: World, queued: Doc) -> Change:
    """What is to change for one user. A license that is both removed and added stays."""
    user = world.objects.get("users", queued["id"])
    if user is None:
        raise UserFailed("The user does not exist any more")
    if not user.get("clientId"):
        raise UserFailed("The user is in no client")
    for license_id in (*queued["add"], *queued["remove"]):
        license_ = world.objects.get("licenses", license_id)
        if license_ is None or license_["clientId"] != user["clientId"]:
            raise UserFailed(f"The license {license_id} does not exist on the user's client")
    before = held(user)
    gained = [id_ for id_ in queued["add"] if id_ not in before]
    lost = [id_ for id_ in queued["remove"] if id_ in before and id_ not in queued["add"]]
    if not gained and not lost:
        raise UserFailed("The licenses already match")
    return Change(user, gained, lost)


def _require_seats(world: World, changes: list[Change]) -> None:
    """Raise JobFailed if a license would have more holders than seats.

    Not shown: a seat given back in the same job can be taken in it.
    """
    gained = Counter(license_id for wanted in changes for license_id in wanted.gained)
    lost = Counter(license_id for wanted in changes for license_id in wanted.lost)
    clients = {wanted.user["clientId"] for wanted in changes if wanted.gained}
    used = sum((seats.used(world, client_id) for client_id in clients), Counter[str]())
    for license_id, count in gained.items():
        license_ = world.objects.get("licenses", license_id)
        assert license_ is not None  # decided
        limit = license_.get("seatsLimit")
        needed = used[license_id] + count - lost[license_id]
        if limit and needed > limit:
            raise JobFailed(
                f'The license "{license_["name"]}" has {limit} seats; {needed} would be taken'
            )
