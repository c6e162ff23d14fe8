"""`sublicense.assign`: licenses added to and removed from many users by a job (spec 4, 2.7)."""

from collections import Counter

from ..http_exchange import Answer, validation_error
from ..people.accounts import Accounts
from ..sandbox_platform import Call, Platform
from .sublicense_body import read_assignment_body

WORK = "sublicense"


def assign_sublicenses(platform: Platform, call: Call) -> Answer:
    """202 with the job; who cannot be found is told and not enqueued (rule 6)."""
    request = read_assignment_body(call.body)
    accounts = Accounts(platform, call.key)
    resolved, unresolved = [], []
    for entry in request.entries:
        user = accounts.find_account(entry.identifiers)
        if user is None:
            unresolved.append(entry.identifiers.first_identifier())
        else:
            resolved.append((user["id"], entry))
    _refuse_repeats([user_id for user_id, _ in resolved])
    users = [{"id": id_, "add": entry.add, "remove": entry.remove} for id_, entry in resolved]
    preserved = {
        "preserveEnrollments": request.options.preserve_enrollments,
        "preserveProgress": request.options.preserve_progress,
    }
    description = f"Bulk sublicense assignment, users: {len(resolved)}"
    job = platform.start_job(WORK, {"users": users, **preserved}, description=description)
    counts = {"totalCount": len(resolved), "unresolvedIdentifiers": unresolved}
    return Answer({"data": {"jobId": job["id"], **counts}}, 202)


def _refuse_repeats(user_ids: list[str]) -> None:
    """Two entries for one user reject the whole request (rule 4)."""
    repeated = [user_id for user_id, count in Counter(user_ids).items() if count > 1]
    if repeated:
        raise validation_error(
            *(f"users: several entries are for the user {id_}" for id_ in repeated)
        )
