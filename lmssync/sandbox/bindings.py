"""The one table that binds routes to handlers, and works to jobs.

To add a handler: write its module under `handlers`, add a line here (and a kind in
`data/kinds.py` if it keeps documents of a new kind), take its route out of `NOT_SERVED`.
"""

from collections.abc import Callable, Mapping

from .call import Handler
from .documents import Doc
from .handlers import (
    assets,
    assignment_activity,
    attempts,
    client_clone,
    clients,
    content_activity,
    content_release,
    content_search,
    course_create,
    course_read,
    course_update,
    criteria,
    criteria_read,
    events,
    groups,
    licenses,
    lists,
    media,
    parts,
    ping,
    purchase_paths,
    sublicense,
    sublicense_job,
    users,
)
from .jobs import Doing
from .platform import Platform, Work

HANDLERS: Mapping[str, Handler] = {
    "ping": ping.ping,
    "course.create": course_create.create,
    "course.update": course_update.update,
    "course.read": course_read.read,
    "topic.list": parts.topics_of_lesson,
    "criteria.update": criteria.update,
    "client.list": clients.of_company,
    "client.clone": client_clone.clone,
    "license.create": licenses.create,
    "user.read": users.read,
    "sublicense.assign": sublicense.assign,
    "activity.learningPath": content_activity.record_path,
    "activity.assignment": assignment_activity.record,
    "attempt.forgive": attempts.forgive,
    "tag.list": lists.tags,
    "location.list": lists.locations,
    "asset.list": assets.of_company,
    "job.read": ping.read_job,
    "path.create": purchase_paths.create,
    "path.list": purchase_paths.list_,
    "course.structure": course_read.read,
    "course.full": course_read.full,
    "learningPath.full": course_read.learning_path,
    "user.list": lists.users,
    "user.create": users.create,
    "user.change": users.change,
    "attempt.list": attempts.of_company,
    "meeting.list": lists.meetings,
    "coupon.list": lists.coupons,
    "activity.course": content_activity.record_course,
    "criteria.list": criteria_read.of_course,
    "group.list": groups.list_,
    "group.read": groups.read,
    "group.bySlug": groups.by_slug,
    "group.courses": groups.courses,
    "group.displayCourse": groups.display_course,
    "section.list": parts.sections,
    "section.read": parts.section,
    "section.lessons": parts.lessons_of_section,
    "lesson.list": parts.lessons_of_course,
    "lesson.read": parts.lesson,
    "topic.read": parts.topic,
    "content.search": content_search.search,
    "content.release": content_release.release,
    "license.list": licenses.of_client,
    "license.update": licenses.update,
    "license.delete": licenses.delete,
    "client.status": clients.update_status,
    "event.list": events.of_kind,
}


def _at_once(work: Callable[[Platform, Doc], Doc | None]) -> Work:
    """Work that is short enough to be done without a break."""

    def whole(platform: Platform, arguments: Doc, _before: Doc | None) -> Doing:
        yield from ()
        return work(platform, arguments)

    return whole


WORKS: Mapping[str, Work] = {
    "media": _at_once(media.fetch),
    client_clone.WORK: _at_once(client_clone.work),
    sublicense.WORK: sublicense_job.work,
}

NOT_SERVED: frozenset[str] = frozenset()
"""Core routes without a handler."""
