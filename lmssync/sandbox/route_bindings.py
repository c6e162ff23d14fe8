"""The one table that binds routes to handlers, and works to jobs.

To add a handler: write its module under `handlers`, add a line here (and a kind in
`data/kinds.py` if it keeps documents of a new kind), take its route out of `NOT_SERVED`.
"""

from collections.abc import Callable, Mapping

from .background_jobs import Doing
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
from .sandbox_documents import Doc
from .sandbox_platform import Handler, Platform, Work

HANDLERS: Mapping[str, Handler] = {
    "ping": ping.answer_ping,
    "course.create": course_create.create_courses,
    "course.update": course_update.update_courses,
    "course.read": course_read.read_course,
    "topic.list": parts.topics_of_lesson,
    "criteria.update": criteria.update_criteria,
    "client.list": clients.of_company,
    "client.clone": client_clone.clone_client,
    "license.create": licenses.create_license,
    "user.read": users.read_user,
    "sublicense.assign": sublicense.assign_sublicenses,
    "activity.learningPath": content_activity.record_path,
    "activity.assignment": assignment_activity.record_assignment_activity,
    "attempt.forgive": attempts.forgive_attempt,
    "tag.list": lists.list_tags,
    "location.list": lists.list_locations,
    "asset.list": assets.of_company,
    "job.read": ping.read_job,
    "path.create": purchase_paths.create_path,
    "path.list": purchase_paths.list_paths,
    "course.structure": course_read.read_course,
    "course.full": course_read.read_full_course,
    "learningPath.full": course_read.learning_path,
    "user.list": lists.list_users,
    "user.create": users.create_user,
    "user.change": users.change_user,
    "attempt.list": attempts.of_company,
    "meeting.list": lists.list_meetings,
    "coupon.list": lists.list_coupons,
    "activity.course": content_activity.record_course,
    "criteria.list": criteria_read.of_course,
    "group.list": groups.list_groups,
    "group.read": groups.read_group,
    "group.bySlug": groups.by_slug,
    "group.courses": groups.list_group_courses,
    "group.displayCourse": groups.display_course,
    "section.list": parts.list_sections,
    "section.read": parts.read_section,
    "section.lessons": parts.lessons_of_section,
    "lesson.list": parts.lessons_of_course,
    "lesson.read": parts.read_lesson,
    "topic.read": parts.read_topic,
    "content.search": content_search.search_content,
    "content.release": content_release.release_content,
    "license.list": licenses.of_client,
    "license.update": licenses.update_license,
    "license.delete": licenses.delete_license,
    "client.status": clients.update_status,
    "event.list": events.of_kind,
}


def _at_once(work: Callable[[Platform, Doc], Doc | None]) -> Work:
    """Work that is short enough to be done without a break."""

    def do_whole_work(platform: Platform, arguments: Doc, _before: Doc | None) -> Doing:
        yield from ()
        return work(platform, arguments)

    return do_whole_work


WORKS: Mapping[str, Work] = {
    "media": _at_once(media.fetch_media),
    client_clone.WORK: _at_once(client_clone.make_clone),
    sublicense.WORK: sublicense_job.change_users,
}

NOT_SERVED: frozenset[str] = frozenset()
"""Core routes without a handler."""
