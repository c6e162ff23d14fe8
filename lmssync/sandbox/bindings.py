"""The one table that binds routes to areas, and works to jobs.

To add an area: write its module under `areas`, add a line here (and a kind in
`data/objects.py` if it keeps documents of a new kind), take its route out of `NOT_SERVED`.
"""

from collections.abc import Mapping

from .areas import (
    assets,
    assignment_activity,
    attempt_forgive,
    client_clone,
    client_status,
    clients,
    content_release,
    content_search,
    course_create,
    course_read,
    course_update,
    criteria,
    criteria_list,
    events,
    full_content,
    groups,
    job_read,
    license_update,
    licenses,
    locations,
    media,
    path_activity,
    ping,
    purchase_paths,
    sublicense,
    sublicense_job,
    tags,
    topics,
    users,
)
from .jobs import Work, at_once
from .serving.dispatch import Handler

HANDLERS: Mapping[str, Handler] = {
    "ping": ping.ping,
    "course.create": course_create.create,
    "course.update": course_update.update,
    "course.read": course_read.read,
    "topic.list": topics.of_lesson,
    "criteria.update": criteria.update,
    "client.list": clients.of_company,
    "client.clone": client_clone.clone,
    "license.create": licenses.create,
    "user.read": users.read,
    "sublicense.assign": sublicense.assign,
    "activity.learningPath": path_activity.record,
    "activity.assignment": assignment_activity.record,
    "attempt.forgive": attempt_forgive.forgive,
    "tag.list": tags.of_company,
    "location.list": locations.of_company,
    "asset.list": assets.of_company,
    "job.read": job_read.read,
    "path.create": purchase_paths.create,
    "path.list": purchase_paths.list_,
    "course.structure": course_read.read,
    "course.full": full_content.read,
    "criteria.list": criteria_list.of_course,
    "group.list": groups.list_,
    "group.read": groups.read,
    "group.bySlug": groups.by_slug,
    "group.courses": groups.courses,
    "group.displayCourse": groups.display_course,
    "content.search": content_search.search,
    "content.release": content_release.release,
    "license.list": license_update.of_client,
    "license.update": license_update.update,
    "license.delete": license_update.delete,
    "client.status": client_status.update,
    "event.list": events.of_kind,
}

WORKS: Mapping[str, Work] = {
    "media": at_once(media.fetch),
    client_clone.WORK: at_once(client_clone.work),
    sublicense.WORK: sublicense_job.work,
}

NOT_SERVED: frozenset[str] = frozenset()
"""Core routes without an area."""
