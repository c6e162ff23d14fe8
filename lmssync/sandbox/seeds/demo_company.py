"""The demo company, which a sandbox holds where no seed is given, and its school.

`demo_company.json` holds the company in short: `@601` there is a numbered id and `@tags/Safety` is
the id that this tag has in every sandbox. Numbers begin with 1 for learning paths, 2 for what is
sold, 3 videos, 4 people, 5 assets, 6 licenses, 7 meetings and coupons.

- The client `golden` has everything that a clone copies and everything that it does not; `acme` has
  nothing yet; people hold licenses of the other two.
- User 408 has every field of the profile. 411 and 412 are one person who learns and manages, 425 is
  a shadow account beside 424, 426 has the address of 427 as a second one, and 431 and 432 share an
  `externalCustomerId`.
- Assets are of every type and in every processing state. Never listed: 525, which is deleted, and
  523 and 524, old revisions of 501. 502 and 503 were changed at the same moment.

The school makes learners of these people. It is no part of a new sandbox, whose catalog is empty;
the order `school` brings it. Its courses are under the tags and learning paths that the demo
licenses lead to, so every holder of a license is enrolled by the platform's own rules. Licenses 611
and 612 overlap in one course, 612 has one seat left, the first account bought what 612 leads to.
"""

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from ...vocabulary.enums import CriterionType, EventKind, SessionStatus, TopicType
from ..data.course_tables import list_children
from ..data.object_documents import Level, stable_id
from ..people.enrollments import Reason, Source, enroll_learner, keep_submission, record_attempt
from ..people.event_feed import Happened, emit_event, user_detail
from ..people.license_effects import RESTARTS, Reach, grant_license, held_licenses
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform
from .seed_planting import TREE, check_seed, plant_seed

_FILE = Path(__file__).with_name("demo_company.json")
_CLIENT_DATES = {"createdAt": "2025-02-03T09:00:00.000Z", "updatedAt": "2025-11-17T15:30:00.000Z"}
_LICENSE_DATES = dict.fromkeys(("createdAt", "updatedAt"), "2025-02-03T09:00:00.000Z")
_LANGUAGES = {"brightwater": "en", "hillside": "de", "acme": "en", "golden": "fr"}
_MEDIA = {
    "image": ("image/png", "png"),
    "wysiwyg": (None, None),
    "resource_file": ("application/pdf", "pdf"),
    "scorm": ("SCORM 1.2", "zip"),
    "xapi": ("application/zip", "zip"),
    "certificateTemplate": ("text/html", "html"),
}
"""`contentType` (a MIME type or the label of a SCORM standard) and the ending of the file."""


def demo_id(number: int) -> str:
    """The id that a numbered item has in every sandbox, so that examples can name it."""
    return f"7d1c0000-0000-4000-8000-{number:012}"


def demo_company() -> Doc:
    """The demo company as a seed."""
    seed: Doc = orjson.loads(_FILE.read_bytes())
    seed["clients"] = [_CLIENT_DATES | client for client in seed["clients"]]
    seed["licenses"] = [_LICENSE_DATES | license_ for license_ in seed["licenses"]]
    seed["users"] = [_demo_user(**user) for user in seed["users"]]
    seed["assets"] = [_demo_asset(**asset) for asset in seed["assets"]]
    return {name: _with_ids(value) for name, value in seed.items()}


def _with_ids(value: Any) -> Any:
    """The value with ids in the place of references."""
    if isinstance(value, list):
        return [_with_ids(item) for item in value]
    if isinstance(value, dict):
        return {name: _with_ids(item) for name, item in value.items()}
    if not isinstance(value, str) or not value.startswith("@"):
        return value
    kind, _, name = value[1:].partition("/")
    return stable_id(kind, name) if name else demo_id(int(kind))


def _demo_user(name: str, licenses: tuple[str, ...] = (), **fields: Any) -> Doc:
    number, (first, last) = fields["id"][1:], name.split()
    home = fields.get("clientId", "@clients/demo").partition("/")[2]
    language = None if "roleKey" in fields else _LANGUAGES.get(home, "en")
    return {
        "createdAt": f"2025-03-03T08:{number[-2:]}:00.000Z",
        "roleKey": "student",
        "email": f"{first}.{last}@{home}.example".lower(),
        "firstName": first,
        "lastName": last,
        "language": language,
        "allocatedLicenses": [{"licenseId": license_id} for license_id in licenses],
        "ref1": f"P-{number}",
        **fields,
    }


