"""Reach: which courses and learning paths licenses and purchases lead to."""

from collections.abc import Iterable, Mapping

from ..documents import Doc
from ..platform import Platform
from .learners import Reason, Source

RESTARTS = "restartProgressOnReenrollment"
"""The field of a course that spec 3 means with courses that restart progress on re-enrollment:
its name is not shown and no route sets it; a seed or an edit does."""


class Reach:
    """A look at licenses, paths and courses, made for one job: what was read once stays."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._licenses: dict[str, Mapping[str, Reason]] = {}
        self._paths: dict[str, list[str]] = {}
        self._restarting: dict[str, bool] = {}
        self._tagged: dict[str, list[str]] | None = None

    def courses(self, license_id: str) -> Mapping[str, Reason]:
        """The courses of a license: its own, those of its tags, those of its learning paths."""
        if license_id not in self._licenses:
            self._licenses[license_id] = self._reached(license_id)
        return self._licenses[license_id]

    def paths(self, license_id: str) -> list[str]:
        """The learning paths of a license."""
        license_ = self._platform.objects.get("licenses", license_id) or {}
        return list(license_.get("learningPathIds") or ())

    def path_courses(self, path_id: str) -> list[str]:
        if path_id not in self._paths:
            path = self._platform.objects.get("learningPaths", path_id) or {}
            self._paths[path_id] = self._open(path.get("courseIds") or ())
        return self._paths[path_id]

    def bought(self, user: Doc) -> Mapping[str, Reason]:
        """The courses that a learner's own purchases lead to (spec 2.4)."""
        reasons = {}
        for bundle in user["purchasedBundles"]:
            collection = self._platform.objects.get("collections", bundle["bundleId"]) or {}
            for course_id in collection.get("courseIds") or ():
                reasons[course_id] = Reason(Source.BUNDLE)
        for course in user["purchasedCourses"]:
            reasons[course["courseId"]] = Reason(Source.PURCHASE)
        return reasons

    def restarts(self, course_id: str) -> bool:
        """True if progress in the course begins anew with every enrollment."""
        if course_id not in self._restarting:
            course = self._platform.courses.by_id(course_id) or {}
            self._restarting[course_id] = bool(course.get(RESTARTS))
        return self._restarting[course_id]

    def _reached(self, license_id: str) -> Mapping[str, Reason]:
        license_ = self._platform.objects.get("licenses", license_id) or {}
        reasons: dict[str, Reason] = {}
        for path_id in license_.get("learningPathIds") or ():
            for course_id in self.path_courses(path_id):
                reasons[course_id] = Reason(Source.LEARNING_PATH, license_id, path_id)
        own = [*self._open(license_.get("courseIds") or ())]
        for tag_id in license_.get("courseTagIds") or ():
            own += self._tags().get(tag_id, ())
        return reasons | dict.fromkeys(own, Reason(Source.LICENSE, license_id))

    def _open(self, course_ids: Iterable[str]) -> list[str]:
        """Those that exist."""
        return [id_ for id_ in course_ids if self._platform.courses.exists(id_)]

    def _tags(self) -> Mapping[str, list[str]]:
        """The courses of every tag: all sessions of the groups that bear it."""
        if self._tagged is None:
            self._tagged = {}
            for group in self._platform.groups.all():
                for tag_id in group.get("tagIds") or ():
                    self._tagged.setdefault(tag_id, []).extend(self._sessions(group["id"]))
        return self._tagged

    def _sessions(self, group_id: str) -> list[str]:
        return [course["id"] for course in self._platform.courses.of_group(group_id)]
