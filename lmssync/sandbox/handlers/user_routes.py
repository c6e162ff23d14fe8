"""Accounts: `user.read` (spec 2.4, 4), what user writes give them (O58), and `user.assignContent`
for many at once (O61).

`Accounts` says which user an identifier means (spec 4, bulk sublicense rule 3). A learning path
without a slug has that of its title. Where an entry of many names nobody, or something that is not
there, nothing of it is done and the others go on.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...vocabulary.normalisers import derive_slug
from .. import value_checks
from ..api_keys import Key
from ..data.object_kinds import USER
from ..http_messages import Answer, not_found
from ..people.license_effects import Reach, give_courses, give_licenses, give_paths, let_manage
from ..sandbox_documents import Doc, pick_fields
from ..sandbox_platform import Call, Platform
from ..value_checks import InvalidValue, Rule, error_path, new_fields, quote_value
from .course_fields import require_courses
from .course_reads import find_group_by_slug, sessions_of, shown_session

STUDENT = "student"


class Identifiers(NamedTuple):
    """What an entry calls a user, in the order in which it is tried; blank is as good as none."""

    id: str | None = None
    email: str | None = None
    external_id: str | None = None

    def first_identifier(self) -> str:
        """The identifier of the highest priority, normalized: what an unmatched entry is called."""
        return next(normalize_identifier(given) for given in self if given)


def normalize_identifier(identifier: str) -> str:
    """Identifiers are compared without regard to case and to blanks around them.

    Shown for the labels of unmatched entries (rule 6) and taken for the comparison too.
    """
    return identifier.strip().lower()


class Accounts:
    """The accounts that a key may see, by every identifier; read once for a request."""

    def __init__(self, platform: Platform, key: Key) -> None:
        self._by_id: dict[str, Doc] = {}
        self._by_email: dict[str, list[Doc]] = {}
        self._by_external_id: dict[str, list[Doc]] = {}
        for user in platform.objects.list_objects("users"):
            if may_see(key, user):
                self._by_id[user["id"].lower()] = user
                emails = [user.get("email"), *(user.get("secondaryEmails") or ())]
                for email in {normalize_identifier(email) for email in emails if email}:
                    self._by_email.setdefault(email, []).append(user)
                if user.get("externalCustomerId"):
                    external_id = normalize_identifier(user["externalCustomerId"])
                    self._by_external_id.setdefault(external_id, []).append(user)

    def find_account(self, identifiers: Identifiers) -> Doc | None:
        """The user of the first identifier that means somebody."""
        if identifiers.id and (user := self._by_id.get(normalize_identifier(identifiers.id))):
            return user
        email = normalize_identifier(identifiers.email or "")
        if found := self._by_email.get(email):
            return _choose_account(found, email)
        external_id = normalize_identifier(identifiers.external_id or "")
        return _choose_account(self._by_external_id.get(external_id, ()))


def may_see(key: Key, user: Doc) -> bool:
    """A key of scope `client` sees the users of its clients, and none that has no client."""
    return key.may_see_client(user.get("clientId") or "")


def _choose_account(users: Iterable[Doc], email: str = "") -> Doc | None:
    """One of several: no shadow account, then the primary e-mail, then a student; the oldest."""

    def account_preference(user: Doc) -> tuple[bool, bool, bool]:
        primary = normalize_identifier(user.get("email") or "")
        return bool(user.get("isShadow")), primary != email, user.get("roleKey") != STUDENT

    return min(users, key=account_preference, default=None)


SHOWN = ("id", *USER)


def read_user(platform: Platform, call: Call) -> Answer:
    """A user outside the scope of the key is a 404, like an unknown one."""
    given = call.path["id"]
    user = visible_user(platform, call)
    if user is not None:
        return Answer(show_user(user))
    missing = not_found("user", given)
    if platform.switches.missingUser == "errors":
        return Answer({"errors": [{"message": error} for error in missing.errors]})
    raise missing


def require_user(platform: Platform, call: Call) -> Doc:
    """The user of the path, or a 404."""
    user = visible_user(platform, call)
    if user is None:
        raise not_found("user", call.path["id"])
    return user


def visible_user(platform: Platform, call: Call) -> Doc | None:
    """The user of the path, where the key may see one."""
    user = platform.objects.get_object("users", call.path["id"]) or _with_email(platform, call)
    return user if user is not None and may_see(call.key, user) else None


def _with_email(platform: Platform, call: Call) -> Doc | None:
    """The extended profile takes an e-mail address in the place of the id (O35).

    Not shown which of several accounts it means: the one that the bulk route would choose.
    """
    email = call.path["id"]
    if platform.profile != "extended" or "@" not in email:
        return None
    return Accounts(platform, call.key).find_account(Identifiers(email=email))


def show_user(user: Doc) -> Doc:
    """The fields of spec 2.4; only learners have a language."""
    profile = pick_fields(user, SHOWN)
    return profile if user.get("roleKey") == STUDENT else {**profile, "language": None}


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