def _demo_asset(title: str, **fields: Any) -> Doc:
    number, (content_type, ending) = fields["id"][1:], _MEDIA[fields["assetType"]]
    name = f"{title.lower().replace(' ', '-')}.{ending}" if ending else None
    is_stored = ending and "processingStatus" not in fields
    return {
        "title": title,
        "body": f"https://media.example/assets/{number}/{name}" if is_stored else None,
        "contentType": content_type,
        "fileName": name,
        "processingStatus": "ready",
        "createdAt": "2025-09-01T09:00:00.000Z",
        "updatedAt": f"2025-10-{number[-2:]}T10:00:00.000Z",
        **fields,
    }


TEXT, QUIZ = TopicType.TEXT, TopicType.QUIZ
ASSIGNMENT, PACKAGE = TopicType.ASSIGNMENT, TopicType.SHAREABLE_CONTENT_OBJECT
_TITLES = {TEXT: "Read this", QUIZ: "Check", ASSIGNMENT: "Hand in a report", PACKAGE: "Practise"}


class SchoolCourse(NamedTuple):
    """A course of the school; its ids are made of `key`."""

    key: str
    title: str
    topics: tuple[TopicType, ...]
    tags: tuple[str, ...] = ()
    restarts: bool = False


COURSES = (
    SchoolCourse("welcome", "Welcome on site", (TEXT,)),
    SchoolCourse("safety", "Safety basics", (TEXT, QUIZ, ASSIGNMENT), ("Safety",)),
    SchoolCourse("waste", "Waste and recycling", (TEXT, QUIZ), ("Sustainability",)),
    SchoolCourse("shift", "Leading a shift", (TEXT, ASSIGNMENT), ("Leadership",)),
    SchoolCourse(
        "first-aid", "First aid refresher", (PACKAGE, QUIZ), ("First aid",), restarts=True
    ),
    SchoolCourse("data", "Patients' data", (TEXT, QUIZ), ("Data protection",)),
)
PATHS = {101: ("welcome", "safety"), 102: ("shift",)}
"""The courses of the demo learning paths, by the number of the path."""
BUNDLES = {201: ("waste",)}
"""The courses of the demo collection."""


def course_id(key: str) -> str:
    return stable_id("courses", key)


def topic_id(key: str, type_: str) -> str:
    """The id of the only topic of that type in a course."""
    return stable_id("topics", f"{key}/{type_}")


def _seed_course(course: SchoolCourse) -> Doc:
    key, title = course.key, course.title
    kinds = ("courseGroups", "sections", "lessons")
    group, section, lesson = (stable_id(kind, key) for kind in kinds)
    tags = [stable_id("tags", label) for label in course.tags]
    session = {
        "id": course_id(key),
        "courseGroupId": group,
        "title": title,
        "sku": f"SCHOOL-{key.upper()}",
        "status": SessionStatus.PUBLISHED,
        RESTARTS: course.restarts,
    }
    return {
        "courseGroups": [{"id": group, "title": title, "slug": f"school-{key}", "tagIds": tags}],
        "courses": [session],
        "sections": [{"id": section, "courseId": course_id(key), "title": title}],
        "lessons": [{"id": lesson, "sectionId": section, "title": "All of it"}],
        "topics": [_seed_topic(course, type_, lesson) for type_ in course.topics],
        "completionCriteria": [_quiz_criterion(key)] if QUIZ in course.topics else [],
    }


def _seed_topic(course: SchoolCourse, type_: TopicType, lesson: str) -> Doc:
    return {
        "id": topic_id(course.key, type_),
        "lessonId": lesson,
        "title": f"{_TITLES[type_]}: {course.title}",
        "type": type_,
        **({"body": f"<p>{course.title}.</p>"} if type_ is TEXT else {}),
    }


def _quiz_criterion(key: str) -> Doc:
    """Who passes the quiz has completed the course."""
    type_ = CriterionType.COURSE_ASSESSMENT_PASSED.value
    criterion = {"id": stable_id("completionCriteria", key), "courseId": course_id(key)}
    return {**criterion, "type": type_, type_: topic_id(key, QUIZ)}


DIRECT, PURCHASED = (419, 433), 429
"""People with an enrollment of their own in the course `welcome`, and one who bought it."""
STEPS = (100, 0, 40, 100, 75)
"""How far learners are, in percent, one enrollment after the other."""
PASSED, FAILED = 90, 45
"""Grades."""


