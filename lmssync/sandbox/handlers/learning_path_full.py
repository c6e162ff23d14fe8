"""`learningPath.full`: a learning path with its milestones and their courses (O50)."""

from ..call import Call
from ..documents import Doc
from ..http import Answer
from ..people.reach import Reach
from ..platform import Platform
from .full_content import formed
from .lookup import mistaken


def read(platform: Platform, call: Call) -> Answer:
    """In the form of the switch `fullContent`. One milestone, named as the path is, holds the
    courses of a path: the sandbox keeps no others."""
    path = platform.objects.get("learningPaths", call.path["id"])
    if path is None:
        raise mistaken(platform, call.path["id"], meant="learning path")
    whole = {
        "id": path["id"],
        "title": path["title"],
        "slug": path.get("slug"),
        "sku": path.get("sku"),
        "milestones": [{"name": path["title"], "milestoneCourses": _courses(platform, path)}],
    }
    return Answer(formed(platform, whole))


def _courses(platform: Platform, path: Doc) -> list[Doc]:
    found = (platform.courses.by_id(id_) for id_ in Reach(platform).path_courses(path["id"]))
    return [
        {name: course[name] for name in ("id", "courseGroupId", "title", "status")}
        for course in found
        if course
    ]
