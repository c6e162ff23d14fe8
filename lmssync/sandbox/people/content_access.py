"""What a company gives an account directly: courses, learning paths, licenses (O58, O61).

The specification shows no such route. Events and enrollments are those that the bulk sublicense
route makes: what another way still leads to stays.
"""

from collections.abc import Collection, Iterable, Sequence

from ..sandbox_documents import Doc
from ..value_checks import InvalidValue
from .enrollments import (
    Reason,
    Source,
    enroll_learner,
    enroll_path,
    list_enrollments,
    move_enrollment,
    path_enrollments,
    revoke_enrollment,
    revoke_path,
)
from .license_effects import (
    DIRECT,
    Change,
    Options,
    Reach,
    change_licenses,
    held_licenses,
    seats_used,
)

_TAKEN_AWAY = Options(preserve_enrollments=False)
"""A license that is replaced, or left behind, takes its courses along; progress is kept."""


def give_courses(reach: Reach, user: Doc, course_ids: Iterable[str], *, replace: bool) -> None:
    """Enroll a learner directly; with `replace`, the other direct enrollments end."""
    platform, wanted = reach.platform, list(course_ids)
    rows = list_enrollments(platform, user["id"])
    _enroll_in_each(reach, user, wanted, reason=DIRECT)
    direct = (row for row in rows if row["source"] == Source.DIRECT)
    _end_enrollments(
        reach, user, [row for row in direct if replace and row["courseId"] not in wanted]
    )


def give_paths(reach: Reach, user: Doc, path_ids: Iterable[str], *, replace: bool) -> None:
    """Enroll a learner in learning paths and their courses; with `replace`, the other learning
    paths that no license led to end."""
    platform, wanted = reach.platform, list(path_ids)
    rows = path_enrollments(platform, user["id"])
    held = {row["learningPathId"] for row in rows}
    for path_id in wanted:
        if path_id not in held:
            enroll_path(platform, user, path_id, license_id=None)
        reason = Reason(Source.LEARNING_PATH, None, path_id)
        _enroll_in_each(reach, user, reach.path_courses(path_id), reason=reason)
    for row in rows if replace else ():
        if row["licenseId"] is None and row["learningPathId"] not in wanted:
            revoke_path(platform, user, row)
            _end_enrollments(reach, user, _enrollments_of_path(reach, user, row["learningPathId"]))
    platform.objects.save_object("users", user)


def give_licenses(reach: Reach, user: Doc, license_ids: Sequence[str], *, replace: bool) -> None:
    """Give a learner licenses of its client that have a seat left; with `replace`, the others are
    taken away. Raises InvalidValue."""
    gained = _require_gained(reach, user, license_ids)
    lost = [id_ for id_ in held_licenses(user) if replace and id_ not in license_ids]
    if gained or lost:
        change_licenses(reach, Change(user, gained, lost), options=_TAKEN_AWAY)


def let_manage(reach: Reach, manager: Doc, license_ids: Sequence[str], *, replace: bool) -> None:
    """Put licenses of its client under a manager, who is enrolled in nothing by them."""
    gained = _require_gained(reach, manager, license_ids)
    kept = [] if replace else held_licenses(manager)
    after = dict.fromkeys([*kept, *(license_ids if replace else gained)])
    manager["allocatedLicenses"] = [{"licenseId": id_} for id_ in after]
    reach.platform.objects.save_object("users", manager)


def end_foreign_licenses(reach: Reach, user: Doc, *, learns: bool) -> None:
    """Take away the licenses that are not of the client of a user: its users alone hold a client's
    licenses (spec 4). What other ways still lead a learner to stays."""
    own = {
        one["id"] for one in reach.platform.objects.list_owned("licenses", user["clientId"] or "")
    }
    lost = [id_ for id_ in held_licenses(user) if id_ not in own]
    if learns and lost:
        change_licenses(reach, Change(user, [], lost), options=_TAKEN_AWAY)
    elif lost:
        kept = [{"licenseId": id_} for id_ in held_licenses(user) if id_ in own]
        user["allocatedLicenses"] = kept
        reach.platform.objects.save_object("users", user)


def _require_gained(reach: Reach, user: Doc, license_ids: Sequence[str]) -> list[str]:
    """The licenses, of those named, that the user does not have yet. Raises InvalidValue."""
    platform, before = reach.platform, held_licenses(user)
    gained = [id_ for id_ in license_ids if id_ not in before]
    used = seats_used(platform, user.get("clientId") or "") if gained else {}
    for id_ in gained:
        license_ = platform.objects.get_object("licenses", id_)
        if license_ is None or license_["clientId"] != user.get("clientId"):
            raise InvalidValue(f'"{id_}" is not a license of the client of this user')
        limit = license_.get("seatsLimit")
        if limit and used[id_] >= limit:
            raise InvalidValue(f'"{license_["name"]}" has {limit} seats, and all are taken')
    return gained


def _enroll_in_each(reach: Reach, user: Doc, ids: Collection[str], *, reason: Reason) -> None:
    held = {row["courseId"] for row in list_enrollments(reach.platform, user["id"])}
    for id_ in ids:
        if id_ not in held:
            enroll_learner(reach.platform, user, id_, reason=reason)


def _enrollments_of_path(reach: Reach, user: Doc, path_id: str) -> list[Doc]:
    rows = list_enrollments(reach.platform, user["id"])
    return [row for row in rows if (row["learningPathId"], row["licenseId"]) == (path_id, None)]


def _end_enrollments(reach: Reach, user: Doc, rows: Iterable[Doc]) -> None:
    """End them, but for those in courses to which something else of the learner leads."""
    others = dict(reach.purchased_courses(user))
    for held in path_enrollments(reach.platform, user["id"]):
        reason = Reason(Source.LEARNING_PATH, held["licenseId"], held["learningPathId"])
        others |= dict.fromkeys(reach.path_courses(held["learningPathId"]), reason)
    for license_id in held_licenses(user):
        others |= reach.courses(license_id)
    for row in rows:
        if row["courseId"] in others:
            move_enrollment(reach.platform, row, others[row["courseId"]])
        else:
            revoke_enrollment(reach.platform, user, row)