def plant_school(platform: Platform) -> dict[str, int]:
    """Add the school, inside a change; how many documents of what came. Raises ValueError where
    the people are not those of the demo company, or the school is there."""
    kinds = ("enrollments", "progress", "transcripts", "attempts", "submissions")
    if platform.courses.has_id(course_id("welcome")):
        raise ValueError("the school already exists; reset the sandbox before you add it again")
    if platform.objects.get_object("licenses", demo_id(611)) is None:
        raise ValueError("the school needs the demo company; reset without a seed first")
    seeds = [_seed_course(course) for course in COURSES]
    plant_seed(
        platform,
        check_seed(
            {name: [item for seed in seeds for item in seed[name]] for name in TREE}, where="school"
        ),
    )
    _fill_lists(platform, "learningPaths", PATHS)
    _fill_lists(platform, "collections", BUNDLES)
    before = {kind: len(platform.objects.list_objects(kind)) for kind in kinds}
    _enroll_people(platform)
    _give_progress(platform)
    return {kind: len(platform.objects.list_objects(kind)) - before[kind] for kind in kinds}


def _fill_lists(platform: Platform, kind: str, courses: Mapping[int, Sequence[str]]) -> None:
    for number, keys in courses.items():
        doc = platform.objects.get_object(kind, demo_id(number))
        assert doc is not None  # of the demo company
        platform.objects.save_object(kind, {**doc, "courseIds": [course_id(key) for key in keys]})


def _enroll_people(platform: Platform) -> None:
    reach = Reach(platform)
    for user in platform.objects.list_objects("users"):
        for bought, reason in reach.purchased_courses(user).items():
            enroll_learner(platform, user, bought, reason=reason)
        for license_id in held_licenses(user):
            grant_license(reach, user, license_id=license_id)
        platform.objects.save_object("users", user)
    for number in (*DIRECT, PURCHASED):
        reason = Reason(Source.PURCHASE if number == PURCHASED else Source.DIRECT)
        user = _find_person(platform, number)
        enroll_learner(platform, user, course_id("welcome"), reason=reason)
    buyer = _find_person(platform, PURCHASED)
    buyer["purchasedCourses"] = [{"courseId": course_id("welcome"), "status": "active"}]
    platform.objects.save_object("users", buyer)


def _find_person(platform: Platform, number: int) -> Doc:
    user = platform.objects.get_object("users", demo_id(number))
    assert user is not None  # of the demo company
    return user


def _give_progress(platform: Platform) -> None:
    """Give the enrollments, oldest first, a progress that repeats."""
    users = {user["id"]: user for user in platform.objects.list_objects("users")}
    for row, percent in zip(
        platform.objects.list_objects("enrollments"), cycle(STEPS), strict=False
    ):
        course = platform.courses.find_course_of(row["courseId"])
        if course is not None and percent:
            _write_progress(platform, users[row["userId"]], course, percent=percent)


def _write_progress(platform: Platform, user: Doc, course: Doc, *, percent: int) -> None:
    """Progress, an attempt that failed, and where the course is done all that it asks for."""
    done = percent == 100  # noqa: PLR2004 - percent
    stamp = platform.clock.format_now()
    ids = {"userId": user["id"], "courseId": course["id"]}
    times = {"startedAt": stamp, "updatedAt": stamp, "completedAt": stamp if done else None}
    platform.objects.add_object("progress", {**ids, "percent": percent, **times})
    for _, topic in list_children(course, Level.TOPIC):
        _work_on(platform, user, course, topic=topic, done=done)
    event = {"courseId": course["id"], "userDetail": user_detail(user), "source": "course"}
    happened = Happened.COMPLETED if done else Happened.PROGRESS
    emit_event(platform, EventKind.COURSE_ACTION, {**event, "type": happened})
    if done:
        platform.objects.add_object("transcripts", {**ids, "completedAt": stamp})
        certificate = platform.objects.add_object("certificates", {**ids, "grantedAt": stamp})
        event["certificateId"] = certificate["id"]
        emit_event(platform, EventKind.COURSE_CERTIFICATE, event)


def _work_on(platform: Platform, user: Doc, course: Doc, *, topic: Doc, done: bool) -> None:
    """What a learner leaves in one topic."""
    if topic["type"] == QUIZ:
        for grade in (FAILED, PASSED) if done else (FAILED,):
            passed = grade == PASSED
            record_attempt(
                platform, user, course=course, assessment=topic, grade=grade, passed=passed
            )
    elif topic["type"] == PACKAGE:
        ids = {"userId": user["id"], "courseId": course["id"], "topicId": topic["id"]}
        state = {"status": "completed" if done else "incomplete", "at": platform.clock.format_now()}
        platform.objects.add_object("scormAttempts", {**ids, **state})
    elif topic["type"] == ASSIGNMENT and done:
        result = {"status": "completed", "grade": PASSED, "gradeFeedback": None}
        ids = {"course_id": course["id"], "assignment_id": topic["id"]}
        keep_submission(platform, user, **ids, result=result)
