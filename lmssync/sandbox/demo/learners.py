"""The school: what makes learners of the demo company's people.

It is no part of a new sandbox, whose catalog is empty; the order `school` brings it. The courses
stand under the tags and learning paths that the demo licenses lead to, so every holder of a
license is enrolled by the platform's own rules. Licenses 611 and 612 overlap in one course, 612
has one seat left, the first account bought what 612 leads to.
"""

from collections.abc import Mapping, Sequence
from itertools import cycle

from lmssync.vocabulary.enums import EventKind

from ..data.courses import children
from ..data.ids import Level
from ..documents import Doc
from ..people import attempts, learners, license_change
from ..people.feed import Happened, emit, user_detail
from ..people.learners import Reason, Source
from ..people.reach import Reach
from ..platform import Platform
from ..seeds import checked, plant
from . import courses as demo_courses
from .company import demo_id
from .courses import BUNDLES, PATHS, course_id

DIRECT, PURCHASED = (419, 433), 429
"""People with an enrollment of their own in the course `welcome`, and one who bought it."""
STEPS = (100, 0, 40, 100, 75)
"""How far learners are, in percent, one enrollment after the other."""
PASSED, FAILED = 90, 45
"""Grades."""


def open_school(platform: Platform) -> dict[str, int]:
    """Add the school, inside a change; how many documents of what came. Raises ValueError where
    the people are not those of the demo company, or the school is there."""
    kinds = ("enrollments", "progress", "transcripts", "attempts", "submissions")
    if platform.courses.exists(course_id("welcome")):
        raise ValueError("the school already exists; reset the sandbox before you add it again")
    if platform.objects.get("licenses", demo_id(611)) is None:
        raise ValueError("the school needs the demo company; reset without a seed first")
    plant(platform, checked(demo_courses.tree(), where="school"))
    _fill(platform, "learningPaths", PATHS)
    _fill(platform, "collections", BUNDLES)
    before = {kind: len(platform.objects.all(kind)) for kind in kinds}
    _enroll(platform)
    _learn(platform)
    return {kind: len(platform.objects.all(kind)) - before[kind] for kind in kinds}


def _fill(platform: Platform, kind: str, courses: Mapping[int, Sequence[str]]) -> None:
    for number, keys in courses.items():
        doc = platform.objects.get(kind, demo_id(number))
        assert doc is not None  # of the demo company
        platform.objects.save(kind, {**doc, "courseIds": [course_id(key) for key in keys]})


def _enroll(platform: Platform) -> None:
    reach = Reach(platform)
    for user in platform.objects.all("users"):
        for bought, reason in reach.bought(user).items():
            learners.enroll(platform, user, bought, reason=reason)
        for license_id in license_change.held(user):
            license_change.grant(reach, user, license_id=license_id)
        platform.objects.save("users", user)
    for number in (*DIRECT, PURCHASED):
        reason = Reason(Source.PURCHASE if number == PURCHASED else Source.DIRECT)
        learners.enroll(platform, _person(platform, number), course_id("welcome"), reason=reason)
    purchases = [{"courseId": course_id("welcome"), "status": "active"}]
    platform.objects.save("users", {**_person(platform, PURCHASED), "purchasedCourses": purchases})


def _person(platform: Platform, number: int) -> Doc:
    user = platform.objects.get("users", demo_id(number))
    assert user is not None  # of the demo company
    return user


def _learn(platform: Platform) -> None:
    """Give the enrollments, oldest first, a progress that repeats."""
    users = {user["id"]: user for user in platform.objects.all("users")}
    for row, percent in zip(platform.objects.all("enrollments"), cycle(STEPS), strict=False):
        course = platform.courses.by_id(row["courseId"])
        if course is not None and percent:
            _progress(platform, users[row["userId"]], course, percent=percent)


def _progress(platform: Platform, user: Doc, course: Doc, *, percent: int) -> None:
    """Progress, an attempt that failed, and where the course is done all that it asks for."""
    done = percent == 100  # noqa: PLR2004 - percent
    stamp = platform.clock.stamp()
    ids = {"userId": user["id"], "courseId": course["id"]}
    progress = {"percent": percent, "startedAt": stamp, "updatedAt": stamp}
    platform.objects.add("progress", {**ids, **progress, "completedAt": stamp if done else None})
    for _, topic in children(course, Level.TOPIC):
        _work_on(platform, user, course, topic=topic, done=done)
    event = {"courseId": course["id"], "userDetail": user_detail(user), "source": "course"}
    happened = Happened.COMPLETED if done else Happened.PROGRESS
    emit(platform, EventKind.COURSE_ACTION, {**event, "type": happened})
    if done:
        platform.objects.add("transcripts", {**ids, "completedAt": stamp})
        certificate = platform.objects.add("certificates", {**ids, "grantedAt": stamp})
        emit(platform, EventKind.COURSE_CERTIFICATE, {**event, "certificateId": certificate["id"]})


def _work_on(platform: Platform, user: Doc, course: Doc, *, topic: Doc, done: bool) -> None:
    """What a learner leaves in one topic."""
    if topic["type"] == demo_courses.QUIZ:
        for grade in (FAILED, PASSED) if done else (FAILED,):
            passed = grade == PASSED
            attempts.record(
                platform, user, course=course, assessment=topic, grade=grade, passed=passed
            )
    elif topic["type"] == demo_courses.PACKAGE:
        ids = {"userId": user["id"], "courseId": course["id"], "topicId": topic["id"]}
        status = "completed" if done else "incomplete"
        platform.objects.add(
            "scormAttempts", {**ids, "status": status, "at": platform.clock.stamp()}
        )
    elif topic["type"] == demo_courses.ASSIGNMENT and done:
        result = {"status": "completed", "grade": PASSED, "gradeFeedback": None}
        ids = {"course_id": course["id"], "assignment_id": topic["id"]}
        learners.submit(platform, user, **ids, result=result)
