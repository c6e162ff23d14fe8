"""What licenses lead to, and what a change of licenses does to a learner (spec 2.7 and 3).

A company can also give an account courses, learning paths and licenses directly (O58, O61). The
specification shows no such route. Events and enrollments are those that the bulk sublicense route
makes: what another way still leads to stays.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from ..sandbox_documents import Doc
from ..sandbox_platform import Platform
from ..value_checks import InvalidValue
from .enrollments import (
    Reason,
    Source,
    enroll_learner,
    enroll_path,
    erase_results,
    list_enrollments,
    move_enrollment,
    path_enrollments,
    revoke_enrollment,
    revoke_path,
)

RESTARTS = "restartProgressOnReenrollment"
"""The field of a course that spec 3 means with courses that restart progress on re-enrollment:
its name is not shown and no route sets it; a seed or an edit does."""


class Reach:
    """A look at licenses, paths and courses, made for one job: what was read once stays."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self.courses = cache(self._license_courses)
        self.path_courses = cache(self._path_courses)
        self.restarts = cache(self._restarts_progress)

    def _license_courses(self, license_id: str) -> Mapping[str, Reason]:
        """The courses of a license: its own, those of its tags, those of its learning paths."""
        license_ = self.platform.objects.get_object("licenses", license_id) or {}
        reasons: dict[str, Reason] = {}
        for path_id in license_.get("learningPathIds") or ():
            for course_id in self.path_courses(path_id):
                reasons[course_id] = Reason(Source.LEARNING_PATH, license_id, path_id)
        own = [*self._existing_courses(license_.get("courseIds") or ())]
        for tag_id in license_.get("courseTagIds") or ():
            own += self._courses_of_tags.get(tag_id, ())
        return reasons | dict.fromkeys(own, Reason(Source.LICENSE, license_id))

    def license_paths(self, license_id: str) -> list[str]:
        license_ = self.platform.objects.get_object("licenses", license_id) or {}
        return list(license_.get("learningPathIds") or ())

    def _path_courses(self, path_id: str) -> list[str]:
        path = self.platform.objects.get_object("learningPaths", path_id) or {}
        return self._existing_courses(path.get("courseIds") or ())

    def purchased_courses(self, user: Doc) -> Mapping[str, Reason]:
        """The courses that a learner's own purchases lead to (spec 2.4)."""
        reasons = {}
        for bundle in user["purchasedBundles"]:
            collection = self.platform.objects.get_object("collections", bundle["bundleId"]) or {}
            for course_id in collection.get("courseIds") or ():
                reasons[course_id] = Reason(Source.BUNDLE)
        for course in user["purchasedCourses"]:
            reasons[course["courseId"]] = Reason(Source.PURCHASE)
        return reasons

    def _restarts_progress(self, course_id: str) -> bool:
        """True if progress in the course begins anew with every enrollment."""
        course = self.platform.courses.find_course_of(course_id) or {}
        return bool(course.get(RESTARTS))

    def _existing_courses(self, course_ids: Iterable[str]) -> list[str]:
        return [id_ for id_ in course_ids if self.platform.courses.has_id(id_)]

    @cached_property
    def _courses_of_tags(self) -> Mapping[str, list[str]]:
        """The courses of every tag: all sessions of the groups that bear it."""
        tagged: dict[str, list[str]] = {}
        for group in self.platform.groups.list_documents():
            for tag_id in group.get("tagIds") or ():
                sessions = self.platform.courses.list_sessions(group["id"])
                tagged.setdefault(tag_id, []).extend(course["id"] for course in sessions)
        return tagged


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
    return [item["licenseId"] for item in user["allocatedLicenses"]]


def seats_used(platform: Platform, client_id: str) -> Counter[str]:
    """Seats in use by license id, counted; only users of a client hold its licenses (spec 4)."""
    users = platform.objects.list_owned("users", client_id)
    return Counter(license_id for user in users for license_id in held_licenses(user))


def grant_license(reach: Reach, user: Doc, *, license_id: str, silent: bool = False) -> None:
    """Enroll in all that a license leads to and the learner is not yet in; the caller saves."""
    platform = reach.platform
    paths = {row["learningPathId"] for row in path_enrollments(platform, user["id"])}
    for path_id in reach.license_paths(license_id):
        if path_id not in paths:
            enroll_path(platform, user, path_id, license_id=license_id, silent=silent)
    courses = {row["courseId"] for row in list_enrollments(platform, user["id"])}
    for course_id, reason in reach.courses(license_id).items():
        if course_id not in courses:
            enroll_learner(platform, user, course_id, reason=reason, silent=silent)


def change_licenses(reach: Reach, wanted: Change, *, options: Options) -> None:
    """Take away and grant; nothing of the user but licenses and learning paths changes."""
    platform, user = reach.platform, wanted.user
    for license_id in held_licenses(user):
        # What came under a license since the learner got it: access is there, the record is due.
        grant_license(reach, user, license_id=license_id, silent=True)
    after = [id_ for id_ in held_licenses(user) if id_ not in wanted.lost] + wanted.gained
    user["allocatedLicenses"] = [{"licenseId": license_id} for license_id in after]
    leaving = _Leaving(reach, wanted, after=after, options=options)
    # Before what is gained is granted: a loss is judged by the enrollments as they were.
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
        for row in path_enrollments(self._platform, self._user["id"]):
            if row["licenseId"] not in self._lost:
                continue
            path_id = row["learningPathId"]
            left = (id_ for id_ in self._after if path_id in self._reach.license_paths(id_))
            other = next(left, None)
            if other is None and not self._options.preserve_enrollments:
                revoke_path(self._platform, self._user, row)
                continue
            if other is None:
                self._made_direct.add(path_id)
            row["licenseId"] = other
            self._platform.objects.save_object("learningPathEnrollments", row)

    def leave_courses(self) -> None:
        rows = list_enrollments(self._platform, self._user["id"])
        # A second enrollment in the course, by another way, keeps the learner in it.
        kept = {row["courseId"] for row in rows if row["licenseId"] not in self._lost}
        others = self._other_ways()
        for row in rows:
            if row["licenseId"] not in self._lost:
                continue
            if row["courseId"] in kept:
                self._platform.objects.remove_object("enrollments", row["id"])
            elif row["courseId"] in others:
                move_enrollment(self._platform, row, others[row["courseId"]])
            elif self._options.preserve_enrollments:
                move_enrollment(self._platform, row, DIRECT)
            else:
                self._lose_enrollment(row)

    def _other_ways(self) -> dict[str, Reason]:
        """Every course that licenses kept or gained, surviving paths or purchases lead to."""
        ways = dict(self._reach.purchased_courses(self._user))
        for row in path_enrollments(self._platform, self._user["id"]):
            path_id = row["learningPathId"]
            # A path that this change has just made direct is no other way: its courses are kept as
            # direct.
            if path_id not in self._made_direct:
                reason = Reason(Source.LEARNING_PATH, row["licenseId"], path_id)
                ways |= dict.fromkeys(self._reach.path_courses(path_id), reason)
        # Backwards, so that the first license of a learner is the last to be written, and wins.
        for license_id in reversed(self._after):
            ways |= self._reach.courses(license_id)
        return ways

    def _lose_enrollment(self, row: Doc) -> None:
        user_id, course_id = self._user["id"], row["courseId"]
        revoke_enrollment(self._platform, self._user, row)
        if not self._options.preserve_progress:
            erase_results(self._platform, user_id, course_id, transcript=False)
        elif self._reach.restarts(course_id):
            erase_results(self._platform, user_id, course_id, transcript=True)


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
