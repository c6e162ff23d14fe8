"""The one table that binds routes to handlers, and works to jobs.

To add a handler: write its module under `handlers`, add a line here, and a kind in
`data/object_kinds.py` if it keeps documents of a new kind.
"""

from collections.abc import Callable, Mapping

from .handlers import (
    activity_routes,
    client_routes,
    company_routes,
    content_routes,
    course_create,
    course_reads,
    course_update,
    criteria_routes,
    event_routes,
    license_routes,
    purchase_path_routes,
    sublicense_routes,
    user_routes,
    user_writes,
)
from .sandbox_documents import Doc
from .sandbox_jobs import Doing
from .sandbox_platform import Handler, Platform, Work

HANDLERS: Mapping[str, Handler] = {
    "ping": company_routes.answer_ping,
    "course.create": course_create.create_courses,
    "course.update": course_update.update_courses,
    "course.read": course_reads.read_course,
    "topic.list": course_reads.list_lesson_topics,
    "criteria.update": criteria_routes.update_criteria,
    "client.list": client_routes.list_clients,
    "client.clone": client_routes.clone_client,
    "license.create": license_routes.create_license,
    "user.read": user_routes.read_user,
    "sublicense.assign": sublicense_routes.assign_sublicenses,
    "activity.learningPath": activity_routes.record_path_activity,
    "activity.assignment": activity_routes.record_assignment_activity,
    "attempt.forgive": activity_routes.forgive_attempt,
    "tag.list": company_routes.list_tags,
    "location.list": company_routes.list_locations,
    "asset.list": company_routes.list_assets,
    "job.read": company_routes.read_job,
    "path.create": purchase_path_routes.create_path,
    "path.list": purchase_path_routes.list_paths,
    "course.structure": course_reads.read_course,
    "course.full": course_reads.read_full_course,
    "learningPath.full": course_reads.read_learning_path,
    "user.list": company_routes.list_users,
    "user.create": user_writes.create_user,
    "user.change": user_writes.change_user,
    "user.status": user_writes.update_user_status,
    "user.dualRole": user_writes.make_dual_role,
    "user.removeManagers": user_writes.remove_managers,
    "user.assignContent": user_routes.assign_content,
    "attempt.list": activity_routes.list_attempts,
    "meeting.list": company_routes.list_meetings,
    "coupon.list": company_routes.list_coupons,
    "activity.course": activity_routes.record_course_activity,
    "criteria.list": criteria_routes.list_criteria,
    "group.list": course_reads.list_groups,
    "group.read": course_reads.read_group,
    "group.bySlug": course_reads.read_group_by_slug,
    "group.courses": course_reads.list_group_courses,
    "group.displayCourse": course_reads.read_display_course,
    "section.list": course_reads.list_sections,
    "section.read": course_reads.read_section,
    "section.lessons": course_reads.list_section_lessons,
    "lesson.list": course_reads.list_lessons,
    "lesson.read": course_reads.read_lesson,
    "topic.read": course_reads.read_topic,
    "content.search": content_routes.search_content,
    "content.release": content_routes.release_content,
    "license.list": license_routes.list_licenses,
    "license.update": license_routes.update_license,
    "license.delete": license_routes.delete_license,
    "client.read": client_routes.read_client,
    "client.status": client_routes.update_status,
    "event.list": event_routes.list_events,
}


def _at_once(work: Callable[[Platform, Doc], Doc | None]) -> Work:
    """Work that is short enough to be done without a break."""

    def do_whole_work(platform: Platform, arguments: Doc, _before: Doc | None) -> Doing:
        yield from ()
        return work(platform, arguments)

    return do_whole_work


WORKS: Mapping[str, Work] = {
    "media": _at_once(course_create.fetch_media),
    client_routes.CLONE_WORK: _at_once(client_routes.make_clone),
    sublicense_routes.SUBLICENSE_WORK: sublicense_routes.change_users,
}
