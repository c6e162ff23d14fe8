"""Reach: which courses and learning paths licenses and purchases lead to."""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property

from ..documents import Doc
from ..platform import Platform
from .learners import Reason, Source

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
        """The learning paths of a license."""
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
        course = self.platform.courses.by_id(course_id) or {}
        return bool(course.get(RESTARTS))

    def _existing_courses(self, course_ids: Iterable[str]) -> list[str]:
        return [id_ for id_ in course_ids if self.platform.courses.has_id(id_)]

    @cached_property
    def _courses_of_tags(self) -> Mapping[str, list[str]]:
        """The courses of every tag: all sessions of the groups that bear it."""
        tagged: dict[str, list[str]] = {}
        for group in self.platform.groups.list_documents():
            for tag_id in group.get("tagIds") or ():
                sessions = self.platform.courses.of_group(group["id"])
                tagged.setdefault(tag_id, []).extend(course["id"] for course in sessions)
        return tagged
