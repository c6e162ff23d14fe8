"""Ids of things that are there, for the parameters and the bodies of every route."""

TREE = [
    {
        "title": "Section",
        "lessons": [
            {
                "title": "Lesson",
                "openType": "open",
                "topics": [
                    {"title": kind, "type": kind} for kind in ("text", "assignment", "quiz")
                ],
            }
        ],
    }
]

ENTRIES = {
    "courseGroups": "courseGroupId",
    "courses": "courseId",
    "sections": "sectionId",
    "lessons": "lessonId",
    "topics": "courseTopicViewed",
}
"""Whose `id` the entries of an update bear."""


def ids(platform):
    """One id for each name under which bodies ask for one; lists where they ask for lists."""
    course = platform.course(title="Seen", sections=TREE)
    lesson = platform.read(course)["sections"][0]["lessons"][0]
    group = platform.dump("courseGroups")[0]["id"]
    held = platform.dump("licenses")[0]
    user = next(u for u in platform.dump("users") if u["clientId"] == held["clientId"])
    path, tag = platform.dump("learningPaths")[0]["id"], platform.dump("tags")[0]["id"]
    single = {
        "courseId": course,
        "courseGroupId": group,
        "lessonId": lesson["id"],
        "sectionId": platform.read(course)["sections"][0]["id"],
        "userId": user["id"],
        "learnerId": user["id"],
        "learningPathId": path,
        "assignmentId": lesson["topics"][1]["id"],
        "courseTopicViewed": lesson["topics"][0]["id"],
        "clientId": held["clientId"],
        "targetId": platform.dump("collections")[0]["id"],
    }
    lists = {"courseIds": course, "learningPathIds": path, "courseTagIds": tag, "tagIds": tag}
    lists |= {"prerequisiteCourseIds": course, "relatedCourseGroupIds": group}
    lists |= {"prerequisiteLearningPathIds": path, "licenseIdsToAdd": held["id"]}
    return single | {name: [id_] for name, id_ in lists.items()}


def filled(value, known):
    """A body with each id that it asks for replaced by one of something that is there."""
    if isinstance(value, list):
        return [filled(inner, known) for inner in value]
    if not isinstance(value, dict):
        return value
    return {
        name: known[name] if inner and name in known else filled(inner, _among(name, known))
        for name, inner in value.items()
    }


def _among(name, known):
    """What is known inside the list of that name."""
    return {**known, "id": known[ENTRIES[name]]} if name in ENTRIES else known


def of_path(name, platform):
    """The parameters of a route's path, from the demo company and one course."""
    known = ids(platform)
    last = {
        "lessonId": known["lessonId"],
        "contentId": known["courseId"],
        "kind": "courseAction",
        "slug": platform.dump("courseGroups")[0]["slug"],
    }
    return {"id": _id_of(name, platform, known), **last}


OF_ROUTE = {
    "section.read": "sectionId",
    "section.lessons": "sectionId",
    "lesson.read": "lessonId",
    "topic.read": "courseTopicViewed",
    "learningPath.full": "learningPathId",
    "license.list": "clientId",
}
OF_ROUTES = {"group": "courseGroupId", "client": "clientId", "user": "userId"}
"""Whose id stands in a path, by the route and by the beginning of its name; else a course's."""


def _id_of(name, platform, known):
    if name in ("license.update", "license.delete"):
        return platform.dump("licenses")[0]["id"]
    if name == "job.read":
        job = platform.create(asset="https://x.example/a.png").json()["backgroundJob"]
        return job["id"]
    if name == "attempt.forgive":
        topics = platform.read(known["courseId"])["sections"][0]["lessons"][0]["topics"]
        attempt = {"userId": known["userId"], "courseId": known["courseId"], "passed": False}
        attempt |= {"assessmentId": topics[2]["id"], "grade": 10}
        return platform.control("attempts", {"attempts": [attempt]})["attempts"][0]["id"]
    word = OF_ROUTES.get(name.partition(".")[0], "courseId")
    return known[OF_ROUTE.get(name, word)]
