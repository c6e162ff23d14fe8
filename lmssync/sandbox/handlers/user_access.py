"""What accounts are given by user writes (O58), and for many at once: `user.assignContent` (O61).

A learning path without a slug has that of its title. Where an entry of many names nobody, or
something that is not there, nothing of it is done and the others go on.
"""

from collections.abc import Mapping
from typing import Any

from ...vocabulary.normalisers import derive_slug
from .. import value_checks
from ..http_messages import Answer
from ..people.content_access import give_courses, give_licenses, give_paths, let_manage
from ..people.license_effects import Reach
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from ..value_checks import InvalidValue, Rule, error_path, new_fields, quote_value
from .course_fields import require_courses
from .course_reads import find_group_by_slug, sessions_of, shown_session
from .user_routes import Accounts, Identifiers

_STUDENT_LICENSES, _MANAGER_LICENSES = "studentLicenseIds", "managerLicenseIds"
_COURSES, _PATHS = "replaceCourseAccess", "replaceLearningPathAccess"
_LICENSES = "replaceLicenseAccess"
ACCESS_RULES: dict[str, Rule] = {
    "courseIds": value_checks.check_uuids,
    "courseSlugs": value_checks.check_names,
    "learningPathSlugs": value_checks.check_names,
    _STUDENT_LICENSES: value_checks.check_uuids,
    _MANAGER_LICENSES: value_checks.check_uuids,
    _COURSES: value_checks.check_flag,
    _LICENSES: value_checks.check_flag,
}
"""What a user write takes besides the profile (O58)."""
ENTRY_RULES: dict[str, Rule] = {
    "id": value_checks.check_text,
    "email": value_checks.check_text,
    "courseIds": value_checks.check_uuids,
    "learningPathIds": value_checks.check_uuids,
    _COURSES: value_checks.check_flag,
    _PATHS: value_checks.check_flag,
}
"""An entry of many (O61); `courseIds` by analogy with a single write."""


def give_access(
    platform: Platform, fields: Doc, *, learner: Doc | None, manager: Doc | None
) -> None:
    """Give the accounts of a person what a user write says; who has one alone learns and manages
    with that. Raises InvalidValue."""
    given = {name for name in ACCESS_RULES if name in fields}
    reach, replaces = Reach(platform), bool(fields.get(_LICENSES))
    if _MANAGER_LICENSES in given:
        if manager is None:
            raise InvalidValue("needs a role that manages, or dualRole", _MANAGER_LICENSES)
        with error_path(_MANAGER_LICENSES):
            let_manage(reach, manager, fields[_MANAGER_LICENSES], replace=replaces)
    learner = learner or manager
    assert learner is not None  # a person has an account
    if _STUDENT_LICENSES in given:
        licenses = list(fields[_STUDENT_LICENSES])
        if learner is manager:  # the one account has both lists
            licenses += fields.get(_MANAGER_LICENSES, [])
        with error_path(_STUDENT_LICENSES):
            give_licenses(reach, learner, licenses, replace=replaces)
    if "learningPathSlugs" in given:
        paths = _paths_by_slug(platform, fields["learningPathSlugs"])
        give_paths(reach, learner, paths, replace=False)
    if given & {"courseIds", "courseSlugs", _COURSES}:
        courses = _named_courses(platform, fields)
        give_courses(reach, learner, courses, replace=bool(fields.get(_COURSES)))


def assign_content(platform: Platform, call: Call) -> Answer:
    """How many accounts were changed, and what was wrong with the entries of others."""
    body = new_fields(call.body, {"users": value_checks.check_list}, ("users",))
    with error_path("users"):
        entries = value_checks.check_each(body["users"], _check_entry)
    accounts, reach = Accounts(platform, call.key), Reach(platform)
    errors: list[Doc] = []
    for entry in entries:
        try:
            _assign_entry(accounts, reach, entry)
        except InvalidValue as wrong:
            name = entry.get("id") or entry.get("email")
            errors.append({"user": name, "message": str(wrong)})
    return Answer({"updatedRecordCount": len(entries) - len(errors), "errors": errors})


def _check_entry(value: Any) -> Doc:
    fields = new_fields(value_checks.json_object(value), ENTRY_RULES)
    if not (fields.get("id") or fields.get("email")):
        raise InvalidValue("needs one of id, email")
    return fields


def _assign_entry(accounts: Accounts, reach: Reach, entry: Doc) -> None:
    """Raises InvalidValue before anything is changed."""
    user = accounts.find_account(Identifiers(entry.get("id"), entry.get("email")))
    if user is None:
        raise InvalidValue("no user has this id or email")
    paths = entry.get("learningPathIds", [])
    with error_path("learningPathIds"):
        reach.platform.read_company().require_configured("learningPaths", paths)
    courses = _named_courses(reach.platform, entry)
    give_paths(reach, user, paths, replace=bool(entry.get(_PATHS)))
    give_courses(reach, user, courses, replace=bool(entry.get(_COURSES)))


def _named_courses(platform: Platform, fields: Mapping[str, Any]) -> list[str]:
    """The ids of courses that are named by id, or by the slug of their group."""
    ids = list(fields.get("courseIds", ()))
    with error_path("courseIds"):
        require_courses(platform, ids)
    for slug in fields.get("courseSlugs", ()):
        group = find_group_by_slug(platform, slug)
        session = shown_session(sessions_of(platform, group)) if group else None
        if session is None:
            raise InvalidValue(f"no course has the slug {quote_value(slug)}", "courseSlugs")
        ids.append(session["id"])
    return list(dict.fromkeys(ids))


def _paths_by_slug(platform: Platform, slugs: list[str]) -> list[str]:
    known = {
        path.get("slug") or derive_slug(path["title"]): path["id"]
        for path in platform.objects.list_objects("learningPaths")
    }
    for slug in slugs:
        if slug not in known:
            message = f"no learning path has the slug {quote_value(slug)}"
            raise InvalidValue(message, "learningPathSlugs")
    return [known[slug] for slug in slugs]
