"""What a change of licenses does to one learner (spec 3, effect of enrollmentOptions)."""

from collections import Counter
from typing import NamedTuple

from ..documents import Doc
from ..platform import Platform
from . import learners
from .learners import Reason, Source
from .reach import Reach

DIRECT = Reason(Source.DIRECT)


class Options(NamedTuple):
    """`enrollmentOptions` of a request (spec 2.7)."""

    preserve_enrollments: bool = True
    preserve_progress: bool = True


class Change(NamedTuple):
    """The licenses a learner gains and loses, by id; the user's document is the newest."""

    user: Doc
    gained: list[str]
    lost: list[str]


def held_licenses(user: Doc) -> list[str]:
    """The licenses that a user holds."""
    return [item["licenseId"] for item in user["allocatedLicenses"]]


def seats_used(platform: Platform, client_id: str) -> Counter[str]:
    """Seats in use by license id, counted; only users of a client hold its licenses (spec 4)."""
    users = platform.objects.list_owned("users", client_id)
    return Counter(license_id for user in users for license_id in held_licenses(user))


def grant_license(reach: Reach, user: Doc, *, license_id: str, silent: bool = False) -> None:
    """Enroll in all that a license leads to and the learner is not yet in; the caller saves."""
    platform = reach.platform
    paths = {row["learningPathId"] for row in learners.path_enrollments(platform, user["id"])}
    for path_id in reach.license_paths(license_id):
        if path_id not in paths:
            learners.enroll_path(platform, user, path_id, license_id=license_id, silent=silent)
    courses = {row["courseId"] for row in learners.list_enrollments(platform, user["id"])}
    for course_id, reason in reach.courses(license_id).items():
        if course_id not in courses:
            learners.enroll_learner(platform, user, course_id, reason=reason, silent=silent)


def change_licenses(reach: Reach, wanted: Change, *, options: Options) -> None:
    """Take away and grant; nothing of the user but licenses and learning paths changes."""
    platform, user = reach.platform, wanted.user
    for license_id in held_licenses(user):
        # What came under a license since the learner got it: access is there, the record is due.
        grant_license(reach, user, license_id=license_id, silent=True)
    after = [id_ for id_ in held_licenses(user) if id_ not in wanted.lost] + wanted.gained
    user["allocatedLicenses"] = [{"licenseId": license_id} for license_id in after]
    leaving = _Leaving(reach, wanted, after=after, options=options)
    leaving.leave_paths()
    leaving.leave_courses()
    for license_id in wanted.gained:
        grant_license(reach, user, license_id=license_id)
    platform.objects.save_object("users", user)


class _Leaving:
    """One learner who loses licenses: what else leads to the content stays as it was."""

    def __init__(self, reach: Reach, wanted: Change, *, after: list[str], options: Options) -> None:
        self._platform, self._reach, self._user = reach.platform, reach, wanted.user
        self._lost, self._after, self._options = set(wanted.lost), after, options
        self._made_direct: set[str] = set()

    def leave_paths(self) -> None:
        """Learning paths first: one that survives keeps its courses."""
        for row in learners.path_enrollments(self._platform, self._user["id"]):
            if row["licenseId"] not in self._lost:
                continue
            path_id = row["learningPathId"]
            other = next(
                (id_ for id_ in self._after if path_id in self._reach.license_paths(id_)), None
            )
            if other is None and not self._options.preserve_enrollments:
                learners.revoke_path(self._platform, self._user, row)
                continue
            if other is None:
                self._made_direct.add(path_id)
            row["licenseId"] = other
            self._platform.objects.save_object("learningPathEnrollments", row)

    def leave_courses(self) -> None:
        rows = learners.list_enrollments(self._platform, self._user["id"])
        kept = {row["courseId"] for row in rows if row["licenseId"] not in self._lost}
        others = self._other_ways()
        for row in rows:
            if row["licenseId"] not in self._lost:
                continue
            if row["courseId"] in kept:
                self._platform.objects.remove_object("enrollments", row["id"])
            elif row["courseId"] in others:
                learners.move_enrollment(self._platform, row, others[row["courseId"]])
            elif self._options.preserve_enrollments:
                learners.move_enrollment(self._platform, row, DIRECT)
            else:
                self._lose_enrollment(row)

    def _other_ways(self) -> dict[str, Reason]:
        """Every course that licenses kept or gained, surviving paths or purchases lead to."""
        ways = dict(self._reach.purchased_courses(self._user))
        for row in learners.path_enrollments(self._platform, self._user["id"]):
            path_id = row["learningPathId"]
            if path_id not in self._made_direct:
                reason = Reason(Source.LEARNING_PATH, row["licenseId"], path_id)
                ways |= dict.fromkeys(self._reach.path_courses(path_id), reason)
        for license_id in reversed(self._after):
            ways |= self._reach.courses(license_id)
        return ways

    def _lose_enrollment(self, row: Doc) -> None:
        user_id, course_id = self._user["id"], row["courseId"]
        learners.revoke_enrollment(self._platform, self._user, row)
        if not self._options.preserve_progress:
            learners.erase_results(self._platform, user_id, course_id, transcript=False)
        elif self._reach.restarts(course_id):
            learners.erase_results(self._platform, user_id, course_id, transcript=True)
