"""The one table that binds routes to areas, and works to jobs.

To add an area: write its module under `areas`, add a line here (and a kind in `objects` if it
keeps documents of a new kind), take its route out of `NOT_SERVED`.
"""

from collections.abc import Mapping

from .areas import (
    clients,
    course_create,
    course_read,
    course_update,
    criteria,
    job_read,
    licenses,
    media,
    ping,
    purchase_paths,
    tags,
    topics,
)
from .dispatch import Handler
from .jobs import Work

HANDLERS: Mapping[str, Handler] = {
    "ping": ping.ping,
    "course.create": course_create.create,
    "course.update": course_update.update,
    "course.read": course_read.read,
    "topic.list": topics.of_lesson,
    "criteria.update": criteria.update,
    "client.list": clients.of_company,
    "license.create": licenses.create,
    "tag.list": tags.of_company,
    "job.read": job_read.read,
    "path.create": purchase_paths.create,
    "path.list": purchase_paths.list_,
}

WORKS: Mapping[str, Work] = {"media": media.fetch}

NOT_SERVED = frozenset(
    {
        "client.clone",
        "user.read",
        "sublicense.assign",
        "location.list",
        "asset.list",
        "event.list",
        "attempt.forgive",
        "activity.learningPath",
        "activity.assignment",
    }
)
"""Core routes without an area."""
